import { describe, expect, it } from 'vitest';
import { legalActions, keepText, paysWith } from '../src/play/actions';
import { steps, totals } from '../src/play/scoring';
import { parse } from '../src/screens/router.svelte';
import { restore, defaults } from '../src/settings.svelte';
import { botNames } from '../src/screens/botNames';
import { board } from './boards';
import type { ScoreSheet } from '../src/net/protocol';

describe('the actions', () => {
  const all = legalActions(
    ['draw blue', 'draw deck', 'tickets', 'claim a-b red*1 wild*2', 'claim a-b red*3', 'claim a-b red*3 flag', 'claim c-d blue*3', 'claim c-d red*3', 'keep 1'],
    { red: 3, blue: 5, wild: 2 },
  );

  it('are sorted by what the player points at', () => {
    expect([...all.draws]).toEqual(['blue', 'deck']);
    expect(all.tickets).toBe(true);
    expect(all.pass).toBe(false);
    expect(all.keeps).toEqual(['keep 1']);
    expect([...all.claims.keys()]).toEqual(['a-b', 'c-d']);
  });

  it('put the fewest wild cards first, then the colour held most', () => {
    expect(all.claims.get('a-b')!.map((claim) => claim.text)).toEqual(['claim a-b red*3 flag', 'claim a-b red*3', 'claim a-b red*1 wild*2']);
    expect(all.claims.get('c-d')!.map((claim) => claim.text)).toEqual(['claim c-d blue*3', 'claim c-d red*3']);
    expect(paysWith(all.claims.get('c-d')!, 'blue')).toBe(true);
    expect(paysWith(all.claims.get('a-b')!, 'blue')).toBe(false);
  });

  it('tell an option of a bonus from the cards', () => {
    const [kept, plain] = all.claims.get('a-b')!;
    expect(kept).toMatchObject({ cards: [['red', 3]], wilds: 0, option: 'flag' });
    expect(plain!.option).toBeNull();
    expect(board().optionName('flag', 'de')).toBe('Karte auslegen');
    expect(board().optionName('flag', 'fr')).toBe('keep a card');
    expect(board().optionName('lantern', 'en')).toBe('lantern');
  });

  it('name the tickets to keep by their places', () => {
    expect(keepText([2, 0])).toBe('keep 1 3');
  });
});

describe('the end', () => {
  it('tells routes, then failed tickets, then the others, then bonuses, and adds up', () => {
    const sheet = (seat: number, routes: number, won: number, lost: number, bonus: number): ScoreSheet => ({
      seat, routes, tickets_won: won, tickets_lost: lost, tickets_completed: 1, bonuses: { longest_path: bonus }, total: routes + won - lost + bonus, rank: 1,
    });
    const sheets = [sheet(0, 8, 6, 5, 10), sheet(1, 4, 0, 0, 0)];
    const list = steps(board(), sheets, [['a-c', 'b-d'], []], { 'a-b': 0, 'b-c': 0, 'c-d': 1 });
    expect(list.map((step) => [step.kind, step.points])).toEqual([['routes', 8], ['routes', 4], ['lost', -5], ['won', 6], ['bonus', 10]]);
    expect(totals(list, 2, list.length)).toEqual(sheets.map((one) => one.total));
  });
});

describe('pages and settings', () => {
  it('read the address', () => {
    expect(parse('')).toEqual({ name: 'start' });
    expect(parse('#/new/london')).toEqual({ name: 'new', board: 'london' });
    expect(parse('#/replay/x/12')).toEqual({ name: 'replay', id: 'x', at: 12 });
    expect(parse('#/replay/x/y')).toEqual({ name: 'replay', id: 'x', at: null });
    expect(parse('#/%E0%A4%A')).toEqual({ name: 'start' });
  });

  it('survive whatever was kept', () => {
    expect(restore('nonsense')).toEqual(defaults());
    expect(restore('{"lang":"xx","speed":"off","sound":false,"name":7}')).toEqual({ ...defaults(), speed: 'off', sound: false });
  });

  it('find names for bots that nobody has', () => {
    const names = botNames(3, ['Ada'], () => 0);
    expect(new Set(names).size).toBe(3);
    expect(names).not.toContain('Ada');
  });
});
