/*
 * The public part of a game at any moment, as the fold of its events.
 */
import type { GameEvent } from '../net/protocol';

/** The public state of a game after some event. */
export interface Moment {
  owners: Record<string, number>;
  faceup: (string | null)[];
  points: number[];
  hands: number[];
  tickets: number[];
  turn: number;
  seat: number | null;
}

export function emptyMoment(players: number): Moment {
  return {
    owners: {},
    faceup: [null, null, null, null, null],
    points: Array<number>(players).fill(0),
    hands: Array<number>(players).fill(0),
    tickets: Array<number>(players).fill(0),
    turn: 0,
    seat: null,
  };
}

/** The moment after one more event. */
export function advance(moment: Moment, event: GameEvent): Moment {
  const next: Moment = {
    ...moment,
    faceup: [...moment.faceup],
    points: [...moment.points],
    hands: [...moment.hands],
    tickets: [...moment.tickets],
  };
  const seat = event.seat ?? -1;
  if (event.points !== undefined) next.points[seat]! += event.points;
  switch (event.event) {
    case 'dealt':
    case 'drew':
      next.hands[seat]! += 1;
      break;
    case 'took':
      next.hands[seat]! += 1;
      next.faceup[(event.place ?? 1) - 1] = null;
      break;
    case 'turned_up':
      next.faceup[(event.place ?? 1) - 1] = event.color ?? null;
      break;
    case 'swept':
      next.faceup = next.faceup.map(() => null);
      break;
    case 'kept':
      next.tickets[seat]! += event.count ?? 0;
      break;
    case 'claimed': {
      const cards = Array.isArray(event.cards) ? {} : (event.cards ?? {});
      next.owners = { ...moment.owners, [event.route!]: seat };
      next.hands[seat]! -= Object.values(cards).reduce((sum, n) => sum + n, 0);
      break;
    }
    case 'awaited':
      next.seat = event.seat ?? null;
      if (event.phase === 'turn') next.turn += 1;
      break;
    case 'ended':
      next.seat = null;
      break;
  }
  return next;
}

/** The moment after the event with this index. */
export function momentAt(events: readonly GameEvent[], players: number, at: number): Moment {
  let moment = emptyMoment(players);
  for (let i = 0; i <= at && i < events.length; i++) moment = advance(moment, events[i]!);
  return moment;
}
