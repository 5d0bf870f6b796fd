/* The seats that this browser holds: tokens by table, in local storage and never in a URL. */
import type { SeatToken } from './protocol';

export interface HeldSeats {
  table: string;
  board: string;
  host: string | null;
  tokens: SeatToken[];
  at: number;
}

const KEY = 'fernzug.seats';
const MAX_TABLES = 40;

function read(): HeldSeats[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? (kept as HeldSeats[]) : [];
  } catch {
    return [];
  }
}

function write(all: HeldSeats[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(all.slice(0, MAX_TABLES)));
  } catch {
    // Without storage the seat is held for as long as the page is open.
  }
}

const memory = new Map<string, HeldSeats>();

export function hold(held: HeldSeats): void {
  memory.set(held.table, held);
  write([held, ...read().filter((other) => other.table !== held.table)]);
}

export function heldAt(table: string): HeldSeats | null {
  return memory.get(table) ?? read().find((held) => held.table === table) ?? null;
}

export function allHeld(): HeldSeats[] {
  return read();
}

/** The seats of a table that this browser plays. */
export function ownSeats(table: string): number[] {
  return heldAt(table)?.tokens.map((one) => one.seat) ?? [];
}

/** Every token that this browser holds for a table, including the host's. */
export function tokensAt(table: string): string[] {
  const held = heldAt(table);
  if (!held) return [];
  return [...held.tokens.map((one) => one.token), ...(held.host ? [held.host] : [])];
}

export function addSeat(table: string, board: string, seat: SeatToken): void {
  const held = heldAt(table) ?? { table, board, host: null, tokens: [], at: Date.now() };
  hold({
    ...held,
    tokens: [...held.tokens.filter((one) => one.seat !== seat.seat), seat],
    at: Date.now(),
  });
}

/** Keep only the tokens that still open a seat, after somebody else was given one of them. */
export function keepSeats(table: string, own: readonly number[]): void {
  const held = heldAt(table);
  if (held) hold({ ...held, tokens: held.tokens.filter((one) => own.includes(one.seat)) });
}

export function forget(table: string): void {
  memory.delete(table);
  write(read().filter((held) => held.table !== table));
}

/**
 * The address that opens the same seats on another device of the same person. What stands behind
 * the # is not sent to the server, and the page removes it from the address as soon as it is read.
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
