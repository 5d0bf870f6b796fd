import { describe, expect, it } from 'vitest';
import { place, type Rect } from '../src/learn/placing';

const ROOM: Rect = { x: 0, y: 50, width: 1366, height: 718 };
const SIZE = { width: 430, height: 250 };

function covers(at: { x: number; y: number }, what: Rect): boolean {
  return at.x < what.x + what.width && what.x < at.x + SIZE.width && at.y < what.y + what.height && what.y < at.y + SIZE.height;
}

describe('the bubble of a lesson', () => {
  it('points at a target from where there is room', () => {
    const route = { x: 420, y: 90, width: 60, height: 140 };
    const placed = place(SIZE, [route], ROOM);
    expect(placed.side).toBe('top');
    expect(covers(placed, route)).toBe(false);
  });

  it('leaves free what the step is about as well', () => {
    const routes = [{ x: 560, y: 100, width: 270, height: 560 }];
    const sights = { x: 16, y: 318, width: 400, height: 250 };
    expect(covers(place(SIZE, routes, ROOM), sights)).toBe(true);
    const placed = place(SIZE, routes, ROOM, [sights]);
    expect(covers(placed, sights)).toBe(false);
    expect(covers(placed, routes[0]!)).toBe(false);
  });

  it('rather covers what is looked at than what is asked for', () => {
    const small: Rect = { x: 0, y: 0, width: 454, height: 600 };
    const asked = { x: 20, y: 320, width: 400, height: 250 };
    const looked = { x: 20, y: 20, width: 400, height: 200 };
    const placed = place(SIZE, [asked], small, [looked]);
    expect(covers(placed, asked)).toBe(false);
    expect(covers(placed, looked)).toBe(true);
  });
});
