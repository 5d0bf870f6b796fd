/*
 * The drawings of pieces: vehicles seen from above, lying along the x axis around (0, 0) with their
 * front to the right.
 *
 * A piece is a few layers of plain path data. The layers of all pieces of a route are joined, so
 * that a route of six pieces has no more nodes than a route of one.
 */
import type { Point } from './geometry';
import { transformed } from './paths';

/** The layers of a piece that differ between the kinds of vehicle; see Pieces.svelte for their colours. */
export interface Art {
  body: string;
  /** Lines in the dark tone of the player. */
  lines: string;
  /** Lines of light. */
  shine: string;
  /** Panes that are lit from inside. */
  windows: string;
  /** Dark panes. */
  glass: string;
}

/** Where a piece lies on the board. */
export interface Stand extends Point {
  /** In degrees; between −90 and 90, so that the light falls from above. */
  angle: number;
  length: number;
  width: number;
  kind: string;
}

function n(value: number): string {
  return `${Math.round(value * 100) / 100}`;
}

/** A box with round corners, from its upper left corner. */
function box(x: number, y: number, width: number, height: number, round: number): string {
  const r = Math.min(round, width / 2, height / 2);
  const arc = `A${n(r)} ${n(r)} 0 0 1 `;
  const right = x + width;
  const bottom = y + height;
  return [
    `M${n(x + r)} ${n(y)}L${n(right - r)} ${n(y)}${arc}${n(right)} ${n(y + r)}`,
    `L${n(right)} ${n(bottom - r)}${arc}${n(right - r)} ${n(bottom)}`,
    `L${n(x + r)} ${n(bottom)}${arc}${n(x)} ${n(bottom - r)}`,
    `L${n(x)} ${n(y + r)}${arc}${n(x + r)} ${n(y)}Z`,
  ].join('');
}

function upright(x: number, from: number, to: number): string {
  return `M${n(x)} ${n(from)}L${n(x)} ${n(to)}`;
}

function level(y: number, from: number, to: number): string {
  return `M${n(from)} ${n(y)}L${n(to)} ${n(y)}`;
}

type Body = (length: number, width: number) => string;

const BODIES: Record<string, Body> = {
  wagon: (l, w) => box(-l / 2, -w / 2, l, w, w * 0.15),
  // The nose of the engine is round.
  engine: (l, w) => {
    const [x, y, nose, r] = [l / 2, w / 2, l * 0.3, w * 0.13];
    return [
      `M${n(r - x)} ${n(-y)}L${n(x - nose)} ${n(-y)}`,
      `C${n(x - nose * 0.3)} ${n(-y)} ${n(x)} ${n(-w * 0.28)} ${n(x)} 0`,
      `C${n(x)} ${n(w * 0.28)} ${n(x - nose * 0.3)} ${n(y)} ${n(x - nose)} ${n(y)}`,
      `L${n(r - x)} ${n(y)}Q${n(-x)} ${n(y)} ${n(-x)} ${n(y - r)}L${n(-x)} ${n(r - y)}Q${n(-x)} ${n(-y)} ${n(r - x)} ${n(-y)}Z`,
    ].join('');
  },
  taxi: (l, w) => box(-l * 0.47, -w * 0.46, l * 0.94, w * 0.92, w * 0.34),
  bus: (l, w) => box(-l / 2, -w / 2, l, w, w * 0.2),
  // The ends of a tram are narrower, so that it can turn in a street.
  tram: (l, w) => {
    const [x, y, taper] = [l / 2, w / 2, l * 0.1];
    return `M${n(taper - x)} ${n(-y)}L${n(x - taper)} ${n(-y)}L${n(x)} ${n(-w * 0.24)}L${n(x)} ${n(w * 0.24)}L${n(x - taper)} ${n(y)}L${n(taper - x)} ${n(y)}L${n(-x)} ${n(w * 0.24)}L${n(-x)} ${n(-w * 0.24)}Z`;
  },
  subway: (l, w) => box(-l / 2, -w / 2, l, w, w / 2),
};

type Details = (length: number, width: number) => Partial<Art>;

const DETAILS: Record<string, Details> = {
  wagon: (l, w) => ({
    lines: upright(-l * 0.4, -w * 0.46, w * 0.46) + upright(l * 0.4, -w * 0.46, w * 0.46),
    shine: level(0, -l * 0.33, l * 0.33),
  }),
  engine: (l, w) => ({
    lines: upright(-l * 0.2, -w * 0.46, w * 0.46),
    shine: level(0, -l * 0.1, l * 0.16),
    windows: box(-l * 0.43, -w * 0.24, l * 0.14, w * 0.48, 1),
    glass: box(l * 0.33 - w * 0.13, -w * 0.13, w * 0.26, w * 0.26, w),
  }),
  taxi: (l, w) => ({
    windows: box(l * 0.4, -w * 0.31, w * 0.13, w * 0.13, w) + box(l * 0.4, w * 0.18, w * 0.13, w * 0.13, w),
    glass: [
      `M${n(l * 0.14)} ${n(-w * 0.34)}Q${n(l * 0.25)} 0 ${n(l * 0.14)} ${n(w * 0.34)}L${n(l * 0.07)} ${n(w * 0.24)}Q${n(l * 0.12)} 0 ${n(l * 0.07)} ${n(-w * 0.24)}Z`,
      `M${n(-l * 0.3)} ${n(-w * 0.32)}Q${n(-l * 0.36)} 0 ${n(-l * 0.3)} ${n(w * 0.32)}L${n(-l * 0.23)} ${n(w * 0.22)}Q${n(-l * 0.25)} 0 ${n(-l * 0.23)} ${n(-w * 0.22)}Z`,
      box(-l * 0.19, -w * 0.43, l * 0.28, w * 0.07, 1) + box(-l * 0.19, w * 0.36, l * 0.28, w * 0.07, 1),
    ].join(''),
  }),
  bus: (l, w) => ({
    windows: box(l * 0.38, -w * 0.36, l * 0.07, w * 0.72, 1) + box(-l * 0.45, -w * 0.3, l * 0.04, w * 0.6, 1),
    lines: box(-l * 0.34, -w * 0.2, l * 0.17, w * 0.4, 2) + box(l * 0.14, -w * 0.2, l * 0.17, w * 0.4, 2),
  }),
  tram: (l, w) => ({
    windows: [1, -1]
      .map((side) => `M${n(side * l * 0.38)} ${n(-w * 0.28)}L${n(side * l * 0.45)} ${n(-w * 0.18)}L${n(side * l * 0.45)} ${n(w * 0.18)}L${n(side * l * 0.38)} ${n(w * 0.28)}Z`)
      .join(''),
    lines: [-0.27, -0.22, 0.22, 0.27].map((at) => upright(at * l, -w * 0.46, w * 0.46)).join(''),
  }),
  subway: (l, w) => ({
    windows: [-0.25, -0.085, 0.085, 0.25].map((at) => box(at * l - l * 0.06, -w * 0.3, l * 0.12, w * 0.19, 1.2)).join(''),
    shine: level(w * 0.22, -l * 0.3, l * 0.3),
  }),
};

/** Kinds of vehicle that are drawn; boards made by others may have kinds that are not. */
const DRAWN: Record<string, string> = { taxi: 'taxi', bus: 'bus', tram: 'tram', subway: 'subway' };

/** The drawing for a kind of piece: a plain wagon if it has none. A train is pulled by an engine. */
export function drawingOf(kind: string, front: boolean): string {
  return kind === 'train' && front ? 'engine' : (DRAWN[kind] ?? 'wagon');
}

export const LAYERS = ['shadow', 'wall', 'body', 'shade', 'sheen', 'gloss', 'lines', 'shine', 'glass', 'windows'] as const;
export type Layer = (typeof LAYERS)[number];

/** How far the side of a piece can be seen below its top, as a share of its width. */
const HEIGHT = 0.13;

/** The layers of some pieces in the px of the board, joined. */
export function layersOf(stands: readonly Stand[]): Record<Layer, string> {
  const joined = Object.fromEntries(LAYERS.map((layer) => [layer, ''])) as Record<Layer, string>;
  for (const stand of stands) {
    const { length, width, kind } = stand;
    const body = BODIES[kind]!;
    const height = width * HEIGHT;
    const place = (path: string, dx: number, dy: number, along = 0, across = 0): string =>
      transformed(path, {
        at: { x: stand.x + dx, y: stand.y - height / 2 + dy },
        angle: stand.angle,
        scale: 1,
        centre: { x: -along, y: -across },
      });
    const outline = body(length, width);
    joined.shadow += place(outline, height * 0.7, height * 1.9);
    joined.wall += place(outline, 0, height);
    joined.body += place(outline, 0, 0);
    joined.shade += place(body(length * 0.94, width * 0.3), 0, 0, 0, width * 0.32);
    joined.sheen += place(body(length * 0.93, width * 0.44), 0, 0, 0, -width * 0.23);
    joined.gloss += place(body(length * 0.86, width * 0.2), 0, 0, 0, -width * 0.29);
    for (const [layer, path] of Object.entries(DETAILS[kind]!(length, width))) joined[layer as keyof Art] += place(path!, 0, 0);
  }
  return joined;
}

/** The middle of a piece's top, where its owner's number is. */
export function topOf(stand: Stand): Point {
  return { x: stand.x, y: stand.y - (stand.width * HEIGHT) / 2 };
}
