/* Plays the sounds of the game. */
import { settings } from '../settings.svelte';
import { synthesize, type Sound } from './synth';

let context: AudioContext | null = null;
const buffers = new Map<string, AudioBuffer>();

function audio(): AudioContext | null {
  if (!settings.sound || typeof AudioContext === 'undefined') return null;
  context ??= new AudioContext();
  // Browsers block sound until the player has interacted with the page.
  if (context.state === 'suspended') context.resume().catch(() => {});
  return context;
}

function recorded(ctx: AudioContext, sound: Sound, times: number): AudioBuffer {
  const key = `${sound}${times}`;
  let buffer = buffers.get(key);
  if (!buffer) {
    const samples = synthesize(sound, ctx.sampleRate, times);
    buffer = ctx.createBuffer(1, samples.length, ctx.sampleRate);
    buffer.copyToChannel(samples, 0);
    buffers.set(key, buffer);
  }
  return buffer;
}

export function play(sound: Sound, times = 1): void {
  try {
    const ctx = audio();
    if (!ctx) return;
    const source = ctx.createBufferSource();
    source.buffer = recorded(ctx, sound, times);
    source.connect(ctx.destination);
    source.start();
  } catch {
    // Without a sound card the game is silent.
  }
}
