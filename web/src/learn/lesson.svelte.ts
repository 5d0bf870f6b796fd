/*
 * A lesson on the play screen: which step it is, what it asks for and where that is on the screen.
 * The server decides what is asked and whether it was done; here it is only shown.
 */
import type { LessonData, LessonState } from '../net/protocol';
import { settings } from '../settings.svelte';
import { t } from '../words/i18n';

/** Where each thing is that a step can point at; the first that is on the screen counts. */
const CONTROLS: Record<string, readonly string[]> = {
  players: ['ul.players'],
  market: ['.market[role=group]'],
  deck: ['[data-anchor=deck]'],
  hand: ['[data-anchor=hand]'],
  tickets: ['section.tickets', '[data-open=tickets]'],
  draw_tickets: ['[data-draw-tickets]', '[data-open=tickets]'],
  bonuses: ['[data-bonuses]', '[data-open=tickets]'],
  // Beside a large board the end has no box of its own; the points do.
  scores: ['[data-end]', '[data-end] .scores ol'],
};

export class Lesson {
  data = $state.raw<LessonData | null>(null);
  /** Why what was tried is not what is asked for; null if nothing was. */
  told = $state<string | null>(null);
  /** Counts how often the pupil wanted to be shown what to do. */
  shown = $state(0);

  constructor(private readonly state: () => LessonState | null) {}

  at = $derived.by(() => this.state());
  step = $derived.by(() => (this.at ? (this.data?.steps[this.at.step] ?? null) : null));
  steps = $derived.by(() => this.data?.steps.length ?? 0);
  last = $derived.by(() => this.at !== null && this.at.step === this.steps - 1);
  asked = $derived.by(() => (this.at?.ready ? this.at.asked : []));
  /** Whether there is something to do, and not only something to read. */
  asks = $derived.by(() => this.asked.length > 0);

  /** The routes that may be built for what is asked, or that the step points at. */
  routes = $derived.by(() => new Set(this.asked.flatMap((text) => /^claim (\S+)/.exec(text)?.[1] ?? [])));
  cards = $derived.by(() => new Set(this.asked.flatMap((text) => (text.startsWith('claim ') ? [...text.matchAll(/ (\S+)\*/g)].map(([, color]) => color!) : []))));
  lit = $derived.by(() => {
    if (this.routes.size || !this.at?.ready) return this.routes;
    return new Set(this.step?.point.flatMap((one) => /^route (\S+)/.exec(one)?.[1] ?? []) ?? []);
  });
  places = $derived.by(() => this.step?.point.flatMap((one) => /^place (\S+)/.exec(one)?.[1] ?? []) ?? []);

  /** Selectors of the controls that are meant; each entry lists where to look, best first. */
  controls = $derived.by((): (readonly string[])[] => {
    const found: (readonly string[])[] = [];
    for (const text of this.asked) {
      const [kind, what] = text.split(' ');
      if (kind === 'draw') found.push([what === 'deck' ? '[data-anchor=deck]' : `.slot[data-card=${what}]`]);
      else if (kind === 'tickets') found.push(CONTROLS.draw_tickets!);
      else if (kind === 'keep') found.push(['[data-keep]']);
      else if (kind === 'pass') found.push(['.pass']);
    }
    // What is asked for comes first; a step to read points at what it is about.
    return this.asks ? found : this.meant;
  });

  /** Selectors of the controls that the step is about, whatever it asks for. */
  meant = $derived.by((): (readonly string[])[] => this.step?.point.flatMap((one) => (CONTROLS[one] ? [CONTROLS[one]] : [])) ?? []);

  /** A text of the lesson in the player's language. */
  text(texts: Record<string, string> | undefined): string {
    return texts?.[settings.lang] ?? texts?.en ?? '';
  }

  /** Say why something is not what is asked for. */
  tell(text: string): void {
    this.told = text;
  }

  /** The server's answer to a legal action that is not asked for. */
  reply(number: number | undefined): void {
    const texts = number === undefined ? undefined : this.step?.replies[number];
    this.tell(texts ? this.text(texts) : this.asks ? t('lesson.later') : t('lesson.read'));
  }

  /** Point at what is meant once more. */
  show(): void {
    this.told = null;
    this.shown += 1;
  }
}

/** The parts of a text, bold ones marked. */
export function parts(text: string): { bold: boolean; text: string }[] {
  return text.split('**').map((part, i) => ({ bold: i % 2 === 1, text: part }));
}
