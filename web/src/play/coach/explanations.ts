/*
 * What a beginner may ask next, and what the coach answers.
 *
 * Everything here follows from what the server has told the seat and from the board, which everybody
 * knows: a coach that is given nothing else has no secrets to tell. Which of these explanations comes,
 * and how often, is decided in memory.ts; their words are in words/coach.ts.
 */
import { legalActions } from '../actions';
import type { BoardData, BoardRoute, SeatView } from '../../net/protocol';
import { farApart } from './far';

type Route = Pick<BoardRoute, 'id' | 'a' | 'b' | 'color' | 'cost' | 'pieces' | 'piece' | 'twin'>;

/** What the coach looks at of a board. */
export type CoachBoard = Pick<
  BoardData,
  'tickets' | 'pieces' | 'bonuses' | 'last_round_at' | 'single_lane_up_to' | 'score_track'
> & { routes: readonly Route[] };

/** Everything that the coach looks at. */
export interface Sight {
  /** The game as the server has told it to the seat. */
  told: SeatView;
  board: CoachBoard;
  /** The route whose payment is being chosen. */
  paying: string | null;
  /** Whether the face-up cards have been replaced since the seat last did something (D5). */
  swept: boolean;
  /** Whether the player wants to be told how far the tickets are. */
  helper: boolean;
}

/** What an explanation is about; its words say which of these there are. */
export interface Parts {
  n?: number;
  /** The number of pieces at which the last round begins. */
  least?: number;
  ticket?: string;
  /** Two tickets: by their places in an offer, or by their points. */
  pair?: readonly [number, number];
  color?: string;
  /** A seat. */
  player?: number;
  /** A kind of piece. */
  piece?: string;
  /** A kind of bonus. */
  bonus?: string;
}

export const CODES = [
  'choose',
  'far',
  'farOwn',
  'pay.gray',
  'pay.lanes',
  'pay.wild',
  'lastTurn',
  'lastRound',
  'lastOthers',
  'wildShut',
  'lost',
  'ending',
  'endingOwn',
  'swept',
  'turn',
  'allDone',
  'done',
  'glow',
  'gray',
  'wildAlone',
  'wildHand',
  'shut',
  'shutOwn',
  'price',
  'pieces',
  'bonus',
  'later',
  'anywhere',
] as const;
export type Code = (typeof CODES)[number];

export interface Explanation {
  code: Code;
  parts: Parts;
  /** It answers what can be seen at this moment, and does not wait for the next turn. */
  pressing: boolean;
  /** It stays for as long as it is true. */
  lasting: boolean;
  /** The control that it is about, as a selector. */
  aim: string | null;
}

interface How {
  pressing?: boolean;
  lasting?: boolean;
  aim?: string;
}

function explain(code: Code, parts: Parts = {}, how: How = {}): Explanation {
  return { code, parts, pressing: how.pressing ?? false, lasting: how.lasting ?? false, aim: how.aim ?? null };
}

const PRESSING = { pressing: true };
const ON_WILD = '.slot[data-card=wild]';
const ON_HAND = '[data-anchor=hand]';

/** Everything that can be explained now, the most important first. */
export function explanations(sight: Sight): Explanation[] {
  const { view } = sight.told;
  if (sight.told.seat === null || view.phase === 'over') return [];
  if (view.offer.length && view.legal.length) return whileChoosing(sight);
  if (view.phase === 'setup') return [];
  if (sight.paying !== null) return whilePaying(sight, sight.paying);
  return [...atTheEnd(sight), ...aboutCards(sight), ...aboutTickets(sight), ...inTurn(sight)];
}

function whileChoosing({ told, board, helper }: Sight): Explanation[] {
  const found: Explanation[] = [];
  const pair = helper ? farApart(told, board, told.view.offer) : null;
  if (pair) found.push(explain('far', { pair }, PRESSING));
  if (told.view.phase === 'setup') found.push(explain('choose', {}, PRESSING));
  return found;
}

function whilePaying({ told, board }: Sight, paying: string): Explanation[] {
  const { claims } = legalActions(told.view.legal);
  const route = board.routes.find((one) => one.id === paying);
  if (!route) return [];
  const lanes = [route.id, route.twin].filter((id): id is string => id !== null && claims.has(id));
  const ways = lanes.flatMap((id) => claims.get(id)!);
  const found: Explanation[] = [];
  if (lanes.length > 1) found.push(explain('pay.lanes', {}, PRESSING));
  if (route.color === 'gray') found.push(explain('pay.gray', {}, PRESSING));
  if (ways.some((way) => way.wilds) && ways.some((way) => !way.wilds)) found.push(explain('pay.wild', {}, PRESSING));
  return found;
}

/** The last round, and that it is near. */
function atTheEnd({ told, board }: Sight): Explanation[] {
  const { view } = told;
  const me = told.seat!;
  const left = view.turns_left;
  if (left !== null && view.seat !== null) {
    if (view.seat === me) return [explain('lastTurn', { n: left }, PRESSING)];
    const until = (me - view.seat + view.players.length) % view.players.length;
    return [explain(until < left ? 'lastRound' : 'lastOthers', { n: left }, { pressing: true, lasting: true })];
  }
  // Somebody who builds one long route more may begin it.
  const longest = Math.max(...board.routes.map((route) => route.pieces));
  const [first] = view.players
    .map(({ seat, pieces }) => ({ seat, n: total(pieces) }))
    .filter(({ n }) => n <= board.last_round_at + longest)
    .sort((a, b) => a.n - b.n);
  if (!first) return [];
  return [explain(first.seat === me ? 'endingOwn' : 'ending', { player: first.seat, n: first.n, least: board.last_round_at })];
}

function aboutCards({ told, swept }: Sight): Explanation[] {
  const { view } = told;
  const found: Explanation[] = [];
  if (view.phase === 'second_card' && view.seat === told.seat && view.faceup.includes('wild')) {
    found.push(explain('wildShut', {}, { pressing: true, aim: ON_WILD }));
  }
  if (swept) found.push(explain('swept'));
  return found;
}

function aboutTickets({ told, board, helper }: Sight): Explanation[] {
  const { view, progress } = told;
  const tickets = view.players[told.seat!]?.tickets ?? [];
  const found: Explanation[] = [];
  if (!helper || !tickets.length) return found;
  const lost = tickets.find((id) => progress[id] && !progress[id].done && progress[id].missing === null);
  if (lost) found.push(explain('lost', { ticket: lost, n: worth(board, lost) }, PRESSING));
  const done = tickets.filter((id) => progress[id]?.done);
  if (done.length === tickets.length && view.ticket_deck_count && view.turns_left === null) found.push(explain('allDone'));
  if (done.length) found.push(explain('done', { ticket: done[0]!, n: worth(board, done[0]!) }));
  return found;
}

/** What is worth knowing on one's own turn, in the order in which it is needed. */
function inTurn({ told, board, helper }: Sight): Explanation[] {
  const { view } = told;
  const me = view.players[told.seat!];
  if (view.seat !== told.seat || !me) return [];
  const found = [explain('turn')];
  if (view.phase !== 'turn') return found;
  const { claims, draws } = legalActions(view.legal);
  const routes = new Map(board.routes.map((route) => [route.id, route]));
  if (claims.size) found.push(explain('glow'));
  const gray = [...claims.values()].flat().find((claim) => routes.get(claim.route)?.color === 'gray' && !claim.wilds);
  if (gray) found.push(explain('gray', { color: gray.cards[0]![0], n: gray.cards[0]![1] }));
  if (draws.has('wild')) found.push(explain('wildAlone', {}, { aim: ON_WILD }));
  if (me.hand?.['wild']) found.push(explain('wildHand', {}, { aim: ON_HAND }));
  found.push(...aboutLanes(told, board, routes));
  const built = Object.values(view.routes).includes(told.seat!);
  const pair = helper && !built ? farApart(told, board, me.tickets ?? []) : null;
  if (pair) {
    const [a, b] = pair.map((place) => worth(board, me.tickets![place]!));
    found.push(explain('farOwn', { pair: [a!, b!] }));
  }
  const priced = [...claims.keys()].map((id) => routes.get(id)!).find((route) => route.cost !== route.pieces);
  if (priced) found.push(explain('price', { n: priced.cost, piece: priced.piece }));
  found.push(explain('pieces', { n: total(me.pieces), least: board.last_round_at }));
  const bonus = board.bonuses.find((one) => Object.keys(one.special).length);
  if (bonus) found.push(explain('bonus', { bonus: bonus.kind }));
  if (!board.score_track) found.push(explain('later'));
  if (built) found.push(explain('anywhere'));
  return found;
}

/** Why a lane is hatched: another player, or oneself, has the one beside it (C5, C6). */
function aboutLanes(told: SeatView, board: CoachBoard, routes: ReadonlyMap<string, Route>): Explanation[] {
  if (!told.shut.length) return [];
  const { players, routes: owners } = told.view;
  if (players.length <= board.single_lane_up_to) return [explain('shut', { n: players.length })];
  const own = told.shut.some((id) => owners[routes.get(id)?.twin ?? ''] === told.seat);
  return own ? [explain('shutOwn')] : [];
}

function worth(board: CoachBoard, ticket: string): number {
  return board.tickets.find((one) => one.id === ticket)?.points ?? 0;
}

function total(pieces: Record<string, number>): number {
  return Object.values(pieces).reduce((sum, n) => sum + n, 0);
}
