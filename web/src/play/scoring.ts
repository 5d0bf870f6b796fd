/*
 * The steps in which the final score is revealed: routes, failed tickets, completed tickets,
 * bonuses. The points come from the server; this only puts them in an order worth watching.
 */
import type { Board } from '../board/board';
import type { ScoreSheet } from '../net/protocol';

export interface Step {
  kind: 'routes' | 'lost' | 'won' | 'bonus';
  seat: number;
  points: number;
  ticket: string | null;
  bonus: string | null;
}

/** Whether these routes connect two places; decides only which tickets are shown as completed. */
export function connected(board: Board, routes: ReadonlySet<string>, a: string, b: string): boolean {
  const reached = new Set([a]);
  let grown = true;
  while (grown) {
    grown = false;
    for (const id of routes) {
      const route = board.routes.get(id);
      if (!route || reached.has(route.a) === reached.has(route.b)) continue;
      reached.add(route.a).add(route.b);
      grown = true;
    }
  }
  return reached.has(b);
}

export function steps(
  board: Board,
  sheets: readonly ScoreSheet[],
  tickets: readonly (readonly string[])[],
  owners: Record<string, number>,
): Step[] {
  const list: Step[] = [];
  const lost: Step[] = [];
  const won: Step[] = [];
  for (const sheet of sheets) {
    list.push({ kind: 'routes', seat: sheet.seat, points: sheet.routes, ticket: null, bonus: null });
    const own = new Set(Object.keys(owners).filter((id) => owners[id] === sheet.seat));
    for (const id of tickets[sheet.seat] ?? []) {
      const ticket = board.tickets.get(id)!;
      const done = connected(board, own, ticket.a, ticket.b);
      const step: Step = {
        kind: done ? 'won' : 'lost',
        seat: sheet.seat,
        points: done ? ticket.points : -ticket.points,
        ticket: id,
        bonus: null,
      };
      (done ? won : lost).push(step);
    }
  }
  const bySize = (a: Step, b: Step): number => Math.abs(a.points) - Math.abs(b.points) || a.seat - b.seat;
  list.push(...lost.sort(bySize), ...won.sort(bySize));
  for (const bonus of board.data.bonuses) {
    for (const sheet of sheets) {
      const points = sheet.bonuses[bonus.kind] ?? 0;
      if (points) list.push({ kind: 'bonus', seat: sheet.seat, points, ticket: null, bonus: bonus.kind });
    }
  }
  return list;
}

/** The points of each seat after the first n steps. */
export function totals(list: readonly Step[], players: number, n: number): number[] {
  const sums = Array<number>(players).fill(0);
  for (const step of list.slice(0, n)) sums[step.seat]! += step.points;
  return sums;
}
