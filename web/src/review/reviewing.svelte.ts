/* The review of a finished game: asked for, watched while it is worked out, and put together with the replay. */
import { codeOf, reviewOf, runReview } from '../net/api';
import type { RecordData, ReviewData, ReviewedDecision } from '../net/protocol';
import { problemText } from '../words/i18n';

/** How often a page looks how far it is, in milliseconds. */
const LOOK = 1000;
/** The change of win chance from which chance is marked in the graph. */
const LARGE = 0.05;
const WRONG: ReadonlySet<string> = new Set(['slip', 'mistake', 'blunder']);

/** A change of win chance, in hundredths, with its sign. */
export function signed(change: number): string {
  const n = Math.round(change * 100);
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '0';
}

export class Reviewing {
  data = $state.raw<ReviewData | null>(null);
  problem = $state('');
  /** The seat whose game is looked at. */
  seat = $state(0);
  private timer = 0;
  /** When the page first saw it being worked out, in milliseconds, and how far it was then. */
  private began = $state.raw<{ time: number; done: number } | null>(null);
  private seen = $state(0);

  constructor(
    private readonly table: string,
    private readonly record: () => RecordData | null,
  ) {}

  /** The first event of each frame. */
  private firsts = $derived.by(() => {
    let n = 0;
    return (this.record()?.frames ?? []).map((one) => (n += one.events.length) - one.events.length);
  });
  /** For each frame that is worked out, each seat's chance after it. */
  rows = $derived.by(() => {
    const win = this.data?.win ?? [];
    return this.firsts.flatMap((first, i) => {
      const row = win[first + (this.record()?.frames[i]?.events.length ?? 0) - 1];
      return row ? [row] : [];
    });
  });
  /** The decisions by the frame in which they were carried out. */
  byFrame = $derived(new Map((this.data?.decisions ?? []).map((one) => [this.frameOf(one.event), one] as const)));
  /** The frames of the seat's mistakes, in their order. */
  mistakes = $derived([...this.byFrame].filter(([, one]) => one.seat === this.seat && WRONG.has(one.verdict)).map(([frame]) => frame));
  /** The frames in which chance did much for the seat, or much against it. */
  fortunes = $derived.by(() => {
    const brought = new Map<number, number>();
    for (const { event, brought: all } of this.data?.chances ?? []) {
      const frame = this.frameOf(event);
      brought.set(frame, (brought.get(frame) ?? 0) + (all[this.seat] ?? 0));
    }
    return [...brought].filter(([, luck]) => Math.abs(luck) >= LARGE).map(([frame, luck]) => ({ frame, good: luck > 0 }));
  });
  /** About how many seconds are left; null as long as nobody can tell. */
  secondsLeft = $derived.by(() => {
    const { data, began } = this;
    if (data?.state !== 'running' || !began || data.done <= began.done) return null;
    const perStep = (this.seen - began.time) / (data.done - began.done);
    return Math.max(1, Math.round(((data.total - data.done) * perStep) / 1000));
  });
  /** Whether the whole game has been looked at; before that, nobody knows how well it was played. */
  whole = $derived.by(() => this.data?.state === 'done');
  mine = $derived.by(() => this.data?.seats[this.seat] ?? null);
  turningFrame = $derived.by(() => (this.mine?.turning_point == null ? null : this.frameOf(this.mine.turning_point)));

  frameOf(event: number): number {
    return this.firsts.findLastIndex((first) => first <= event);
  }

  /** The turn in which a frame was played. */
  turnOf(frame: number): number {
    return this.record()?.frames[Math.max(0, frame - 1)]?.view.turn ?? 0;
  }

  /** The frame in which a turn begins; null if there is no such turn. */
  frameOfTurn(turn: number): number | null {
    const frames = this.record()?.frames ?? [];
    const found = frames.findIndex((_, frame) => frame > 0 && this.turnOf(frame) === turn);
    return found < 0 ? null : found;
  }

  /** The decision of a frame, if it could have been better. */
  wrongAt(frame: number): ReviewedDecision | null {
    const one = this.byFrame.get(frame);
    return one && WRONG.has(one.verdict) ? one : null;
  }

  /** The tickets that a seat chose from at an event. */
  offerAt({ event, seat }: ReviewedDecision): string[] {
    const events = this.record()?.frames.flatMap((one) => one.events) ?? [];
    return events.slice(0, event + 1).findLast((one) => one.event === 'offered' && one.seat === seat)?.tickets ?? [];
  }

  async look(): Promise<void> {
    await this.ask(() => reviewOf(this.table));
  }

  async run(run: boolean): Promise<void> {
    await this.ask(() => runReview(this.table, run));
  }

  private async ask(what: () => Promise<ReviewData>): Promise<void> {
    clearTimeout(this.timer);
    try {
      this.data = await what();
      this.problem = '';
      this.seen = performance.now();
      if (this.data.state !== 'running') this.began = null;
      else this.began ??= { time: this.seen, done: this.data.done };
    } catch (error) {
      this.problem = problemText(codeOf(error));
    }
    if (this.data?.state === 'running') this.timer = window.setTimeout(() => void this.look(), LOOK);
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
