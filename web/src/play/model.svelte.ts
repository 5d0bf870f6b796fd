/*
 * The view model of the play screen: what it shows, derived from what the server has sent.
 *
 * The only decision made here is whose cards are visible on a shared screen: those of the player who
 * has opened the curtain, and nobody's otherwise.
 */
import { legalActions, noActions, paysWith, type Claim } from './actions';
import type { Board } from '../board/board';
import { problemText, seatName, t } from '../words/i18n';
import type { Blocked, ErrorCode, Progress } from '../net/protocol';
import type { Session } from '../net/session.svelte';
import { settings } from '../settings.svelte';
import { play as sound } from '../ui/sound';
import { lastClaims, lineText, linesOf, sinceTurnOf, type Line } from './log';
import { momentAt } from './moments';
import { needsOf, payments, type Payment } from './payments';
import { awaited, viewOf } from '../net/table';
import { Ending } from './ending.svelte';
import { Coaching } from './coach/coaching.svelte';
import { Hinting } from './hinting.svelte';

/** Somebody who says what to do on the play screen: a lesson. */
export interface Guide {
  /** The routes that are meant. */
  routes: ReadonlySet<string>;
  /** The routes that are pointed at. */
  lit: ReadonlySet<string>;
  /** The cards of the hand that can pay for what is meant. */
  cards: ReadonlySet<string>;
  /** Whether there is something to do. */
  asks: boolean;
  /** Say why something is not possible, or not what is meant. */
  tell(text: string): void;
}

export class PlayModel {
  guide = $state.raw<Guide | null>(null);
  board = $state.raw<Board | null>(null);
  /** On a shared screen, one's own seat whose cards are shown; null while the curtain is closed. */
  revealedSeat = $state<number | null>(null);
  /** The colour of the hand by which claims are filtered. */
  filter = $state<string | null>(null);
  /** The route whose payment is being chosen. */
  paying = $state<string | null>(null);
  /** The cards chosen for it, which lift out of the hand. */
  payment = $state.raw<Claim | null>(null);
  /** The lane that is shown with ghost pieces. */
  ghost = $state<string | null>(null);
  /** The event that the player looks back at; null for the present. */
  moment = $state<number | null>(null);
  /** Routes and tickets that are pointed at in a list. */
  litRoute = $state<string | null>(null);
  litTickets = $state.raw<string[]>([]);
  /** The kind of bonus whose way is shown on the board. */
  litBonus = $state<string | null>(null);
  /** A short message over the board, and the text that screen readers announce. */
  toast = $state<{ text: string; bad: boolean } | null>(null);
  announcement = $state('');
  private toastTimer = 0;
  /** Places in the offer that the player wants to keep, counted from 0. */
  keeping = $state.raw<number[]>([]);

  readonly session: Session;
  readonly ending = new Ending(this);
  readonly hinting = new Hinting(this);
  readonly coaching = new Coaching(this);

  constructor(session: Session) {
    this.session = session;
  }

  known = $derived.by(() => this.session.known);
  table = $derived(this.known.table);
  shared = $derived(this.known.own.length > 1);
  awaited = $derived(awaited(this.known));
  me = $derived(this.shared ? this.revealedSeat : (this.known.own[0] ?? null));
  spectator = $derived(this.known.table !== null && this.known.own.length === 0);
  seatView = $derived(viewOf(this.known, this.me) ?? this.known.views[0] ?? null);
  view = $derived(this.seatView?.view ?? null);
  over = $derived(this.view?.phase === 'over');
  /** The view of the visible seat; its hand may be shown only from this. */
  mine = $derived(this.me !== null && this.seatView?.seat === this.me ? this.seatView : null);
  myTurn = $derived(this.me !== null && this.awaited.includes(this.me) && this.moment === null);
  player = $derived(this.me === null ? null : (this.mine?.view.players[this.me] ?? null));
  hand = $derived(this.player?.hand ?? {});
  tickets = $derived(this.player?.tickets ?? []);
  offer = $derived(this.mine?.view.offer ?? []);
  legal = $derived(
    this.myTurn && this.mine ? legalActions(this.mine.view.legal) : noActions(),
  );
  /** One's own seat that may take its last action back. */
  undoSeat = $derived(
    this.moment === null ? (this.known.own.find((seat) => viewOf(this.known, seat)?.undo) ?? null) : null,
  );
  /** Whether the server has yet to answer a command. */
  busy = $derived.by(() => this.session.pending > 0);
  lines = $derived(linesOf(this.known.events));
  since = $derived(this.me === null ? [] : sinceTurnOf(this.lines, this.me));
  past = $derived(
    this.moment === null || !this.view
      ? null
      : momentAt(this.known.events, this.view.players.length, this.moment),
  );
  owners = $derived(this.past?.owners ?? this.view?.routes ?? {});

  choosing = $derived(this.myTurn && this.offer.length > 0);

  /** The seat that the curtain calls to the screen. */
  curtain = $derived.by(() => {
    if (!this.shared || this.over || this.awaited.length === 0) return null;
    return this.revealedSeat !== null && this.awaited.includes(this.revealedSeat) ? null : this.awaited[0]!;
  });

  /** Routes that can be claimed now, with the filter by colour applied. */
  claimable = $derived.by(() => {
    const routes = new Set<string>();
    for (const [route, claims] of this.legal.claims) {
      if (this.filter === null || paysWith(claims, this.filter)) routes.add(route);
    }
    return routes;
  });

  shut = $derived(new Set(this.seatView?.shut ?? []));
  lastClaims = $derived(
    this.moment === null
      ? lastClaims(this.lines, this.me)
      : new Set(this.lines.filter((line) => line.at === this.moment && line.route).map((line) => line.route!)),
  );

  rings = $derived.by(() => {
    const places = new Set<string>();
    if (!settings.helper) return places;
    for (const id of this.tickets) {
      const ticket = this.board?.tickets.get(id);
      if (!ticket || this.progress(id)?.done) continue;
      places.add(ticket.a);
      places.add(ticket.b);
    }
    return places;
  });

  /** Free routes on the way of one's own open tickets, both lanes of a double route. */
  useful = $derived.by(() => {
    const routes = new Set<string>();
    if (!settings.helper || this.over || this.moment !== null) return routes;
    for (const id of this.tickets) {
      const progress = this.progress(id);
      if (!progress || progress.done) continue;
      for (const route of progress.way) {
        if (route in this.owners) continue;
        for (const lane of this.lanes(route)) {
          if (!(lane in this.owners) && !this.shut.has(lane)) routes.add(lane);
        }
      }
    }
    return routes;
  });

  /** The places that count for one's own bonuses by now. */
  reached = $derived.by(() => {
    if (this.me === null || !this.mine || this.moment !== null) return null;
    const steps = Object.values(this.mine.bonuses[this.me] ?? {}).flat();
    return {
      seat: this.me,
      places: new Set(steps.flatMap((step) => step.items)),
      groups: new Map(steps.flatMap((step) => (step.group === null ? [] : [[step.group, step.have] as const]))),
    };
  });

  /** The routes of the way that is shown for a bonus. */
  litPath = $derived.by(() => {
    if (this.litBonus === null || this.me === null || this.moment !== null) return [];
    return this.mine?.bonuses[this.me]?.[this.litBonus]?.flatMap((step) => step.routes) ?? [];
  });

  progress(ticket: string): Progress | null {
    return this.mine?.progress[ticket] ?? null;
  }

  /** How many pieces stand already on the way of a ticket. */
  builtOnWay(ticket: string): number {
    const built = this.progress(ticket)?.way.filter((route) => this.owners[route] === this.me) ?? [];
    return built.reduce((sum, route) => sum + (this.board?.routes.get(route)?.pieces ?? 0), 0);
  }

  /** The word for pieces, whichever kinds the board has. */
  pieces(n: number): string {
    const kinds = this.board?.data.pieces ?? [];
    return kinds.length === 1 ? this.board!.piece(kinds[0]!.id, n, settings.lang) : t('pieces', { n });
  }

  /** For each bonus that is about colours: the cards in front of a seat, and how often it has scored. */
  bonusCards(seat: number): { kind: string; wanted: string[]; colors: string[]; scored: number }[] {
    const bonuses = this.board?.data.bonuses.filter((bonus) => bonus.colors.length) ?? [];
    return bonuses.map(({ kind, events, colors }) => ({
      kind,
      wanted: colors,
      colors: this.seatView?.bonuses[seat]?.[kind]?.flatMap((step) => step.items) ?? [],
      scored: this.known.events.filter((e) => e.seat === seat && e.event in events && e.points).length,
    }));
  }

  name(seat: number): string {
    const info = this.table?.seats[seat];
    return info ? seatName(info, this.known.own) : t('name.player', { n: seat + 1 });
  }

  /** A line of the log in words, without the name of the player. */
  text(line: Line): string {
    return lineText(line, this.board, settings.lang);
  }

  spoken(line: Line): string {
    const cards = Object.entries(line.cards)
      .map(([color, n]) => `${n} ${this.board?.color(color, settings.lang) ?? color}`);
        if (line.seat === this.me) cards.push(...line.blind.flatMap((color) => (color ? `1 ${this.board?.color(color, settings.lang)}` : [])));
    else if (line.blind.length) cards.push(t('log.blind', { n: line.blind.length }));
    const words = [this.text(line), cards.join(', ')].filter(Boolean).join(': ');
    return line.seat === null ? words : `${this.name(line.seat)}: ${words}`;
  }

  /** Both lanes of a route, or the one. */
  lanes(route: string): string[] {
    const found = this.board?.routes.get(route);
    if (!found?.twin) return [route];
    return found.lane === 2 ? [found.twin, route] : [route, found.twin];
  }

  claims(route: string): Claim[] {
    return this.legal.claims.get(route) ?? [];
  }

  /** The ways to pay for a route, the most sensible first. */
  payments(route: string): Payment[] {
    const lanes = this.lanes(route);
    const others = [...this.useful].filter((id) => !lanes.includes(id));
    return payments(this.claims(route), this.hand, needsOf(others.map((id) => this.board!.routes.get(id)!)));
  }

  /**
   * Why a route cannot be claimed now; null if it can. The codes are those of the server: what it has
   * sent about the route comes first, then what the phase of the game says about every route.
   */
  reason(route: string): string | null {
    const view = this.view;
    if (!view || !this.board) return null;
    const owner = view.routes[route];
    if (owner !== undefined) {
      return owner === this.me ? t('why.own') : t('why.taken', { name: this.name(owner) });
    }
    if (this.claims(route).length) return null;
    const blocked = this.mine?.blocked[route];
    if (blocked) return this.blockedText(blocked);
    if (this.over) return t('why.over');
    if (this.shut.has(route)) return t('why.shut');
    if (this.spectator) return t('why.watching');
    if (!this.myTurn) {
      return view.seat === null ? t('why.setup') : t('why.not_turn', { name: this.name(view.seat) });
    }
    if (this.offer.length) return t('why.choose');
    return view.phase === 'second_card' ? t('why.second_card') : t('why.not');
  }

  private blockedText(blocked: Blocked): string {
    const board = this.board!;
    const lang = settings.lang;
    const values = { n: blocked.missing ?? 0, left: blocked.left ?? 0 };
    switch (blocked.code) {
      case 'own_twin':
        return t('why.own_twin');
      case 'shut':
        return t('why.shut');
      case 'pieces':
        return t('why.pieces', { ...values, pieces: board.piece(blocked.piece ?? '', values.left, lang) });
      case 'cards':
        return blocked.color && blocked.color !== 'gray'
          ? t('why.cards', { ...values, color: board.color(blocked.color, lang) })
          : t('why.anyCards', values);
    }
  }

  /** One route in words, for the tooltip, the table and the screen reader. */
  describe(id: string): string {
    const board = this.board;
    const route = board?.routes.get(id);
    if (!board || !route) return id;
    const lang = settings.lang;
    const color = route.color === 'gray' ? t('route.any') : board.color(route.color, lang);
    const parts = [board.ends(route, lang), t('route.cost', { n: route.cost, color })];
    if (route.twin) parts.push(t('route.lane', { n: route.lane }));
    parts.push(t('route.points', { n: route.points }));
    const owner = this.owners[id];
    if (owner !== undefined) {
      parts.push(owner === this.me ? t('why.own') : t('route.of', { name: this.name(owner) }));
      return parts.join(', ');
    }
    if (this.claimable.has(id)) parts.push(t('route.open'));
    else if (this.myTurn || this.shut.has(id)) parts.push(this.reason(id) ?? '');
    if (this.useful.has(id)) parts.push(t('route.useful'));
    return parts.filter(Boolean).join(', ');
  }

  problem(code: ErrorCode): string {
    return problemText(code);
  }

  stopPaying(): void {
    this.paying = null;
    this.payment = null;
    this.ghost = null;
  }

  undo(): void {
    if (this.undoSeat !== null && !this.busy) this.session.undo(this.undoSeat);
  }

  notice(text: string, bad: boolean): void {
    if (bad && this.guide) {
      this.guide.tell(text);
      return;
    }
    this.toast = { text, bad };
    this.announcement = text;
    if (bad) sound('no');
    clearTimeout(this.toastTimer);
    this.toastTimer = window.setTimeout(() => (this.toast = null), 3600);
  }

  /** Cancel everything that is still scheduled. */
  stop(): void {
    clearTimeout(this.toastTimer);
    this.ending.stop();
  }

  play(action: string): void {
    if (this.me === null || this.busy || !this.myTurn) return;
    this.stopPaying();
    this.session.skip();
    this.session.play(this.me, action);
  }
}
