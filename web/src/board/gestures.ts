/* Pointer gestures on the board: drag, wheel, pinch, tap and double tap. */
import type { Camera } from './camera';

export interface GestureEvents {
  tap(x: number, y: number, kind: string): void;
  hover(x: number, y: number): void;
  leave(): void;
}

const SLOP = 7;
const DOUBLE = 300;

/** Attach the gestures; the function returned takes them off again. */
export function gestures(room: HTMLElement, camera: Camera, on: GestureEvents): () => void {
  const pointers = new Map<number, { x: number; y: number }>();
  let moved = false;
  let start = { x: 0, y: 0 };
  let spread = 0;
  let lastTap = { at: 0, x: 0, y: 0 };
  let gone = false;

  const local = (event: MouseEvent): { x: number; y: number } => {
    const box = room.getBoundingClientRect();
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
    // A button let go where the page could not see it, as over a frame of the browser's own.
    if (event.pointerType === 'mouse' && event.buttons === 0) pointers.delete(event.pointerId);
    if (!pointers.has(event.pointerId)) {
      if (event.pointerType !== 'touch') on.hover(point.x, point.y);
      return;
    }
    const before = centre();
    const last = pointers.get(event.pointerId)!;
    pointers.set(event.pointerId, point);
    if (!moved && Math.hypot(point.x - start.x, point.y - start.y) > SLOP) {
      moved = true;
      on.leave();
      // Only a drag takes the pointer: captured on a mere press, clicks on buttons would be lost.
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
      room.setPointerCapture(pointer);
    } catch {
      // A finger that has just left the screen cannot be captured, and need not be.
    }
  };

  const up = (event: PointerEvent): void => {
    if (!pointers.delete(event.pointerId)) return;
    spread = distance();
    if (moved || event.type === 'pointercancel') return;
    const point = local(event);
    const again = event.timeStamp - lastTap.at < DOUBLE
      && Math.hypot(point.x - lastTap.x, point.y - lastTap.y) < 30;
    lastTap = { at: again ? 0 : event.timeStamp, x: point.x, y: point.y };
    if (event.pointerType !== 'touch') on.tap(point.x, point.y, event.pointerType);
    else if (again) camera.zoom(1.8, point, true);
    // A tap may redraw what was tapped; the end of the touch must still find it in the page.
    else setTimeout(() => gone || on.tap(point.x, point.y, 'touch'));
  };

  // Without this the browser sends a click after the tap, and a sheet that has opened under the
  // finger would take it for a choice that nobody has made.
  const lifted = (event: TouchEvent): void => {
    if (!(event.target as Element).closest('button, [data-no-pan]') && event.cancelable) event.preventDefault();
  };

  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const step = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
    camera.zoom(Math.exp(-step * (event.ctrlKey ? 0.01 : 0.0016)), local(event));
  };

  const twice = (event: MouseEvent): void => {
    if ((event.target as Element).closest('button, [data-no-pan]')) return;
    if (lastTap.at === 0) camera.zoom(1.8, local(event), true);
  };

  const leave = (): void => on.leave();

  room.addEventListener('pointerdown', down);
  room.addEventListener('pointermove', move);
  // A press may end outside the board; forgotten there, it would drag the board ever after.
  window.addEventListener('pointerup', up);
  window.addEventListener('pointercancel', up);
  room.addEventListener('pointerleave', leave);
  room.addEventListener('touchend', lifted, { passive: false });
  room.addEventListener('dblclick', twice);
  room.addEventListener('wheel', wheel, { passive: false });
  return () => {
    gone = true;
    room.removeEventListener('pointerdown', down);
    room.removeEventListener('pointermove', move);
    window.removeEventListener('pointerup', up);
    window.removeEventListener('pointercancel', up);
    room.removeEventListener('pointerleave', leave);
    room.removeEventListener('touchend', lifted);
    room.removeEventListener('dblclick', twice);
    room.removeEventListener('wheel', wheel);
  };
}
