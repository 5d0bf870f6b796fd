/*
 * How a board is drawn from the numbers in its file: curves, spaces, lanes, labels.
 *
 * Everything here is in the px of the board's canvas and free of any framework, so that the same
 * functions draw the play screen, the small pictures of the start page and the pictures in tests.
 */
import type { Drawing, Place, Route } from './board';

export interface Point {
  x: number;
  y: number;
}

/** One space of a route: its centre, the direction in degrees, and its size. */
export interface Space extends Point {
  angle: number;
  length: number;
  width: number;
}

/** A route, laid out for drawing. */
export interface RouteShape {
  id: string;
  /** SVG path of the line between the two places, common to both lanes. */
  path: string;
  spaces: Space[];
  /** The distance from one space to the next. */
  pitch: number;
  /** SVG path of the lane from place to place; both lanes of a double route end in the places. */
  ribbon: string;
  /** SVG path of the middle line of the spaces; a wide stroke with round ends encloses them all. */
  spine: string;
  /** SVG paths of the lines beside the spaces, the one away from the other lane first. */
  sides: [string, string];
  /** The middle line of the lane as points, to find the route under a finger. */
  line: Point[];
  middle: Point;
}

const SAMPLES = 64;
const GAP = 5;
const CORNER_GAP = 3;
/** How many steps a ribbon has. */
const STEPS = 20;

/** The control point of a route's quadratic curve: the middle, moved sideways by the bend. */
export function controlPoint(a: Point, b: Point, bend: number): Point {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const far = Math.hypot(dx, dy) || 1;
  return {
    x: (a.x + b.x) / 2 + (-dy / far) * bend,
    y: (a.y + b.y) / 2 + (dx / far) * bend,
  };
}

function onCurve(a: Point, c: Point, b: Point, t: number): Point {
  const u = 1 - t;
  return {
    x: u * u * a.x + 2 * u * t * c.x + t * t * b.x,
    y: u * u * a.y + 2 * u * t * c.y + t * t * b.y,
  };
}

/** A curve that gives the point and direction at any distance from its start. */
export class Curve {
  readonly length: number;
  private readonly points: Point[] = [];
  private readonly at: number[] = [];

  constructor(a: Point, b: Point, bend: number) {
    const c = controlPoint(a, b, bend);
    let walked = 0;
    for (let i = 0; i <= SAMPLES; i++) {
      const point = onCurve(a, c, b, i / SAMPLES);
      const last = this.points.at(-1);
      if (last) walked += Math.hypot(point.x - last.x, point.y - last.y);
      this.points.push(point);
      this.at.push(walked);
    }
    this.length = walked;
  }

  /** The point at a distance from the start, and the direction of the curve there in radians. */
  pointAt(distance: number): Point & { angle: number } {
    let i = 1;
    while (i < SAMPLES && this.at[i]! < distance) i++;
    const from = this.points[i - 1]!;
    const to = this.points[i]!;
    const span = this.at[i]! - this.at[i - 1]! || 1;
    const t = (distance - this.at[i - 1]!) / span;
    return {
      x: from.x + (to.x - from.x) * t,
      y: from.y + (to.y - from.y) * t,
      angle: this.direction(distance),
    };
  }

  /** The direction is taken between two near points: the samples alone would show as steps. */
  private direction(distance: number): number {
    const near = this.length / SAMPLES;
    const a = this.raw(Math.max(0, distance - near));
    const b = this.raw(Math.min(this.length, distance + near));
    return Math.atan2(b.y - a.y, b.x - a.x);
  }

  private raw(distance: number): Point {
    let i = 1;
    while (i < SAMPLES && this.at[i]! < distance) i++;
    const from = this.points[i - 1]!;
    const to = this.points[i]!;
    const t = (distance - this.at[i - 1]!) / (this.at[i]! - this.at[i - 1]! || 1);
    return { x: from.x + (to.x - from.x) * t, y: from.y + (to.y - from.y) * t };
  }
}

/**
 * The unit vector across a route that points to the side of lane 1: the upper one, or the left one
 * where the route runs straight down.
 */
export function laneSide(a: Point, b: Point): Point {
  const far = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const across = { x: -(b.y - a.y) / far, y: (b.x - a.x) / far };
  const upright = Math.abs(across.y) < 1e-9;
  const flip = upright ? across.x > 0 : across.y > 0;
  return flip ? { x: -across.x, y: -across.y } : across;
}

/** How far the middle of a lane lies from the middle of the route, towards the side of lane 1. */
export function laneOffset(route: Route, drawing: Drawing): number {
  if (!route.twin) return 0;
  const half = (drawing.space_width + drawing.lane_gap) / 2;
  return route.lane === 2 ? -half : half;
}

/** The angle of a line, turned so that what lies along it is never upside down. */
export function upright(degrees: number): number {
  let turned = degrees;
  while (turned > 90) turned -= 180;
  while (turned <= -90) turned += 180;
  return turned;
}

/** How much shorter a space is on a bend, so that inner corners keep their distance. */
function shortened(from: number, to: number, width: number): number {
  // Angles jump by a whole turn where a route runs to the left.
  const turn = Math.atan2(Math.sin(to - from), Math.cos(to - from));
  const pinch = width * Math.tan(Math.min(0.6, Math.abs(turn) / 2));
  return Math.max(0, pinch - (GAP - CORNER_GAP));
}

/** The shape of one route or lane. */
export function routeShape(route: Route, a: Place, b: Place, drawing: Drawing): RouteShape {
  const curve = new Curve(a, b, route.bend);
  const c = controlPoint(a, b, route.bend);
  const side = laneSide(a, b);
  const across = { x: -(b.y - a.y), y: b.x - a.x };
  const sign = side.x * across.x + side.y * across.y >= 0 ? 1 : -1;
  const offset = laneOffset(route, drawing) * sign;
  const moved = (distance: number): Point & { angle: number } => {
    const p = curve.pointAt(distance);
    return {
      x: p.x - Math.sin(p.angle) * offset,
      y: p.y + Math.cos(p.angle) * offset,
      angle: p.angle,
    };
  };

  const count = route.pieces;
  const single = count === 1 && route.cost > route.pieces;
  const room = (curve.length - 2 * (drawing.location_radius + 3)) / count;
  const pitch = Math.min(drawing.pitch, room);
  const width = drawing.space_width;
  const spaces: Space[] = [];
  for (let i = 0; i < count; i++) {
    const at = curve.length / 2 + (i - (count - 1) / 2) * pitch;
    const p = moved(at);
    const from = moved(Math.max(0, at - pitch / 2)).angle;
    const to = moved(Math.min(curve.length, at + pitch / 2)).angle;
    const length = single ? 2 * width : pitch - GAP - shortened(from, to, width);
    spaces.push({ x: p.x, y: p.y, angle: (p.angle * 180) / Math.PI, length, width });
  }

  const from = drawing.location_radius;
  const line: Point[] = [];
  for (let i = 0; i <= 12; i++) {
    const p = moved(from + ((curve.length - 2 * from) * i) / 12);
    line.push({ x: p.x, y: p.y });
  }
  const middle = moved(curve.length / 2);
  const inner = spineOf(spaces);
  const beside = (width * 0.37 + 5.5) * (offset < 0 ? -1 : 1);
  return {
    id: route.id,
    path: `M${r1(a.x)} ${r1(a.y)}Q${r1(c.x)} ${r1(c.y)} ${r1(b.x)} ${r1(b.y)}`,
    spaces,
    pitch,
    ribbon: lineOf(ribbonOf(curve, moved, from)),
    spine: lineOf(inner),
    sides: [lineOf(aside(inner, beside)), lineOf(aside(inner, -beside))],
    line,
    middle: { x: middle.x, y: middle.y },
  };
}

/** The lane between the places, led into their middles at both ends. */
function ribbonOf(curve: Curve, moved: (distance: number) => Point, radius: number): Point[] {
  return Array.from({ length: STEPS + 1 }, (_, i) => {
    const distance = (curve.length * i) / STEPS;
    const share = Math.min(1, Math.min(distance, curve.length - distance) / (radius * 2.2));
    const centre = curve.pointAt(distance);
    const lane = moved(distance);
    return { x: centre.x + (lane.x - centre.x) * share, y: centre.y + (lane.y - centre.y) * share };
  });
}

/** The middles of the spaces, with both ends near the ends of the outer spaces. */
function spineOf(spaces: readonly Space[]): Point[] {
  const end = (space: Space, side: number): Point => {
    const turn = (space.angle * Math.PI) / 180;
    const far = side * Math.max(0.1, space.length / 2 - space.width * 0.33);
    return { x: space.x + Math.cos(turn) * far, y: space.y + Math.sin(turn) * far };
  };
  const inner = spaces.length > 1 ? spaces : [];
  return [end(spaces[0]!, -1), ...inner, end(spaces.at(-1)!, 1)];
}

/** A line moved sideways. */
function aside(line: readonly Point[], distance: number): Point[] {
  return line.map((point, i) => {
    const from = line[Math.max(0, i - 1)]!;
    const to = line[Math.min(line.length - 1, i + 1)]!;
    const far = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    return { x: point.x - ((to.y - from.y) / far) * distance, y: point.y + ((to.x - from.x) / far) * distance };
  });
}

function lineOf(points: readonly Point[]): string {
  return `M${points.map((point) => `${r1(point.x)} ${r1(point.y)}`).join('L')}`;
}

function r1(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The distance from a point to a line of points. */
export function distanceTo(line: readonly Point[], p: Point): number {
  let least = Infinity;
  for (let i = 1; i < line.length; i++) {
    const a = line[i - 1]!;
    const b = line[i]!;
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    const along = ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy || 1);
    const t = Math.max(0, Math.min(1, along));
    least = Math.min(least, Math.hypot(p.x - (a.x + dx * t), p.y - (a.y + dy * t)));
  }
  return least;
}

/**
 * The route under a pointer: the nearest lane within reach. Between two lanes the nearer one wins,
 * which splits the area of a double route exactly on the line between them.
 */
export function routeAt(shapes: readonly RouteShape[], p: Point, reach: number): string | null {
  let best: string | null = null;
  let least = reach;
  for (const shape of shapes) {
    const distance = distanceTo(shape.line, p);
    if (distance < least) {
      least = distance;
      best = shape.id;
    }
  }
  return best;
}

/** The route that lies next in a direction, for the arrow keys. */
export function neighbour(
  shapes: readonly RouteShape[],
  from: string,
  direction: 'left' | 'right' | 'up' | 'down',
): string {
  const start = shapes.find((shape) => shape.id === from);
  if (!start) return shapes[0]?.id ?? from;
  const way = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[direction] as [number, number];
  let best = from;
  let least = Infinity;
  for (const shape of shapes) {
    if (shape.id === from) continue;
    const dx = shape.middle.x - start.middle.x;
    const dy = shape.middle.y - start.middle.y;
    const ahead = dx * way[0] + dy * way[1];
    const aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
    if (ahead <= 0.5 || aside > ahead * 2.2) continue;
    const far = ahead + aside * 1.6;
    if (far < least) {
      least = far;
      best = shape.id;
    }
  }
  return best;
}
