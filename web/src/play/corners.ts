/* Where a panel over the board leaves a route in view. */
import { meet, type Box } from '../board/camera';

interface Size {
  width: number;
  height: number;
}

/** A place at the edge of the stage, as `justify-self` and `align-self` say it. */
export interface Corner {
  x: 'center' | 'start' | 'end';
  y: 'end' | 'start';
}

/** At the bottom for preference, where the hand is; on the right last, where the buttons to zoom are. */
const CORNERS: readonly Corner[] = (['center', 'start', 'end'] as const).flatMap((x) => (['end', 'start'] as const).map((y) => ({ x, y })));

/** The first corner in which a panel does not meet a route; null if it would cover it everywhere. */
export function freeCorner(route: Box, panel: Size, stage: Size, margin: number): Corner | null {
  const at = (side: 'center' | 'start' | 'end', size: number, room: number): number =>
    side === 'start' ? margin : side === 'end' ? room - size - margin : (room - size) / 2;
  const free = (corner: Corner): boolean =>
    !meet(route, { x: at(corner.x, panel.width, stage.width), y: at(corner.y, panel.height, stage.height), ...panel });
  return CORNERS.find(free) ?? null;
}
