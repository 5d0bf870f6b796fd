/*
 * The area of a group of places: everything that is nearer to one of them than to any other place,
 * with rounded corners.
 */
import type { Point } from './geometry';

/** Areas reach beyond the rim of the board, so that no border is drawn along it. */
const RIM = 20;

interface Corner extends Point {
  /** The place on the other side of the edge that begins here; −1 at the rim of the board. */
  beyond: number;
}

/** The part of the board that is nearest to one place. */
function cellOf(places: readonly Point[], own: number, width: number, height: number): Corner[] {
  let cell: Corner[] = [
    { x: -RIM, y: -RIM, beyond: -1 },
    { x: width + RIM, y: -RIM, beyond: -1 },
    { x: width + RIM, y: height + RIM, beyond: -1 },
    { x: -RIM, y: height + RIM, beyond: -1 },
  ];
  const here = places[own]!;
  places.forEach((other, index) => {
    if (index !== own) cell = cut(cell, here, other, index);
  });
  return cell;
}

/** What remains of a cell on the near side of the line halfway between two places. */
function cut(cell: readonly Corner[], here: Point, other: Point, beyond: number): Corner[] {
  const [dx, dy] = [other.x - here.x, other.y - here.y];
  const limit = (other.x ** 2 - here.x ** 2 + other.y ** 2 - here.y ** 2) / 2;
  const past = (p: Point): number => p.x * dx + p.y * dy - limit;
  const left: Corner[] = [];
  cell.forEach((from, i) => {
    const to = cell[(i + 1) % cell.length]!;
    const [a, b] = [past(from), past(to)];
    const crossing = { x: from.x + ((to.x - from.x) * a) / (a - b), y: from.y + ((to.y - from.y) * a) / (a - b) };
    if (a <= 0) left.push(from);
    if (a <= 0 && b > 0) left.push({ ...crossing, beyond });
    if (a > 0 && b <= 0) left.push({ ...crossing, beyond: from.beyond });
  });
  return left;
}

function key(point: Point): string {
  return `${Math.round(point.x)} ${Math.round(point.y)}`;
}

/** The outlines of the joined cells of some places, each as a closed line. */
export function outlinesOf(places: readonly Point[], group: ReadonlySet<number>, width: number, height: number): Point[][] {
  const next = new Map<string, { from: Point; to: Point }>();
  for (const own of group) {
    const cell = cellOf(places, own, width, height);
    cell.forEach((from, i) => {
      const to = cell[(i + 1) % cell.length]!;
      if (!group.has(from.beyond) && key(from) !== key(to)) next.set(key(from), { from, to });
    });
  }
  const outlines: Point[][] = [];
  while (next.size) {
    const line: Point[] = [];
    let [at] = next.keys();
    for (let edge = next.get(at!); edge; edge = next.get(at!)) {
      line.push(edge.from);
      next.delete(at!);
      at = key(edge.to);
    }
    outlines.push(line);
  }
  return outlines;
}

/** Cut the corners of a closed line, except those at the rim of the board. */
function rounded(line: readonly Point[], width: number, height: number): Point[] {
  const rim = (p: Point): boolean => p.x < 0 || p.y < 0 || p.x > width || p.y > height;
  return line.flatMap((point, i) => {
    if (rim(point)) return [point];
    const before = line.at(i - 1)!;
    const after = line[(i + 1) % line.length]!;
    const towards = (to: Point): Point => ({ x: point.x + (to.x - point.x) / 4, y: point.y + (to.y - point.y) / 4 });
    return [towards(before), towards(after)];
  });
}

/** The area of a group as SVG path data. */
export function areaOf(places: readonly Point[], group: ReadonlySet<number>, width: number, height: number): string {
  return outlinesOf(places, group, width, height)
    .map((line) => {
      let smooth = line;
      for (let round = 0; round < 3; round++) smooth = rounded(smooth, width, height);
      return `M${smooth.map((point) => `${Math.round(point.x)} ${Math.round(point.y)}`).join('L')}Z`;
    })
    .join('');
}
