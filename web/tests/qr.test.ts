import { describe, expect, it } from 'vitest';
import { correction, qr, qrPath } from '../src/ui/qr';

describe('the QR code', () => {
  it('has the codewords of correction of the standard’s example', () => {
    // ISO/IEC 18004, annex I: "01234567" in version 1-M.
    const data = [0x10, 0x20, 0x0c, 0x56, 0x61, 0x80, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11];
    expect(correction(data, 10)).toEqual([0xa5, 0x24, 0xd4, 0xc1, 0xed, 0x36, 0xc7, 0x87, 0x2c, 0x55]);
  });

  it('grows with the text and has its three eyes', () => {
    for (const [length, size] of [[10, 21], [60, 33], [150, 49], [213, 57]] as const) {
      const grid = qr('x'.repeat(length))!;
      expect(grid.length).toBe(size);
      for (const [r, c] of [[0, 0], [0, size - 7], [size - 7, 0]] as const) {
        expect(grid[r]![c]).toBe(true);
        expect(grid[r + 1]![c + 1]).toBe(false);
        expect(grid[r + 3]![c + 3]).toBe(true);
      }
    }
    expect(qr('x'.repeat(400))).toBeNull();
    expect(qrPath('hello')!.size).toBe(29);
  });
});
