/*
 * The camera over a board: its position and scale.
 *
 * While a gesture lasts, the world is moved by a CSS transform on a layer of its own, which the
 * compositor does without repainting; when it comes to rest, the layer is dropped and the browser
 * paints the board once, sharp. What takes long to paint stays on a layer that is painted at full size,
 * unless the board is "near", that is, shown larger than that. Nothing here is reactive state: a frame
 * must not run framework code.
 */
import type { Point } from './geometry';

export interface View {
  x: number;
  y: number;
  k: number;
}

const MAX_SCALE = 6;
/** How long after the last movement the board is repainted, in milliseconds. */
const SETTLE_TIME = 160;
/** How long the camera takes to glide somewhere, in milliseconds. */
const FLIGHT_TIME = 220;

/** How far the edge of a board that is larger than its opening may be pulled in, in px. */
const SLACK = 36;
/** The scale at which spaces are easily read and hit; nothing is brought nearer than this unasked. */
const COMFORTABLE = 0.8;
/** The scale at which a phone starts at least: farther away, most names would have no room. */
const LEGIBLE = 0.42;
/** The room that names need around the places that are looked at, in px. */
const NAME_ROOM = { x: 46, y: 34 };
/** How far a place must be from the edge to count as seen in the view at the start, in px. */
const HOME_ROOM = 28;

/** Move a span of this length so that it fills its opening, but for some slack, or stands in the middle of it. */
function clampSpan(at: number, length: number, start: number, opening: number, slack = SLACK): number {
  const spare = opening - length;
  if (spare >= 0) return start + spare / 2;
  return Math.max(start + spare - slack, Math.min(start + slack, at));
}

/** Whether a place lies well in an opening. */
function within(at: number, start: number, opening: number): boolean {
  return at > start + HOME_ROOM - 1 && at < start + opening - HOME_ROOM + 1;
}

/**
 * Where a board that is larger than its opening may lie along one axis: with the middle of the opening at the
 * middle of some points, or with one of them just in view at either end.
 */
function spans(middle: number, points: readonly number[], k: number, length: number, start: number, opening: number): number[] {
  const wanted = [start + opening / 2 - middle * k, ...points.flatMap((at) => [start + HOME_ROOM - at * k, start + opening - HOME_ROOM - at * k])];
  return [...new Set(wanted.map((at) => clampSpan(at, length * k, start, opening, 0)))];
}

/** Move a span by as little as possible so that it lies in its opening. */
function shifted(from: number, to: number, start: number, end: number): number {
  if (from < start) return start - from;
  return to > end ? Math.max(end - to, start - from) : 0;
}

/** A part of the board. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The smallest box around some points, with a margin. */
export function boxAround(points: readonly { x: number; y: number }[], margin: number): Box | null {
  if (!points.length) return null;
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const x = Math.min(...xs) - margin;
  const y = Math.min(...ys) - margin;
  return { x, y, width: Math.max(...xs) + margin - x, height: Math.max(...ys) + margin - y };
}

/** Whether two boxes meet. */
export function meet(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Whether a box lies in another. */
export function inside(a: Box, b: Box): boolean {
  return a.x >= b.x && a.y >= b.y && a.x + a.width <= b.x + b.width && a.y + a.height <= b.y + b.height;
}

/** What happens while the camera moves, and when it has come to rest. */
export interface Watcher {
  moved(view: View): void;
  rested(view: View): void;
}

export class Camera {
  view: View = { x: 0, y: 0, k: 1 };
  /** Where the camera is going; where it is, if it rests. */
  private target: View = this.view;
  private size = { width: 1, height: 1 };
  private viewport = { width: 1, height: 1, top: 0, right: 0, bottom: 0, left: 0 };
  private resting = 0;
  private flight = 0;
  /** Whether the board is still fitted to the window; if so it follows the window's size. */
  private fitted = true;
  /** The part that must stay in view, and the view to go back to afterwards. */
  private focus: Box | null = null;
  private before: { view: View; fitted: boolean } | null = null;
  /** What the player is after; a fitted view that cannot show the whole board shows as much of that as it can. */
  home: readonly Point[] = [];

  constructor(
    private readonly world: HTMLElement,
    private readonly watcher: Watcher,
    /** Whether the player wants no animation. */
    private readonly still: () => boolean = () => false,
    /** Whether a phone shows the whole board, too, however small it is. */
    private readonly whole = false,
  ) {}

  /** Keep a part of the board in view; null returns to where the player was. */
  lookAt(box: Box | null): void {
    const before = this.before;
    if (box) {
      if (!this.focus) this.before = { view: this.target, fitted: this.fitted };
      this.focus = box;
      this.follow(true);
    } else if (this.focus) {
      this.focus = null;
      this.before = null;
      if (before && !before.fitted) this.moveTo(before.view, true);
      else this.fit();
    }
  }

  /** Bring a part of the board into view once, moving no more than needed. */
  bring(box: Box): void {
    const { left, top, right, bottom, width, height } = this.viewport;
    const from = this.target;
    const k = Math.min(from.k, this.nearest(box));
    // Farther away, the middle of the opening stays where it is on the board.
    const middle = { x: left + this.free.width / 2, y: top + this.free.height / 2 };
    const x = middle.x - ((middle.x - from.x) * k) / from.k;
    const y = middle.y - ((middle.y - from.y) * k) / from.k;
    const dx = shifted(box.x * k + x, (box.x + box.width) * k + x, left, width - right);
    const dy = shifted(box.y * k + y, (box.y + box.height) * k + y, top, height - bottom);
    if (dx || dy || k !== from.k) this.moveTo({ k, x: x + dx, y: y + dy }, true);
  }

  /** Whether a point of the board is in view and not covered. */
  sees(point: { x: number; y: number }): boolean {
    const { left, top, right, bottom, width, height } = this.viewport;
    const x = point.x * this.target.k + this.target.x;
    const y = point.y * this.target.k + this.target.y;
    return x >= left && x <= width - right && y >= top && y <= height - bottom;
  }

  /** The part of the viewport that nothing covers. */
  get opening(): Box {
    return { x: this.viewport.left, y: this.viewport.top, ...this.free };
  }

  /** The largest scale at which a part of the board is seen whole. */
  private nearest(box: Box, room = { x: 0, y: 0 }): number {
    const width = Math.max(60, this.free.width - 2 * room.x);
    const height = Math.max(60, this.free.height - 2 * room.y);
    return Math.max(this.wholeScale, Math.min(width / box.width, height / box.height));
  }

  /** Show the part in focus: as it is if it is seen well, else as near as is comfortable. */
  private follow(smooth: boolean): void {
    const box = this.focus!;
    const k = Math.min(this.nearest(box, NAME_ROOM), Math.max(this.fittedScale, COMFORTABLE));
    const near = this.target.k >= k * 0.6;
    const corners = [box, { x: box.x + box.width, y: box.y + box.height }];
    if (near && corners.every((corner) => this.sees(corner))) return;
    this.moveTo(
      {
        k,
        x: this.viewport.left + this.free.width / 2 - (box.x + box.width / 2) * k,
        y: this.viewport.top + this.free.height / 2 - (box.y + box.height / 2) * k,
      },
      smooth,
    );
  }

  /** Set the size of the board and of the viewport, and how much of the viewport's edges is covered. */
  measure(
    size: { width: number; height: number },
    viewport: { width: number; height: number },
    inset: { top: number; right: number; bottom: number; left: number },
  ): void {
    this.size = size;
    this.viewport = { ...viewport, ...inset };
    if (this.fitted && !this.focus) {
      this.fit(false);
      return;
    }
    const flying = this.target !== this.view;
    this.moveTo({ ...this.target, k: this.clampScale(this.target.k) }, flying);
    if (this.focus) this.follow(flying);
  }

  private get free(): { width: number; height: number } {
    return {
      width: Math.max(60, this.viewport.width - this.viewport.left - this.viewport.right),
      height: Math.max(60, this.viewport.height - this.viewport.top - this.viewport.bottom),
    };
  }

  /** The scale at which the whole board fits. */
  private get wholeScale(): number {
    return Math.min(this.free.width / this.size.width, this.free.height / this.size.height);
  }

  /** The scale of the fitted view: on a phone the board fills the screen in both directions. */
  private get fittedScale(): number {
    const fill = Math.max(this.free.height / this.size.height, this.free.width / this.size.width);
    const small = this.viewport.width < 600 || this.viewport.height < 420;
    if (!small || this.whole) return this.wholeScale;
    const filled = fill > this.wholeScale * 1.3 ? fill : this.wholeScale;
    return Math.min(Math.max(filled, LEGIBLE), this.wholeScale * 2.6);
  }

  /** Go back to the view at the start: the whole board, or on a phone as much as fills the screen. */
  fit(smooth = true): void {
    this.centre(this.fittedScale, smooth);
    this.fitted = true;
  }

  /** Show the whole board; if it is shown already, what fills the screen. */
  fitWhole(smooth = true): void {
    const whole = Math.abs(this.target.k / this.wholeScale - 1) < 0.01;
    if (whole) this.fit(smooth);
    else this.centre(this.wholeScale, smooth);
  }

  private centre(k: number, smooth: boolean): void {
    const { left, top } = this.viewport;
    const { width, height } = this.free;
    const around = boxAround(this.home, 0) ?? { x: 0, y: 0, ...this.size };
    const middle = { x: around.x + around.width / 2, y: around.y + around.height / 2 };
    const xs = spans(middle.x, this.home.map((one) => one.x), k, this.size.width, left, width);
    const ys = spans(middle.y, this.home.map((one) => one.y), k, this.size.height, top, height);
    const shown = (x: number, y: number): number =>
      this.home.filter((one) => within(one.x * k + x, left, width) && within(one.y * k + y, top, height)).length;
    let best = { k, x: xs[0]!, y: ys[0]! };
    let most = shown(best.x, best.y);
    const off = (x: number, y: number): number => Math.hypot(x - xs[0]!, y - ys[0]!);
    for (const x of xs) {
      for (const y of ys) {
        const n = shown(x, y);
        if (n < most || (n === most && off(x, y) >= off(best.x, best.y))) continue;
        best = { k, x, y };
        most = n;
      }
    }
    this.moveTo(best, smooth);
  }

  zoom(factor: number, at?: { x: number; y: number }, smooth = false): void {
    const centre = at ?? {
      x: this.viewport.left + this.free.width / 2,
      y: this.viewport.top + this.free.height / 2,
    };
    const { x, y, k } = smooth ? this.target : this.view;
    const next = this.clampScale(k * factor);
    const ratio = next / k;
    this.moveTo(
      { k: next, x: centre.x - (centre.x - x) * ratio, y: centre.y - (centre.y - y) * ratio },
      smooth,
    );
  }

  pan(dx: number, dy: number, smooth = false): void {
    const from = smooth ? this.target : this.view;
    this.moveTo({ ...from, x: from.x + dx, y: from.y + dy }, smooth);
  }

  /** From viewport coordinates to the board's canvas. */
  toBoard(x: number, y: number): { x: number; y: number } {
    return { x: (x - this.view.x) / this.view.k, y: (y - this.view.y) / this.view.k };
  }

  toScreen(x: number, y: number): { x: number; y: number } {
    return { x: x * this.view.k + this.view.x, y: y * this.view.k + this.view.y };
  }

  private clampScale(k: number): number {
    return Math.max(this.wholeScale, Math.min(MAX_SCALE, k));
  }

  /** The board never leaves the view: it fills its opening, or stands in the middle of it. */
  private clamp(view: View): View {
    return {
      k: view.k,
      x: clampSpan(view.x, this.size.width * view.k, this.viewport.left, this.free.width),
      y: clampSpan(view.y, this.size.height * view.k, this.viewport.top, this.free.height),
    };
  }

  private moveTo(view: View, smooth: boolean): void {
    this.fitted = false;
    cancelAnimationFrame(this.flight);
    const target = this.clamp(view);
    this.target = target;
    const still = this.still() || matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (!smooth || still) {
      this.apply(target);
      return;
    }
    const from = this.view;
    const start = performance.now();
    const step = (now: number): void => {
      const t = Math.min(1, (now - start) / FLIGHT_TIME);
      if (t >= 1) {
        this.apply(target);
        return;
      }
      const eased = 1 - (1 - t) ** 3;
      this.apply({
        k: from.k + (target.k - from.k) * eased,
        x: from.x + (target.x - from.x) * eased,
        y: from.y + (target.y - from.y) * eased,
      });
      this.flight = requestAnimationFrame(step);
    };
    this.flight = requestAnimationFrame(step);
  }

  private apply(view: View): void {
    this.view = view;
    this.world.classList.add('moving');
    this.world.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.k})`;
    this.watcher.moved(view);
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => {
      this.world.classList.remove('moving');
      this.world.classList.toggle('near', view.k > 1);
      this.watcher.rested(view);
    }, SETTLE_TIME);
  }

  stop(): void {
    cancelAnimationFrame(this.flight);
    clearTimeout(this.resting);
  }
}
