/*
 * The log of a game: the lines that its events make.
 */
import type { Board } from '../board/board';
import type { GameEvent } from '../net/protocol';
import type { Lang } from '../settings.svelte';
import type { Key } from '../words';
import { fill, say } from '../words/i18n';

export type Icon = 'card' | 'ticket' | 'build' | 'bonus' | 'shuffle' | 'pass' | 'bell' | 'end' | 'start';

/** What a bonus adds to a turn; its words come with the board. */
interface Extra {
  event: string;
  values: Record<string, string | number>;
}

/** One line of the log: what a player did in a turn, or what happened to everybody. */
export interface Line {
  /** The index of its first event, which it keeps while the turn goes on. */
  first: number;
  /** The index of its last event: the moment that it leads to. */
  at: number;
  seat: number | null;
  icon: Icon;
  /** The key of its text; null if it has only extras. */
  key: Key | null;
  values: Record<string, string | number>;
  cards: Record<string, number>;
  /**
   * The colours of the cards drawn from the deck, null where the browser does not know them. Two
   * players may share a screen, so that knowing a colour is no reason to show it.
   */
  blind: (string | null)[];
  route: string | null;
  tickets: string[];
  extras: Extra[];
  /** The turn that the line belongs to. */
  turn: number;
}

type Part = Partial<Line> & { icon: Icon };
type Describe = (event: GameEvent, line: Line | null) => Part;

function drawn(event: GameEvent, line: Line | null): Part {
  const cards = { ...line?.cards };
  const blind = [...(line?.blind ?? [])];
  if (event.event === 'drew') blind.push(event.color ?? null);
  else cards[event.color!] = (cards[event.color!] ?? 0) + 1;
  const n = Number(line?.values['n'] ?? 0) + 1;
  return { key: 'log.cards', icon: 'card', values: { n }, cards, blind };
}

const DESCRIBE: Record<string, Describe> = {
  took: drawn,
  drew: drawn,
  offered: (e) => ({ key: 'log.offered', icon: 'ticket', values: { n: e.count ?? 0 }, tickets: e.tickets ?? [] }),
  kept: (e, line) => ({
    key: line ? 'log.keptOf' : 'log.kept',
    icon: 'ticket',
    values: { n: e.count ?? 0, of: line?.values['n'] ?? 0 },
    tickets: e.tickets ?? [],
  }),
  claimed: (e) => ({
    key: e.points === undefined ? 'log.claimed' : 'log.claimedFor',
    icon: 'build',
    values: { points: e.points ?? 0 },
    route: e.route ?? null,
    cards: Array.isArray(e.cards) ? {} : (e.cards ?? {}),
  }),
  passed: () => ({ key: 'log.passed', icon: 'pass' }),
  swept: () => ({ key: 'log.swept', icon: 'shuffle' }),
  reshuffled: (e) => ({ key: 'log.reshuffled', icon: 'shuffle', values: { n: e.count ?? 0 } }),
  last_round: () => ({ key: 'log.lastRound', icon: 'bell' }),
  ended: () => ({ key: 'log.ended', icon: 'end' }),
};

/** Events that are not worth a line. */
const SILENT: ReadonlySet<string> = new Set(['shuffled', 'shuffled_tickets', 'dealt', 'turned_up', 'returned']);

/** Events after which the same player's turn may go on in the same line. */
const GOES_ON: Record<string, Icon> = { took: 'card', drew: 'card', kept: 'ticket' };

/** All other events belong to bonuses, and to the line of the turn in which they happen. */
const describeBonus: Describe = (e, line) => ({
  icon: line?.icon ?? 'bonus',
  cards: line?.cards ?? (e.color ? { [e.color]: 1 } : {}),
  extras: [...(line?.extras ?? []), { event: e.event, values: { points: e.points ?? 0 } }],
});

/** All lines of the log. The set-up takes one line for each player. */
export function linesOf(events: readonly GameEvent[]): Line[] {
  const lines: Line[] = [];
  let turn = 0;
  let started = false;
  events.forEach((event, at) => {
    if (event.event === 'awaited') {
      if (event.phase === 'turn') turn += 1;
      if (event.phase !== 'setup') started = true;
      return;
    }
    if (SILENT.has(event.event)) return;
    if (!started && (event.event === 'offered' || event.event === 'swept' || event.event === 'reshuffled')) return;
    let place = lines.length - 1;
    while (place >= 0 && lines[place]!.turn === turn && !continues(lines[place]!, event)) place--;
    if (!started || lines[place]?.turn !== turn) lines.push(lineOf(event, at, turn, null));
    else lines[place] = lineOf(event, at, turn, lines[place]!);
  });
  return lines;
}

/** Whether an event of the same turn belongs to a line that is there already. */
function continues(line: Line, event: GameEvent): boolean {
  if (line.seat === null || line.seat !== event.seat) return false;
  if (event.event in DESCRIBE) return line.icon === GOES_ON[event.event];
  return line.icon === 'build' || line.icon === 'bonus';
}

/** Lines made before. The same events give the same object, so that only new lines are drawn. */
const cache = new WeakMap<GameEvent, Line>();

function lineOf(event: GameEvent, at: number, turn: number, before: Line | null): Line {
  const first = before?.first ?? at;
  const known = cache.get(event);
  if (known && known.at === at && known.turn === turn && known.first === first) return known;
  const describe = DESCRIBE[event.event] ?? describeBonus;
  const empty = { key: null, values: {}, cards: {}, blind: [], route: null, tickets: [], extras: [] };
  const line: Line = { ...empty, ...before, first, at, turn, seat: event.seat ?? null, ...describe(event, before) };
  cache.set(event, line);
  return line;
}

/** A line in words, without the name of the player. */
export function lineText(line: Line, board: Board | null, lang: Lang): string {
  const route = line.route && board ? board.routeName(line.route, lang) : '';
  const said = line.key === null ? [] : [say(line.key, lang, { ...line.values, route })];
  return [...said, ...extraTexts(line, board, lang)].join(' · ');
}

/** What bonuses added to the turn, in the words of the board. */
export function extraTexts(line: Line, board: Board | null, lang: Lang): string[] {
  return board ? line.extras.map(({ event, values }) => fill(board.eventText(event, lang), values, lang)) : [];
}

/** What the other seats did since the given seat's last turn. */
export function sinceTurnOf(lines: readonly Line[], seat: number): Line[] {
  let from = 0;
  for (let i = lines.length - 1; i >= 0; i--) {
    if (lines[i]!.seat === seat) {
      from = i + 1;
      break;
    }
  }
  return lines.slice(from).filter((line) => line.seat !== null && line.seat !== seat);
}

/** Routes claimed by others since the given seat's last turn; for a spectator the last claim. */
export function lastClaims(lines: readonly Line[], seat: number | null): Set<string> {
  const claims = lines.filter((line) => line.route !== null);
  if (seat === null) return new Set(claims.slice(-1).map((line) => line.route!));
  const since = new Set(sinceTurnOf(lines, seat).filter((l) => l.route).map((l) => l.route!));
  const last = claims.at(-1);
  if (last) since.add(last.route!);
  return since;
}
