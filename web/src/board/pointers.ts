/* Where to point at places that are out of view: at the edge of the view, towards them. */
import type { Box } from './camera';
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

/** So many places are pointed at: more signs would be in the way of the board. */
const MOST = 5;
const HEIGHT = 44;
const MARGIN = 4;

/** The signs for places out of view, the nearest places first; none covers another or what is taken. */
export function pointersTo(places: readonly Away[], view: Box, widthOf: (name: string) => number, taken: readonly Box[] = []): Pointer[] {
  const middle = { x: view.x + view.width / 2, y: view.y + view.height / 2 };
  const far = (place: Point): number => Math.hypot(place.x - middle.x, place.y - middle.y);
  const placed: Pointer[] = [];
  for (const { id, name, ...at } of [...places].sort((a, b) => far(a) - far(b)).slice(0, MOST)) {
    const width = widthOf(name);
    const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));
    const x = clamp(at.x - width / 2, view.x + MARGIN, view.x + view.width - width - MARGIN);
    const wanted = clamp(at.y - HEIGHT / 2, view.y + MARGIN, view.y + view.height - HEIGHT - MARGIN);
    // Another sign in the way is passed on the side where there is more room.
    const step = wanted < middle.y ? HEIGHT : -HEIGHT;
    let y = wanted;
    while ([...placed, ...taken].some((one) => x < one.x + one.width && one.x < x + width && y < one.y + one.height && one.y < y + HEIGHT)) y += step;
    if (y < view.y || y + HEIGHT > view.y + view.height) continue;
    const angle = Math.atan2(at.y - (y + HEIGHT / 2), at.x - (x + width / 2));
    placed.push({ id, name, x, y, width, height: HEIGHT, angle });
  }
  return placed;
}
