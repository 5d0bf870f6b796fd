/* Where a bubble goes: near what it points at, and never on it if there is room elsewhere. */

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Placed {
  x: number;
  y: number;
  /** On which side of the bubble its target is; null if it is too far away to point at. */
  side: 'top' | 'bottom' | 'left' | 'right' | null;
}

const GAP = 18;
const MARGIN = 12;

function overlap(a: Rect, b: Rect): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

/** The rectangle around all the others. */
export function around(rects: readonly Rect[]): Rect {
  const x = Math.min(...rects.map((r) => r.x));
  const y = Math.min(...rects.map((r) => r.y));
  return {
    x,
    y,
    width: Math.max(...rects.map((r) => r.x + r.width)) - x,
    height: Math.max(...rects.map((r) => r.y + r.height)) - y,
  };
}

/**
 * Place a bubble of a size inside a room, beside its targets and clear of them. Of places that
 * cover equally much of them, the best covers least of what is looked at as well.
 */
export function place(size: { width: number; height: number }, targets: readonly Rect[], room: Rect, seen: readonly Rect[] = []): Placed {
  const left = room.x + MARGIN;
  const top = room.y + MARGIN;
  const right = room.x + room.width - size.width - MARGIN;
  const bottom = room.y + room.height - size.height - MARGIN;
  const middle = room.x + (room.width - size.width) / 2;
  const corners: Placed[] = [
    { x: middle, y: bottom, side: null },
    { x: middle, y: top, side: null },
    { x: left, y: bottom, side: null },
    { x: right, y: bottom, side: null },
    { x: left, y: top, side: null },
    { x: right, y: top, side: null },
  ];
  if (!targets.length) return corners[0]!;
  const box = around(targets);
  const clampX = (x: number): number => Math.max(left, Math.min(right, x));
  const clampY = (y: number): number => Math.max(top, Math.min(bottom, y));
  const x = clampX(box.x + (box.width - size.width) / 2);
  const y = clampY(box.y + (box.height - size.height) / 2);
  const beside: Placed[] = [
    { x, y: box.y + box.height + GAP, side: 'top' },
    { x, y: box.y - size.height - GAP, side: 'bottom' },
    { x: box.x - size.width - GAP, y, side: 'right' },
    { x: box.x + box.width + GAP, y, side: 'left' },
  ];
  const fits = beside.filter((one) => one.x >= left - 1 && one.x <= right + 1 && one.y >= top - 1 && one.y <= bottom + 1);
  const covered = (one: Placed, what: readonly Rect[]): number => what.reduce((sum, r) => sum + overlap({ ...one, ...size }, r), 0);
  const better = (one: Placed, other: Placed): boolean => {
    const more = covered(one, targets) - covered(other, targets);
    return more < 0 || (more === 0 && covered(one, seen) < covered(other, seen));
  };
  return [...fits, ...corners].reduce((best, one) => (better(one, best) ? one : best));
}
