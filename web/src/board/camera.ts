/*
 * The camera over a board: its position and scale.
 *
 * While a gesture lasts, the world is moved by a CSS transform on a layer of its own, which the
 * compositor does without repainting; when it comes to rest, the layer is dropped and the browser
 * paints the board once, sharp. Nothing here is reactive state: a frame must not run framework code.
 */
export interface View {
  x: number;
  y: number;
  k: number;
}

const MAX_SCALE = 6;
/** How long after the last movement the board is repainted, in milliseconds. */
const SETTLE_TIME = 160;

/** Move a span of this length so that an opening of the given size still shows part of it. */
function clampSpan(at: number, length: number, start: number, opening: number): number {
  const slack = opening / 3;
  const low = Math.min(start, start + opening - length) - slack;
  const high = Math.max(start, start + opening - length) + slack;
  return Math.max(low, Math.min(high, at));
}

/** A part of the board. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export class Camera {
  view: View = { x: 0, y: 0, k: 1 };
  private size = { width: 1, height: 1 };
  private viewport = { width: 1, height: 1, top: 0, right: 0, bottom: 0, left: 0 };
  private resting = 0;
  private flight = 0;
  /** Whether the board is still fitted to the window; if so it follows the window's size. */
  private fitted = true;
  /** The part that must stay in view, and the view to go back to afterwards. */
  private focus: Box | null = null;
  private before: { view: View; fitted: boolean } | null = null;

  constructor(
    private readonly world: HTMLElement,
    private readonly changed: (view: View) => void = () => {},
    /** Whether the player wants no animation. */
    private readonly still: () => boolean = () => false,
  ) {}

  /** Keep a part of the board in view; null returns to where the player was. */
  lookAt(box: Box | null): void {
    const before = this.before;
    if (box) {
      if (!this.focus) this.before = { view: this.view, fitted: this.fitted };
      this.focus = box;
      this.fit();
    } else if (this.focus) {
      this.focus = null;
      this.before = null;
      if (before && !before.fitted) this.moveTo(before.view, true);
      else this.fit();
    }
  }

  /** Set the size of the board and of the viewport, and how much of the viewport's edges is covered. */
  measure(
    size: { width: number; height: number },
    viewport: { width: number; height: number },
    inset: { top: number; right: number; bottom: number; left: number },
  ): void {
    this.size = size;
    this.viewport = { ...viewport, ...inset };
    if (this.fitted) this.fit(false);
    else this.apply(this.clamp(this.view));
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
    if (small && fill > this.wholeScale * 1.3) return Math.min(fill, this.wholeScale * 2.6);
    return this.wholeScale;
  }

  fit(smooth = true): void {
    const box = this.focus ?? { x: 0, y: 0, ...this.size };
    const near = Math.min(this.free.width / box.width, this.free.height / box.height);
    const k = this.focus ? Math.max(this.wholeScale, Math.min(near, this.fittedScale)) : this.fittedScale;
    const view = {
      k,
      x: this.viewport.left + this.free.width / 2 - (box.x + box.width / 2) * k,
      y: this.viewport.top + this.free.height / 2 - (box.y + box.height / 2) * k,
    };
    this.moveTo(view, smooth);
    this.fitted = true;
  }

  /** Show the whole board, whatever the shape of the screen. */
  fitWhole(smooth = true): void {
    const k = this.wholeScale;
    this.moveTo(
      {
        k,
        x: this.viewport.left + (this.free.width - this.size.width * k) / 2,
        y: this.viewport.top + (this.free.height - this.size.height * k) / 2,
      },
      smooth,
    );
  }

  zoom(factor: number, at?: { x: number; y: number }, smooth = false): void {
    const centre = at ?? {
      x: this.viewport.left + this.free.width / 2,
      y: this.viewport.top + this.free.height / 2,
    };
    const { x, y, k } = this.view;
    const next = this.clampScale(k * factor);
    const ratio = next / k;
    this.moveTo(
      { k: next, x: centre.x - (centre.x - x) * ratio, y: centre.y - (centre.y - y) * ratio },
      smooth,
    );
  }

  pan(dx: number, dy: number, smooth = false): void {
    this.moveTo({ ...this.view, x: this.view.x + dx, y: this.view.y + dy }, smooth);
  }

  /** Bring a point of the board into view, moving only if needed. */
  reveal(point: { x: number; y: number }, margin = 60): void {
    const sx = point.x * this.view.k + this.view.x;
    const sy = point.y * this.view.k + this.view.y;
    const left = this.viewport.left + margin;
    const right = this.viewport.width - this.viewport.right - margin;
    const top = this.viewport.top + margin;
    const bottom = this.viewport.height - this.viewport.bottom - margin;
    if (sx >= left && sx <= right && sy >= top && sy <= bottom) return;
    const dx = sx < left ? left - sx : sx > right ? right - sx : 0;
    const dy = sy < top ? top - sy : sy > bottom ? bottom - sy : 0;
    this.pan(dx, dy, true);
  }

  /** From viewport coordinates to the board's canvas. */
  toBoard(x: number, y: number): { x: number; y: number } {
    return { x: (x - this.view.x) / this.view.k, y: (y - this.view.y) / this.view.k };
  }

  toScreen(x: number, y: number): { x: number; y: number } {
    return { x: x * this.view.k + this.view.x, y: y * this.view.k + this.view.y };
  }

  private clampScale(k: number): number {
    return Math.max(this.wholeScale * 0.8, Math.min(MAX_SCALE, k));
  }

  /** The board never leaves the view; its edge may move in by a third of the viewport at most. */
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
    const still = this.still() || matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (!smooth || still) {
      this.apply(target);
      return;
    }
    const from = this.view;
    const start = performance.now();
    const step = (now: number): void => {
      const t = Math.min(1, (now - start) / 220);
      const eased = 1 - (1 - t) ** 3;
      this.apply({
        k: from.k + (target.k - from.k) * eased,
        x: from.x + (target.x - from.x) * eased,
        y: from.y + (target.y - from.y) * eased,
      });
      if (t < 1) this.flight = requestAnimationFrame(step);
    };
    this.flight = requestAnimationFrame(step);
  }

  private apply(view: View): void {
    this.view = view;
    this.world.classList.add('moving');
    this.world.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.k})`;
    this.changed(view);
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => this.world.classList.remove('moving'), SETTLE_TIME);
  }

  stop(): void {
    cancelAnimationFrame(this.flight);
    clearTimeout(this.resting);
  }
}
