/* What the server says about actions, in words. */
import { legalActions, type Claim } from './actions';
import type { Board } from '../board/board';
import type { Advice } from '../net/protocol';
import { settings } from '../settings.svelte';
import { t } from '../words/i18n';

/** An action as far as it concerns the screen: which control carries it out, and with what. */
export interface Deed {
  kind: 'claim' | 'draw' | 'tickets' | 'keep' | 'pass';
  text: string;
  /** Of a claim. */
  claim: Claim | null;
  /** Of a card that is drawn: its colour, or `deck`. */
  color: string | null;
  /** Of tickets that are kept: their places in the offer, from 0. */
  places: number[];
}

export function deedOf(text: string): Deed {
  const [word = '', ...rest] = text.split(' ');
  const claim = word === 'claim' ? ([...legalActions([text]).claims.values()][0]?.[0] ?? null) : null;
  return {
    kind: word as Deed['kind'],
    text,
    claim,
    color: word === 'draw' ? (rest[0] ?? null) : null,
    places: word === 'keep' ? rest.map((place) => Number(place) - 1) : [],
  };
}

/** An action in words; the offer says which tickets its places mean. */
export function deedText(deed: Deed, board: Board, offer: readonly string[]): string {
  const lang = settings.lang;
  switch (deed.kind) {
    case 'claim':
      return deed.claim ? board.routeName(deed.claim.route, lang) : deed.text;
    case 'draw':
      return deed.color === 'deck' ? t('deed.deck') : t('deed.draw', { color: board.color(deed.color ?? '', lang) });
    case 'tickets':
      return t('deed.tickets');
    case 'keep':
      return t('deed.keep', { tickets: deed.places.map((place) => board.ticketName(offer[place] ?? '', lang)).join(', ') });
    case 'pass':
      return t('deed.pass');
  }
}

/** What speaks for an action, in sentences. */
export function adviceText(reasons: readonly Advice[], board: Board, name: (seat: number) => string): string {
  const lang = settings.lang;
  return reasons
    .map((one) =>
      t(one.code, {
        ticket: one.ticket === undefined ? '' : board.ticketName(one.ticket, lang),
        route: one.route === undefined ? '' : board.routeName(one.route, lang),
        player: one.player === undefined ? '' : name(one.player),
        color: one.color === undefined ? '' : board.color(one.color, lang),
        count: one.count ?? 0,
      }),
    )
    .join(' ');
}
