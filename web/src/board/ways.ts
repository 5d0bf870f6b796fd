/* Ways over the board: lines along routes, several of them side by side where they share a route. */
import type { Board } from './board';
import type { Point } from './geometry';

/** The way of a ticket, shown on the board. */
export interface TicketWay {
  a: string;
  b: string;
  tag: string;
  color: string;
  /** How its line is drawn; solid if it is not said. */
  dash?: 'solid' | 'dashed' | 'dotted';
  /** Whether it is the one that is looked at. */
  strong?: boolean;
  /** The routes from end to end; empty if there is no way. */
  routes: readonly string[];
}

/** The line along one route, moved sideways by some px. */
function along(board: Board, route: string, aside: number): Point[] {
  const { a, b } = board.routes.get(route)!;
  const line = board.shapeOf.get(route)!.line;
  const last = line.length - 1;
  const moved = line.map((p, i) => {
    const from = line[Math.max(0, i - 1)]!;
    const to = line[Math.min(last, i + 1)]!;
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    return { x: p.x - ((to.y - from.y) / length) * aside, y: p.y + ((to.x - from.x) / length) * aside };
  });
  return [board.places.get(a)!, ...moved, board.places.get(b)!];
}

/** SVG path data of the line of each way, `apart` px from one to the next on a shared route. */
export function wayPaths(board: Board, ways: readonly TicketWay[], apart: number): string[] {
  return ways.map((way, n) =>
    way.routes
      .filter((route) => board.routes.has(route))
      .map((route) => {
        const sharing = ways.flatMap((other, i) => (other.routes.includes(route) ? [i] : []));
        const aside = (sharing.indexOf(n) - (sharing.length - 1) / 2) * apart;
        const points = along(board, route, aside).map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`);
        return `M${points.join('L')}`;
      })
      .join(''),
  );
}
