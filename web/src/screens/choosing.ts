/* Which board for whom. */
import type { Board } from '../board/board';
import type { Levels } from '../net/protocol';

/**
 * How many rating points the best bot has above random play where a board begins to be of medium
 * difficulty, and to be hard. The more planning is worth, the harder a board is for those who do not.
 */
const MEDIUM = 1100;
const HARD = 1400;

/** From 1, easy, to 3, by the measured strength of the bots; null where nothing was measured. */
export function difficultyOf(board: string, levels: Levels | null): number | null {
  const measured = Object.values(levels?.ratings[board] ?? {});
  if (!measured.length) return null;
  const best = Math.max(...measured);
  return best < MEDIUM ? 1 : best < HARD ? 2 : 3;
}

/** The boards with the shortest games first; those that were not measured come last. */
export function shortestFirst(boards: Iterable<Board>): Board[] {
  const minutes = ({ data }: Board): number => data.facts?.minutes[1] ?? Infinity;
  const order = (a: number, b: number): number => (a === b ? 0 : a - b);
  return [...boards].sort((a, b) => order(minutes(a), minutes(b)) || a.data.routes.length - b.data.routes.length);
}
