/*
 * The end of a game: its score is revealed step by step, each step lit on the board; after that any
 * step can be looked at again. The numbers are the same wherever they are shown.
 */
import { settings } from '../settings.svelte';
import { play as sound } from '../ui/sound';
import type { PlayModel } from './model.svelte';
import { pointsByTurn, steps, totals, type Step } from './scoring';

/** How long a step is shown, in milliseconds. */
const PACE = { off: 0, fast: 400, normal: 900 };

export class Ending {
  /** How many steps have been revealed. */
  shown = $state(0);
  /** The step that somebody looks at; null for none. */
  chosen = $state.raw<Step | null>(null);
  /** Whether the network of the winners is lit. */
  private proud = $state(false);
  private timer = 0;
  private begun = false;

  constructor(private readonly model: PlayModel) {}

  sheets = $derived.by(() => this.model.view?.scores ?? []);
  /** Whether there is a score to show. */
  there = $derived.by(() => this.model.over && this.sheets.length > 0 && this.model.board !== null);
  steps = $derived.by((): Step[] => {
    const { board, seatView } = this.model;
    if (!this.there || !board || !seatView) return [];
    return steps(board, { sheets: this.sheets, owners: seatView.view.routes, revealed: seatView.revealed, bonuses: seatView.bonuses });
  });
  done = $derived.by(() => this.shown >= this.steps.length);
  sums = $derived.by(() => (this.done ? this.sheets.map((sheet) => sheet.total) : totals(this.sheets, this.steps, this.shown)));
  /** As they sit while points are counted, by rank after that. */
  ranked = $derived.by(() => (this.done ? [...this.sheets].sort((a, b) => a.rank - b.rank || a.seat - b.seat) : this.sheets));
  winners = $derived.by(() => this.sheets.filter((sheet) => sheet.rank === 1).map((sheet) => sheet.seat));
  rows = $derived.by(() => (this.model.board ? pointsByTurn(this.model.board, this.model.known.events, this.sheets.length) : []));
  turns = $derived.by(() => this.model.view?.turn ?? 0);

  /** The step that is shown on the board. */
  step = $derived.by(() => this.chosen ?? (this.done ? null : (this.steps[this.shown - 1] ?? null)));
  lit = $derived.by(() => {
    if (this.step) return new Set(this.step.routes);
    if (!this.proud) return new Set<string>();
    const owners = Object.entries(this.model.view?.routes ?? {});
    return new Set(owners.filter(([, owner]) => this.winners.includes(owner)).map(([id]) => id));
  });
  rings = $derived.by(() => new Set(this.step?.places ?? []));
  /** The places of what is lit; all of them if nothing is. */
  inView = $derived.by(() => {
    const board = this.model.board;
    if (!board) return [];
    if (!this.step) return [...board.places.keys()];
    return [...this.step.places, ...this.step.routes.flatMap((id) => [board.routes.get(id)!.a, board.routes.get(id)!.b])];
  });
  veiled = $derived.by(() => this.step !== null || this.proud);
  reached = $derived.by(() =>
    this.step?.kind === 'bonus' ? { places: new Set(this.step.places), groups: new Map(this.step.groups), seat: this.step.seat } : null,
  );

  /** Count the points for the first time, if there is time for it. */
  begin(): void {
    if (this.begun) return;
    this.begun = true;
    if (settings.speed === 'off' || matchMedia('(prefers-reduced-motion: reduce)').matches) this.finish();
    else this.run(() => this.reveal());
  }

  private run(tick: () => boolean): void {
    clearInterval(this.timer);
    this.timer = window.setInterval(() => {
      if (!tick()) clearInterval(this.timer);
    }, PACE[settings.speed] || PACE.normal);
  }

  private reveal(): boolean {
    if (this.done) {
      this.finish();
      return false;
    }
    this.shown += 1;
    sound(this.step?.kind === 'lost' ? 'no' : 'ticket');
    return true;
  }

  /** To the end of the count at once. */
  finish(): void {
    clearInterval(this.timer);
    this.shown = this.steps.length;
    this.chosen = null;
    this.proud = true;
    if (settings.speed !== 'off') sound('end');
  }

  /** Look at a step; the same one again, or null, ends that. */
  choose(step: Step | null): void {
    clearInterval(this.timer);
    if (!this.done) this.finish();
    this.chosen = step === this.chosen ? null : step;
    this.proud = false;
  }

  /** Look at all steps, one after the other. */
  again(): void {
    let at = -1;
    this.chosen = null;
    const next = (): boolean => {
      at += 1;
      this.proud = false;
      this.chosen = this.steps[at] ?? null;
      return this.chosen !== null;
    };
    next();
    this.run(next);
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
