/*
 * QR codes for invitations: byte mode, error correction level M, versions 1 to 10 (213 bytes).
 *
 * Written after the public description of the code (ISO/IEC 18004); small, because a link is all
 * that it ever has to hold.
 */

/** For versions 1 to 10 at level M: codewords of correction in a block, and the blocks' data sizes. */
const BLOCKS: [ecc: number, data: number[]][] = [
  [10, [16]],
  [16, [28]],
  [26, [44]],
  [18, [32, 32]],
  [24, [43, 43]],
  [16, [27, 27, 27, 27]],
  [18, [31, 31, 31, 31]],
  [22, [38, 38, 39, 39]],
  [22, [36, 36, 36, 37, 37]],
  [26, [43, 43, 43, 43, 44]],
];
const ALIGN: number[][] = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
];

const EXP = new Uint8Array(512);
const LOG = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i++) {
  EXP[i] = x;
  LOG[x] = i;
  x <<= 1;
  if (x & 0x100) x ^= 0x11d;
}
for (let i = 255; i < 512; i++) EXP[i] = EXP[i - 255]!;

function times(a: number, b: number): number {
  return a && b ? EXP[LOG[a]! + LOG[b]!]! : 0;
}

/** The codewords of correction for a block (Reed and Solomon). */
export function correction(data: readonly number[], count: number): number[] {
  let generator = [1];
  for (let i = 0; i < count; i++) {
    const next = Array<number>(generator.length + 1).fill(0);
    generator.forEach((factor, j) => {
      next[j]! ^= factor;
      next[j + 1]! ^= times(factor, EXP[i]!);
    });
    generator = next;
  }
  const rest = [...data, ...Array<number>(count).fill(0)];
  for (let i = 0; i < data.length; i++) {
    const lead = rest[i]!;
    if (lead) generator.forEach((factor, j) => (rest[i + j]! ^= times(factor, lead)));
  }
  return rest.slice(data.length);
}

function codewords(bytes: Uint8Array, version: number): number[] {
  const [ecc, sizes] = BLOCKS[version - 1]!;
  const room = sizes.reduce((sum, n) => sum + n, 0);
  const bits: number[] = [];
  const put = (value: number, length: number): void => {
    for (let i = length - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  bytes.forEach((byte) => put(byte, 8));
  put(0, Math.min(4, room * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const data: number[] = [];
  for (let i = 0; i < bits.length; i += 8) data.push(Number.parseInt(bits.slice(i, i + 8).join(''), 2));
  for (let pad = 0xec; data.length < room; pad ^= 0xec ^ 0x11) data.push(pad);

  const blocks: number[][] = [];
  let at = 0;
  for (const size of sizes) blocks.push(data.slice(at, (at += size)));
  const checks = blocks.map((block) => correction(block, ecc));
  const out: number[] = [];
  for (let i = 0; i < Math.max(...sizes); i++) for (const b of blocks) if (i < b.length) out.push(b[i]!);
  for (let i = 0; i < ecc; i++) for (const check of checks) out.push(check[i]!);
  return out;
}

type Grid = (boolean | null)[][];

function frame(version: number): Grid {
  const size = 17 + 4 * version;
  const grid: Grid = Array.from({ length: size }, () => Array<boolean | null>(size).fill(null));
  const finder = (row: number, col: number): void => {
    for (let r = -1; r <= 7; r++) {
      for (let c = -1; c <= 7; c++) {
        if (row + r < 0 || row + r >= size || col + c < 0 || col + c >= size) continue;
        const rim = Math.max(Math.abs(r - 3), Math.abs(c - 3));
        grid[row + r]![col + c] = rim !== 2 && rim !== 4;
      }
    }
  };
  finder(0, 0);
  finder(0, size - 7);
  finder(size - 7, 0);
  for (const row of ALIGN[version - 1]!) {
    for (const col of ALIGN[version - 1]!) {
      if (grid[row]![col] !== null) continue;
      for (let r = -2; r <= 2; r++) {
        for (let c = -2; c <= 2; c++) grid[row + r]![col + c] = Math.max(Math.abs(r), Math.abs(c)) !== 1;
      }
    }
  }
  for (let i = 8; i < size - 8; i++) {
    grid[6]![i] ??= i % 2 === 0;
    grid[i]![6] ??= i % 2 === 0;
  }
  return grid;
}

const MASKS: ((r: number, c: number) => boolean)[] = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

function remainder(value: number, divisor: number, shift: number): number {
  let rest = value << shift;
  for (let i = 31 - Math.clz32(rest); i >= shift; i = 31 - Math.clz32(rest)) rest ^= divisor << (i - shift);
  return rest;
}

/** Format and version: where they stand is fixed, whatever the data. */
function label(grid: Grid, version: number, mask: number): void {
  const size = grid.length;
  const level = 0; // M
  const plain = (level << 3) | mask;
  const format = ((plain << 10) | remainder(plain, 0x537, 10)) ^ 0x5412;
  for (let i = 0; i < 15; i++) {
    const bit = ((format >> i) & 1) === 1;
    const a = i < 6 ? i : i < 8 ? i + 1 : size - 15 + i;
    grid[a]![8] = bit;
    const b = i < 8 ? size - 1 - i : i < 9 ? 15 - i : 14 - i;
    grid[8]![b] = bit;
  }
  grid[size - 8]![8] = true;
  if (version < 7) return;
  const info = (version << 12) | remainder(version, 0x1f25, 12);
  for (let i = 0; i < 18; i++) {
    const bit = ((info >> i) & 1) === 1;
    grid[Math.floor(i / 3)]![size - 11 + (i % 3)] = bit;
    grid[size - 11 + (i % 3)]![Math.floor(i / 3)] = bit;
  }
}

function fillIn(grid: Grid, words: readonly number[], mask: number): void {
  const size = grid.length;
  const hides = MASKS[mask]!;
  let bit = 0;
  for (let col = size - 1, up = true; col > 0; col -= 2, up = !up) {
    if (col === 6) col -= 1;
    for (let i = 0; i < size; i++) {
      const row = up ? size - 1 - i : i;
      for (const c of [col, col - 1]) {
        if (grid[row]![c] !== null) continue;
        const on = bit < words.length * 8 && ((words[bit >> 3]! >> (7 - (bit & 7))) & 1) === 1;
        grid[row]![c] = on !== hides(row, c);
        bit += 1;
      }
    }
  }
}

/** How hard a pattern is to read; the mask with the least is taken. */
function penalty(grid: Grid): number {
  const size = grid.length;
  let sum = 0;
  let dark = 0;
  for (let turn = 0; turn < 2; turn++) {
    const cell = (i: number, j: number): boolean => (turn ? grid[j]![i] : grid[i]![j]) === true;
    for (let i = 0; i < size; i++) {
      let run = 0;
      let line = '';
      for (let j = 0; j < size; j++) {
        run = j && cell(i, j) === cell(i, j - 1) ? run + 1 : 1;
        if (run === 5) sum += 3;
        else if (run > 5) sum += 1;
        line += cell(i, j) ? '1' : '0';
        if (!turn && cell(i, j)) dark += 1;
        if (!turn && i && j && cell(i, j) === cell(i - 1, j) && cell(i, j) === cell(i, j - 1) && cell(i, j) === cell(i - 1, j - 1)) sum += 3;
      }
      sum += 40 * ((line.match(/(?=10111010000)/g)?.length ?? 0) + (line.match(/(?=00001011101)/g)?.length ?? 0));
    }
  }
  return sum + 10 * Math.floor(Math.abs((dark * 20) / (size * size) - 10));
}

/** The dark modules of the code for a text, row by row; null if the text is too long. */
export function qr(text: string): boolean[][] | null {
  const bytes = new TextEncoder().encode(text);
  const version = 1 + BLOCKS.findIndex(([, sizes], i) => {
    const header = i + 1 < 10 ? 2 : 3;
    return bytes.length + header <= sizes.reduce((sum, n) => sum + n, 0);
  });
  if (version === 0) return null;
  const words = codewords(bytes, version);
  let best: Grid | null = null;
  let least = Infinity;
  for (let mask = 0; mask < 8; mask++) {
    const grid = frame(version);
    label(grid, version, mask);
    fillIn(grid, words, mask);
    const hard = penalty(grid);
    if (hard < least) {
      least = hard;
      best = grid;
    }
  }
  return best!.map((row) => row.map((cell) => cell === true));
}

/** The code as one SVG path in modules, with the quiet zone of four around it. */
export function qrPath(text: string): { path: string; size: number } | null {
  const grid = qr(text);
  if (!grid) return null;
  let path = '';
  grid.forEach((row, y) => row.forEach((dark, x) => {
    if (dark) path += `M${x + 4} ${y + 4}h1v1h-1z`;
  }));
  return { path, size: grid.length + 8 };
}
