/* Cards that fly from where they were to the player who took them. */
import type { GameEvent } from '../net/protocol';
import { settings } from '../settings.svelte';

export interface Flight {
  id: number;
  color: string | null;
  ticket: boolean;
  from: DOMRect;
  to: DOMRect;
}

function anchor(name: string): DOMRect | null {
  const found = document.querySelector(`[data-anchor="${name}"]`);
  const box = found?.getBoundingClientRect();
  return box && box.width > 0 ? box : null;
}

export class Flights {
  flying = $state.raw<Flight[]>([]);
  private counter = 0;

  /** Let the cards of these events fly; `me` is the seat whose hand is on the screen. */
  launch(events: readonly GameEvent[], me: number | null): void {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (settings.speed === 'off' || still || document.hidden) return;
    const started: Flight[] = [];
    for (const event of events) {
      const from = source(event);
      if (!from || event.seat === undefined) continue;
      const mine = event.seat === me;
      const to = (mine ? anchor('hand') : null) ?? anchor(`player-${event.seat}`);
      if (!to) continue;
      started.push({
        id: ++this.counter,
        color: event.color ?? null,
        ticket: event.event === 'offered',
        from,
        to,
      });
    }
    if (started.length) this.flying = [...this.flying, ...started];
  }

  landed(id: number): void {
    this.flying = this.flying.filter((flight) => flight.id !== id);
  }

  clear(): void {
    this.flying = [];
  }
}

function source(event: GameEvent): DOMRect | null {
  if (event.event === 'took') return anchor(`faceup-${event.place ?? 1}`);
  if (event.event === 'drew') return anchor('deck');
  if (event.event === 'offered') return anchor('tickets');
  return null;
}
