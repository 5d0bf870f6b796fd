/*
 * A picture of the end of a game, 1200 by 630 px, made in the browser: the board with the network of
 * the winner, and the points.
 */
import { flushSync, mount, unmount, type Component } from 'svelte';
import BoardPicture from '../board/BoardPicture.svelte';
import { playerPaint } from '../board/colors';
import Face from '../ui/Face.svelte';
import { settings } from '../settings.svelte';
import { t } from '../words/i18n';
import type { PlayModel } from './model.svelte';

const WIDTH = 1200;
const HEIGHT = 630;
const FRAME = { x: 22, y: 22, width: 808, height: 508 };
/** Where the column beside the board begins. */
const LEFT = FRAME.x + FRAME.width + 30;
const RIM = 5;
const GREEN = '#17604f';
const GOLD = '#ffe3a0';
const PAPER = '#fffdf6';
const INK = '#24211c';
const SLAB = 'Bitter';
const SANS = 'Barlow Semi Condensed';

/** What a drawing needs when it stands alone, without the style sheets of the page. */
const STYLES = ['fill', 'fill-opacity', 'fill-rule', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-linecap', 'stroke-linejoin', 'stroke-dasharray', 'opacity', 'paint-order', 'display'] as const;

function load(source: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = source;
  return image.decode().then(() => image);
}

/** A drawing of the page as an image, with its styles written into it. */
async function imageOf(drawing: SVGSVGElement, width: number, height: number): Promise<HTMLImageElement> {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = drawing.querySelectorAll('*');
  copy.querySelectorAll<SVGElement>('*').forEach((node, i) => {
    const style = getComputedStyle(originals[i]!);
    node.setAttribute('style', STYLES.map((name) => `${name}:${style.getPropertyValue(name)}`).join(';'));
    node.removeAttribute('class');
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', `${width}`);
  copy.setAttribute('height', `${height}`);
  return load(`data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`);
}

/** Draw a component out of sight, just long enough to take it as an image. */
async function taken<P extends Record<string, unknown>>(component: Component<P>, props: P, width: number, height: number): Promise<HTMLImageElement> {
  const place = document.createElement('div');
  place.style.cssText = `position:fixed;left:-9999px;top:0;width:${width}px;height:${height}px`;
  place.setAttribute('aria-hidden', 'true');
  document.body.append(place);
  const drawn = mount(component, { target: place, props });
  try {
    flushSync();
    return await imageOf(place.querySelector('svg')!, width, height);
  } finally {
    void unmount(drawn);
    place.remove();
  }
}

function network(model: PlayModel, width: number, height: number): Promise<HTMLImageElement> {
  const owners = model.view?.routes ?? {};
  const lit = new Set(Object.keys(owners).filter((route) => model.ending.winners.includes(owners[route]!)));
  return taken(BoardPicture, { board: model.board!, owners, lit, map: false }, width, height);
}

/** The largest box of these proportions within another, in its middle. */
function within(box: typeof FRAME, ratio: number): typeof FRAME {
  const width = Math.min(box.width, box.height * ratio);
  const height = width / ratio;
  return { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height };
}

function rounded(ctx: CanvasRenderingContext2D, { x, y, width, height }: typeof FRAME, radius: number): void {
  ctx.beginPath();
  ctx.roundRect(x, y, width, height, radius);
}

/** Text that becomes smaller until it fits. */
function write(ctx: CanvasRenderingContext2D, text: string, x: number, y: number, font: string, size: number, room: number): void {
  do ctx.font = `${font.replace('SIZE', `${size}px`)}`;
  while (ctx.measureText(text).width > room && --size > 12);
  ctx.fillText(text, x, y);
}

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
  await Promise.all([`800 40px ${SLAB}`, `600 24px '${SANS}'`, `700 24px '${SANS}'`].map((font) => document.fonts.load(font)));
  ctx.fillStyle = GREEN;
  ctx.fillRect(0, 0, WIDTH, HEIGHT);
  confetti(ctx);

  const { width, height } = board.data.drawing;
  const frame = within(FRAME, width / height);
  const inside = { x: frame.x + RIM, y: frame.y + RIM, width: frame.width - 2 * RIM, height: frame.height - 2 * RIM };
  const [map, routes] = await Promise.all([
    board.data.map ? load(`./maps/${encodeURIComponent(board.id)}.svg`) : null,
    network(model, inside.width, inside.height),
  ]);
  ctx.save();
  ctx.shadowColor = 'rgb(0 0 0 / .35)';
  ctx.shadowBlur = 24;
  ctx.shadowOffsetY = 8;
  ctx.fillStyle = PAPER;
  rounded(ctx, frame, 18);
  ctx.fill();
  ctx.restore();
  ctx.save();
  rounded(ctx, inside, 14);
  ctx.clip();
  for (const image of [map, routes]) if (image) ctx.drawImage(image, inside.x, inside.y, inside.width, inside.height);
  ctx.restore();

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
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png');
  });
}

/** Hand the picture to the system's share dialog where there is one; else save it. */
export async function shareEnding(model: PlayModel, title: string): Promise<void> {
  const blob = await pictureOfEnding(model, title);
  const file = new File([blob], `fernzug-${model.board!.id}.png`, { type: 'image/png' });
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file], title });
    } catch (error) {
      // Whoever closes the dialog has changed their mind.
      if ((error as Error).name !== 'AbortError') throw error;
    }
    return;
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
