/* A game against bots without any form. */
import { createTable, freshId } from '../net/api';
import { hold } from '../net/seats';
import type { NewSeat } from '../net/protocol';
import { settings } from '../settings.svelte';

/** Begin a game against some bots of a level; return its table. */
export async function beginAgainstBots(board: string, level: string, bots: number): Promise<string> {
  const own = settings.name.trim();
  const seats: NewSeat[] = [{ kind: 'here', ...(own ? { name: own } : {}) }, ...Array.from({ length: bots }, (): NewSeat => ({ kind: 'bot', level }))];
  const made = await createTable({ id: freshId(), board, seats });
  hold({ table: made.table, board, host: made.host, tokens: made.tokens, at: Date.now() });
  return made.table;
}
