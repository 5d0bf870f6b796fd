/* Lists in words. */
import { t } from '../words/i18n';

/** Names in a row: Ada, Emil and Hugo. */
export function listed(names: readonly string[]): string {
  if (names.length < 2) return names[0] ?? '';
  return t('daily.and', { a: names.slice(0, -1).join(', '), b: names.at(-1)! });
}
