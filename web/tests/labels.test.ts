import { describe, expect, it } from 'vitest';
import { Board } from '../src/board/board';
import { linesOf, placeNames, Surroundings, type Name, type PlacedName } from '../src/board/labels';
import type { BoardData } from '../src/net/protocol';
import { board, boardData, route } from './boards';

/** A board on which every place has four neighbours: crowded at a small scale. */
function lattice(): Board {
  const data: BoardData = boardData();
  const size = 6;
  const id = (x: number, y: number): string => `p${x}${y}`;
  data.locations = [];
  data.routes = [];
  for (let x = 0; x < size; x++) {
    for (let y = 0; y < size; y++) {
      data.locations.push({ id: id(x, y), name: `Place at ${x} ${y}`, names: {}, x: 80 + x * 150, y: 80 + y * 150, label: 'e', lines: [] });
      if (x) data.routes.push(route(`h${x}${y}`, id(x - 1, y), id(x, y), { pieces: 2, length: 2, cost: 2 }));
      if (y) data.routes.push(route(`v${x}${y}`, id(x, y - 1), id(x, y), { pieces: 2, length: 2, cost: 2 }));
    }
  }
  data.drawing = { ...data.drawing, width: 910, height: 910 };
  return new Board(data);
}

function namesOf(on: Board, always: readonly string[] = []): Name[] {
  return on.data.locations.map((place) => ({
    id: place.id,
    at: place,
    radius: 11,
    side: place.label,
    writings: linesOf(place.name, place.lines).map((lines) => ({
      lines,
      width: Math.max(...lines.map((line) => line.length)) * 6,
      height: lines.length * 12,
    })),
    rank: always.includes(place.id) ? 0 : 2,
    always: always.includes(place.id),
  }));
}

function place(on: Board, k: number, always: readonly string[] = []): PlacedName[] {
  return placeNames(namesOf(on, always), new Surroundings(on, () => 11), k);
}

/** The corners and the middles of the edges of a space, and its middle, on the screen. */
function pointsOf(on: Board, k: number): { x: number; y: number }[] {
  return on.shapes.flatMap((shape) =>
    shape.spaces.flatMap((space) => {
      const turn = (space.angle * Math.PI) / 180;
      return [-0.5, 0, 0.5].flatMap((along) =>
        [-0.5, 0, 0.5].map((across) => ({
          x: (space.x + Math.cos(turn) * along * space.length - Math.sin(turn) * across * space.width) * k,
          y: (space.y + Math.sin(turn) * along * space.length + Math.cos(turn) * across * space.width) * k,
        })),
      );
    }),
  );
}

function boxOf(one: PlacedName, k: number) {
  const x = one.at.x * k + one.dx;
  const y = one.at.y * k + one.dy;
  return { left: x, top: y, right: x + one.width, bottom: y + one.height };
}

const SCALES = [0.25, 0.4, 0.55, 0.7, 0.9, 1.3, 2, 4];

describe('names', () => {
  it.each(SCALES)('cover neither spaces nor places nor each other at scale %d', (k) => {
    for (const on of [board(), lattice()]) {
      const boxes = place(on, k).map((one) => boxOf(one, k));
      const inside = (p: { x: number; y: number }) => boxes.some((box) => p.x > box.left && p.x < box.right && p.y > box.top && p.y < box.bottom);
      expect(pointsOf(on, k).filter(inside)).toEqual([]);
      expect(on.data.locations.map(({ x, y }) => ({ x: x * k, y: y * k })).filter(inside)).toEqual([]);
      boxes.forEach((a, i) => {
        for (const b of boxes.slice(i + 1)) {
          // Side by side without a gap, two names would read as one.
          expect(a.left < b.right + 5 && b.left < a.right + 5 && a.top < b.bottom && b.top < a.bottom).toBe(false);
        }
      });
    }
  });

  it.each(SCALES)('are not taken for names of other places at scale %d', (k) => {
    const on = lattice();
    for (const one of place(on, k)) {
      const box = boxOf(one, k);
      const gap = ({ x, y }: { x: number; y: number }): number =>
        Math.hypot(Math.max(0, box.left - x * k, x * k - box.right), Math.max(0, box.top - y * k, y * k - box.bottom)) - 11 * k;
      const others = on.data.locations.filter(({ id }) => id !== one.id).map(gap);
      expect(gap(one.at) <= 6 || Math.min(...others) > gap(one.at), one.id).toBe(true);
    }
  });

  it('wait for zoom where there is no room, and are all there when it is near', () => {
    const on = lattice();
    expect(place(on, 0.3).length).toBeLessThan(on.places.size);
    expect(place(on, 2)).toHaveLength(on.places.size);
  });

  it('are shown at any scale if they must be', () => {
    const on = lattice();
    const must = ['p22', 'p33', 'p00'];
    for (const k of SCALES) expect(place(on, k, must).map((one) => one.id)).toEqual(expect.arrayContaining(must));
  });

  it('of tickets’ ends are not cut off by the edge of the view: others stand in for them', () => {
    const on = board();
    const k = 1;
    // The edge runs just beyond the place, where the name would stand.
    const place = on.places.get('b')!;
    const window = { x: 0, y: 0, width: place.x * k + 20, height: 900 };
    const brief = { lines: [], width: 22, height: 16 };
    const long = { lines: ['A name that is far too long'], width: 400, height: 12 };
    const names = namesOf(on, ['b']).map((one) => (one.id === 'b' ? { ...one, writings: [long], brief } : one));
    const placed = placeNames(names, new Surroundings(on, () => 11), k, window).find((one) => one.id === 'b')!;
    const box = boxOf(placed, k);
    expect(box.left).toBeGreaterThanOrEqual(0);
    expect(box.right).toBeLessThanOrEqual(window.width);
  });

  it('stand on the side that the board names where there is room', () => {
    const placed = new Map(place(board(), 1).map((one) => [one.id, one]));
    expect(placed.get('a')!.dx).toBeLessThan(-placed.get('a')!.width);
    expect(placed.get('b')!.dx).toBeGreaterThan(0);
    expect(placed.get('d')!.dy).toBeGreaterThan(0);
  });

  it('stand where they stood before', () => {
    expect(place(lattice(), 0.5)).toEqual(place(lattice(), 0.5));
  });

  it('are broken where their author breaks them, or near the middle', () => {
    expect(linesOf('Rome', [])).toEqual([['Rome']]);
    expect(linesOf('Salt Lake City', [])).toEqual([['Salt Lake City'], ['Salt Lake', 'City'], ['Salt', 'Lake', 'City']]);
    expect(linesOf('Saint-Germain-des-Prés', [])[1]).toEqual(['Saint-Germain-', 'des-Prés']);
    expect(linesOf('Empire State Building', ['Empire State', 'Building'])[1]).toEqual(['Empire State', 'Building']);
  });
});
