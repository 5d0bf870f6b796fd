/* Short, quiet sounds, synthesized on the spot: no loops, no files. */
import { settings } from '../settings.svelte';

export type Sound = 'card' | 'build' | 'ticket' | 'turn' | 'end' | 'no' | 'bell';

let context: AudioContext | null = null;

function audio(): AudioContext | null {
  if (!settings.sound || typeof AudioContext === 'undefined') return null;
  context ??= new AudioContext();
  // Browsers block sound until the player has interacted with the page.
  if (context.state === 'suspended') context.resume().catch(() => {});
  return context;
}

function tone(ctx: AudioContext, frequency: number, at: number, length: number, loud: number, type: OscillatorType = 'sine'): void {
  const source = ctx.createOscillator();
  const volume = ctx.createGain();
  source.type = type;
  source.frequency.value = frequency;
  volume.gain.setValueAtTime(0, ctx.currentTime + at);
  volume.gain.linearRampToValueAtTime(loud, ctx.currentTime + at + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0001, ctx.currentTime + at + length);
  source.connect(volume).connect(ctx.destination);
  source.start(ctx.currentTime + at);
  source.stop(ctx.currentTime + at + length + 0.02);
}

function rustle(ctx: AudioContext, at: number, length: number, loud: number, pitch: number): void {
  const samples = Math.floor(ctx.sampleRate * length);
  const buffer = ctx.createBuffer(1, samples, ctx.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < samples; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / samples) ** 2;
  const source = ctx.createBufferSource();
  const filter = ctx.createBiquadFilter();
  const volume = ctx.createGain();
  source.buffer = buffer;
  filter.type = 'bandpass';
  filter.frequency.value = pitch;
  filter.Q.value = 0.8;
  volume.gain.value = loud;
  source.connect(filter).connect(volume).connect(ctx.destination);
  source.start(ctx.currentTime + at);
}

const SOUNDS: Record<Sound, (ctx: AudioContext, times: number) => void> = {
  card: (ctx) => rustle(ctx, 0, 0.09, 0.12, 3200),
  ticket: (ctx) => rustle(ctx, 0, 0.16, 0.1, 1900),
  build: (ctx, times) => {
    for (let i = 0; i < Math.min(times, 6); i++) {
      tone(ctx, 190 + i * 14, i * 0.08, 0.09, 0.12, 'triangle');
      rustle(ctx, i * 0.08, 0.03, 0.1, 1300);
    }
  },
  turn: (ctx) => {
    tone(ctx, 587, 0, 0.22, 0.06);
    tone(ctx, 784, 0.11, 0.3, 0.06);
  },
  bell: (ctx) => {
    tone(ctx, 880, 0, 0.5, 0.06);
    tone(ctx, 1318, 0.02, 0.45, 0.03);
  },
  end: (ctx) => [523, 659, 784, 1047].forEach((f, i) => tone(ctx, f, i * 0.12, 0.4, 0.05)),
  no: (ctx) => tone(ctx, 150, 0, 0.12, 0.07, 'triangle'),
};

export function play(sound: Sound, times = 1): void {
  try {
    const ctx = audio();
    if (ctx) SOUNDS[sound](ctx, times);
  } catch {
    // Without a sound card the game is silent.
  }
}
