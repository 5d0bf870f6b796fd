import { describe, expect, it } from 'vitest';
import { controlPoint, Curve, distanceTo, laneSide, neighbour, routeAt, routeShape, upright } from '../src/board/geometry';
import { board, boardData, route } from './boards';

const data = boardData();
const at = (id: string) => data.locations.find((place) => place.id === id)!;
const shape = (id: string) => board().shapeOf.get(id)!;

describe('the curve', () => {
  it('is straight without a bend', () => {
    expect(controlPoint({ x: 0, y: 0 }, { x: 10, y: 0 }, 0)).toEqual({ x: 5, y: 0 });
    expect(new Curve({ x: 0, y: 0 }, { x: 30, y: 40 }, 0).length).toBeCloseTo(50, 6);
  });

  it('bends along (-dy, dx) of the direction from a to b, with y pointing down', () => {
    expect(controlPoint({ x: 0, y: 0 }, { x: 10, y: 0 }, 7)).toEqual({ x: 5, y: 7 });
    expect(controlPoint({ x: 0, y: 0 }, { x: 0, y: 10 }, 7)).toEqual({ x: -7, y: 5 });
  });

  it('tells points at even distances', () => {
    const curve = new Curve({ x: 0, y: 0 }, { x: 200, y: 0 }, 60);
    const a = curve.pointAt(curve.length / 4);
    const b = curve.pointAt(curve.length / 2);
    expect(b.x).toBeCloseTo(100, 1);
    expect(b.y).toBeCloseTo(30, 1);
    expect(a.angle).toBeGreaterThan(0);
    expect(b.angle).toBeCloseTo(0, 2);
  });
});

describe('the spaces', () => {
  it('are centred on the route, a pitch apart, and shorter than the pitch by the gap', () => {
    const spaces = shape('c-d').spaces;
    expect(spaces).toHaveLength(3);
    const straight = routeShape(route('x', 'a', 'b'), at('a'), at('b'), data.drawing).spaces;
    expect(straight.map((space) => space.x)).toEqual([190, 250, 310].map((x) => expect.closeTo(x, 3) as number));
    expect(straight[0]!.length).toBeCloseTo(55, 6);
    expect(straight[0]!.width).toBe(20);
  });

  it('move closer together where the route is short', () => {
    const near = { ...at('b'), x: 200 };
    const spaces = routeShape(route('x', 'a', 'b'), at('a'), near, data.drawing).spaces;
    const pitch = (100 - 2 * 13) / 3;
    expect(spaces[1]!.x - spaces[0]!.x).toBeCloseTo(pitch, 3);
    expect(spaces[0]!.length).toBeCloseTo(pitch - 5, 3);
  });

  it('are a little shorter on a bend, and alike whichever way the route runs', () => {
    const one = routeShape(route('x', 'a', 'b', { bend: 80 }), at('a'), at('b'), data.drawing).spaces;
    const other = routeShape(route('x', 'b', 'a', { bend: -80 }), at('b'), at('a'), data.drawing).spaces;
    expect(one[1]!.length).toBeLessThan(55);
    expect(one.map((space) => space.length)).toEqual(other.map((space) => expect.closeTo(space.length, 3) as number).reverse());
  });

  it('are one of twice the width where a piece stands for all cards', () => {
    const spaces = shape('a-d').spaces;
    expect(spaces).toHaveLength(1);
    expect(spaces[0]!.length).toBe(40);
  });
});

describe('the lanes', () => {
  it('lie above and below, or left and right of a route that runs straight down', () => {
    expect(laneSide(at('a'), at('b')).y).toBeLessThan(0);
    expect(laneSide(at('b'), at('a')).y).toBeLessThan(0);
    expect(laneSide(at('b'), at('c')).x).toBeLessThan(0);
    expect(shape('a-b').middle.y).toBeCloseTo(88, 6);
    expect(shape('a-b.2').middle.y).toBeCloseTo(112, 6);
    expect(shape('b-c').middle.x).toBeCloseTo(388, 6);
    expect(shape('b-c.2').middle.x).toBeCloseTo(412, 6);
  });

  it('split the area of a double route on the line between them', () => {
    const shapes = board().shapes;
    expect(routeAt(shapes, { x: 250, y: 99.5 }, 30)).toBe('a-b');
    expect(routeAt(shapes, { x: 250, y: 100.5 }, 30)).toBe('a-b.2');
    expect(routeAt(shapes, { x: 250, y: 250 }, 30)).toBeNull();
  });
});

describe('finding the way', () => {
  it('measures the distance to a line', () => {
    expect(distanceTo([{ x: 0, y: 0 }, { x: 10, y: 0 }], { x: 5, y: 3 })).toBe(3);
    expect(distanceTo([{ x: 0, y: 0 }, { x: 10, y: 0 }], { x: 13, y: 4 })).toBe(5);
  });

  it('goes from route to route by the arrows', () => {
    const shapes = board().shapes;
    expect(neighbour(shapes, 'a-d', 'right')).not.toBe('a-d');
    expect(['b-c', 'b-c.2', 'a-b.2', 'c-d']).toContain(neighbour(shapes, 'a-d', 'right'));
    expect(neighbour(shapes, 'a-b', 'up')).toBe('a-b');
    // Every route can be reached.
    const seen = new Set([shapes[0]!.id]);
    for (let grown = true; grown; ) {
      grown = false;
      for (const id of [...seen]) {
        for (const way of ['left', 'right', 'up', 'down'] as const) {
          const next = neighbour(shapes, id, way);
          if (!seen.has(next)) {
            seen.add(next);
            grown = true;
          }
        }
      }
    }
    expect(seen.size).toBe(shapes.length);
  });

  it('keeps pieces on their wheels', () => {
    expect([0, 90, 91, 180, -90, -91, 270].map(upright)).toEqual([0, 90, -89, 0, 90, 89, 90]);
  });
});
