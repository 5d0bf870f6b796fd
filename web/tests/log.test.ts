import { describe, expect, it } from 'vitest';
import { lastClaims, lineText, linesOf, sinceTurnOf } from '../src/play/log';
import { momentAt } from '../src/play/moments';
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

  it('tells a turn in one line, and the set-up in one line for each player', () => {
    expect(lines.map((line) => line.key)).toEqual(['log.kept', 'log.kept', 'log.cards', 'log.claimedFor']);
    expect(lines.map((line) => line.turn)).toEqual([0, 0, 1, 2]);
    expect(lines[2]).toMatchObject({ first: 9, at: 12, values: { n: 2 }, cards: { blue: 1 }, blind: ['red'] });
    expect(lines[3]).toMatchObject({ route: 'a-b', cards: { red: 1 }, values: { points: 4 } });
  });

  it('counts cards from the deck whose colour is not known', () => {
    const [two] = linesOf([
      { event: 'awaited', phase: 'turn', seat: 1 },
      { event: 'took', seat: 1, place: 2, color: 'red' },
      { event: 'swept' },
      { event: 'drew', seat: 1 },
    ]);
    expect(two).toMatchObject({ values: { n: 2 }, cards: { red: 1 }, blind: [null], at: 3 });
    expect(lineText(two!, board(), 'en')).toBe('took 2 cards');
  });

  it('tells how many of the tickets drawn were kept', () => {
    const told = linesOf([
      { event: 'awaited', phase: 'turn', seat: 1 },
      { event: 'offered', seat: 1, count: 3 },
      { event: 'awaited', phase: 'keep', seat: 1 },
      { event: 'kept', seat: 1, count: 2 },
    ]);
    expect(told.map((line) => lineText(line, board(), 'en'))).toEqual(['kept 2 of 3 tickets']);
  });

  it('keeps the lines it has told, so that only new ones are drawn', () => {
    const again = linesOf([...events, { event: 'passed', seat: 0 }]);
    expect(again.slice(0, lines.length).every((line, i) => line === lines[i])).toBe(true);
    expect(again.at(-1)?.key).toBe('log.passed');
  });

  it('tells the events of a bonus in the words of the board, in the line of their turn', () => {
    const [turn, alone] = linesOf([
      { event: 'awaited', phase: 'turn', seat: 1 },
      { event: 'claimed', seat: 1, route: 'a-b', cards: { red: 1 }, points: 4 },
      { event: 'flag_kept', seat: 1, color: 'red' },
      { event: 'flag_scored', seat: 1, points: 4 },
      { event: 'awaited', phase: 'turn', seat: 0 },
      { event: 'lit_lantern', seat: 0, color: 'red' } as unknown as GameEvent,
    ]);
    expect(turn).toMatchObject({ key: 'log.claimedFor', icon: 'build', seat: 1, cards: { red: 1 }, route: 'a-b' });
    expect(lineText(turn!, board(), 'en')).toBe('built a – b (+4) · kept a card · flag complete (+4)');
    expect(lineText(turn!, null, 'en')).toBe('built  (+4)');
    expect(alone).toMatchObject({ key: null, icon: 'bonus', seat: 0, cards: { red: 1 } });
    expect(lineText(alone!, board(), 'en')).toBe('lit_lantern');
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
});
