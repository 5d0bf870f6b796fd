import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { boxAround, Camera, type Box } from '../src/board/camera';

const BOARD = { width: 1000, height: 600 };
const PHONE = { width: 400, height: 600 };
const OPEN = { top: 0, right: 0, bottom: 0, left: 0 };

function camera(viewport = PHONE, inset = OPEN): Camera {
  const world = { classList: { add() {}, remove() {} }, style: {} } as unknown as HTMLElement;
  const made = new Camera(world, { moved() {}, rested() {} }, () => true);
  made.measure(BOARD, viewport, inset);
  return made;
}

/** Whether a part of the board lies in the opening, as far as rounding allows. */
function shows(camera: Camera, box: Box): boolean {
  const grown = { x: box.x + 0.01, y: box.y + 0.01 };
  return camera.sees(grown) && camera.sees({ x: box.x + box.width - 0.01, y: box.y + box.height - 0.01 });
}

beforeEach(() => {
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('cancelAnimationFrame', () => {});
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the camera', () => {
  it('fills a phone with the board, and shows all of it elsewhere', () => {
    expect(camera().view.k).toBeCloseTo(1);
    expect(camera({ width: 1400, height: 700 }).view.k).toBeCloseTo(7 / 6);
    expect(shows(camera({ width: 1400, height: 700 }), { x: 0, y: 0, ...BOARD })).toBe(true);
  });

  it('starts where most of what the player is after is in view', () => {
    const here = camera();
    const seen = (): number => here.home.filter((one) => here.sees(one)).length;
    // Three places lie close together, so that the middle of all four shows none of them.
    here.home = [{ x: 40, y: 300 }, { x: 760, y: 200 }, { x: 800, y: 500 }, { x: 960, y: 300 }];
    here.fit();
    expect(seen()).toBe(3);
    here.home = [{ x: 400, y: 200 }, { x: 600, y: 400 }];
    here.fit();
    expect(here.toScreen(500, 0).x).toBeCloseTo(PHONE.width / 2);
  });

  it('does not lose the board', () => {
    const here = camera();
    here.pan(5000, 5000);
    expect(here.toScreen(0, 0).x).toBeLessThan(PHONE.width / 4);
    here.pan(-9000, -9000);
    expect(here.toScreen(BOARD.width, 0).x).toBeGreaterThan(PHONE.width * 0.75);
    here.zoom(0.001);
    expect(here.view.k).toBeCloseTo(PHONE.width / BOARD.width);
  });

  it('brings a part into view, moving no more than needed', () => {
    const here = camera();
    const before = here.view;
    here.bring({ x: 400, y: 200, width: 100, height: 100 });
    expect(here.view).toEqual(before);
    here.bring({ x: 850, y: 200, width: 100, height: 100 });
    expect(here.view.k).toBe(before.k);
    expect(here.toScreen(950, 0).x).toBeCloseTo(PHONE.width);
    here.bring({ x: 0, y: 0, width: 800, height: 400 });
    expect(here.view.k).toBeCloseTo(0.5);
    expect(shows(here, { x: 0, y: 0, width: 800, height: 400 })).toBe(true);
  });

  it('keeps a part in view above a sheet, and goes back afterwards', () => {
    const here = camera();
    here.pan(-120, 0);
    const before = here.view;
    const route = boxAround([{ x: 800, y: 550 }, { x: 950, y: 580 }], 10)!;
    here.measure(BOARD, PHONE, { ...OPEN, bottom: 350 });
    here.lookAt(route);
    expect(shows(here, route)).toBe(true);
    here.measure(BOARD, PHONE, { ...OPEN, bottom: 420 });
    expect(shows(here, route)).toBe(true);
    here.measure(BOARD, PHONE, OPEN);
    here.lookAt(null);
    expect(here.view).toEqual(before);
  });
});
