import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { areaOf, outlinesOf } from '../src/board/areas';
import { landmarkOf } from '../src/board/landmarks';
import { drawingOf, LAYERS, layersOf, type Stand } from '../src/board/pieces';
import { PLATE, platesOf } from '../src/board/plates';
import { board } from './boards';

function numbers(path: string): number[] {
  return (path.match(/-?\d+\.?\d*/g) ?? []).map(Number);
}

function points(path: string): [number, number][] {
  const all = numbers(path);
  return all.flatMap((x, i): [number, number][] => (i % 2 ? [] : [[x, all[i + 1]!]]));
}

describe('pieces', () => {
  const stand = (kind: string): Stand => ({ x: 200, y: 100, angle: 30, length: 44, width: 24, kind });

  it('are what they are called, and a plain wagon if nobody knows them', () => {
    expect(drawingOf('taxi', true)).toBe('taxi');
    expect(drawingOf('airship', true)).toBe('wagon');
  });

  it('are pulled by an engine if they are trains', () => {
    expect(drawingOf('train', true)).toBe('engine');
    expect(drawingOf('train', false)).toBe('wagon');
    expect(drawingOf('tram', true)).toBe(drawingOf('tram', false));
  });

  it.each(['wagon', 'engine', 'taxi', 'bus', 'tram', 'subway'])('keep to their place: %s', (kind) => {
    const layers = layersOf([stand(kind)]);
    expect(LAYERS.every((layer) => !layers[layer].includes('NaN'))).toBe(true);
    const half = Math.hypot(44, 24) / 2 + 1;
    for (const path of [layers.body, layers.gloss, layers.shade]) {
      // Every pair of a command is near the middle; the radii of arcs are not points.
      for (const [x, y] of points(path.replace(/A[\d.]+ [\d.]+ [-\d.]+ [01] [01] /g, 'L'))) {
        expect(Math.hypot(x - 200, y - 100)).toBeLessThan(half + 2);
      }
    }
  });

  it('have as many layers together as one of them alone', () => {
    const one = layersOf([stand('bus')]);
    const three = layersOf([stand('bus'), stand('bus'), stand('bus')]);
    expect(three.body).toBe(one.body.repeat(3));
  });
});

describe('a claimed route', () => {
  it('has a ribbon from place to place, whichever lane it is', () => {
    for (const shape of board().shapes) {
      const route = board().routes.get(shape.id)!;
      const line = points(shape.ribbon);
      const [a, b] = [board().places.get(route.a)!, board().places.get(route.b)!];
      expect(line[0]).toEqual([expect.closeTo(a.x, 0), expect.closeTo(a.y, 0)]);
      expect(line.at(-1)).toEqual([expect.closeTo(b.x, 0), expect.closeTo(b.y, 0)]);
    }
  });

  it('keeps the outer line of each lane away from the other lane', () => {
    const double = board().data.routes.filter((route) => route.twin);
    expect(double.length).toBeGreaterThan(0);
    for (const route of double) {
      const shape = board().shapeOf.get(route.id)!;
      const other = board().shapeOf.get(route.twin!)!.middle;
      const away = (path: string): number => Math.min(...points(path).map(([x, y]) => Math.hypot(x - other.x, y - other.y)));
      expect(away(shape.sides[0])).toBeGreaterThan(away(shape.sides[1]));
    }
  });
});

describe('areas', () => {
  const places = [
    { x: 100, y: 100 },
    { x: 300, y: 100 },
    { x: 100, y: 300 },
    { x: 300, y: 300 },
  ];

  it('meet halfway between places, and reach beyond the rim', () => {
    const [line] = outlinesOf(places, new Set([0]), 400, 400);
    const xs = line!.map((point) => point.x);
    expect(Math.max(...xs)).toBeCloseTo(200, 6);
    expect(Math.min(...xs)).toBeLessThan(0);
  });

  it('of neighbours are joined, of others are not', () => {
    expect(outlinesOf(places, new Set([0, 1]), 400, 400)).toHaveLength(1);
    expect(outlinesOf(places, new Set([0, 1, 2, 3]), 400, 400)).toHaveLength(1);
    expect(outlinesOf([...places, { x: 200, y: 200 }], new Set([0, 3]), 400, 400)).toHaveLength(2);
  });

  it('have round corners inside the board', () => {
    const corners = outlinesOf(places, new Set([0]), 400, 400)[0]!.length;
    expect(points(areaOf(places, new Set([0]), 400, 400)).length).toBeGreaterThan(corners + 4);
  });
});

describe('plates', () => {
  it('stand nearest to a place of their group, clear of spaces and places', () => {
    const [plate] = platesOf(board());
    const width = PLATE.width(plate!.group.locations.length);
    const [x, y, height] = [plate!.x - width / 2, plate!.y - PLATE.height / 2, PLATE.height];
    const inside = (at: { x: number; y: number }): boolean => at.x > x && at.x < x + width && at.y > y && at.y < y + height;
    expect(board().shapes.flatMap((shape) => shape.spaces).filter(inside)).toEqual([]);
    expect(board().data.locations.filter(inside)).toEqual([]);
    const far = (at: { x: number; y: number }): number => Math.hypot(at.x - plate!.x, at.y - plate!.y);
    const nearest = [...board().data.locations].sort((a, b) => far(a) - far(b))[0]!;
    expect(plate!.group.locations).toContain(nearest.id);
  });
});

describe('landmarks', () => {
  it('are drawn for every place of a board that counts for a bonus', () => {
    const file = readFileSync('../src/fernzug/board/data/new_york.toml', 'utf8');
    const list = /kind = "sights".*?locations = \[([^\]]*)\]/s.exec(file)![1]!;
    const places = [...list.matchAll(/"(\w+)"/g)].map((match) => match[1]!);
    expect(places).toHaveLength(9);
    for (const place of places) expect(landmarkOf(place), place).not.toBe(landmarkOf('nowhere'));
  });
});
