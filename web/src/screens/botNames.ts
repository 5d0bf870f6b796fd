/* Names for bots: short, and easy to tell apart when spoken. */
export const BOT_NAMES = ['Ada', 'Bruno', 'Clara', 'Emil', 'Frida', 'Hugo', 'Ida', 'Jules', 'Lotte', 'Oskar', 'Rosa', 'Theo'];

/** Random names that nobody at the table has yet. */
export function botNames(count: number, taken: readonly string[], pick = Math.random): string[] {
  const free = BOT_NAMES.filter((name) => !taken.includes(name));
  const names: string[] = [];
  while (names.length < count && free.length) {
    names.push(...free.splice(Math.floor(pick() * free.length), 1));
  }
  return names;
}
