/* Where to point at places that are out of view: at the edge of the view, towards them. */
import { meet, type Box } from './camera';
import type { Point } from './geometry';

/** A place out of view, on the screen. */
export interface Away extends Point {
  id: string;
  name: string;
}

/** A sign at the edge of the view: its corner on the screen, its size, and where it points, in radians. */
export interface Pointer extends Box {
  id: string;
  name: string;
  angle: number;
}

/** So many places are pointed at, in a small view fewer: more signs would be in the way of the board. */
function mostIn({ width, height }: Box): number {
  if (height < 300) return 2;
  return width < 480 ? 3 : 5;
}
const HEIGHT = 44;
const MARGIN = 4;

/** How far a sign is moved on when something is in its way, in px. */
const STEP = 11;
/** How much farther from its best spot a sign may stand to leave a name in view, in px. */
const DETOUR = 110;

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}

/** Where a sign to a place may stand: at the edge that the place lies beyond, the nearest spots first. */
function along(at: Point, view: Box, width: number): Box[] {
  const low = { x: view.x + MARGIN, y: view.y + MARGIN };
  const high = { x: view.x + view.width - width - MARGIN, y: view.y + view.height - HEIGHT - MARGIN };
  const x = clamp(at.x - width / 2, low.x, high.x);
  const y = clamp(at.y - HEIGHT / 2, low.y, high.y);
  const aside = at.x < view.x || at.x > view.x + view.width;
  const [from, start, end] = aside ? [y, low.y, high.y] : [x, low.x, high.x];
  // Of two spots equally far away, the one towards the middle is better.
  const inwards = from < (start + end) / 2 ? 1 : -1;
  const spots: Box[] = [];
  for (let step = 0; step <= end - start; step += STEP) {
    for (const moved of new Set([from + inwards * step, from - inwards * step])) {
      if (moved < start || moved > end) continue;
      spots.push({ x: aside ? x : moved, y: aside ? moved : y, width, height: HEIGHT });
    }
  }
  return spots;
}

/**
 * The signs for places out of view, the nearest places first; none covers another or what is taken, and
 * what is in use only where there is no other room nearby.
 */
export function pointersTo(
  places: readonly Away[],
  view: Box,
  widthOf: (name: string) => number,
  taken: readonly Box[] = [],
  used: readonly Box[] = [],
): Pointer[] {
  const middle = { x: view.x + view.width / 2, y: view.y + view.height / 2 };
  const far = (place: Point): number => Math.hypot(place.x - middle.x, place.y - middle.y);
  const placed: (Omit<Pointer, 'angle'> & { at: Point })[] = [];
  for (const { id, name, ...at } of [...places].sort((a, b) => far(a) - far(b)).slice(0, mostIn(view))) {
    const width = widthOf(name);
    const spots = along(at, view, width);
    const taking = (but: readonly Box[]): Box | undefined => spots.find((spot) => !but.some((one) => meet(spot, one)));
    const clear = taking([...placed, ...taken, ...used]);
    const near = taking([...placed, ...taken]);
    if (!near) continue;
    const off = (spot: Box): number => Math.hypot(spot.x - spots[0]!.x, spot.y - spots[0]!.y);
    const spot = clear && off(clear) - off(near) < DETOUR ? clear : near;
    placed.push({ id, name, ...spot, at });
  }
  inOrder(placed, [...taken, ...used]);
  return placed.map(({ at, ...sign }) => ({ ...sign, angle: Math.atan2(at.y - (sign.y + HEIGHT / 2), at.x - (sign.x + sign.width / 2)) }));
}

/** Signs at the same edge are in the order of their places, if what is taken allows it. */
function inOrder(signs: (Box & { at: Point })[], taken: readonly Box[]): void {
  for (const a of signs) {
    for (const b of signs) {
      const aside = a.x === b.x || a.x + a.width === b.x + b.width;
      const crossed = aside ? a.at.y < b.at.y && a.y > b.y : a.y === b.y && a.at.x < b.at.x && a.x > b.x;
      if (a === b || !crossed) continue;
      // Together they take the same room as before.
      const [first, second] = aside ? [{ ...a, y: b.y }, { ...b, y: a.y }] : [{ ...a, x: b.x }, { ...b, x: a.x + a.width - b.width }];
      const others = [...taken, ...signs.filter((one) => one !== a && one !== b)];
      if ([first, second].some((one) => others.some((other) => meet(one, other)))) continue;
      Object.assign(a, first);
      Object.assign(b, second);
    }
  }
}
