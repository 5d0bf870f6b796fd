/*
 * The log of a game: the lines that its events make.
 */
import type { Board } from '../board/board';
import type { GameEvent } from '../net/protocol';
import type { Lang } from '../settings.svelte';
import type { Key } from '../words';
import { fill, say } from '../words/i18n';

export type Icon = 'card' | 'deck' | 'ticket' | 'build' | 'bonus' | 'shuffle' | 'pass' | 'bell' | 'end' | 'start';

/** One line of the log. */
export interface Line {
  /** The index of the event that it describes. */
  at: number;
  seat: number | null;
  icon: Icon;
  event: string;
  /** The key of its text; null for the event of a bonus, whose words come with the board. */
  key: Key | null;
  values: Record<string, string | number>;
  cards: Record<string, number>;
  route: string | null;
  tickets: string[];
  /** The turn that the line belongs to. */
  turn: number;
  /** Whether it is the first line of its turn. */
  firstOfTurn: boolean;
}

type Describe = (event: GameEvent) => Partial<Line> & { key: Key | null; icon: Icon };

const DESCRIBE: Record<string, Describe> = {
  took: (e) => ({
    key: e.color === 'wild' ? 'log.tookWild' : 'log.took',
    icon: 'card',
    cards: { [e.color!]: 1 },
  }),
  drew: (e) => ({ key: 'log.drew', icon: 'deck', cards: e.color ? { [e.color]: 1 } : {} }),
  offered: (e) => ({
    key: 'log.offered',
    icon: 'ticket',
    values: { n: e.count ?? 0 },
    tickets: e.tickets ?? [],
  }),
  kept: (e) => ({
    key: 'log.kept',
    icon: 'ticket',
    values: { n: e.count ?? 0 },
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

/** All other events belong to bonuses. */
const describeBonus: Describe = (e) => ({
  key: null,
  icon: 'bonus',
  values: { points: e.points ?? 0 },
  cards: e.color ? { [e.color]: 1 } : {},
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
    if (!started && event.event === 'offered') return;
    if (!started && (event.event === 'swept' || event.event === 'reshuffled')) return;
    const line = lineOf(event, at, turn, lines.at(-1)?.turn !== turn);
    if (line) lines.push(line);
  });
  return lines;
}

/** Lines made before. The same event gives the same object, so that only new lines are drawn. */
const cache = new WeakMap<GameEvent, Line>();

function lineOf(event: GameEvent, at: number, turn: number, firstOfTurn: boolean): Line | null {
  const known = cache.get(event);
  if (known && known.at === at && known.turn === turn && known.firstOfTurn === firstOfTurn) return known;
  if (SILENT.has(event.event)) return null;
  const describe = DESCRIBE[event.event] ?? describeBonus;
  const line: Line = {
    at,
    seat: event.seat ?? null,
    event: event.event,
    values: {},
    cards: {},
    route: null,
    tickets: [],
    turn,
    firstOfTurn,
    ...describe(event),
  };
  cache.set(event, line);
  return line;
}

/** A line in words, without the name of the player. */
export function lineText(line: Line, board: Board | null, lang: Lang): string {
  const route = line.route && board ? board.routeName(line.route, lang) : '';
  const values = { ...line.values, route };
  if (line.key !== null) return say(line.key, lang, values);
  return board ? fill(board.eventText(line.event, lang), values, lang) : '';
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
