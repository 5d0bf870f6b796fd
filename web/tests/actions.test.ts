import { describe, expect, it } from 'vitest';
import { legalActions, keepText, paysWith } from '../src/play/actions';
import { needsOf, payments } from '../src/play/payments';
import { fan } from '../src/play/fan';
import { layoutOf } from '../src/play/layout.svelte';
import { parse } from '../src/screens/router.svelte';
import { restore, defaults } from '../src/settings.svelte';
import { board } from './boards';

describe('the actions', () => {
  const all = legalActions(
    ['draw blue', 'draw deck', 'tickets', 'claim a-b red*1 wild*2', 'claim a-b red*3', 'claim a-b red*3 flag', 'claim c-d blue*3', 'claim c-d red*3', 'keep 1'],
  );

  const hand = { red: 3, blue: 5, wild: 2 };

  function texts(route: string, needs = new Map<string, number>()): string[] {
    return payments(all.claims.get(route)!, hand, needs).map(({ claim }) => claim.text);
  }

  it('are sorted by what the player points at', () => {
    expect([...all.draws]).toEqual(['blue', 'deck']);
    expect(all.tickets).toBe(true);
    expect(all.pass).toBe(false);
    expect(all.keeps).toEqual(['keep 1']);
    expect([...all.claims.keys()]).toEqual(['a-b', 'c-d']);
  });

  it('are paid with the fewest wild cards first, then with the colour held most', () => {
    expect(texts('a-b')).toEqual(['claim a-b red*3 flag', 'claim a-b red*3', 'claim a-b red*1 wild*2']);
    expect(texts('c-d')).toEqual(['claim c-d blue*3', 'claim c-d red*3']);
  });

  it('are paid last with a colour that a ticket needs', () => {
    expect(texts('c-d', needsOf([{ color: 'blue', cost: 4 }]))).toEqual(['claim c-d red*3', 'claim c-d blue*3']);
    // Two blue cards are left, and that is enough.
    expect(texts('c-d', needsOf([{ color: 'blue', cost: 2 }]))).toEqual(['claim c-d blue*3', 'claim c-d red*3']);
    expect(texts('c-d', needsOf([{ color: 'gray', cost: 9 }]))).toEqual(['claim c-d blue*3', 'claim c-d red*3']);
  });

  it('are found by a colour', () => {
    expect(paysWith(all.claims.get('c-d')!, 'blue')).toBe(true);
    expect(paysWith(all.claims.get('a-b')!, 'blue')).toBe(false);
  });

  it('tell an option of a bonus from the cards', () => {
    const [kept, plain] = payments(all.claims.get('a-b')!, hand, new Map()).map(({ claim }) => claim);
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

describe('the fan', () => {
  const nine = ['wild', 'red', 'orange', 'yellow', 'green', 'blue', 'purple', 'black', 'white'];

  it('shows a part of every card that can be read and pressed', () => {
    for (const [width, card] of [[336, 62], [366, 62], [246, 48], [520, 76]] as const) {
      const rows = fan(nine, width, card);
      expect(rows.flatMap((row) => row.cards)).toEqual(nine);
      for (const row of rows) {
        expect(row.step).toBeGreaterThanOrEqual(44);
        expect(row.step * (row.cards.length - 1) + card).toBeLessThanOrEqual(width + 0.01);
      }
    }
    expect(fan(nine, 336, 62).length).toBe(2);
    expect(fan(nine.slice(2), 336, 62).length).toBe(1);
  });

  it('leaves cards apart where there is room', () => {
    expect(fan(['red', 'blue'], 400, 60)).toEqual([{ cards: ['red', 'blue'], step: 72 }]);
    expect(fan([], 400, 60)).toEqual([]);
  });
});

describe('the arrangement', () => {
  it('follows the shape of the window', () => {
    const sizes = [[1440, 900], [1024, 768], [844, 390], [390, 844], [360, 640], [820, 1180]] as const;
    expect(sizes.map(([width, height]) => layoutOf(width, height))).toEqual(['desk', 'desk', 'sideways', 'phone', 'phone', 'phone']);
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
});
