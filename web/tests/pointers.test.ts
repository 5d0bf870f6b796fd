import { describe, expect, it } from 'vitest';
import { pointersTo } from '../src/board/pointers';

const VIEW = { x: 10, y: 10, width: 380, height: 500 };
const width = (name: string): number => 40 + name.length * 7;

describe('pointers', () => {
  it('stand at the edge that is nearest to a place, and point at it', () => {
    const [east] = pointersTo([{ id: 'e', name: 'East', x: 900, y: 200 }], VIEW, width);
    expect(east!.x + east!.width).toBeCloseTo(386);
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
    const [sign] = pointersTo([{ id: 'e', name: 'East', x: 900, y: 100 }], VIEW, width, [{ x: 300, y: 70, width: 80, height: 60 }]);
    expect(sign!.y).toBeGreaterThanOrEqual(130);
  });

  it('are few', () => {
    const places = Array.from({ length: 12 }, (_, i) => ({ id: `${i}`, name: 'X', x: -500, y: i * 40 }));
    expect(pointersTo(places, VIEW, width).length).toBeLessThanOrEqual(5);
  });
});
