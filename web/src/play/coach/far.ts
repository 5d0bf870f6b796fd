/* Whether two tickets are far apart: whether hardly any route could help both. */
import type { SeatView } from '../../net/protocol';
import type { CoachBoard } from './explanations';

/** Tickets are far apart if the gap between their ways takes this share of all pieces. */
const SHARE = 1 / 6;

interface Link {
  to: string;
  pieces: number;
}

/** The places in the list of the two tickets that are furthest apart; null if none are far apart. */
export function farApart(told: SeatView, board: CoachBoard, tickets: readonly string[]): [number, number] | null {
  const ways = tickets.map((id) => placesOf(told, board, id));
  const links = openLinks(told, board);
  let most = SHARE * board.pieces.reduce((sum, piece) => sum + piece.count, 0);
  let pair: [number, number] | null = null;
  ways.forEach((way, i) => {
    for (let j = i + 1; j < ways.length; j++) {
      if (!way.size || !ways[j]!.size) continue;
      const between = gap(links, way, ways[j]!);
      if (between >= most) {
        most = between;
        pair = [i, j];
      }
    }
  });
  return pair;
}

/** The places along the shortest way of a ticket; none if it is completed or cannot be. */
function placesOf(told: SeatView, board: CoachBoard, ticket: string): Set<string> {
  const progress = told.progress[ticket];
  const way = new Set(progress && !progress.done ? progress.way : []);
  return new Set(board.routes.filter((route) => way.has(route.id)).flatMap((route) => [route.a, route.b]));
}

/** The routes that the seat has or may still claim, and the pieces that they would take. */
function openLinks(told: SeatView, board: CoachBoard): Map<string, Link[]> {
  const links = new Map<string, Link[]>();
  const shut = new Set(told.shut);
  for (const { id, a, b, pieces } of board.routes) {
    const owner = told.view.routes[id];
    if (shut.has(id) || (owner !== undefined && owner !== told.seat)) continue;
    const needed = owner === undefined ? pieces : 0;
    for (const [from, to] of [[a, b], [b, a]] as const) {
      links.set(from, [...(links.get(from) ?? []), { to, pieces: needed }]);
    }
  }
  return links;
}

/** The fewest pieces between two sets of places; infinitely many if nothing can join them. */
function gap(links: ReadonlyMap<string, Link[]>, from: ReadonlySet<string>, to: ReadonlySet<string>): number {
  const far = new Map([...from].map((place) => [place, 0]));
  const open = new Set(from);
  while (open.size) {
    const next = [...open].reduce((a, b) => (far.get(b)! < far.get(a)! ? b : a));
    if (to.has(next)) return far.get(next)!;
    open.delete(next);
    for (const link of links.get(next) ?? []) {
      const there = far.get(next)! + link.pieces;
      if (there < (far.get(link.to) ?? Infinity)) {
        far.set(link.to, there);
        open.add(link.to);
      }
    }
  }
  return Infinity;
}
