/*
 * The words of the client in three languages.
 *
 * `{name}` is replaced by a value, `{n|card|cards}` by the form that fits the number n. The types
 * require every entry in all three languages; a test looks for unused keys.
 */
import { settings, type Lang } from '../settings.svelte';
import { WORDS, type Key } from './index';

export type Values = Record<string, string | number>;

/** Fill values into a text; unknown names stay visible, so that mistakes are noticed. */
export function fill(text: string, values: Values, lang: Lang): string {
  return text.replace(/\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g, (whole, name: string, one?: string, many?: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (one === undefined || many === undefined) return `${value}`;
    return isOne(Number(value), lang) ? one : many;
  });
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

/** What went wrong, in words. */
export function problemText(code: string): string {
  const key = `error.${code}`;
  return isKey(key) ? t(key) : code;
}

export function isKey(key: string): key is Key {
  return key in WORDS;
}
