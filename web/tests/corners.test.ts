import { describe, expect, it } from 'vitest';
import { freeCorner } from '../src/play/corners';

const STAGE = { width: 740, height: 500 };
const PANEL = { width: 500, height: 250 };
const MARGIN = 12;

function corner(x: number, y: number, width = 60, height = 40) {
  return freeCorner({ x, y, width, height }, PANEL, STAGE, MARGIN);
}

describe('a panel over the board', () => {
  it('lies at the bottom, where the hand is', () => {
    expect(corner(300, 40)).toEqual({ x: 'center', y: 'end' });
  });

  it('moves up for a route that lies low', () => {
    expect(corner(300, 400)).toEqual({ x: 'center', y: 'start' });
  });

  it('moves aside for a route that lies half way up', () => {
    expect(corner(560, 230)).toEqual({ x: 'start', y: 'end' });
    expect(corner(150, 230)).toEqual({ x: 'end', y: 'end' });
  });

  it('has no room where it would cover the route anywhere', () => {
    expect(corner(340, 230)).toBeNull();
  });
});
