/* The coach at work on what the server tells; `python -m table.sights` writes the situations. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SeatView } from '../src/net/protocol';
import { CODES, explanations, type Code, type CoachBoard, type Explanation, type Sight } from '../src/play/coach/explanations';
import { farApart } from '../src/play/coach/far';
import { at, choose, finished, GAMES, nothingSaid, putAway, restore, seen, TIMES, type Memory } from '../src/play/coach/memory';

const told = JSON.parse(readFileSync('tests/data/sights.json', 'utf8')) as Record<string, unknown>;
const situations = Object.keys(told).filter((name) => !name.startsWith('board '));

function sight(name: string, more: Partial<Sight> = {}): Sight {
  const view = structuredClone(told[name]) as SeatView;
  return { told: view, board: told[`board ${view.view.board}`] as CoachBoard, paying: null, swept: false, helper: true, ...more };
}

/** The same moment in a later turn. */
function later(from: Sight, turns: number): Sight {
  const copy = structuredClone(from);
  copy.told.view.turn += turns;
  return copy;
}

function found(name: string, more: Partial<Sight> = {}): Map<Code, Explanation> {
  return new Map(explanations(sight(name, more)).map((one) => [one.code, one]));
}

function codes(name: string, more: Partial<Sight> = {}): Code[] {
  return [...found(name, more).keys()];
}

/** What comes in a row of sights, each of which is seen. */
function heard(sights: readonly Sight[], start: Memory = at(nothingSaid(), 'here')): { codes: (Code | null)[]; memory: Memory } {
  let memory = start;
  const all = sights.map((one) => {
    const now = choose(one, memory);
    if (now) memory = seen(memory, one, now);
    return now?.code ?? null;
  });
  return { codes: all, memory };
}

describe('what can be explained', () => {
  it('on a turn is what a turn is for, and what the board has special', () => {
    expect(codes('turn')).toEqual(['turn', 'pieces', 'bonus']);
    expect(found('turn').get('pieces')!.parts).toEqual({ n: 17, least: 2 });
    expect(codes('not my turn')).toEqual([]);
    expect(codes('over')).toEqual([]);
    expect(codes('counted later')).toContain('later');
    expect(codes('turn')).not.toContain('later');
  });

  it('is why the wild card is dimmed, and what taking it costs', () => {
    const [first] = explanations(sight('second card'));
    expect(first).toMatchObject({ code: 'wildShut', pressing: true, aim: '.slot[data-card=wild]' });
    expect(codes('second card, none wild')).toEqual(['turn']);
    expect(codes('wild face up')).toContain('wildAlone');
    expect(codes('turn')).not.toContain('wildAlone');
  });

  it('is what a gray route takes, with cards that are in the hand', () => {
    expect(found('gray').get('gray')!.parts).toMatchObject({ color: 'blue' });
    expect(found('gray or with wild').get('gray')!.parts).toMatchObject({ color: 'blue' });
    expect(codes('turn')).not.toContain('gray');
    expect(codes('gray')).not.toContain('wildHand');
    expect(codes('gray or with wild')).toContain('wildHand');
  });

  it('while paying is about paying alone', () => {
    const paying = 'boston-montreal';
    expect(codes('gray', { paying })).toEqual(['pay.lanes', 'pay.gray']);
    expect(codes('gray or with wild', { paying })).toEqual(['pay.lanes', 'pay.gray', 'pay.wild']);
    expect(codes('turn', { paying: 'big_ben-waterloo' })).toEqual([]);
  });

  it('is why a lane is hatched', () => {
    expect(found('shut').get('shut')!.parts).toEqual({ n: 2 });
    expect(codes('shut by myself')).toContain('shutOwn');
    expect(codes('shut by myself')).not.toContain('shut');
  });

  it('is that the end is near, and how many turns are left', () => {
    expect(found('nearly over').get('ending')!.parts).toEqual({ player: 1, n: 5, least: 2 });
    expect(found('nearly over by myself').get('endingOwn')!.parts).toEqual({ player: 0, n: 4, least: 2 });
    expect(found('last round').get('lastRound')).toMatchObject({ parts: { n: 3 }, pressing: true, lasting: true });
    expect(found('last turn').get('lastTurn')).toMatchObject({ parts: { n: 2 }, pressing: true });
    expect(found('last round of others').get('lastOthers')!.parts).toEqual({ n: 2 });
    expect(codes('turn')).not.toContain('ending');
  });

  it('is what has become of a ticket, if the player wants to know', () => {
    expect(found('lost').get('lost')).toMatchObject({ parts: { ticket: 'baker_street-tower_of_london', n: 11 }, pressing: true });
    expect(found('done').get('done')!.parts).toEqual({ ticket: 'denver-el_paso', n: 4 });
    expect(codes('done')).not.toContain('allDone');
    expect(codes('all done')).toContain('allDone');
    for (const name of situations) {
      const quiet = codes(name, { helper: false });
      for (const code of ['lost', 'done', 'allDone', 'far', 'farOwn'] as const) expect(quiet, name).not.toContain(code);
    }
  });

  it('is that two of three tickets are far apart', () => {
    expect(found('offered far apart').get('far')!.parts.pair).toEqual([0, 1]);
    expect(found('far apart').get('farOwn')!.parts.pair).toEqual([12, 13]);
    const { told: view, board } = sight('offered far apart');
    expect(farApart(view, board, ['boston-miami', 'montreal-atlanta'])).toBeNull();
    expect(farApart(view, board, ['boston-miami'])).toBeNull();
    expect(codes('set-up')).toEqual(['choose']);
  });

  it('is the price of a route that takes one piece for several cards', () => {
    expect(found('priced').get('price')!.parts).toMatchObject({ piece: 'subway' });
    expect(codes('gray')).not.toContain('price');
  });

  it('is where the cards have gone', () => {
    expect(codes('turn', { swept: true })[0]).toBe('swept');
  });

  it('covers every code in some situation', () => {
    const paying = ['boston-montreal'];
    const all = situations.flatMap((name) => [...codes(name, { swept: true }), ...paying.flatMap((one) => codes(name, { paying: one }))]);
    expect([...new Set(all)].sort()).toEqual([...CODES].sort());
  });
});

describe('which explanation comes', () => {
  const gray = sight('gray');

  it('is one in a turn, and another in the next', () => {
    const { codes: row } = heard([gray, gray, later(gray, 3), later(gray, 3), later(gray, 6)]);
    expect(row).toEqual(['turn', 'turn', 'glow', 'glow', 'gray']);
  });

  it('comes once in a game and twice altogether', () => {
    const turns = Array.from({ length: 20 }, (_, i) => later(gray, 3 * i));
    const once = heard(turns);
    const named = once.codes.filter((code) => code !== null);
    expect(new Set(named).size).toBe(named.length);
    expect(once.codes.slice(named.length).every((code) => code === null)).toBe(true);
    const again = heard(turns, at(once.memory, 'there'));
    expect(again.codes).toEqual(once.codes);
    expect(Object.values(again.memory.said)).toEqual(named.map(() => TIMES));
    expect(heard(turns, at(again.memory, 'elsewhere')).codes.every((code) => code === null)).toBe(true);
  });

  it('stays for a round at most', () => {
    const idle = later(sight('not my turn'), 1);
    expect(heard([sight('shut'), later(sight('shut'), 1)]).codes).toEqual(['turn', 'turn']);
    expect(heard([sight('turn'), idle]).codes).toEqual(['turn', null]);
  });

  it('does not come again once it was put away', () => {
    let { memory } = heard([gray]);
    memory = putAway(memory);
    expect(choose(gray, memory)).toBeNull();
    expect(memory.said['turn']).toBe(TIMES);
    const next = choose(later(gray, 3), memory)!;
    expect(next.code).toBe('glow');
    expect(choose(gray, at(memory, 'there'))!.code).toBe('glow');
  });

  it('gives way to what can be seen at this moment', () => {
    const { codes: row, memory } = heard([sight('wild face up'), sight('second card')]);
    expect(row).toEqual(['turn', 'wildShut']);
    // The dimmed card is explained once in a game, and what it pushed aside does not come back.
    expect(choose(sight('second card'), putAway(memory))).toBeNull();
    expect(choose(later(sight('second card, none wild'), 2), memory)).toBeNull();
  });

  it('counts down the last round', () => {
    const first = sight('last round');
    const second = later(first, 1);
    second.told.view.turns_left = 2;
    second.told.view.seat = 2;
    const { codes: row, memory } = heard([first, second]);
    expect(row).toEqual(['lastRound', 'lastRound']);
    expect(choose(second, memory)!.parts).toEqual({ n: 2 });
    expect(heard([sight('last turn')], memory).codes).toEqual(['lastTurn']);
  });

  it('waits for the own turn unless it is pressing', () => {
    const waiting = sight('shut');
    waiting.told.view.seat = 1;
    waiting.told.view.legal = [];
    expect(choose(waiting, nothingSaid())).toBeNull();
    expect(choose(sight('last round'), nothingSaid())!.code).toBe('lastRound');
  });

  it('is the same for two games that differ only in what the seat may not know', () => {
    // The server tells the seat the same in both, which tests/table proves; nothing else is looked at.
    for (const name of situations) {
      const one = sight(name);
      const frozen = JSON.stringify(one);
      expect(explanations(one)).toEqual(explanations(sight(name)));
      expect(JSON.stringify(one), 'the coach changes nothing').toBe(frozen);
      expect(one.told.view.players.filter(({ seat, hand }) => seat !== one.told.seat && hand !== null)).toEqual([]);
    }
  });
});

describe('the memory', () => {
  it('survives being stored, and whatever else was stored', () => {
    const { memory } = heard([sight('gray')]);
    expect(restore(JSON.stringify(memory))).toEqual(memory);
    for (const text of [null, '', 'nonsense', 'null', '7', '[]', '{"said":5,"told":7,"last":{"code":1}}']) {
      expect(restore(text)).toEqual(nothingSaid());
    }
  });

  it('ends with the first games', () => {
    let memory: Memory | null = nothingSaid();
    for (let game = 1; game < GAMES; game++) {
      memory = finished(memory!, `game ${game}`);
      expect(memory!.games.length).toBe(game);
      expect(finished(memory!, `game ${game}`)).toBe(memory);
    }
    expect(finished(memory!, 'the last')).toBeNull();
  });
});
