/* Pointer gestures on the board: drag, wheel, pinch, tap and double tap. */
import type { Camera } from './camera';

export interface GestureEvents {
  tap(x: number, y: number, kind: string): void;
  hover(x: number, y: number): void;
  leave(): void;
}

/** How far a pointer may move before a press becomes a drag, in px. */
const DRAG_DISTANCE = 7;
const DOUBLE_TAP_TIME = 300;

/** Attach the gestures; the returned function detaches them. */
export function gestures(viewport: HTMLElement, camera: Camera, on: GestureEvents): () => void {
  const pointers = new Map<number, { x: number; y: number }>();
  let moved = false;
  let start = { x: 0, y: 0 };
  let spread = 0;
  let lastTap = { at: 0, x: 0, y: 0 };
  let detached = false;

  const local = (event: MouseEvent): { x: number; y: number } => {
    const box = viewport.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  const down = (event: PointerEvent): void => {
    if (event.button !== 0 || (event.target as Element).closest('button, [data-no-pan]')) return;
    const point = local(event);
    pointers.set(event.pointerId, point);
    if (pointers.size === 1) {
      moved = false;
      start = point;
    } else {
      moved = true;
      spread = distance();
    }
  };

  const distance = (): number => {
    const [a, b] = [...pointers.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  };

  const centre = (): { x: number; y: number } => {
    const all = [...pointers.values()];
    return {
      x: all.reduce((sum, p) => sum + p.x, 0) / all.length,
      y: all.reduce((sum, p) => sum + p.y, 0) / all.length,
    };
  };

  const move = (event: PointerEvent): void => {
    const point = local(event);
    // The button was released where the page could not see it, for example over the browser's own UI.
    if (event.pointerType === 'mouse' && event.buttons === 0) pointers.delete(event.pointerId);
    if (!pointers.has(event.pointerId)) {
      if (event.pointerType !== 'touch') on.hover(point.x, point.y);
      return;
    }
    const before = centre();
    const last = pointers.get(event.pointerId)!;
    pointers.set(event.pointerId, point);
    if (!moved && Math.hypot(point.x - start.x, point.y - start.y) > DRAG_DISTANCE) {
      moved = true;
      on.leave();
      // Capture the pointer for drags only: captured on every press, clicks on buttons would be lost.
      capture(event.pointerId);
    }
    if (!moved) return;
    if (pointers.size === 1) {
      camera.pan(point.x - last.x, point.y - last.y);
      return;
    }
    const now = distance();
    const middle = centre();
    camera.pan(middle.x - before.x, middle.y - before.y);
    if (spread > 0 && now > 0) camera.zoom(now / spread, middle);
    spread = now;
  };

  const capture = (pointer: number): void => {
    try {
      viewport.setPointerCapture(pointer);
    } catch {
      // A finger that has just left the screen cannot be captured, and need not be.
    }
  };

  const up = (event: PointerEvent): void => {
    if (!pointers.delete(event.pointerId)) return;
    spread = distance();
    if (moved || event.type === 'pointercancel') return;
    const point = local(event);
    const again = event.timeStamp - lastTap.at < DOUBLE_TAP_TIME
      && Math.hypot(point.x - lastTap.x, point.y - lastTap.y) < 30;
    lastTap = { at: again ? 0 : event.timeStamp, x: point.x, y: point.y };
    if (event.pointerType !== 'touch') on.tap(point.x, point.y, event.pointerType);
    else if (again) camera.zoom(1.8, point, true);
    // A tap may replace the tapped element, which must still be in the page when the touch ends.
    else setTimeout(() => detached || on.tap(point.x, point.y, 'touch'));
  };

  // Otherwise the browser sends a click after the tap, and a sheet that has opened under the finger
  // would take it for a choice.
  const touchEnd = (event: TouchEvent): void => {
    if (!(event.target as Element).closest('button, [data-no-pan]') && event.cancelable) event.preventDefault();
  };

  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const step = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
    camera.zoom(Math.exp(-step * (event.ctrlKey ? 0.01 : 0.0016)), local(event));
  };

  const doubleClick = (event: MouseEvent): void => {
    if ((event.target as Element).closest('button, [data-no-pan]')) return;
    if (lastTap.at === 0) camera.zoom(1.8, local(event), true);
  };

  const leave = (): void => on.leave();

  viewport.addEventListener('pointerdown', down);
  viewport.addEventListener('pointermove', move);
  // A press may end outside the board; without this it would go on dragging the board.
  window.addEventListener('pointerup', up);
  window.addEventListener('pointercancel', up);
  viewport.addEventListener('pointerleave', leave);
  viewport.addEventListener('touchend', touchEnd, { passive: false });
  viewport.addEventListener('dblclick', doubleClick);
  viewport.addEventListener('wheel', wheel, { passive: false });
  return () => {
    detached = true;
    viewport.removeEventListener('pointerdown', down);
    viewport.removeEventListener('pointermove', move);
    window.removeEventListener('pointerup', up);
    window.removeEventListener('pointercancel', up);
    viewport.removeEventListener('pointerleave', leave);
    viewport.removeEventListener('touchend', touchEnd);
    viewport.removeEventListener('dblclick', doubleClick);
    viewport.removeEventListener('wheel', wheel);
  };
}
