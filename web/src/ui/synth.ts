/*
 * The sounds of the game, worked out sample by sample: no files, no loops, the same every time.
 *
 * They are meant for a living room: short, quiet, without hiss and without a click at either end.
 * The tests look at their spectrum.
 */

export type Sound = 'card' | 'build' | 'ticket' | 'turn' | 'end' | 'no' | 'bell';

interface Voice {
  /** In seconds. */
  at: number;
  length: number;
  loud: number;
  /** In hertz: of a tone, or of the middle of a brush's noise. */
  pitch: number;
}
interface Tone extends Voice {
  /** The share of each overtone, as factors of the pitch. */
  overtones?: readonly (readonly [number, number])[];
}

/** Struck wood: the overtone is not harmonic and soon gone. */
const WOOD = [[2.76, 0.28]] as const;
const METAL = [[2, 0.3], [3.01, 0.12]] as const;
const ATTACK = 0.006;
/** A knock for each piece, but not for a whole train. */
const MOST_KNOCKS = 6;

class Tape {
  private readonly samples: Float32Array<ArrayBuffer>;
  private noise = 1;

  constructor(
    seconds: number,
    private readonly rate: number,
  ) {
    this.samples = new Float32Array(Math.ceil(seconds * rate));
  }

  tone({ at, length, loud, pitch, overtones = [] }: Tone): void {
    this.add(at, length, loud, (time) => {
      let value = Math.sin(2 * Math.PI * pitch * time);
      for (const [factor, share] of overtones) {
        value += share * Math.exp((-6 * time) / length) * Math.sin(2 * Math.PI * pitch * factor * time);
      }
      return value;
    });
  }

  /** Noise around a pitch, as of paper. */
  brush({ at, length, loud, pitch }: Voice): void {
    // A band-pass filter of two poles, twice, so that little is left far from the pitch.
    const turn = (2 * Math.PI * pitch) / this.rate;
    const radius = 1 - turn * 0.35;
    const gain = 2 * (1 - radius) * Math.sin(turn);
    const memory = [[0, 0], [0, 0]] as [[number, number], [number, number]];
    this.add(at, length, 2 * loud, () => {
      let value = this.random();
      for (const past of memory) {
        const next = gain * value + 2 * radius * Math.cos(turn) * past[0] - radius * radius * past[1];
        past[1] = past[0];
        past[0] = next;
        value = next;
      }
      return value;
    });
  }

  finished(): Float32Array<ArrayBuffer> {
    return this.samples;
  }

  private add(at: number, length: number, loud: number, wave: (time: number) => number): void {
    const first = Math.round(at * this.rate);
    const count = Math.min(Math.round(length * this.rate), this.samples.length - first);
    for (let i = 0; i < count; i++) {
      const time = i / this.rate;
      const rise = Math.min(1, time / ATTACK);
      const fall = Math.exp((-4.5 * time) / length) * (1 - i / count);
      this.samples[first + i]! += loud * rise * fall * wave(time);
    }
  }

  private random(): number {
    this.noise = (this.noise * 16807) % 2147483647;
    return (2 * this.noise) / 2147483647 - 1;
  }
}

/** The samples of a sound; a build knocks once for each piece. */
export function synthesize(sound: Sound, rate: number, times = 1): Float32Array<ArrayBuffer> {
  const knocks = Math.max(1, Math.min(times, MOST_KNOCKS));
  const seconds: Record<Sound, number> = { card: 0.1, ticket: 0.2, build: 0.07 * (knocks - 1) + 0.12, turn: 0.45, bell: 0.5, end: 0.8, no: 0.16 };
  const tape = new Tape(seconds[sound], rate);
  switch (sound) {
    case 'card':
      tape.brush({ at: 0, length: 0.1, loud: 0.16, pitch: 2400 });
      break;
    case 'ticket':
      tape.brush({ at: 0, length: 0.12, loud: 0.13, pitch: 1500 });
      tape.brush({ at: 0.07, length: 0.13, loud: 0.13, pitch: 2100 });
      break;
    case 'build':
      for (let i = 0; i < knocks; i++) tape.tone({ at: i * 0.07, length: 0.12, loud: 0.15, pitch: 205 + 14 * i, overtones: WOOD });
      break;
    case 'turn':
      tape.tone({ at: 0, length: 0.3, loud: 0.1, pitch: 587, overtones: WOOD });
      tape.tone({ at: 0.12, length: 0.33, loud: 0.1, pitch: 784, overtones: WOOD });
      break;
    case 'bell':
      tape.tone({ at: 0, length: 0.5, loud: 0.09, pitch: 880, overtones: METAL });
      break;
    case 'end':
      [523, 659, 784, 1047].forEach((pitch, i) => tape.tone({ at: 0.12 * i, length: 0.44, loud: 0.08, pitch, overtones: METAL }));
      break;
    case 'no':
      tape.tone({ at: 0, length: 0.16, loud: 0.12, pitch: 165, overtones: WOOD });
  }
  return tape.finished();
}
