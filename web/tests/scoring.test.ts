import { describe, expect, it } from 'vitest';
import { pointsByTurn, steps, totals, type Outcome } from '../src/play/scoring';
import { board } from './boards';
import type { GameEvent, ScoreSheet } from '../src/net/protocol';

function sheet(seat: number, routes: number, won: number, lost: number, bonuses: Record<string, number>): ScoreSheet {
  const extra = Object.values(bonuses).reduce((a, b) => a + b, 0);
  return { seat, routes, tickets_won: won, tickets_lost: lost, tickets_completed: 1, bonuses, total: routes + won - lost + extra, rank: 1 };
}

const outcome: Outcome = {
  sheets: [sheet(0, 8, 6, 5, { longest_path: 10, districts: 3 }), sheet(1, 4, 0, 0, { longest_path: 0 })],
  owners: { 'a-b': 0, 'b-c': 0, 'c-d': 1 },
  revealed: [
    [
      { ticket: 'a-c', done: true, way: ['a-b', 'b-c'] },
      { ticket: 'b-d', done: false, way: [] },
    ],
    [],
  ],
  bonuses: [
    {
      longest_path: [{ group: null, have: 6, need: 0, items: [], routes: ['a-b', 'b-c'] }],
      districts: [{ group: 'g', have: 2, need: 2, items: ['b', 'c'], routes: [] }],
    },
    { districts: [{ group: 'g', have: 1, need: 2, items: ['c'], routes: [] }] },
  ],
};

describe('the end', () => {
  const list = steps(board(), outcome);

  it('tells failed tickets, then the others, then bonuses', () => {
    expect(list.map((step) => [step.kind, step.points])).toEqual([['lost', -5], ['won', 6], ['bonus', 10], ['bonus', 3]]);
  });

  it('starts with the points of the routes and adds up to the totals', () => {
    expect(totals(outcome.sheets, list, 0)).toEqual([8, 4]);
    expect(totals(outcome.sheets, list, 2)).toEqual([9, 4]);
    expect(totals(outcome.sheets, list, list.length)).toEqual(outcome.sheets.map((one) => one.total));
  });

  it('lights the real way of a ticket, the longest path, and the routes within a district', () => {
    expect(list.map((step) => step.routes)).toEqual([[], ['a-b', 'b-c'], ['a-b', 'b-c'], ['b-c']]);
    expect(list.map((step) => step.places)).toEqual([['b', 'd'], ['a', 'c'], [], ['b', 'c']]);
  });

  it('gives the curve of the points, also where routes are counted only at the end', () => {
    const events: GameEvent[] = [
      { event: 'awaited', seat: 0, phase: 'turn' },
      { event: 'claimed', seat: 0, route: 'a-b' },
      { event: 'awaited', seat: 1, phase: 'turn' },
      { event: 'claimed', seat: 1, route: 'c-d', points: 7 },
      { event: 'flag_scored', seat: 1, points: 4 },
    ];
    const worth = board().routes.get('a-b')!.points;
    expect(pointsByTurn(board(), events, 2)).toEqual([[0, 0], [0, 0], [worth, 0], [worth, 11]]);
  });
});
