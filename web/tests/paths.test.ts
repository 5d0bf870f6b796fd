import { describe, expect, it } from 'vitest';
import { DIGITS, SYMBOLS } from '../src/board/colors';
import { transformed, outline } from '../src/board/paths';

const still = { at: { x: 0, y: 0 }, angle: 0, scale: 1, centre: { x: 0, y: 0 } };

function numbers(path: string): number[] {
  return (path.match(/-?[\d.]+/g) ?? []).map(Number);
}

describe('placement a drawing', () => {
  it('leaves it as it is when nothing moves', () => {
    expect(transformed('M1 2L3 4', still)).toBe('M1 2L3 4');
    expect(transformed('M1 2l3 4z', still)).toBe('M1 2l3 4Z');
    expect(transformed('M1 2h3v4H0V1', still)).toBe('M1 2L4 2L4 6L0 6L0 1');
  });

  it('brings its centre to the place that was named', () => {
    const path = transformed('M12 12L22 12', { at: { x: 100, y: 50 }, angle: 0, scale: 0.5, centre: { x: 12, y: 12 } });
    expect(path).toBe('M100 50L105 50');
  });

  it('turns clockwise, as the screen does, steps and places alike', () => {
    const turned = { at: { x: 0, y: 0 }, angle: 90, scale: 1, centre: { x: 0, y: 0 } };
    expect(numbers(transformed('M1 0L5 0', turned))).toEqual([0, 1, 0, 5]);
    expect(numbers(transformed('M1 0l4 0', turned))).toEqual([0, 1, 0, 4]);
    expect(numbers(transformed('M1 0h4', turned))).toEqual([0, 1, 0, 5]);
  });

  it('scales the radii of arcs and turns their axes', () => {
    const path = transformed('M0 0a4 2 10 1 0 8 0', { ...still, angle: 30, scale: 2 });
    expect(numbers(path).slice(2, 7)).toEqual([8, 4, 40, 1, 0]);
  });

  it('takes further pairs after a move for lines, and knows where a closed line ends', () => {
    expect(transformed('m1 1 2 0zm5 5l1 0', still)).toBe('M1 1l2 0Zm5 5l1 0');
    expect(transformed('M1 1l2 0zH9', still)).toBe('M1 1l2 0ZL9 1');
  });

  it('understands every symbol and digit of the game', () => {
    for (const path of [...Object.values(SYMBOLS), ...DIGITS]) {
      const there = transformed(path, { at: { x: 500, y: 300 }, angle: 37, scale: 0.7, centre: { x: 12, y: 12 } });
      expect(there).not.toContain('NaN');
      // Placed back, it is what it was: the same commands with the same numbers.
      const same = transformed(path, still);
      expect(same.replace(/[^a-zA-Z]/g, '').length).toBe(there.replace(/[^a-zA-Z]/g, '').length);
    }
  });
});

describe('the rim of a space', () => {
  it('has its size, and grows on all sides', () => {
    const space = { x: 100, y: 100, angle: 0, length: 40, width: 20 };
    const xs = (path: string): number[] => [...path.matchAll(/[ML](-?[\d.]+) /g)].map((m) => Number(m[1]));
    const plain = xs(outline(space, 0));
    expect([Math.min(...plain), Math.max(...plain)]).toEqual([80, 120]);
    const grown = xs(outline(space, 0, 4).replace(/A[^A-Z]*/g, ''));
    expect(Math.max(...grown)).toBe(124);
  });
});
