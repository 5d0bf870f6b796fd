/*
 * A picture of the end of a game, 1200 by 630 px, made in the browser: the board with the network of
 * the winner, and the points.
 */
import { playerPaint } from '../board/colors';
import Face from '../ui/Face.svelte';
import { GOLD, GREEN, INK, PAPER, SANS, SLAB, fonts, framed, handOver, pngOf, rounded, taken, write } from '../ui/picture';
import { settings } from '../settings.svelte';
import { t } from '../words/i18n';
import type { PlayModel } from './model.svelte';

const WIDTH = 1200;
const HEIGHT = 630;
const FRAME = { x: 22, y: 22, width: 808, height: 508 };
/** Where the column beside the board begins. */
const LEFT = FRAME.x + FRAME.width + 30;

function confetti(ctx: CanvasRenderingContext2D): void {
  const COLORS = ['#d3a63a', '#c0182b', '#fffdf6'];
  for (let i = 0; i < 46; i++) {
    ctx.save();
    ctx.translate(((i * 0.618034) % 1) * WIDTH, ((i * 0.754878) % 1) * HEIGHT);
    ctx.rotate(i * 2.4);
    ctx.globalAlpha = 0.28;
    ctx.fillStyle = COLORS[i % COLORS.length]!;
    ctx.fillRect(-11, -6, 22, 12);
    ctx.restore();
  }
}

/** The face of whoever sits there, or the initial of a person. */
async function portrait(ctx: CanvasRenderingContext2D, model: PlayModel, seat: number, x: number, y: number, size: number): Promise<void> {
  const face = model.table?.seats[seat]?.face ?? null;
  ctx.save();
  rounded(ctx, { x, y, width: size, height: size }, size * 0.28);
  ctx.clip();
  if (face) {
    ctx.drawImage(await taken(Face, { face, size }, size, size), x, y, size, size);
  } else {
    ctx.fillStyle = '#efe7d8';
    ctx.fillRect(x, y, size, size);
    ctx.fillStyle = INK;
    ctx.textAlign = 'center';
    write(ctx, [...model.name(seat)][0]?.toLocaleUpperCase() ?? '', x + size / 2, y + size * 0.7, `800 SIZE ${SLAB}`, size * 0.56, size);
  }
  ctx.restore();
}

async function scores(ctx: CanvasRenderingContext2D, model: PlayModel): Promise<void> {
  const right = WIDTH - 34;
  const ranked = model.ending.sheets.toSorted((a, b) => a.rank - b.rank || a.seat - b.seat);
  for (const [i, sheet] of ranked.entries()) {
    const y = 306 + i * 50;
    const tone = playerPaint(sheet.seat);
    await portrait(ctx, model, sheet.seat, LEFT, y - 19, 38);
    ctx.beginPath();
    ctx.arc(LEFT + 62, y, 14, 0, Math.PI * 2);
    ctx.fillStyle = tone.fill;
    ctx.fill();
    ctx.strokeStyle = PAPER;
    ctx.lineWidth = 2;
    ctx.stroke();
    ctx.textAlign = 'center';
    ctx.fillStyle = tone.ink;
    write(ctx, `${sheet.seat + 1}`, LEFT + 62, y + 6, `700 SIZE '${SANS}'`, 18, 26);
    ctx.textAlign = 'left';
    ctx.fillStyle = '#fff';
    write(ctx, model.name(sheet.seat), LEFT + 88, y + 8, `600 SIZE '${SANS}'`, 24, right - LEFT - 170);
    ctx.textAlign = 'right';
    write(ctx, `${sheet.total}`, right, y + 10, `800 SIZE ${SLAB}`, i === 0 ? 36 : 28, 90);
    ctx.textAlign = 'left';
  }
}

/** The tickets that the winner completed, below the board. */
function tickets(ctx: CanvasRenderingContext2D, model: PlayModel): void {
  const won = model.ending.steps.filter((step) => step.kind === 'won' && step.seat === model.ending.winners[0]);
  let x = FRAME.x + 4;
  for (const step of won.reverse()) {
    const text = model.board!.ticketName(step.ticket!, settings.lang);
    ctx.font = `700 20px '${SANS}'`;
    const width = ctx.measureText(text).width;
    ctx.font = `800 19px ${SLAB}`;
    const points = ctx.measureText(`+${step.points}`).width;
    const whole = width + points + 42;
    if (x + whole > FRAME.x + FRAME.width) return;
    ctx.fillStyle = '#fff0c4';
    rounded(ctx, { x, y: 550, width: whole, height: 42 }, 10);
    ctx.fill();
    ctx.fillStyle = INK;
    ctx.fillText(`+${step.points}`, x + width + 26, 578);
    ctx.font = `700 20px '${SANS}'`;
    ctx.fillText(text, x + 16, 578);
    x += whole + 12;
  }
}

/** Draw the picture. */
export async function pictureOfEnding(model: PlayModel, title: string): Promise<Blob> {
  const board = model.board!;
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const ctx = canvas.getContext('2d')!;
  await fonts();
  ctx.fillStyle = GREEN;
  ctx.fillRect(0, 0, WIDTH, HEIGHT);
  confetti(ctx);

  const owners = model.view?.routes ?? {};
  const lit = new Set(Object.keys(owners).filter((route) => model.ending.winners.includes(owners[route]!)));
  await framed(ctx, FRAME, board, owners, lit);

  await portrait(ctx, model, model.ending.winners[0] ?? 0, LEFT, 30, 118);
  const room = WIDTH - 34 - LEFT;
  ctx.fillStyle = '#fff';
  write(ctx, title, LEFT, 206, `800 SIZE ${SLAB}`, 42, room);
  ctx.fillStyle = GOLD;
  const line = t('end.share.line', { board: board.name(settings.lang), players: model.ending.sheets.length, n: model.ending.turns });
  write(ctx, line, LEFT, 244, `600 SIZE '${SANS}'`, 22, room);
  await scores(ctx, model);
  tickets(ctx, model);
  ctx.textAlign = 'right';
  ctx.fillStyle = '#fff';
  write(ctx, 'Fernzug', WIDTH - 34, 600, `800 SIZE ${SLAB}`, 23, 200);
  return pngOf(canvas);
}

/** Share the picture of an ending. */
export async function shareEnding(model: PlayModel, title: string): Promise<void> {
  await handOver(await pictureOfEnding(model, title), `fernzug-${model.board!.id}`, title);
}
