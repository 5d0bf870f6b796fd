/*
 * Days as the game of the day counts them: dates of the player's own calendar, as 2026-11-18. Whoever
 * plays the game of a date has the same cards, no matter when the day begins where they live.
 */
import type { Lang } from '../settings.svelte';

export function dayOf(date: Date): string {
  const two = (n: number): string => `${n}`.padStart(2, '0');
  return `${`${date.getFullYear()}`.padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export function today(): string {
  return dayOf(new Date());
}

/** The date at noon, which exists on every day everywhere; null if the text is none. */
export function dateOf(day: string): Date | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return null;
  const found = new Date(Number(year), Number(month) - 1, Number(date), 12);
  return dayOf(found) === day ? found : null;
}

/** A date in words, or what Intl is asked for. */
export function said(day: string, lang: Lang, form: Intl.DateTimeFormatOptions): string {
  const date = dateOf(day);
  return date ? new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : lang, form).format(date) : day;
}

export const LONG: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long' };
export const SHORT: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'numeric', year: 'numeric' };

/** The weeks of a month from Monday to Sunday, as days; null where another month's would be. */
export function weeks(year: number, month: number): (string | null)[][] {
  const first = new Date(year, month, 1, 12);
  const before = (first.getDay() + 6) % 7;
  const days = new Date(year, month + 1, 0, 12).getDate();
  const cells = Array.from({ length: Math.ceil((before + days) / 7) * 7 }, (_, i) => {
    const date = i - before + 1;
    return date < 1 || date > days ? null : dayOf(new Date(year, month, date, 12));
  });
  return Array.from({ length: cells.length / 7 }, (_, row) => cells.slice(row * 7, row * 7 + 7));
}

/** The names of the days of a week, from Monday. */
export function weekdays(lang: Lang, form: 'short' | 'long'): string[] {
  // The first of January 2024 was a Monday.
  return Array.from({ length: 7 }, (_, i) => said(`2024-01-0${i + 1}`, lang, { weekday: form }));
}
