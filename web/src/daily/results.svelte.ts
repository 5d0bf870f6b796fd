/* What this browser has made of the games of the day, in local storage; the first result counts. */
import { codeOf, createTable, findTable, freshId } from '../net/api';
import type { Face, ScoreSheet } from '../net/protocol';
import { hold } from '../net/seats';
import { settings } from '../settings.svelte';

export interface Player {
  name: string | null;
  face: Face | null;
  sheet: ScoreSheet;
}

/** A finished game of the day, with everything that is shown of it. */
export interface Outcome {
  turns: number;
  /** By seat; the first is the player in front of this screen. */
  players: Player[];
  /** The player's own routes. */
  routes: string[];
  /** The number of tickets that the player failed. */
  failed: number;
}

export interface Entry {
  table: string;
  /** Null while the game goes on. */
  outcome: Outcome | null;
}

const KEY = 'fernzug.daily';
/** Half a year on all boards, in less than a megabyte. */
const MAX_ENTRIES = 1000;
type Entries = Record<string, Entry>;

function isEntry(value: unknown): value is Entry {
  const { table, outcome } = (value ?? {}) as Partial<Entry>;
  if (typeof table !== 'string') return false;
  return outcome === null || (Array.isArray(outcome?.players) && outcome.players.length > 0 && Array.isArray(outcome.routes));
}

/** The stored entries as far as they make sense. */
export function restore(text: string | null): Entries {
  try {
    const kept: unknown = JSON.parse(text ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter(([, value]) => isEntry(value))) as Entries;
  } catch {
    return {};
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

const all = $state<{ entries: Entries }>({ entries: typeof localStorage === 'undefined' ? {} : restore(stored()) });

function keyOf(board: string, day: string): string {
  return `${day} ${board}`;
}

function put(board: string, day: string, entry: Entry | null): void {
  // Another tab may have written in between.
  const entries = restore(stored());
  if (entry) entries[keyOf(board, day)] = entry;
  else delete entries[keyOf(board, day)];
  // A key begins with its day, so the newest are the last.
  const newest = Object.keys(entries).sort().slice(-MAX_ENTRIES);
  all.entries = Object.fromEntries(newest.map((key) => [key, entries[key]!]));
  try {
    localStorage.setItem(KEY, JSON.stringify(all.entries));
  } catch {
    // Without storage the result is known for as long as the page is open.
  }
}

export function entryOf(board: string, day: string): Entry | null {
  return all.entries[keyOf(board, day)] ?? null;
}

export function outcomeOf(board: string, day: string): Outcome | null {
  return entryOf(board, day)?.outcome ?? null;
}

/** The finished games on a board, by day. */
export function outcomesOn(board: string): Map<string, Outcome> {
  return new Map(
    Object.entries(all.entries).flatMap(([key, { outcome }]) => {
      const at = key.indexOf(' ');
      return outcome && key.slice(at + 1) === board ? [[key.slice(0, at), outcome] as const] : [];
    }),
  );
}

/** Keep the result of a game, unless there is one of that day already. */
export function keep(board: string, day: string, table: string, outcome: Outcome): void {
  if (!outcomeOf(board, day)) put(board, day, { table, outcome });
}

/** Begin the game of a day, or go on with the one that was begun; return its table. */
export async function begin(board: string, day: string): Promise<string> {
  const begun = entryOf(board, day);
  if (begun) {
    try {
      return (await findTable(begun.table)).id;
    } catch (error) {
      if (codeOf(error) !== 'not_found' || begun.outcome) throw error;
    }
  }
  const name = settings.name.trim();
  const made = await createTable({ id: freshId(), board, daily: day, seats: [{ kind: 'here', ...(name ? { name } : {}) }] });
  hold({ table: made.table, board, host: made.host, tokens: made.tokens, at: Date.now() });
  put(board, day, { table: made.table, outcome: null });
  return made.table;
}
