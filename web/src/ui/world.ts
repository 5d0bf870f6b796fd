/* Whose world the cards show: the vehicles and the skyline of the board they are played on. */
import { getContext, setContext } from 'svelte';
import type { Board } from '../board/board';

export const WORLDS = ['usa', 'new_york', 'london', 'paris', 'berlin'] as const;
export type World = (typeof WORLDS)[number];

/** The world that suits the pieces of a board that has none of its own. */
const BY_PIECE: Record<string, World> = { taxi: 'new_york', bus: 'london', tram: 'berlin', subway: 'berlin' };
const KEY = Symbol('world');

export function worldOf(board: Board | null): World {
  const own = WORLDS.find((world) => world === board?.id);
  return own ?? BY_PIECE[board?.data.pieces[0]?.id ?? ''] ?? 'usa';
}

/** Say whose cards the components inside this one show; the board may come later. */
export function setWorld(board: () => Board | null): void {
  setContext(KEY, () => worldOf(board()));
}

export function getWorld(): () => World {
  return getContext<(() => World) | undefined>(KEY) ?? (() => 'usa');
}
