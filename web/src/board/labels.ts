/*
 * Where the names of the places stand.
 *
 * Names keep their size on the screen while the board is scaled, so where they find room depends on
 * the scale. A name never lies over a space, a place or another name. Where there is no room for
 * all, the less important ones wait until the board is nearer; those that must be shown stand
 * farther away from their places instead.
 *
 * The result does not depend on the routes that are claimed, and only for names that must be shown on
 * the part that is in view: next to nothing jumps while one plays or drags the board.
 */
import type { Board } from './board';
import type { Point } from './geometry';

/** One way to write a name, with its size in px of the screen. */
export interface Writing {
  lines: string[];
  width: number;
  height: number;
}

/** A name to be placed. */
export interface Name {
  id: string;
  /** The place, in px of the board. */
  at: Point;
  /** How far the disc of the place reaches, in px of the board. */
  radius: number;
  /** The side on which the board's author would like to have it: n, ne, e and so on. */
  side: string;
  /** From the best way to write it to the worst. */
  writings: Writing[];
  /** What stands for the name where it has no room. */
  brief?: Writing | null;
  /** Names with a lower rank are placed first; 0 for the ends of tickets. */
  rank: number;
  /** Whether it is shown in any case. */
  always: boolean;
}

/** A name in its place: the corner of its box, in px of the screen as seen from the place. */
export interface PlacedName {
  id: string;
  at: Point;
  dx: number;
  dy: number;
  width: number;
  height: number;
  lines: string[];
  /** Whether it stands so far away that a line must lead to its place. */
  far: boolean;
}

/** A turned box on the board; `cost` is what it costs to cover it, Infinity if that is forbidden. */
interface Block extends Point {
  long: number;
  wide: number;
  cos: number;
  sin: number;
  /** The radius of the circle around it. */
  reach: number;
  cost: number;
}

/** An upright box on the screen. */
interface Spot {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Candidate extends Spot {
  lines: string[];
  cost: number;
  far: boolean;
  /** The line that leads to it from afar, piece by piece. */
  line: Spot[];
  /** How much of that line lies on spaces. */
  crossings: number;
}

const DIRECTIONS = 48;
/** Distances from the disc that are tried, in px of the screen; the others for names that must be shown. */
const DISTANCES = [2, 3.5, 5, 7, 9, 11.5, 14, 16.5, 19, 21.5, 24];
const FAR_DISTANCES = [26, 34, 44, 54, 66, 80, 100, 125, 150, 180];
/** How far the names of tickets’ ends stand away at most: those that something shorter can stand for, and others. */
const NEAR_ENOUGH = { tagged: 80, plain: 34 };
/** From this distance on a line leads from the name of a ticket's end to its place. */
const LEADER = 14;
/** How close a name may come to a space or to another name, in px of the screen. */
const CLEARANCE = 0.3;
/** How close a name may come to other writing, in px of the screen. */
const APART = 3;
/** The gap between two names side by side, in px of the screen: closer, they would read as one. */
const WORD_GAP = 6;
/**
 * A name this close to its place, in px of the screen, stands beside it; farther away, no other place may
 * be nearly as close to it as its own, or it would be taken for that one's name. Only a line makes up for that.
 */
const BESIDE = 6;
const DOUBT = 1.5;
/** How far a name may reach beyond the board, in px of the screen; and that of a ticket’s end. */
const OVERHANG = 6;
const FAR_OVERHANG = 44;
/** So many of the best spots of each name are kept; of those that need a line, which may cross spaces, more. */
const KEPT = 40;
const KEPT_FAR = 240;
const COST = { side: 16, distance: 1, writing: 5, stub: 16, tube: 9, ambiguous: 24, outside: 1.5, hidden: 100, crossing: 12, brief: 80 };
const SIDES: Record<string, number> = { e: 0, se: 1, s: 2, sw: 3, w: 4, nw: 5, n: 6, ne: 7 };

function block(from: Point, to: Point, wide: number, cost: number, grown = 0): Block {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const length = Math.hypot(dx, dy) || 1;
  const long = length / 2 + grown;
  return {
    x: (from.x + to.x) / 2,
    y: (from.y + to.y) / 2,
    long,
    wide,
    cos: dx / length,
    sin: dy / length,
    reach: Math.hypot(long, wide),
    cost,
  };
}

/** What names may not cover on a board, or should not. */
export class Surroundings {
  readonly blocks: Block[] = [];
  readonly discs: (Point & { id: string; radius: number })[];

  constructor(
    readonly board: Board,
    radius: (place: string) => number,
    /** Other writing that is kept clear: its middle in px of the board, its size in px of the screen. */
    readonly clear: readonly Spot[] = [],
  ) {
    this.discs = board.data.locations.map(({ id, x, y }) => ({ id, x, y, radius: radius(id) }));
    for (const route of board.data.routes) {
      const shape = board.shapeOf.get(route.id)!;
      for (const space of shape.spaces) {
        const turn = (space.angle * Math.PI) / 180;
        const half = { x: (Math.cos(turn) * space.length) / 2, y: (Math.sin(turn) * space.length) / 2 };
        // A piece is a little larger than its space, and has a shadow below.
        this.blocks.push(
          block(
            { x: space.x - half.x, y: space.y - half.y + 1 },
            { x: space.x + half.x, y: space.y + half.y + 1 },
            space.width * 0.57,
            Infinity,
            0.7,
          ),
        );
      }
      this.addLine(route.pieces < route.cost, board.places.get(route.a)!, board.places.get(route.b)!, shape.line, shape.spaces);
    }
  }

  /** The line of a route between its places and its spaces: where a ribbon or a tube runs. */
  private addLine(tube: boolean, a: Point, b: Point, line: readonly Point[], spaces: readonly { x: number; y: number; width: number; length: number }[]): void {
    const width = this.board.data.drawing.space_width;
    if (tube) {
      for (let i = 1; i < line.length; i++) this.blocks.push(block(line[i - 1]!, line[i]!, width * 0.9, COST.tube));
      return;
    }
    for (const [end, space] of [[a, spaces[0]], [b, spaces.at(-1)]] as const) {
      if (space) this.blocks.push(block(end, space, width * 0.21 + 2, COST.stub));
    }
  }

  /** The blocks and discs around a point. */
  near(at: Point, reach: number): { blocks: Block[]; discs: Surroundings['discs'] } {
    const close = (one: Point, own: number): boolean => Math.hypot(one.x - at.x, one.y - at.y) < reach + own;
    return {
      blocks: this.blocks.filter((one) => close(one, one.reach)),
      discs: this.discs.filter((one) => close(one, one.radius)),
    };
  }
}

/** Whether an upright box on the board meets a turned one, by the axes of both. */
function meets(x: number, y: number, halfWidth: number, halfHeight: number, one: Block): boolean {
  const dx = one.x - x;
  const dy = one.y - y;
  const cos = Math.abs(one.cos);
  const sin = Math.abs(one.sin);
  return (
    Math.abs(dx) < halfWidth + one.long * cos + one.wide * sin &&
    Math.abs(dy) < halfHeight + one.long * sin + one.wide * cos &&
    Math.abs(dx * one.cos + dy * one.sin) < one.long + halfWidth * cos + halfHeight * sin &&
    Math.abs(dy * one.cos - dx * one.sin) < one.wide + halfWidth * sin + halfHeight * cos
  );
}

/** The distance from a point to an upright box, 0 inside. */
function gapTo(p: Point, x: number, y: number, halfWidth: number, halfHeight: number): number {
  return Math.hypot(Math.max(0, Math.abs(p.x - x) - halfWidth), Math.max(0, Math.abs(p.y - y) - halfHeight));
}

function overlap(a: Spot, b: Spot, apart: number, beside = apart): boolean {
  return (
    a.x < b.x + b.width + beside &&
    b.x < a.x + a.width + beside &&
    a.y < b.y + b.height + apart &&
    b.y < a.y + a.height + apart
  );
}

/** The board at a scale, and the part of it that is in view, in px of the screen from its corner. */
interface Scene {
  around: Surroundings;
  k: number;
  window: Spot | null;
}

/** How far a box reaches out of another. */
function beyond(x: number, y: number, w: number, h: number, box: Spot): number {
  return Math.max(0, box.x + w - x, box.y + h - y, x + w - box.x - box.width, y + h - box.y - box.height);
}

/** The line from a place to the box of its name, as small boxes, leaving out the disc of the place. */
function lineTo(from: Point, box: Spot, skip: number): Spot[] {
  const size = 4;
  const x = Math.max(box.x, Math.min(box.x + box.width, from.x));
  const y = Math.max(box.y, Math.min(box.y + box.height, from.y));
  const length = Math.hypot(x - from.x, y - from.y);
  const found: Spot[] = [];
  for (let at = skip + size / 2; at < length; at += size) {
    const part = { x: from.x + ((x - from.x) * at) / length, y: from.y + ((y - from.y) * at) / length };
    found.push({ x: part.x - size / 2, y: part.y - size / 2, width: size, height: size });
  }
  return found;
}

/** Whether a name in one spot, with its line, would meet one in another. */
function collide(a: Candidate, b: Candidate): boolean {
  return (
    overlap(a, b, CLEARANCE, WORD_GAP) ||
    a.line.some((part) => overlap(part, b, CLEARANCE)) ||
    b.line.some((part) => overlap(part, a, CLEARANCE))
  );
}

/** The spots where a name has room at a scale, the best first. All sizes are in px of the screen. */
function spotsOf(name: Name, { around, k, window }: Scene, distances: readonly number[], most = KEPT, must = false): Candidate[] {
  const { width, height } = around.board.data.drawing;
  const x0 = name.at.x * k;
  const y0 = name.at.y * k;
  const radius = name.radius * k;
  const widest = Math.max(...name.writings.map((one) => Math.hypot(one.width, one.height)));
  const reach = (radius + distances.at(-1)! + widest + CLEARANCE) / k;
  const { blocks, discs } = around.near(name.at, reach);
  // A name whose place is in view should be in view, too.
  const seen = window && beyond(x0, y0, 0, 0, window) === 0 ? window : null;
  const fixed = around.clear.map((one) => ({ ...one, x: one.x * k - one.width / 2, y: one.y * k - one.height / 2 }));
  const wanted = ((SIDES[name.side] ?? 0) * Math.PI) / 4;
  const found: Candidate[] = [];
  /** How many of them are seen whole. */
  let whole = 0;
  name.writings.forEach((writing, rank) => {
    const w = writing.width / 2;
    const h = writing.height / 2;
    for (const distance of distances) {
      // The nearer spots are better than any that would follow.
      if (whole >= most * (rank + 1)) break;
      for (let i = 0; i < DIRECTIONS; i++) {
        const angle = (i * 2 * Math.PI) / DIRECTIONS;
        const ux = Math.cos(angle);
        const uy = Math.sin(angle);
        const cx = x0 + ux * (radius + distance) + Math.max(-1, Math.min(1, ux * 1.7)) * w;
        const cy = y0 + uy * (radius + distance) + Math.max(-1, Math.min(1, uy * 1.7)) * h;
        const out = beyond(cx, cy, w, h, { x: 0, y: 0, width: width * k, height: height * k });
        if (out > (name.rank === 0 ? FAR_OVERHANG : OVERHANG)) continue;
        let cost =
          (COST.side * (1 - Math.cos(angle - wanted))) / 2 +
          COST.distance * distance +
          COST.writing * rank +
          COST.outside * Math.min(out, 12);
        const own = gapTo({ x: x0, y: y0 }, cx, cy, w, h) - radius;
        if (own < 1) continue;
        for (const disc of discs) {
          if (disc.id === name.id) continue;
          const gap = gapTo({ x: disc.x * k, y: disc.y * k }, cx, cy, w, h) - disc.radius * k;
          if (gap < CLEARANCE) cost += must ? 200 : Infinity;
          else if (own > BESIDE && gap < own * DOUBT) cost += name.rank === 0 ? COST.ambiguous : Infinity;
        }
        if (fixed.some((one) => overlap({ x: cx - w, y: cy - h, ...writing }, one, APART))) cost += must ? 200 : Infinity;
        let covered = 0;
        for (const one of blocks) {
          if (cost === Infinity) break;
          const hard = one.cost === Infinity;
          const edge = hard ? CLEARANCE : 0;
          if (!meets(cx / k, cy / k, (w + edge) / k, (h + edge) / k, one)) continue;
          if (hard) cost += must ? 200 : Infinity;
          else covered = Math.max(covered, one.cost);
        }
        if (cost === Infinity) continue;
        cost += covered;
        const far = name.rank === 0 && distance >= LEADER;
        const cut = seen !== null && beyond(cx, cy, w, h, seen) > 0;
        if (cut && name.rank === 0 && !must) continue;
        if (cut) cost += COST.hidden;
        else whole++;
        found.push({ x: cx - w, y: cy - h, width: writing.width, height: writing.height, lines: writing.lines, cost, far, line: [], crossings: 0 });
      }
    }
  });
  const best = found.sort((a, b) => a.cost - b.cost).slice(0, most);
  const hard = blocks.filter((one) => one.cost === Infinity);
  for (const spot of best.filter((one) => one.far)) {
    spot.line = lineTo({ x: x0, y: y0 }, spot, radius);
    const half = (part: Spot): number => part.width / 2 / k;
    const hit = (part: Spot): boolean => hard.some((one) => meets(part.x / k + half(part), part.y / k + half(part), half(part), half(part), one));
    spot.crossings = spot.line.filter(hit).length;
    spot.cost += COST.crossing * spot.crossings;
  }
  return best.sort((a, b) => a.cost - b.cost);
}

/**
 * Where the name of a ticket’s end stands if there is no room for it near its place, or another name takes that:
 * a little farther away, or shorter; and as far away as need be only if it must be shown and cannot be shorter.
 */
function standIns(name: Name, scene: Scene): Candidate[] {
  const must = name.always && !name.brief;
  const most = name.brief ? NEAR_ENOUGH.tagged : NEAR_ENOUGH.plain;
  const distances = must ? FAR_DISTANCES : FAR_DISTANCES.filter((distance) => distance <= most);
  const far = spotsOf(name, scene, distances, KEPT_FAR);
  const near = [...DISTANCES, ...FAR_DISTANCES.filter((distance) => distance <= NEAR_ENOUGH.plain)];
  const brief = name.brief ? spotsOf({ ...name, writings: [name.brief] }, scene, near) : [];
  const clean = must ? far : far.filter((spot) => spot.crossings === 0);
  return [...clean, ...brief.map((spot) => ({ ...spot, cost: spot.cost + COST.brief }))];
}

/** A name that is being placed, with the spots it may have. */
interface Entry {
  name: Name;
  spots: Candidate[];
  spot: Candidate | null;
}

/**
 * Find room for the names at a scale. Names without room are left out. Those that must be shown avoid
 * the edges of the part in view, if it is given.
 */
export function placeNames(names: readonly Name[], around: Surroundings, k: number, window: Spot | null = null): PlacedName[] {
  const scene = { around, k, window };
  const entries: Entry[] = names.map((name) => {
    const spots = spotsOf(name, scene, DISTANCES);
    if (name.rank === 0) spots.push(...standIns(name, scene));
    spots.sort((a, b) => a.cost - b.cost);
    return { name, spots, spot: null };
  });
  // Those with the fewest spots choose first among equals.
  entries.sort((a, b) => a.name.rank - b.name.rank || a.spots.length - b.spots.length || (a.name.id < b.name.id ? -1 : 1));

  const rivals = (spot: Candidate, but: Entry): Entry[] =>
    entries.filter((one) => one !== but && one.spot !== null && collide(spot, one.spot));
  const open = (entry: Entry): Candidate | null => entry.spots.find((spot) => rivals(spot, entry).length === 0) ?? null;

  for (const entry of entries) entry.spot = open(entry);
  for (const entry of entries) if (!entry.spot) makeRoom(entry, rivals, open);
  for (const entry of entries) if (entry.spot) entry.spot = open(entry) ?? entry.spot;
  for (const entry of entries) {
    if (entry.spot || !entry.name.always) continue;
    // Farther away there may be room; if there is none at all, it is where it covers least.
    const alone = (spot: Candidate): boolean => rivals(spot, entry).length === 0;
    const name = entry.name.brief ? { ...entry.name, writings: [entry.name.brief] } : entry.name;
    const covering = (): Candidate[] => spotsOf(name, scene, [...DISTANCES, ...FAR_DISTANCES], Infinity, true);
    entry.spot = spotsOf(name, scene, FAR_DISTANCES, Infinity).find(alone) ?? covering().find(alone) ?? covering()[0] ?? null;
  }
  return entries.flatMap(({ name, spot }) =>
    spot
      ? {
          id: name.id,
          at: name.at,
          dx: spot.x - name.at.x * k,
          dy: spot.y - name.at.y * k,
          width: spot.width,
          height: spot.height,
          lines: spot.lines,
          far: spot.far,
        }
      : [],
  );
}

/** Move the names in the way of a name to other spots, if that makes room for it. */
function makeRoom(entry: Entry, rivals: (spot: Candidate, but: Entry) => Entry[], open: (entry: Entry) => Candidate | null): void {
  for (const spot of entry.spots) {
    const others = rivals(spot, entry);
    const before = others.map((one) => one.spot);
    entry.spot = spot;
    for (const other of others) other.spot = null;
    for (const other of others) other.spot = open(other);
    if (others.every((one) => one.spot)) return;
    others.forEach((one, i) => (one.spot = before[i]!));
    entry.spot = null;
  }
}

/** The ways to write a name: on one line, or broken in two or three where that is possible. */
export function linesOf(name: string, broken: readonly string[]): string[][] {
  const ways = [[name]];
  if (broken.length > 1) ways.push([...broken]);
  else {
    const halves = [...name.matchAll(/[ -](?=\S)/g)].map(({ index }) => [name.slice(0, index + 1).trimEnd(), name.slice(index + 1)]);
    const longest = (half: string[]): number => Math.max(...half.map((line) => line.length));
    const best = halves.sort((a, b) => longest(a) - longest(b) || b[0]!.length - a[0]!.length)[0];
    if (best) ways.push(best);
  }
  const words = name.split(' ');
  if (words.length === 3) ways.push(words);
  return ways;
}
