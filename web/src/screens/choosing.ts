/* Which board for whom. */
import type { Board } from '../board/board';

/** How many routes make a board one of medium difficulty, and a hard one: the more there are, the more there is to plan. */
const MEDIUM = 50;
const HARD = 80;

/** From 1, easy, to 3. */
export function difficultyOf({ data }: Board): number {
  return data.routes.length < MEDIUM ? 1 : data.routes.length < HARD ? 2 : 3;
}

/** The boards with the shortest games first; those that were not measured come last. */
export function shortestFirst(boards: Iterable<Board>): Board[] {
  const minutes = ({ data }: Board): number => data.facts?.minutes[1] ?? Infinity;
  const order = (a: number, b: number): number => (a === b ? 0 : a - b);
  return [...boards].sort((a, b) => order(minutes(a), minutes(b)) || a.data.routes.length - b.data.routes.length);
}
