/*
 * Drawings put in place by rewriting their coordinates instead of by transforms.
 *
 * A board has hundreds of spaces and symbols. Every transform or opacity in the page is a
 * node that the browser visits in each frame in which anything changes; plain paths in the board's
 * own px cost next to nothing.
 */
import type { Point, Space } from './geometry';

/** Where a drawing goes: its `centre` is put at `at`, and it is turned and scaled around it. */
export interface Placement {
  at: Point;
  /** In degrees. */
  angle: number;
  scale: number;
  centre: Point;
}

const TOKENS = /[a-zA-Z]|-?(?:\d+\.?\d*|\.\d+)/g;
const SIZES: Record<string, number> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };

function n(value: number): string {
  return `${Math.round(value * 100) / 100}`;
}

/** SVG path data, moved, turned and scaled. */
export function transformed(path: string, placement: Placement): string {
  const turn = (placement.angle * Math.PI) / 180;
  const cos = Math.cos(turn) * placement.scale;
  const sin = Math.sin(turn) * placement.scale;
  const spot = (x: number, y: number, relative: boolean): string => {
    const dx = relative ? x : x - placement.centre.x;
    const dy = relative ? y : y - placement.centre.y;
    const from = relative ? { x: 0, y: 0 } : placement.at;
    return `${n(from.x + dx * cos - dy * sin)} ${n(from.y + dx * sin + dy * cos)}`;
  };
  const tokens = path.match(TOKENS) ?? [];
  const out: string[] = [];
  let command = 'M';
  let pen = { x: 0, y: 0 };
  let start = pen;
  for (let i = 0; i < tokens.length; ) {
    if (/[a-zA-Z]/.test(tokens[i]!)) command = tokens[i++]!;
    const kind = command.toUpperCase();
    const size = SIZES[kind] ?? 0;
    const values = tokens.slice(i, i + size).map(Number);
    i += size;
    const relative = command !== kind;
    const to = end(kind, values, relative, pen, start);
    if (kind === 'Z') out.push('Z');
    else if (kind === 'A') {
      const [rx = 0, ry = 0, tilt = 0, large = 0, sweep = 0, x = 0, y = 0] = values;
      out.push(`${command}${n(rx * placement.scale)} ${n(ry * placement.scale)} ${n(tilt + placement.angle)} ${large} ${sweep} ${spot(x, y, relative)}`);
    } else if (kind === 'H' || kind === 'V') {
      out.push(`L${spot(to.x, to.y, false)}`);
    } else {
      // The first pair of a path is absolute even if it is written as a relative step.
      const stepped = relative && out.length > 0;
      const pairs: string[] = [];
      for (let k = 0; k < values.length; k += 2) pairs.push(spot(values[k]!, values[k + 1]!, stepped));
      out.push(`${stepped ? command : kind}${pairs.join(' ')}`);
    }
    pen = to;
    if (kind === 'M') {
      start = to;
      // Further pairs after a move are lines.
      command = relative ? 'l' : 'L';
    }
    if (kind === 'Z' && i < tokens.length && !/[a-zA-Z]/.test(tokens[i]!)) break;
  }
  return out.join('');
}

function end(kind: string, values: number[], relative: boolean, pen: Point, start: Point): Point {
  if (kind === 'Z') return start;
  const from = relative ? pen : { x: 0, y: 0 };
  if (kind === 'H') return { x: from.x + values[0]!, y: pen.y };
  if (kind === 'V') return { x: pen.x, y: from.y + values[0]! };
  return { x: from.x + values.at(-2)!, y: from.y + values.at(-1)! };
}

/** A point on a space, given along and across its direction. */
export function pointOn(space: Space, along: number, across: number, angle = space.angle): Point {
  const turn = (angle * Math.PI) / 180;
  return {
    x: space.x + along * Math.cos(turn) - across * Math.sin(turn),
    y: space.y + along * Math.sin(turn) + across * Math.cos(turn),
  };
}

/** The outline of a space as path data, with round corners, larger by `grown` on every side. */
export function outline(space: Space, round: number, grown = 0): string {
  const a = space.length / 2 + grown;
  const b = space.width / 2 + grown;
  const r = Math.min(round + grown, a, b);
  const at = (along: number, across: number): string => {
    const p = pointOn(space, along, across);
    return `${n(p.x)} ${n(p.y)}`;
  };
  const corner = `A${n(r)} ${n(r)} 0 0 1 `;
  return [
    `M${at(r - a, -b)}L${at(a - r, -b)}${corner}${at(a, r - b)}`,
    `L${at(a, b - r)}${corner}${at(a - r, b)}`,
    `L${at(r - a, b)}${corner}${at(-a, b - r)}`,
    `L${at(-a, r - b)}${corner}${at(r - a, -b)}Z`,
  ].join('');
}
