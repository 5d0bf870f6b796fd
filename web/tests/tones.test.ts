import { describe, expect, it } from 'vitest';
import { contrast, firstReadable } from '../src/ui/tones';

describe('contrast', () => {
  it('is what WCAG defines', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(contrast('#17604f', '#17604f')).toBe(1);
  });
  it('chooses the first tone that stands out, or else the last', () => {
    expect(firstReadable(['#f5cf33', '#a88406', '#5c4600'], '#fffdf6', 3.3)).toBe('#a88406');
    expect(firstReadable(['#eeeeee', '#dddddd'], '#ffffff', 3)).toBe('#dddddd');
  });
});
