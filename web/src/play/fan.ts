/* How the cards of a hand are spread in the room there is. */

/** The least part of a card that must be seen, in px: what a finger hits. */
const LEAST = 44;
const GAP = 12;

export interface FanRow {
  cards: string[];
  /** From the left edge of a card to that of the next one, in px. */
  step: number;
}

/** One row if every card can show enough of itself, otherwise as many equal rows as it takes. */
export function fan(cards: readonly string[], width: number, card: number): FanRow[] {
  if (!cards.length) return [];
  const most = Math.max(1, 1 + Math.floor((width - card) / LEAST));
  const rows = Math.ceil(cards.length / most);
  const each = Math.ceil(cards.length / rows);
  const step = each > 1 ? Math.min(card + GAP, (width - card) / (each - 1)) : card;
  return Array.from({ length: rows }, (_, i) => ({ cards: cards.slice(i * each, (i + 1) * each), step }));
}
