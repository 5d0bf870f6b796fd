import { describe, expect, it } from 'vitest';
import { lastClaims, lineText, linesOf, sinceTurnOf } from '../src/play/log';
import { momentAt, pointsByTurn } from '../src/play/moments';
import type { GameEvent } from '../src/net/protocol';
import { board } from './boards';

const events: GameEvent[] = [
  { event: 'shuffled', count: 40 },
  { event: 'dealt', seat: 0, color: 'red' },
  { event: 'dealt', seat: 1 },
  { event: 'turned_up', place: 1, color: 'blue' },
  { event: 'offered', seat: 0, count: 2, tickets: ['a-c', 'b-d'] },
  { event: 'awaited', phase: 'setup', seat: 0 },
  { event: 'kept', seat: 0, count: 2, tickets: ['a-c', 'b-d'] },
  { event: 'kept', seat: 1, count: 1 },
  { event: 'awaited', phase: 'turn', seat: 0 },
  { event: 'took', seat: 0, place: 1, color: 'blue' },
  { event: 'turned_up', place: 1, color: 'wild' },
  { event: 'awaited', phase: 'second_card', seat: 0 },
  { event: 'drew', seat: 0, color: 'red' },
  { event: 'awaited', phase: 'turn', seat: 1 },
  { event: 'claimed', seat: 1, route: 'a-b', cards: { red: 1 }, points: 4 },
  { event: 'awaited', phase: 'turn', seat: 0 },
];

describe('the log', () => {
  const lines = linesOf(events);

  it('tells everything that players do, and the set-up in one line each', () => {
    expect(lines.map((line) => line.key)).toEqual(['log.kept', 'log.kept', 'log.took', 'log.drew', 'log.claimedFor']);
    expect(lines.map((line) => line.turn)).toEqual([0, 0, 1, 1, 2]);
    expect(lines[4]).toMatchObject({ route: 'a-b', cards: { red: 1 }, values: { points: 4 } });
  });

  it('keeps the lines it has told, so that only new ones are drawn', () => {
    const again = linesOf([...events, { event: 'passed', seat: 0 }]);
    expect(again.slice(0, lines.length).every((line, i) => line === lines[i])).toBe(true);
    expect(again.at(-1)?.key).toBe('log.passed');
  });

  it('tells the events of a bonus in the words of the board', () => {
    const [kept, scored, strange] = linesOf([
      { event: 'flag_kept', seat: 1, color: 'red' },
      { event: 'flag_scored', seat: 1, points: 4 },
      { event: 'lit_lantern', seat: 1 } as unknown as GameEvent,
    ]);
    expect(kept).toMatchObject({ key: null, icon: 'bonus', seat: 1, cards: { red: 1 }, route: null });
    expect(lineText(kept!, board(), 'en')).toBe('kept a card');
    expect(lineText(scored!, board(), 'fr')).toBe('flag complete (+4)');
    expect(lineText(strange!, board(), 'en')).toBe('lit_lantern');
    expect(lineText(kept!, null, 'en')).toBe('');
    expect(lineText(lines[4]!, board(), 'en')).toBe('built a – b (+4)');
  });

  it('knows what happened since a player’s last turn', () => {
    expect(sinceTurnOf(lines, 0).map((line) => line.key)).toEqual(['log.claimedFor']);
    expect([...lastClaims(lines, 0)]).toEqual(['a-b']);
    expect([...lastClaims(lines, null)]).toEqual(['a-b']);
  });
});

describe('a moment', () => {
  it('is the fold of the events up to it', () => {
    const before = momentAt(events, 2, 8);
    expect(before).toMatchObject({ owners: {}, hands: [1, 1], tickets: [2, 1], turn: 1, seat: 0 });
    expect(before.faceup[0]).toBe('blue');
    const after = momentAt(events, 2, events.length - 1);
    expect(after).toMatchObject({ owners: { 'a-b': 1 }, hands: [3, 0], points: [0, 4], turn: 3 });
    expect(after.faceup[0]).toBe('wild');
  });

  it('counts the points of every event that gives any', () => {
    const scored: GameEvent[] = [...events, { event: 'flag_scored', seat: 0, points: 4 }];
    expect(momentAt(scored, 2, scored.length - 1).points).toEqual([4, 4]);
  });

  it('gives the curve of the points', () => {
    expect(pointsByTurn(events, 2)).toEqual([[0, 0], [0, 0], [0, 0], [0, 4], [0, 4]]);
  });
});
