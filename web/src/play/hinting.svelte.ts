/*
 * Hints: asked for by the player, shown until the decision that they are about has been made.
 *
 * Nothing is played for anybody: a hint points at the control with which it would be carried out.
 */
import { deedOf, type Deed } from './advice';
import type { Claim } from './actions';
import type { Advice } from '../net/protocol';
import type { PlayModel } from './model.svelte';

const LETTERS = ['A', 'B', 'C'];
/** Tickets that are offered have letters of their own. */
const NUMBERS = ['1', '2', '3'];

export interface Shown {
  letter: string;
  deed: Deed;
  reasons: Advice[];
}

export class Hinting {
  /** The decision for which hints were asked; null if the player wants none now. */
  private asked = $state<string | null>(null);
  /** Whether the list is put away on a small screen, while the letters stay. */
  folded = $state(false);
  /** The route whose hint is pointed at. */
  pointed = $state<string | null>(null);

  constructor(private readonly model: PlayModel) {}

  /** What the player has to decide, as a text that is another one for every decision. */
  private decision = $derived.by(() => {
    const view = this.model.myTurn ? this.model.mine?.view : null;
    return view ? [view.turn, view.phase, view.viewer, ...view.offer, ...view.legal].join(' ') : null;
  });

  /** Whether there is a button to ask with. */
  offered = $derived.by(() => Boolean(this.model.table?.hints) && this.model.known.own.length > 0 && !this.model.over);
  /** Whether hints can be asked for now. */
  ready = $derived.by(() => this.offered && this.decision !== null && this.model.moment === null);
  /** Whether hints, or their place, are shown. */
  open = $derived.by(() => this.asked !== null && this.asked === this.decision && this.model.moment === null);
  /** Whether the list is shown where it takes the place of something else. */
  listed = $derived.by(() => this.open && !this.folded);
  /** The hints; null while they are being worked out. */
  shown = $derived.by((): Shown[] | null => {
    const told = this.model.session.hints;
    if (!this.open || !told || told.seat !== this.model.me) return null;
    return told.hints.map(({ action, reasons }, i) => ({ letter: (this.model.choosing ? NUMBERS : LETTERS)[i]!, deed: deedOf(action), reasons }));
  });
  /** How many hints the player has had in this game. */
  used = $derived.by(() => (this.model.me === null ? 0 : (this.model.table?.seats[this.model.me]?.hints ?? 0)));
  /** The letters by what they point at: a route, a card of the display or `deck`, or `tickets`. */
  letters = $derived.by(() => {
    const found = new Map<string, string>();
    for (const { letter, deed } of this.shown ?? []) {
      const key = deed.claim?.route ?? deed.color ?? deed.kind;
      if (!found.has(key)) found.set(key, letter);
    }
    return found;
  });

  ask(): void {
    const { me, session } = this.model;
    if (!this.ready || me === null) return;
    session.skip();
    session.hints = null;
    this.folded = false;
    this.asked = this.decision;
    session.askHint(me);
  }

  toggle(): void {
    if (this.open && this.folded) this.folded = false;
    else if (this.open) this.close();
    else this.ask();
  }

  close(): void {
    this.asked = null;
    this.pointed = null;
  }

  /** The payment that a hint suggests for a route. */
  paymentFor(route: string): Claim | null {
    return this.shown?.find(({ deed }) => deed.claim?.route === route)?.deed.claim ?? null;
  }
}
