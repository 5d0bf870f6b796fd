/* A small board for tests: a double route, a bend, a ring with one space, a bonus of each kind. */
import { Board } from '../src/board/board';
import type { BoardData, BoardRoute } from '../src/net/protocol';

export function route(id: string, a: string, b: string, more: Partial<BoardRoute> = {}): BoardRoute {
  return {
    id,
    a,
    b,
    color: 'red',
    length: 3,
    cost: 3,
    pieces: 3,
    piece: 'train',
    lane: 1,
    twin: null,
    points: 4,
    bend: 0,
    ...more,
  };
}

export function boardData(): BoardData {
  const place = (id: string, x: number, y: number, label = 'n') => ({ id, name: id, names: {}, x, y, label, lines: [] });
  return {
    id: 'test',
    map: false,
    facts: null,
    hash: '0',
    name: 'Test',
    names: { de: 'Prüfung' },
    network: 'own',
    notes: { en: 'A board for tests.' },
    min_players: 2,
    max_players: 4,
    colors: [
      { id: 'red', count: 6, names: { de: 'rot', en: 'red', fr: 'rouge' } },
      { id: 'blue', count: 6, names: { de: 'blau', en: 'blue', fr: 'bleu' } },
      { id: 'wild', count: 4, names: { de: 'Joker', en: 'wild', fr: 'joker' } },
    ],
    wild_names: { en: 'pilot' },
    pieces: [
      { id: 'train', count: 10, one_per_route: false, points: { 1: 1, 2: 2, 3: 4 }, names: { en: 'trains' }, singular: { en: 'train' } },
      { id: 'subway', count: 2, one_per_route: true, points: { 3: 3 }, names: { en: 'subways' }, singular: { en: 'subway' } },
    ],
    deal_cards: 2,
    deal_tickets: 2,
    deal_keep: 1,
    draw_tickets: 2,
    draw_keep: 1,
    last_round_at: 2,
    single_lane_up_to: 2,
    score_track: true,
    bonuses: [
      { kind: 'longest_path', points: 10, locations: [], colors: [], groups: [], names: { en: 'Longest path' }, special: {}, rules: [{ de: 'Der längste Weg.', en: 'The longest path.', fr: 'Le plus long chemin.' }], options: {}, events: {} },
      { kind: 'sights', points: 1, locations: ['a'], colors: [], groups: [], names: { en: 'Sights' }, special: {}, rules: [], options: {}, events: {} },
      { kind: 'districts', points: 0, locations: [], colors: [], groups: [{ id: 'g', name: 'G', names: {}, color: 'blue', points: 3, locations: ['b', 'c'] }], names: { en: 'Districts' }, special: {}, rules: [], options: {}, events: {} },
      { kind: 'flag', points: 4, locations: [], colors: ['red', 'blue'], groups: [], names: { en: 'Flag' }, special: {}, rules: [{ en: 'One card.' }, { en: 'All cards.' }], options: { flag: { de: 'Karte auslegen', en: 'keep a card' } }, events: { flag_kept: { en: 'kept a card' }, flag_scored: { en: 'flag complete (+{points})' } } },
    ],
    tie_breaks: ['tickets', 'longest_path'],
    locations: [place('a', 100, 100, 'w'), place('b', 400, 100, 'e'), place('c', 400, 400, 'se'), place('d', 100, 400, 's')],
    routes: [
      route('a-b', 'a', 'b', { twin: 'a-b.2' }),
      route('a-b.2', 'a', 'b', { lane: 2, twin: 'a-b', color: 'blue' }),
      route('b-c', 'b', 'c', { twin: 'b-c.2' }),
      route('b-c.2', 'b', 'c', { lane: 2, twin: 'b-c' }),
      route('c-d', 'c', 'd', { bend: 40, color: 'gray' }),
      route('a-d', 'a', 'd', { pieces: 1, piece: 'subway' }),
    ],
    tickets: [
      { id: 'a-c', a: 'a', b: 'c', points: 6 },
      { id: 'b-d', a: 'b', b: 'd', points: 5 },
    ],
    drawing: { width: 500, height: 500, pitch: 60, space_width: 20, lane_gap: 4, location_radius: 10, font_size: 15 },
  };
}

export function board(): Board {
  return new Board(boardData());
}
