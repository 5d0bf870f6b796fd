/*
 * The words of the client in three languages.
 *
 * `{name}` is replaced by a value, `{n|card|cards}` by the form that fits the number n. The types
 * require every entry in all three languages; a test looks for unused keys.
 */
import type { Face, SeatInfo } from '../net/protocol';
import { settings, type Lang } from '../settings.svelte';
import { WORDS, type Key } from './index';

export type Values = Record<string, string | number>;

/** Fill values into a text; unknown names stay visible, so that mistakes are noticed. */
export function fill(text: string, values: Values, lang: Lang): string {
  const template = lang === 'fr' ? french(text, values) : text;
  return template.replace(/\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g, (whole, name: string, one?: string, many?: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (one === undefined || many === undefined) return `${value}`;
    return isOne(Number(value), lang) ? one : many;
  });
}

/**
 * French puts a space before high signs, which never begin a line, and “de” and “que” lose their
 * vowel before another one: “d’Oma”, but “de Paul”.
 */
function french(text: string, values: Values): string {
  const bound = text.replace(/ (?=[;:!?»…])|(?<=«) /g, '\u00a0');
  return bound.replace(/\b([dD]|[qQ]u)e \{(\w+)\}/g, (whole, start: string, name: string) =>
    ELIDES.test(`${values[name] ?? ''}`) ? `${start}’{${name}}` : whole,
  );
}

/** Vowels, a y before a consonant, and the names in which French does not speak the h. */
const ELIDES =
  /^(?:[aeiouàâäæéèêëîïôöœùûü]|y(?![aeiouéè])|h(?:[eé]l[eéè]n|ector|enri|erv[eé]|ippolyte|onor|ortense|ubert|ug))/i;

/** A text in which a word such as “U-Bahn” is not broken after its first letter: a word joiner follows the hyphen. */
export function unbroken(text: string): string {
  return text.replace(/(?<!\p{L})(\p{L}-)(?=\p{L})/gu, '$1\u2060');
}

/** In French, zero is singular. */
function isOne(n: number, lang: Lang): boolean {
  return lang === 'fr' ? Math.abs(n) < 2 : Math.abs(n) === 1;
}

export function say(key: Key, lang: Lang, values: Values = {}): string {
  return fill(WORDS[key][lang], values, lang);
}

/** The text for a key in the player's language; inside a component it follows the setting. */
export function t(key: Key, values: Values = {}): string {
  return say(key, settings.lang, values);
}

/** A number as it is printed: with a minus sign, not a hyphen. */
export function figure(n: number): string {
  return `${n}`.replace('-', '−');
}

/** The name of a bot level; a level that is not ours is shown by its id. */
export function levelName(level: string): string {
  const key = `level.${level}`;
  return isKey(key) ? t(key) : level;
}

/** What to expect of a level, in a few words. */
export function levelText(level: string): string {
  const key = `level.${level}.what`;
  return isKey(key) ? t(key) : '';
}

/** Who somebody is whom a bot plays, in a few words. */
export function characterText(face: Face): string {
  return t(`who.${face}`);
}

/**
 * What a seat is called. Only people who play alone, or at one screen, may have no name; “you” is
 * said to nobody but the person themselves.
 */
export function seatName(seat: Pick<SeatInfo, 'seat' | 'kind' | 'name'>, own: readonly number[]): string {
  if (seat.name !== null) return seat.name;
  if (seat.kind === 'link') return t('seat.free');
  return own.length === 1 && own[0] === seat.seat ? t('name.you') : t('name.player', { n: seat.seat + 1 });
}

/** What went wrong, in words. */
export function problemText(code: string): string {
  const key = `error.${code}`;
  return isKey(key) ? t(key) : code;
}

export function isKey(key: string): key is Key {
  return key in WORDS;
}
