/*
 * The ways to pay for a route, the most sensible first.
 *
 * The server says which are legal. Which of them a player is likely to want follows from the hand and
 * from the routes on the ways of the player's tickets.
 */
import type { Claim } from './actions';

export interface Payment {
  claim: Claim;
  /** The colour that is paid besides wild cards; null if there are only wild cards. */
  color: string | null;
  /** Cards of that colour that stay in the hand. */
  left: number;
  /** Whether cards of that colour will be missing on the way of a ticket. */
  needed: boolean;
}

/** How many payments are shown before the others are asked for. */
export const SHOWN = 4;

/** Fewest wild cards first, then colours that no ticket needs, then options, then the colour held most. */
export function payments(claims: readonly Claim[], hand: Record<string, number>, needs: ReadonlyMap<string, number>): Payment[] {
  const all = claims.map((claim): Payment => {
    const [color = null, paid = 0] = claim.cards.find(([one]) => one !== 'wild') ?? [];
    const left = color === null ? 0 : (hand[color] ?? 0) - paid;
    return { claim, color, left, needed: color !== null && left < (needs.get(color) ?? 0) };
  });
  return all.sort(
    (a, b) =>
      a.claim.wilds - b.claim.wilds || Number(a.needed) - Number(b.needed)
      || Number(b.claim.option !== null) - Number(a.claim.option !== null) || b.left - a.left
      || a.claim.text.localeCompare(b.claim.text),
  );
}

/** How many cards of each colour these routes take. */
export function needsOf(routes: Iterable<{ color: string; cost: number }>): Map<string, number> {
  const needs = new Map<string, number>();
  for (const { color, cost } of routes) {
    if (color !== 'gray') needs.set(color, (needs.get(color) ?? 0) + cost);
  }
  return needs;
}
