/* Where the plate of a group of places stands: inside its area, clear of routes and places. */
import type { Board, Group } from './board';
import type { Point } from './geometry';

/** The size of a plate on the screen, in px. */
export const PLATE = { height: 22, width: (pips: number): number => 36 + (pips ? 6 + pips * 9 : 0) };
/** The scale at which plates and names still have room for each other. */
const TIGHT = 0.5;
/** Below this scale plates would cover routes, and are left out. */
export const SMALLEST = 0.4;
/** How far apart the tried spots are, in px of the board. */
const STEP = 14;

export interface Plate extends Point {
  group: Group;
}

/** Points that a plate keeps away from: along both sides of each space, and the places. */
function obstacles(board: Board): Point[] {
  const points: Point[] = board.data.locations.map(({ x, y }) => ({ x, y }));
  for (const { spaces } of board.shapes) {
    for (const space of spaces) {
      const turn = (space.angle * Math.PI) / 180;
      const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
      for (const along of [-0.5, 0, 0.5]) {
        for (const across of [-0.6, 0.6]) {
          const [u, v] = [along * space.length, across * space.width];
          points.push({ x: space.x + cos * u - sin * v, y: space.y + sin * u + cos * v });
        }
      }
    }
  }
  return points;
}

function nearest(places: readonly Point[], at: Point): { index: number; far: number } {
  let best = { index: -1, far: Infinity };
  places.forEach((place, index) => {
    const far = Math.hypot(place.x - at.x, place.y - at.y);
    if (far < best.far) best = { index, far };
  });
  return best;
}

/** The plates of all groups of a board. */
export function platesOf(board: Board): Plate[] {
  if (!board.groups.length) return [];
  const { width, height } = board.data.drawing;
  const places = board.data.locations;
  const points = obstacles(board);
  return board.groups.map((group) => {
    const half = { x: PLATE.width(group.locations.length) / TIGHT / 2, y: PLATE.height / TIGHT / 2 };
    const own = group.locations.map((id) => board.places.get(id)!);
    const middle = { x: sum(own, 'x') / own.length, y: sum(own, 'y') / own.length };
    let best = { x: middle.x, y: middle.y, score: -Infinity };
    for (let x = half.x + STEP; x < width - half.x - STEP; x += STEP) {
      for (let y = half.y + STEP; y < height - half.y - STEP; y += STEP) {
        const near = nearest(places, { x, y });
        if (!group.locations.includes(places[near.index]!.id)) continue;
        let clear = Infinity;
        for (const point of points) {
          const gap = Math.hypot(Math.max(0, Math.abs(point.x - x) - half.x), Math.max(0, Math.abs(point.y - y) - half.y));
          if (gap < clear) clear = gap;
        }
        // Room counts most, then a spot in the midst of the group; names need room beside a place.
        const score = Math.min(clear, 16) * 8 - Math.hypot(x - middle.x, y - middle.y) * 0.35 - Math.max(0, 70 - near.far) * 2;
        if (score > best.score) best = { x, y, score };
      }
    }
    return { group, x: best.x, y: best.y };
  });
}

function sum(points: readonly Point[], axis: 'x' | 'y'): number {
  return points.reduce((total, point) => total + point[axis], 0);
}
