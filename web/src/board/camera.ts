/*
 * The camera over a board: where it stands and how near.
 *
 * While a gesture lasts, the world is moved by a CSS transform on a layer of its own, which the
 * compositor does without drawing anything; when it comes to rest, the layer is given up and the
 * browser draws it once, sharp. Nothing here is reactive state: a frame must not run any framework.
 */
export interface View {
  x: number;
  y: number;
  k: number;
}

const MOST = 6;
const REST = 160;

/** Keep a stretch of this length where it can be seen through an opening. */
function held(at: number, length: number, start: number, room: number): number {
  const slack = room / 3;
  const low = Math.min(start, start + room - length) - slack;
  const high = Math.max(start, start + room - length) + slack;
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
  private room = { width: 1, height: 1, top: 0, right: 0, bottom: 0, left: 0 };
  private resting = 0;
  private flight = 0;
  /** Whether the view is still the one that fitted the board: then it follows the window. */
  private fitted = true;
  /** The part that must be seen at present, and how things stood before. */
  private aim: Box | null = null;
  private before: { view: View; fitted: boolean } | null = null;

  constructor(
    private readonly world: HTMLElement,
    private readonly changed: (view: View) => void = () => {},
    /** Whether the player wants no movement. */
    private readonly still: () => boolean = () => false,
  ) {}

  /** Show a part of the board as long as it matters; null goes back to where the player was. */
  lookAt(box: Box | null): void {
    const before = this.before;
    if (box) {
      if (!this.aim) this.before = { view: this.view, fitted: this.fitted };
      this.aim = box;
      this.fit();
    } else if (this.aim) {
      this.aim = null;
      this.before = null;
      if (before && !before.fitted) this.go(before.view, true);
      else this.fit();
    }
  }

  /** The board's canvas, and the room it is looked at through, less what covers its rim. */
  measure(
    size: { width: number; height: number },
    room: { width: number; height: number },
    inset: { top: number; right: number; bottom: number; left: number },
  ): void {
    this.size = size;
    this.room = { ...room, ...inset };
    if (this.fitted) this.fit(false);
    else this.apply(this.held(this.view));
  }

  private get free(): { width: number; height: number } {
    return {
      width: Math.max(60, this.room.width - this.room.left - this.room.right),
      height: Math.max(60, this.room.height - this.room.top - this.room.bottom),
    };
  }

  /** The scale at which the whole board is seen. */
  get whole(): number {
    return Math.min(this.free.width / this.size.width, this.free.height / this.size.height);
  }

  /** The scale of the fitted view: on the small screen of a phone the board fills it both ways. */
  private get start(): number {
    const fill = Math.max(this.free.height / this.size.height, this.free.width / this.size.width);
    const small = this.room.width < 600 || this.room.height < 420;
    if (small && fill > this.whole * 1.3) return Math.min(fill, this.whole * 2.6);
    return this.whole;
  }

  fit(smooth = true): void {
    const box = this.aim ?? { x: 0, y: 0, ...this.size };
    const near = Math.min(this.free.width / box.width, this.free.height / box.height);
    const k = this.aim ? Math.max(this.whole, Math.min(near, this.start)) : this.start;
    const view = {
      k,
      x: this.room.left + this.free.width / 2 - (box.x + box.width / 2) * k,
      y: this.room.top + this.free.height / 2 - (box.y + box.height / 2) * k,
    };
    this.go(view, smooth);
    this.fitted = true;
  }

  /** Show the whole board, whatever the shape of the screen. */
  fitWhole(smooth = true): void {
    const k = this.whole;
    this.go(
      {
        k,
        x: this.room.left + (this.free.width - this.size.width * k) / 2,
        y: this.room.top + (this.free.height - this.size.height * k) / 2,
      },
      smooth,
    );
  }

  zoom(factor: number, at?: { x: number; y: number }, smooth = false): void {
    const centre = at ?? {
      x: this.room.left + this.free.width / 2,
      y: this.room.top + this.free.height / 2,
    };
    const { x, y, k } = this.view;
    const next = this.clampScale(k * factor);
    const ratio = next / k;
    this.go(
      { k: next, x: centre.x - (centre.x - x) * ratio, y: centre.y - (centre.y - y) * ratio },
      smooth,
    );
  }

  pan(dx: number, dy: number, smooth = false): void {
    this.go({ ...this.view, x: this.view.x + dx, y: this.view.y + dy }, smooth);
  }

  /** Bring a point of the board into sight, without moving when it is in sight already. */
  reveal(point: { x: number; y: number }, margin = 60): void {
    const sx = point.x * this.view.k + this.view.x;
    const sy = point.y * this.view.k + this.view.y;
    const left = this.room.left + margin;
    const right = this.room.width - this.room.right - margin;
    const top = this.room.top + margin;
    const bottom = this.room.height - this.room.bottom - margin;
    if (sx >= left && sx <= right && sy >= top && sy <= bottom) return;
    const dx = sx < left ? left - sx : sx > right ? right - sx : 0;
    const dy = sy < top ? top - sy : sy > bottom ? bottom - sy : 0;
    this.pan(dx, dy, true);
  }

  /** From the screen, measured from the corner of the room, to the board's canvas. */
  toBoard(x: number, y: number): { x: number; y: number } {
    return { x: (x - this.view.x) / this.view.k, y: (y - this.view.y) / this.view.k };
  }

  toScreen(x: number, y: number): { x: number; y: number } {
    return { x: x * this.view.k + this.view.x, y: y * this.view.k + this.view.y };
  }

  private clampScale(k: number): number {
    return Math.max(this.whole * 0.8, Math.min(MOST, k));
  }

  /** The board is never lost from sight; its rim may be drawn in as far as a third of the room. */
  private held(view: View): View {
    return {
      k: view.k,
      x: held(view.x, this.size.width * view.k, this.room.left, this.free.width),
      y: held(view.y, this.size.height * view.k, this.room.top, this.free.height),
    };
  }

  private go(view: View, smooth: boolean): void {
    this.fitted = false;
    cancelAnimationFrame(this.flight);
    const target = this.held(view);
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
    this.resting = window.setTimeout(() => this.world.classList.remove('moving'), REST);
  }

  stop(): void {
    cancelAnimationFrame(this.flight);
    clearTimeout(this.resting);
  }
}
