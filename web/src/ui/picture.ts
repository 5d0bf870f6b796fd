/* Pictures to share, drawn on a canvas from the same components as the page. */
import { flushSync, mount, unmount, type Component } from 'svelte';
import BoardPicture from '../board/BoardPicture.svelte';
import type { Board } from '../board/board';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const GREEN = '#17604f';
export const GOLD = '#ffe3a0';
export const PAPER = '#fffdf6';
export const INK = '#24211c';
export const SLAB = 'Bitter';
export const SANS = 'Barlow Semi Condensed';
const RIM = 5;

/** Wait for the fonts of a picture. */
export async function fonts(): Promise<void> {
  await Promise.all([`800 40px ${SLAB}`, `600 24px '${SANS}'`, `700 24px '${SANS}'`].map((font) => document.fonts.load(font)));
}

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
export async function taken<P extends Record<string, unknown>>(component: Component<P>, props: P, width: number, height: number): Promise<HTMLImageElement> {
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

/** The largest box of these proportions within another, in its middle. */
export function within(box: Box, ratio: number): Box {
  const width = Math.min(box.width, box.height * ratio);
  const height = width / ratio;
  return { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height };
}

export function rounded(ctx: CanvasRenderingContext2D, { x, y, width, height }: Box, radius: number): void {
  ctx.beginPath();
  ctx.roundRect(x, y, width, height, radius);
}

/** Text that becomes smaller until it fits. */
export function write(ctx: CanvasRenderingContext2D, text: string, x: number, y: number, font: string, size: number, room: number): void {
  do ctx.font = `${font.replace('SIZE', `${size}px`)}`;
  while (ctx.measureText(text).width > room && --size > 12);
  ctx.fillText(text, x, y);
}

/** A board in a frame with a rim, as large as fits into a box; the network lies over its map. */
export async function framed(ctx: CanvasRenderingContext2D, box: Box, board: Board, owners: Record<string, number>, lit: ReadonlySet<string>): Promise<void> {
  const { width, height } = board.data.drawing;
  const frame = within(box, width / height);
  const inside = { x: frame.x + RIM, y: frame.y + RIM, width: frame.width - 2 * RIM, height: frame.height - 2 * RIM };
  const [map, routes] = await Promise.all([
    board.data.map ? load(`./maps/${encodeURIComponent(board.id)}.svg`) : null,
    taken(BoardPicture, { board, owners, lit, map: false }, inside.width, inside.height),
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
}

/** What was drawn, as a file. */
export function pngOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png');
  });
}

/** Hand a picture to the system's share dialog where there is one, with a text beside it; else save it. */
export async function handOver(blob: Blob, name: string, text: string): Promise<void> {
  const file = new File([blob], `${name}.png`, { type: 'image/png' });
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file], title: 'Fernzug', text });
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
