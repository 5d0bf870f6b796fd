/*
 * Which explanation comes now, and what the coach remembers so that none comes too often.
 *
 * Each comes once in a game, and twice altogether; whoever puts one away does not see it again. On
 * one turn there is one, unless another answers what can be seen at that moment.
 */
import { explanations, type Explanation, type Sight } from './explanations';

/** How often an explanation comes altogether. */
export const TIMES = 2;
/** In how many finished games the coach speaks before it falls silent. */
export const GAMES = 3;

export interface Memory {
  /** How often each explanation has come. */
  said: Readonly<Record<string, number>>;
  /** The tables of the games that were finished with the coach. */
  games: readonly string[];
  /** The table at which it spoke last, and what it said there. */
  table: string;
  told: readonly string[];
  /** The explanation that was shown last. */
  last: { code: string; turn: number; away: boolean } | null;
}

export function nothingSaid(): Memory {
  return { said: {}, games: [], table: '', told: [], last: null };
}

/** What is remembered, as it is at a table: what was said at another one is behind. */
export function at(memory: Memory, table: string): Memory {
  return memory.table === table ? memory : { ...memory, table, told: [], last: null };
}

/** The number of a turn; the set-up comes a round before the first. */
function turnOf({ view }: Sight['told']): number {
  return view.phase === 'setup' ? -view.players.length : view.turn;
}

/** The explanation to show now, if there is one. */
export function choose(sight: Sight, memory: Memory): Explanation | null {
  const all = explanations(sight);
  const turn = turnOf(sight.told);
  const fresh = all.filter(({ code }) => !memory.told.includes(code) && (memory.said[code] ?? 0) < TIMES);
  const { last } = memory;
  const shown = last ? all.find(({ code }) => code === last.code) : undefined;
  const stays = last && shown && (shown.lasting || turn - last.turn < sight.told.view.players.length) ? shown : null;
  const pressing = fresh.find((one) => one.pressing);
  if (pressing && (!stays?.pressing || last?.away)) return pressing;
  if (stays) return last!.away ? null : stays;
  if (!sight.told.view.legal.length || last?.turn === turn) return null;
  return fresh[0] ?? null;
}

/** The memory after an explanation was seen. */
export function seen(memory: Memory, sight: Sight, { code }: Explanation): Memory {
  if (memory.told.includes(code)) return memory;
  return {
    ...memory,
    said: { ...memory.said, [code]: (memory.said[code] ?? 0) + 1 },
    told: [...memory.told, code],
    last: { code, turn: turnOf(sight.told), away: false },
  };
}

/** The memory after the player put an explanation away. */
export function putAway(memory: Memory): Memory {
  const { last } = memory;
  if (!last) return memory;
  return { ...memory, said: { ...memory.said, [last.code]: TIMES }, last: { ...last, away: true } };
}

/** The memory after a game was over; null if it was the last of the first games. */
export function finished(memory: Memory, table: string): Memory | null {
  if (memory.games.includes(table)) return memory;
  const games = [...memory.games, table];
  return games.length < GAMES ? { ...memory, games } : null;
}

/** What was stored, as far as it makes sense. */
export function restore(text: string | null): Memory {
  const memory = nothingSaid();
  try {
    const kept = JSON.parse(text ?? '{}') as Partial<Memory> | null;
    const said = Object.entries(kept?.said ?? {}).filter(([, n]) => typeof n === 'number');
    const last = kept?.last;
    return {
      said: Object.fromEntries(said),
      games: texts(kept?.games),
      table: typeof kept?.table === 'string' ? kept.table : '',
      told: texts(kept?.told),
      last: last && typeof last.code === 'string' && typeof last.turn === 'number' ? { code: last.code, turn: last.turn, away: last.away === true } : null,
    };
  } catch {
    return memory;
  }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}
