/* The seats that this browser holds: tokens by table, kept in local storage and never in a URL. */
import type { SeatToken } from './protocol';

export interface Held {
  table: string;
  code: string;
  board: string;
  host: string | null;
  tokens: SeatToken[];
  at: number;
}

const KEY = 'fernzug.seats';
const MOST = 40;

function read(): Held[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? (kept as Held[]) : [];
  } catch {
    return [];
  }
}

function write(all: Held[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(all.slice(0, MOST)));
  } catch {
    // Without storage the seat lasts as long as the page.
  }
}

const memory = new Map<string, Held>();

export function hold(held: Held): void {
  memory.set(held.table, held);
  write([held, ...read().filter((other) => other.table !== held.table)]);
}

export function heldAt(table: string): Held | null {
  return memory.get(table) ?? read().find((held) => held.table === table) ?? null;
}

export function allHeld(): Held[] {
  return read();
}

/** Every token that this browser holds for a table, the host's among them. */
export function tokensAt(table: string): string[] {
  const held = heldAt(table);
  if (!held) return [];
  return [...held.tokens.map((one) => one.token), ...(held.host ? [held.host] : [])];
}

export function addSeat(table: string, code: string, board: string, seat: SeatToken): void {
  const held = heldAt(table) ?? { table, code, board, host: null, tokens: [], at: Date.now() };
  hold({
    ...held,
    tokens: [...held.tokens.filter((one) => one.seat !== seat.seat), seat],
    at: Date.now(),
  });
}

export function forget(table: string): void {
  memory.delete(table);
  write(read().filter((held) => held.table !== table));
}

/**
 * The address that opens the same seats on another device of the same person. What stands behind
 * the # is not sent to the server, and the page takes it out of the address as soon as it is read.
 */
export function seatPath(table: string): string {
  const tokens = heldAt(table)?.tokens ?? [];
  return `/seat/${table}/${tokens.map((one) => `${one.seat}.${one.token}`).join(',')}`;
}

export function readSeats(text: string): SeatToken[] {
  return text.split(',').flatMap((part) => {
    const [, seat, token] = /^(\d{1,2})\.([\w-]{16,64})$/.exec(part) ?? [];
    return seat !== undefined && token !== undefined ? [{ seat: Number(seat), token }] : [];
  });
}
