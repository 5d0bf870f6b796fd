/*
 * The story of a game: the log lines that its events make, and the board at any moment of it.
 */
import type { GameEvent } from '../net/protocol';
import type { Key } from '../words';

export type Icon = 'card' | 'deck' | 'ticket' | 'build' | 'flag' | 'shuffle' | 'pass' | 'bell' | 'end' | 'start';

/** One line of the log. */
export interface Line {
  /** The number of the event that it tells. */
  at: number;
  seat: number | null;
  icon: Icon;
  key: Key;
  values: Record<string, string | number>;
  cards: Record<string, number>;
  route: string | null;
  tickets: string[];
  /** Which turn of the game; lines of one turn belong together. */
  turn: number;
  /** Whether it is the first line of its turn. */
  opens: boolean;
}

type Teller = (event: GameEvent) => Partial<Line> & { key: Key; icon: Icon };

const TELLERS: Partial<Record<GameEvent['event'], Teller>> = {
  took: (e) => ({
    key: e.color === 'wild' ? 'log.tookWild' : 'log.took',
    icon: 'card',
    cards: { [e.color!]: 1 },
  }),
  drew: (e) => ({ key: 'log.drew', icon: 'deck', cards: e.color ? { [e.color]: 1 } : {} }),
  offered: (e) => ({
    key: 'log.offered',
    icon: 'ticket',
    values: { n: e.count ?? 0 },
    tickets: e.tickets ?? [],
  }),
  kept: (e) => ({
    key: 'log.kept',
    icon: 'ticket',
    values: { n: e.count ?? 0 },
    tickets: e.tickets ?? [],
  }),
  claimed: (e) => ({
    key: e.points === undefined ? 'log.claimed' : 'log.claimedFor',
    icon: 'build',
    values: { points: e.points ?? 0 },
    route: e.route ?? null,
    cards: Array.isArray(e.cards) ? {} : (e.cards ?? {}),
  }),
  flag_kept: (e) => ({ key: 'log.flagKept', icon: 'flag', cards: { [e.color!]: 1 } }),
  flag_scored: (e) => ({ key: 'log.flagScored', icon: 'flag', values: { points: e.points ?? 0 } }),
  passed: () => ({ key: 'log.passed', icon: 'pass' }),
  swept: () => ({ key: 'log.swept', icon: 'shuffle' }),
  reshuffled: (e) => ({ key: 'log.reshuffled', icon: 'shuffle', values: { n: e.count ?? 0 } }),
  last_round: () => ({ key: 'log.lastRound', icon: 'bell' }),
  ended: () => ({ key: 'log.ended', icon: 'end' }),
};

/** All lines of the log. What belongs to the set-up is told in one line. */
export function linesOf(events: readonly GameEvent[]): Line[] {
  const lines: Line[] = [];
  let turn = 0;
  let set = false;
  events.forEach((event, at) => {
    if (event.event === 'awaited') {
      if (event.phase === 'turn') turn += 1;
      if (event.phase !== 'setup') set = true;
      return;
    }
    if (!set && event.event === 'offered') return;
    if (!set && (event.event === 'swept' || event.event === 'reshuffled')) return;
    const line = lineOf(event, at, turn, lines.at(-1)?.turn !== turn);
    if (line) lines.push(line);
  });
  return lines;
}

/** Lines told before. The same event gives the same object, so that only new lines are drawn. */
const toldLines = new WeakMap<GameEvent, Line>();

function lineOf(event: GameEvent, at: number, turn: number, opens: boolean): Line | null {
  const known = toldLines.get(event);
  if (known && known.at === at && known.turn === turn && known.opens === opens) return known;
  const told = TELLERS[event.event]?.(event);
  if (!told) return null;
  const line: Line = {
    at,
    seat: event.seat ?? null,
    values: {},
    cards: {},
    route: null,
    tickets: [],
    turn,
    opens,
    ...told,
  };
  toldLines.set(event, line);
  return line;
}

/** The lines of each seat's last turn after the given seat's own last turn began. */
export function sinceTurnOf(lines: readonly Line[], seat: number): Line[] {
  let from = 0;
  for (let i = lines.length - 1; i >= 0; i--) {
    if (lines[i]!.seat === seat) {
      from = i + 1;
      break;
    }
  }
  return lines.slice(from).filter((line) => line.seat !== null && line.seat !== seat);
}

/** Routes claimed by others since the given seat's last turn; for a spectator the last claim. */
export function lastClaims(lines: readonly Line[], seat: number | null): Set<string> {
  const claims = lines.filter((line) => line.route !== null);
  if (seat === null) return new Set(claims.slice(-1).map((line) => line.route!));
  const since = new Set(sinceTurnOf(lines, seat).filter((l) => l.route).map((l) => l.route!));
  const last = claims.at(-1);
  if (last) since.add(last.route!);
  return since;
}

/** How the public part of a game stands at a moment. */
export interface Moment {
  owners: Record<string, number>;
  faceup: (string | null)[];
  points: number[];
  hands: number[];
  tickets: number[];
  turn: number;
  seat: number | null;
}

export function emptyMoment(players: number): Moment {
  return {
    owners: {},
    faceup: [null, null, null, null, null],
    points: Array<number>(players).fill(0),
    hands: Array<number>(players).fill(0),
    tickets: Array<number>(players).fill(0),
    turn: 0,
    seat: null,
  };
}

/** The moment after one more event. */
export function after(moment: Moment, event: GameEvent): Moment {
  const next: Moment = {
    ...moment,
    faceup: [...moment.faceup],
    points: [...moment.points],
    hands: [...moment.hands],
    tickets: [...moment.tickets],
  };
  const seat = event.seat ?? -1;
  switch (event.event) {
    case 'dealt':
    case 'drew':
      next.hands[seat]! += 1;
      break;
    case 'took':
      next.hands[seat]! += 1;
      next.faceup[(event.place ?? 1) - 1] = null;
      break;
    case 'turned_up':
      next.faceup[(event.place ?? 1) - 1] = event.color ?? null;
      break;
    case 'swept':
      next.faceup = next.faceup.map(() => null);
      break;
    case 'kept':
      next.tickets[seat]! += event.count ?? 0;
      break;
    case 'claimed': {
      const cards = Array.isArray(event.cards) ? {} : (event.cards ?? {});
      next.owners = { ...moment.owners, [event.route!]: seat };
      next.hands[seat]! -= Object.values(cards).reduce((sum, n) => sum + n, 0);
      next.points[seat]! += event.points ?? 0;
      break;
    }
    case 'flag_scored':
      next.points[seat]! += event.points ?? 0;
      break;
    case 'awaited':
      next.seat = event.seat ?? null;
      if (event.phase === 'turn') next.turn += 1;
      break;
    case 'ended':
      next.seat = null;
      break;
  }
  return next;
}

/** The board after the event with this number. */
export function momentAt(events: readonly GameEvent[], players: number, at: number): Moment {
  let moment = emptyMoment(players);
  for (let i = 0; i <= at && i < events.length; i++) moment = after(moment, events[i]!);
  return moment;
}

/** Points of each player after every turn, for the curve at the end. */
export function pointsByTurn(events: readonly GameEvent[], players: number): number[][] {
  const rows: number[][] = [Array<number>(players).fill(0)];
  let moment = emptyMoment(players);
  for (const event of events) {
    const turn = moment.turn;
    moment = after(moment, event);
    if (moment.turn !== turn) rows.push([...moment.points]);
  }
  rows.push([...moment.points]);
  return rows;
}
