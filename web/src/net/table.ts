/*
 * What the client knows of its table, as a value, and how each message of the server changes it.
 *
 * The server numbers its changes, and several messages may tell of the same one. What counts as seen
 * is the game: a change of seats with the same number may arrive before the events that belong to
 * it, and those events must not be mistaken for old ones.
 */
import type {
  ChatLine,
  ClockState,
  Events,
  GameEvent,
  SeatChange,
  SeatView,
  ServerMessage,
  Snapshot,
  TableInfo,
} from './protocol';

export interface KnownTable {
  /** The number of the last known change of the game. */
  seq: number;
  own: number[];
  host: boolean;
  table: TableInfo | null;
  events: GameEvent[];
  views: SeatView[];
  chat: ChatLine[];
  clock: (ClockState & { at: number }) | null;
}

export function nothingKnown(): KnownTable {
  return {
    seq: 0,
    own: [],
    host: false,
    table: null,
    events: [],
    views: [],
    chat: [],
    clock: null,
  };
}

/** The state after a message; the same object if the message changes nothing. */
export function reduce(known: KnownTable, message: ServerMessage, now: number): KnownTable {
  switch (message.type) {
    case 'snapshot':
      return fromSnapshot(known, message, now);
    case 'events':
      return message.seq <= known.seq ? known : withEvents(known, message, now);
    case 'table':
      return { ...known, table: message.table, clock: stamped(message.clock, now) };
    case 'chat':
      if (known.chat.some((line) => line.seq === message.line.seq)) return known;
      return { ...known, chat: [...known.chat, message.line] };
    default:
      return known;
  }
}

function fromSnapshot(known: KnownTable, message: Snapshot, now: number): KnownTable {
  const resumed = message.since > 0 && known.table?.id === message.table.id;
  const before = resumed ? known.chat.filter((line) => !message.chat.some((one) => one.seq === line.seq)) : [];
  return {
    seq: message.seq,
    own: message.own,
    host: message.host,
    table: message.table,
    events: resumed ? [...known.events, ...message.events] : message.events,
    views: message.views,
    chat: [...before, ...message.chat],
    clock: stamped(message.clock, now),
  };
}

function withEvents(known: KnownTable, message: Events, now: number): KnownTable {
  const kept = message.undone ? known.events.slice(0, -message.undone) : known.events;
  return {
    ...known,
    seq: message.seq,
    events: [...kept, ...message.events],
    views: message.views.map((change) => withChange(viewOf(known, change.seat), change)),
    clock: stamped(message.clock, now),
  };
}

/** A view after a change, which tells only what may be different; the first one is told whole. */
function withChange(before: SeatView | null, change: SeatChange): SeatView {
  if (!before) return change as SeatView;
  const changed = change.view.players;
  const players = before.view.players.map((player) => changed.find((one) => one.seat === player.seat) ?? player);
  return { ...before, ...change, view: { ...before.view, ...change.view, players } };
}

function stamped(clock: ClockState | null, now: number): KnownTable['clock'] {
  return clock ? { ...clock, at: now } : null;
}

/** The view of a seat, or the spectator's, or null before the game begins. */
export function viewOf(known: KnownTable, seat: number | null): SeatView | null {
  return known.views.find((one) => one.seat === seat) ?? null;
}

/** One's own seats that have a decision to make. */
export function awaited(known: KnownTable): number[] {
  return known.own.filter((seat) => (viewOf(known, seat)?.view.legal.length ?? 0) > 0);
}

/** How many milliseconds a seat has left now. */
export function timeLeft(clock: KnownTable['clock'], seat: number, now: number): number | null {
  if (!clock) return null;
  const left = clock.left[seat];
  if (left === undefined) return null;
  // The displayed time ticks only now and then and may be older than the message: never run backwards.
  const gone = clock.running.includes(seat) ? Math.max(0, now - clock.at) : 0;
  return Math.max(0, left - gone);
}
