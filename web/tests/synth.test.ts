import { describe, expect, it } from 'vitest';
import { synthesize, type Sound } from '../src/ui/synth';

const RATE = 48_000;
const SOUNDS: [Sound, number][] = [['card', 1], ['build', 1], ['build', 3], ['build', 6], ['ticket', 1], ['turn', 1], ['end', 1], ['no', 1], ['bell', 1]];

/** The power at each frequency, by a discrete Fourier transform with halving. */
function spectrum(samples: Float32Array): Float64Array {
  const size = 2 ** Math.ceil(Math.log2(samples.length));
  const re = new Float64Array(size);
  const im = new Float64Array(size);
  for (let i = 0, j = 0; i < size; i++) {
    re[j] = samples[i] ?? 0;
    let bit = size >> 1;
    while (j & bit) {
      j ^= bit;
      bit >>= 1;
    }
    j |= bit;
  }
  for (let half = 1; half < size; half *= 2) {
    for (let start = 0; start < size; start += 2 * half) {
      for (let k = 0; k < half; k++) {
        const angle = (-Math.PI * k) / half;
        const [a, b] = [start + k, start + k + half];
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        const [x, y] = [re[b]! * c - im[b]! * s, re[b]! * s + im[b]! * c];
        [re[b], im[b]] = [re[a]! - x, im[a]! - y];
        [re[a], im[a]] = [re[a]! + x, im[a]! + y];
      }
    }
  }
  return Float64Array.from({ length: size / 2 }, (_, i) => re[i]! ** 2 + im[i]! ** 2);
}

function measure(sound: Sound, times: number) {
  const samples = synthesize(sound, RATE, times);
  const power = spectrum(samples);
  const step = RATE / 2 / power.length;
  const total = power.reduce((sum, one) => sum + one, 0);
  const share = (from: number, to: number) => power.reduce((sum, one, i) => sum + (i * step >= from && i * step < to ? one : 0), 0) / total;
  return {
    seconds: samples.length / RATE,
    peak: samples.reduce((most, one) => Math.max(most, Math.abs(one)), 0),
    loudness: Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / samples.length),
    middle: power.reduce((sum, one, i) => sum + one * i * step, 0) / total,
    rumble: share(0, 80),
    hiss: share(6000, RATE),
    ends: Math.max(Math.abs(samples[0]!), Math.abs(samples.at(-1)!)),
  };
}

describe('every sound', () => {
  it.each(SOUNDS)('is short, quiet and soft: %s × %i', (sound, times) => {
    const heard = measure(sound, times);
    expect(heard.seconds).toBeLessThanOrEqual(0.8);
    expect(heard.peak).toBeLessThan(0.25);
    expect(heard.peak).toBeGreaterThan(0.04);
    expect(heard.loudness).toBeLessThan(0.08);
    // Nothing that a small loudspeaker rattles with, and nothing that hisses.
    expect(heard.rumble).toBeLessThan(0.05);
    expect(heard.hiss).toBeLessThan(0.02);
    expect(heard.middle).toBeGreaterThan(150);
    expect(heard.middle).toBeLessThan(3200);
    // No click at either end.
    expect(heard.ends).toBeLessThan(0.002);
  });

  it('is told from the others by its pitch or its length', () => {
    const heard = (['card', 'build', 'ticket', 'turn', 'end', 'no', 'bell'] as const).map((sound) => measure(sound, 1));
    for (const [i, one] of heard.entries()) {
      for (const other of heard.slice(i + 1)) {
        const pitch = Math.abs(Math.log2(one.middle / other.middle));
        const length = Math.abs(Math.log2(one.seconds / other.seconds));
        expect(Math.max(pitch, length)).toBeGreaterThan(0.25);
      }
    }
  });

  it('knocks once for each piece, up to six', () => {
    expect(synthesize('build', RATE, 3).length).toBeGreaterThan(synthesize('build', RATE, 1).length);
    expect(synthesize('build', RATE, 9)).toEqual(synthesize('build', RATE, 6));
  });
});
