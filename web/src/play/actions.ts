/*
 * The legal actions that the server has sent, sorted by what the player points at.
 *
 * An action travels as text. Parsing it here decides nothing; it only finds the actions that belong
 * to a card, a deck or a route.
 */
export interface Claim {
  text: string;
  route: string;
  cards: [color: string, count: number][];
  wilds: number;
  /** The word after the cards: what a bonus lets the player do with the claim. */
  option: string | null;
}

export interface LegalActions {
  draws: Set<string>;
  tickets: boolean;
  pass: boolean;
  keeps: string[];
  claims: Map<string, Claim[]>;
}

export function noActions(): LegalActions {
  return { draws: new Set(), tickets: false, pass: false, keeps: [], claims: new Map() };
}

function claimOf(text: string): Claim {
  const words = text.split(' ');
  const payment = words.slice(2).filter((word) => word.includes('*'));
  const cards = payment.map((word): [string, number] => {
    const [color = '', count = '1'] = word.split('*');
    return [color, Number(count)];
  });
  const option = words.slice(2).find((word) => !word.includes('*')) ?? null;
  const wilds = cards.find(([color]) => color === 'wild')?.[1] ?? 0;
  return { text, route: words[1] ?? '', cards, wilds, option };
}

export function legalActions(legal: readonly string[]): LegalActions {
  const all = noActions();
  for (const text of legal) {
    const [word, rest] = text.split(' ');
    if (word === 'draw') all.draws.add(rest ?? '');
    else if (word === 'tickets') all.tickets = true;
    else if (word === 'pass') all.pass = true;
    else if (word === 'keep') all.keeps.push(text);
    else if (word === 'claim') {
      const claim = claimOf(text);
      const known = all.claims.get(claim.route);
      if (known) known.push(claim);
      else all.claims.set(claim.route, [claim]);
    }
  }
  return all;
}

/** Whether any payment for the route uses the colour; for filtering by a colour of the hand. */
export function paysWith(claims: readonly Claim[], color: string): boolean {
  return claims.some((claim) => claim.cards.some(([one]) => one === color));
}

/** The text that keeps these places of the offer, counted from 0. */
export function keepText(places: readonly number[]): string {
  return ['keep', ...[...places].sort((a, b) => a - b).map((place) => place + 1)].join(' ');
}
