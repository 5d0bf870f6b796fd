/*
 * The steps in which the final score is revealed: failed tickets, completed tickets, bonuses. The
 * points and the ways come from the server; this only puts them in an order worth watching.
 */
import type { Board } from '../board/board';
import type { BonusStep, GameEvent, RevealedTicket, ScoreSheet } from '../net/protocol';

/** What is known of a finished game. */
export interface Outcome {
  sheets: readonly ScoreSheet[];
  owners: Record<string, number>;
  /** For each player. */
  revealed: readonly (readonly RevealedTicket[])[];
  /** For each player: how far they came with each kind of bonus. */
  bonuses: readonly Record<string, BonusStep[]>[];
}

export interface Step {
  kind: 'lost' | 'won' | 'bonus';
  seat: number;
  points: number;
  ticket: string | null;
  bonus: string | null;
  /** What is lit on the board. */
  routes: readonly string[];
  places: readonly string[];
  /** The groups of places that were completed, and how many places each has. */
  groups: readonly (readonly [string, number])[];
}

function ticketStep(board: Board, seat: number, { ticket: id, done, way }: RevealedTicket): Step {
  const ticket = board.tickets.get(id)!;
  return {
    kind: done ? 'won' : 'lost',
    seat,
    points: done ? ticket.points : -ticket.points,
    ticket: id,
    bonus: null,
    routes: way,
    places: [ticket.a, ticket.b],
    groups: [],
  };
}

/** Where a bonus was won: along a way, or at places and over the player's routes there. */
function bonusStep(board: Board, { owners, bonuses }: Outcome, seat: number, kind: string, points: number): Step {
  const reached = (bonuses[seat]?.[kind] ?? []).filter((step) => step.group === null || step.have === step.need);
  const places = reached.flatMap((step) => step.items.filter((id) => board.places.has(id)));
  const routes = reached.flatMap((step) => {
    const here = new Set(step.items);
    const own = board.data.routes.filter((route) => owners[route.id] === seat);
    const there = own.filter(({ a, b }) => (step.group === null ? here.has(a) || here.has(b) : here.has(a) && here.has(b)));
    return [...step.routes, ...there.map((route) => route.id)];
  });
  const groups = reached.flatMap(({ group, have }) => (group === null ? [] : [[group, have] as const]));
  return { kind: 'bonus', seat, points, ticket: null, bonus: kind, routes, places, groups };
}

export function steps(board: Board, outcome: Outcome): Step[] {
  const tickets = outcome.revealed.flatMap((all, seat) => all.map((one) => ticketStep(board, seat, one)));
  const bySize = (a: Step, b: Step): number => Math.abs(a.points) - Math.abs(b.points) || a.seat - b.seat;
  const of = (kind: Step['kind']): Step[] => tickets.filter((step) => step.kind === kind).sort(bySize);
  const bonuses = board.data.bonuses.flatMap(({ kind }) =>
    outcome.sheets.flatMap((sheet) => {
      const points = sheet.bonuses[kind] ?? 0;
      return points ? [bonusStep(board, outcome, sheet.seat, kind, points)] : [];
    }),
  );
  return [...of('lost'), ...of('won'), ...bonuses];
}

/** The points of each seat for its routes and the first n steps. */
export function totals(sheets: readonly ScoreSheet[], list: readonly Step[], n: number): number[] {
  const sums = sheets.map((sheet) => sheet.routes);
  for (const step of list.slice(0, n)) sums[step.seat]! += step.points;
  return sums;
}

/** The points of every player after each part of a game, without tickets and what is given at the end. */
export function pointsAfter(board: Board, parts: readonly (readonly GameEvent[])[], players: number): number[][] {
  const points = Array<number>(players).fill(0);
  return parts.map((events) => {
    for (const event of events) {
      // Some boards count routes only at the end; what they are worth is known all the same.
      const worth = event.points ?? (event.event === 'claimed' ? (board.routes.get(event.route!)?.points ?? 0) : 0);
      if (event.seat !== undefined) points[event.seat]! += worth;
    }
    return [...points];
  });
}

/** The same after each turn. */
export function pointsByTurn(board: Board, events: readonly GameEvent[], players: number): number[][] {
  const turns: GameEvent[][] = [[]];
  for (const event of events) {
    turns.at(-1)!.push(event);
    if (event.event === 'awaited' && event.phase === 'turn') turns.push([]);
  }
  return pointsAfter(board, [[], ...turns], players);
}
