import { describe, expect, it } from 'vitest';
import { dateOf, dayOf, said, weekdays, weeks } from '../src/daily/days';
import { shareLine } from '../src/daily/line';
import { restore, type Outcome } from '../src/daily/results.svelte';

function sheet(seat: number, total: number, rank: number): Outcome['players'][0]['sheet'] {
  return { seat, routes: total, tickets_won: 0, tickets_lost: 0, tickets_completed: 2, bonuses: {}, total, rank };
}

const OUTCOME: Outcome = {
  turns: 44,
  players: [
    { name: 'Mara', face: null, sheet: sheet(0, 36, 1) },
    { name: 'Rosa', face: 'rosa', sheet: sheet(1, 31, 2) },
    { name: 'Emil', face: 'emil', sheet: sheet(2, -3, 3) },
  ],
  routes: ['a-b', 'b-c', 'c-d'],
  failed: 1,
};

describe('the days', () => {
  it('are dates of one’s own calendar', () => {
    expect(dayOf(new Date(2026, 10, 8, 23, 59))).toBe('2026-11-08');
    expect(dayOf(new Date(2026, 0, 1, 0, 0))).toBe('2026-01-01');
    expect(dateOf('2026-02-29')).toBeNull();
    expect(dateOf('26-02-01')).toBeNull();
    expect(dayOf(dateOf('2028-02-29')!)).toBe('2028-02-29');
  });

  it('fill weeks from Monday to Sunday', () => {
    const rows = weeks(2026, 10);
    expect(rows.every((row) => row.length === 7)).toBe(true);
    expect(rows[0]).toEqual([null, null, null, null, null, null, '2026-11-01']);
    expect(rows.flat().filter(Boolean)).toHaveLength(30);
    expect(rows.at(-1)![0]).toBe('2026-11-30');
    expect(weekdays('de', 'short')[0]).toBe('Mo');
    expect(weekdays('fr', 'long')[6]).toBe('dimanche');
    expect(said('2026-11-16', 'de', { weekday: 'long', day: 'numeric', month: 'long' })).toBe('Montag, 16. November');
  });
});

describe('the line to share', () => {
  it('tells how it went, and nothing about routes and tickets', () => {
    expect(shareLine('London', '2026-11-16', OUTCOME, 'de')).toBe(
      'Fernzug 16.11.2026 London: 36 Punkte, Rang 1 von 3 (Rosa 31, Emil −3)\n🥇 ✅✅❌ 🛤️ 3',
    );
    expect(shareLine('Londres', '2026-11-16', OUTCOME, 'fr')).toContain('Londres\u00a0: 36 points, rang 1 sur 3');
    for (const route of OUTCOME.routes) expect(shareLine('London', '2026-11-16', OUTCOME, 'en')).not.toContain(route);
  });
});

describe('the results that a browser has kept', () => {
  it('are read as far as they make sense', () => {
    const good = { table: 't1', outcome: OUTCOME };
    const kept = { '2026-11-16 london': good, '2026-11-17 london': { table: 't2', outcome: null }, x: 5, y: { table: 't', outcome: {} }, z: null };
    expect(Object.keys(restore(JSON.stringify(kept)))).toEqual(['2026-11-16 london', '2026-11-17 london']);
    for (const broken of ['', '[', 'null', '7', '"a"']) expect(restore(broken)).toEqual({});
    expect(restore(null)).toEqual({});
  });
});
