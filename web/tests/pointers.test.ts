import { describe, expect, it } from 'vitest';
import { pointersTo } from '../src/board/pointers';

const VIEW = { x: 10, y: 10, width: 580, height: 500 };
const width = (name: string): number => 40 + name.length * 7;

describe('pointers', () => {
  it('stand at the edge that is nearest to a place, and point at it', () => {
    const [east] = pointersTo([{ id: 'e', name: 'East', x: 900, y: 200 }], VIEW, width);
    expect(east!.x + east!.width).toBeCloseTo(586);
    expect(Math.abs(east!.angle)).toBeLessThan(0.1);
    const [north] = pointersTo([{ id: 'n', name: 'North', x: 200, y: -300 }], VIEW, width);
    expect(north!.y).toBeCloseTo(14);
    expect(north!.angle).toBeCloseTo(-Math.PI / 2);
  });

  it('do not cover each other, and stay in view', () => {
    const places = [100, 110, 480, 490, 700].map((y, i) => ({ id: `${i}`, name: 'Somewhere', x: 900, y }));
    const all = pointersTo(places, VIEW, width);
    expect(all).toHaveLength(5);
    all.forEach((a, i) => {
      expect(a.y >= VIEW.y && a.y + a.height <= VIEW.y + VIEW.height).toBe(true);
      for (const b of all.slice(i + 1)) expect(Math.abs(a.y - b.y)).toBeGreaterThanOrEqual(44);
    });
  });

  it('keep clear of what is taken', () => {
    const [sign] = pointersTo([{ id: 'e', name: 'East', x: 900, y: 100 }], VIEW, width, [{ x: 500, y: 70, width: 80, height: 60 }]);
    expect(sign!.y).toBeGreaterThanOrEqual(130);
  });

  it('leave names in view unless they would stand far from where they point', () => {
    const place = { id: 'e', name: 'East', x: 900, y: 60 };
    const names = (height: number) => [{ x: 500, y: 14, width: 90, height }];
    expect(pointersTo([place], VIEW, width, [], names(90))[0]!.y).toBeGreaterThanOrEqual(104);
    expect(pointersTo([place], VIEW, width, [], names(300))[0]!.y).toBeLessThan(60);
  });

  it('are few, and fewer where there is little room', () => {
    const places = Array.from({ length: 12 }, (_, i) => ({ id: `${i}`, name: 'X', x: -500, y: i * 40 }));
    expect(pointersTo(places, VIEW, width)).toHaveLength(5);
    expect(pointersTo(places, { ...VIEW, width: 390 }, width)).toHaveLength(3);
    expect(pointersTo(places, { ...VIEW, height: 280 }, width)).toHaveLength(2);
  });

  it('are in the order of their places', () => {
    // The nearer place takes the spot beside what is taken, and the other one would come to stand below it.
    const places = [{ id: 'near', name: 'Somewhere', x: 700, y: 300 }, { id: 'far', name: 'Elsewhere', x: 720, y: 200 }];
    const taken = [{ x: 480, y: 14, width: 110, height: 246 }];
    const signs = pointersTo(places, VIEW, width, taken);
    const y = Object.fromEntries(signs.map((sign) => [sign.id, sign.y]));
    expect(y['far']!).toBeLessThan(y['near']!);
    const above = [{ id: 'right', name: 'A long name', x: 300, y: -60 }, { id: 'left', name: 'Short', x: 290, y: -90 }];
    const [right, left] = pointersTo(above, VIEW, width, [{ x: 10, y: 14, width: 220, height: 44 }]);
    expect(right!.id).toBe('right');
    expect(left!.x + left!.width).toBeLessThanOrEqual(right!.x);
  });
});
