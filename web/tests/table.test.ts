import { describe, expect, it } from 'vitest';
import { awaited, nothingKnown, reduce, timeLeft, viewOf } from '../src/net/table';
import type { Events, SeatChange, SeatView, Snapshot, TableInfo } from '../src/net/protocol';

const table: TableInfo = {
  id: 't', code: 'ABCDE', board: 'test', state: 'playing', start: 'host', seats: [], first_player: null,
  clock: { kind: 'none' }, grace: 90, public: false, chat: true, hints: false, spectators: 0, created: 0, rematch: null,
};

function seatView(seat: number | null, legal: string[]): SeatView {
  return { seat, view: { legal, players: [] } as unknown as SeatView['view'], shut: [], blocked: {}, progress: {}, bonuses: [], revealed: [], keep_least: 0, undo: false };
}

function snapshot(more: Partial<Snapshot> = {}): Snapshot {
  return {
    type: 'snapshot', seq: 5, since: 0, own: [0], host: true, table,
    events: [{ event: 'dealt', seat: 0 }], views: [seatView(0, ['draw deck'])], clock: null, chat: [], now: 0, ...more,
  };
}

function events(seq: number, more: Partial<Events> = {}): Events {
  return { type: 'events', seq, undone: 0, events: [{ event: 'drew', seat: 0 }], bot: false, views: [seatView(0, [])], clock: null, ...more };
}

describe('what is known of the table', () => {
  it('starts with a snapshot', () => {
    const known = reduce(nothingKnown(), snapshot(), 0);
    expect(known).toMatchObject({ seq: 5, own: [0], host: true });
    expect(awaited(known)).toEqual([0]);
    expect(viewOf(known, 1)).toBeNull();
  });

  it('goes on with events, and ignores those it has seen', () => {
    const first = reduce(nothingKnown(), snapshot(), 0);
    const next = reduce(first, events(6), 0);
    expect(next.events).toHaveLength(2);
    expect(awaited(next)).toEqual([]);
    expect(reduce(next, events(6), 0)).toBe(next);
  });

  it('keeps of a view what a change does not tell', () => {
    const players = [{ seat: 0, points: 0 }, { seat: 1, points: 0 }];
    const whole = seatView(0, ['draw deck']);
    Object.assign(whole.view, { players, routes: { 'a-b': 1 }, deck_count: 90 });
    const first = reduce(nothingKnown(), snapshot({ views: [{ ...whole, shut: ['c-d'] }] }), 0);
    const change = { players: [{ seat: 1, points: 4 }], legal: [], deck_count: 89 } as unknown as SeatChange['view'];
    const views: SeatChange[] = [{ seat: 0, view: change, blocked: {}, keep_least: 0, undo: true }];
    const next = reduce(first, events(6, { views }), 0);
    expect(viewOf(next, 0)).toMatchObject({ shut: ['c-d'], undo: true });
    expect(viewOf(next, 0)?.view).toMatchObject({
      players: [{ seat: 0, points: 0 }, { seat: 1, points: 4 }], routes: { 'a-b': 1 }, deck_count: 89, legal: [],
    });
    expect(viewOf(first, 0)?.view.players[1]?.points).toBe(0);
  });

  it('resumes: only what was missed is added', () => {
    const first = reduce(nothingKnown(), snapshot(), 0);
    const resumed = reduce(first, snapshot({ seq: 8, since: 5, events: [{ event: 'drew', seat: 1 }] }), 0);
    expect(resumed.events.map((one) => one.event)).toEqual(['dealt', 'drew']);
    const afresh = reduce(resumed, snapshot({ seq: 9 }), 0);
    expect(afresh.events).toHaveLength(1);
  });

  it('takes back what did not happen after all', () => {
    let known = reduce(nothingKnown(), snapshot(), 0);
    known = reduce(known, events(6, { events: [{ event: 'claimed', seat: 0 }, { event: 'awaited', seat: 1 }] }), 0);
    known = reduce(known, events(7, { undone: 2, events: [] }), 0);
    expect(known.events.map((one) => one.event)).toEqual(['dealt']);
  });

  it('does not take events for old news because their seats were told first', () => {
    const first = reduce(nothingKnown(), snapshot(), 0);
    const seated = reduce(first, { type: 'table', seq: 6, table: { ...table, spectators: 3 }, clock: null }, 0);
    expect(seated.table?.spectators).toBe(3);
    expect(reduce(seated, events(6), 0).events).toHaveLength(2);
  });

  it('keeps each line of the chat once', () => {
    const line = { seq: 6, seat: 0, text: 'hello', at: 0 };
    let known = reduce(nothingKnown(), snapshot(), 0);
    known = reduce(known, { type: 'chat', seq: 6, line }, 0);
    known = reduce(known, { type: 'chat', seq: 6, line }, 0);
    expect(known.chat).toHaveLength(1);
  });

  it('lets only the running clock run', () => {
    const known = reduce(nothingKnown(), snapshot({ clock: { left: [5000, 9000], running: [1] } }), 1000);
    expect(timeLeft(known.clock, 0, 3000)).toBe(5000);
    expect(timeLeft(known.clock, 1, 3000)).toBe(7000);
    expect(timeLeft(known.clock, 1, 99_000)).toBe(0);
    // A moment before the news came counts as the moment it came.
    expect(timeLeft(known.clock, 1, 400)).toBe(9000);
    expect(timeLeft(null, 0, 0)).toBeNull();
  });
});
