/* The picture of a game of the day to share, 1200 by 630 px: one's own network and the points. */
import type { Board } from '../board/board';
import { GOLD, GREEN, SANS, SLAB, fonts, framed, pngOf, write } from '../ui/picture';
import { settings } from '../settings.svelte';
import { figure, t } from '../words/i18n';
import { SHORT, said } from './days';
import type { Outcome } from './results.svelte';

const WIDTH = 1200;
const HEIGHT = 630;
const FRAME = { x: 26, y: 26, width: 800, height: 578 };
const LEFT = FRAME.x + FRAME.width + 34;
const ROOM = WIDTH - 34 - LEFT;

export async function pictureOf(board: Board, day: string, outcome: Outcome): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const ctx = canvas.getContext('2d')!;
  await fonts();
  ctx.fillStyle = GREEN;
  ctx.fillRect(0, 0, WIDTH, HEIGHT);
  const owners = Object.fromEntries(outcome.routes.map((route) => [route, 0]));
  await framed(ctx, FRAME, board, owners, new Set());

  const [me, ...others] = outcome.players;
  const n = me!.sheet.total;
  ctx.fillStyle = GOLD;
  write(ctx, t('daily'), LEFT, 70, `700 SIZE '${SANS}'`, 30, ROOM);
  ctx.fillStyle = '#fff';
  write(ctx, board.name(settings.lang), LEFT, 122, `800 SIZE ${SLAB}`, 46, ROOM);
  write(ctx, said(day, settings.lang, SHORT), LEFT, 162, `600 SIZE '${SANS}'`, 26, ROOM);
  write(ctx, figure(n), LEFT, 304, `800 SIZE ${SLAB}`, 128, ROOM);
  ctx.fillStyle = GOLD;
  const rank = t('daily.rank', { rank: me!.sheet.rank, of: outcome.players.length });
  write(ctx, `${t('daily.points', { n })} · ${rank}`, LEFT, 356, `700 SIZE '${SANS}'`, 28, ROOM);
  ctx.fillStyle = '#fff';
  for (const [i, { name, sheet }] of others.entries()) {
    write(ctx, `${name ?? ''} ${figure(sheet.total)}`, LEFT, 412 + i * 40, `600 SIZE '${SANS}'`, 28, ROOM);
  }
  ctx.textAlign = 'right';
  write(ctx, 'Fernzug', WIDTH - 34, 598, `800 SIZE ${SLAB}`, 26, ROOM);
  return pngOf(canvas);
}
