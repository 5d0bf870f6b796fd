/* The line to share: how a game went, without anything that would help others with the same cards. */
import type { Lang } from '../settings.svelte';
import { figure, say } from '../words/i18n';
import { SHORT, said } from './days';
import type { Outcome } from './results.svelte';

const MEDALS = ['🥇', '🥈', '🥉'];

export function shareLine(board: string, day: string, outcome: Outcome, lang: Lang): string {
  const [me, ...others] = outcome.players;
  const words = say('daily.line', lang, {
    date: said(day, lang, SHORT),
    board,
    n: figure(me!.sheet.total),
    rank: me!.sheet.rank,
    of: outcome.players.length,
    others: others.map(({ name, sheet }) => `${name ?? ''} ${figure(sheet.total)}`.trim()).join(', '),
  });
  const tickets = '✅'.repeat(me!.sheet.tickets_completed) + '❌'.repeat(outcome.failed);
  return [words, [MEDALS[me!.sheet.rank - 1], tickets, `🛤️ ${outcome.routes.length}`].filter(Boolean).join(' ')].join('\n');
}
