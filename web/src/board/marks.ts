/* Where a sign stands that points at a route. */
import type { Board } from './board';
import type { Box, View } from './camera';
import type { Point, RouteShape } from './geometry';

/** How far the middle of a sign is from the route, in px of the screen, beside half its own size. */
const GAP = 22;
const DIRECTIONS = 16;

/**
 * The middle of a sign, in px of the screen from the middle of its route: of the directions around, the one
 * that keeps clear of routes and places, and inside what is seen of the board.
 */
export function spotFor(board: Board, shape: RouteShape, size: { width: number; height: number }, view: View, opening: Box | null): Point {
  const { k } = view;
  let best = { x: 0, y: -GAP, score: -Infinity };
  for (let i = 0; i < DIRECTIONS; i++) {
    const turn = (i / DIRECTIONS) * 2 * Math.PI;
    const far = GAP + Math.abs(Math.cos(turn)) * (size.width / 2) + Math.abs(Math.sin(turn)) * (size.height / 2);
    const at = { x: Math.cos(turn) * far, y: Math.sin(turn) * far };
    const score = clearance(board, shape.middle, at, size, k) - outside(shape.middle, at, size, view, opening);
    if (score > best.score) best = { ...at, score };
  }
  return { x: best.x, y: best.y };
}

/** How far the sign is from what must stay readable, up to a limit beyond which it does not matter. */
function clearance(board: Board, middle: Point, at: Point, size: { width: number; height: number }, k: number): number {
  let clear = 14;
  const measure = (x: number, y: number, weight: number): void => {
    const gap = Math.hypot(
      Math.max(0, Math.abs((x - middle.x) * k - at.x) - size.width / 2),
      Math.max(0, Math.abs((y - middle.y) * k - at.y) - size.height / 2),
    );
    clear = Math.min(clear, gap * weight);
  };
  for (const { spaces } of board.shapes) for (const space of spaces) measure(space.x, space.y, 1);
  for (const place of board.data.locations) measure(place.x, place.y, 0.7);
  return clear;
}

/** A penalty for what would be out of view. */
function outside(middle: Point, at: Point, size: { width: number; height: number }, view: View, opening: Box | null): number {
  if (!opening) return 0;
  const x = middle.x * view.k + view.x + at.x;
  const y = middle.y * view.k + view.y + at.y;
  const over = [
    opening.x - (x - size.width / 2),
    x + size.width / 2 - (opening.x + opening.width),
    opening.y - (y - size.height / 2),
    y + size.height / 2 - (opening.y + opening.height),
  ];
  return over.reduce((sum, by) => sum + Math.max(0, by) * 4, 0);
}
