/*
 * Drawings of what a place is known for, in a box of 40 by 40 around (0, 0) that stands on y = 17.
 *
 * Each is a list of shapes: a colour to fill it with, or none for a line, and the path.
 */

export interface Shape {
  /** Null for a line. */
  fill: string | null;
  path: string;
  /** Lines are strong or fine. */
  fine?: boolean;
}

const area = (fill: string, path: string): Shape => ({ fill, path });
const line = (path: string): Shape => ({ fill: null, path });
const fine = (path: string): Shape => ({ fill: null, path, fine: true });

const DRAWINGS: Record<string, readonly Shape[]> = {
  // Two trees.
  central_park: [
    line('M-2 17V5M10 17v-8'),
    area('#7db26c', 'M9-2c5.5 0 7.5 5 5.5 9-2 4-9.5 4-11.5 0S4-2 9-2z'),
    area('#9cc98a', 'M-2-17c6 0 9.5 4.5 9 9 4 2.5 3 10-3 10.5-3 3.5-10 3.5-13 .5-6-.5-8-8-3.5-11C-14-13.5-8-17-2-17z'),
  ],
  // Houses with lit signs.
  times_square: [
    area('#f3d9a0', 'M-14 17V-7h12v24z'),
    area('#e8a9a0', 'M-2 17v-30h14v30z'),
    area('#fffdf6', 'M1.5-9h7v8h-7zM1.5 3h7v6h-7zM-11-3.5h6V3h-6zM-11 7h6v5h-6z'),
    area('#d9a21b', 'M5-19.5l1.6 3.3 3.6.5-2.6 2.5.6 3.6L5-11.3l-3.2 1.7.6-3.6-2.6-2.5 3.6-.5z'),
  ],
  // A slab of glass beside a low hall.
  united_nations: [
    area('#dfe9ee', 'M-15 17c0-8 4-11 11-11v11zM7 17v-6h9v6z'),
    area('#b9d4e6', 'M-4-16.5H7V17H-4z'),
    fine('M-.5-13v26M3.5-13v26'),
  ],
  empire_state_building: [
    area('#d9cfbd', 'M-11 17V5h4v-9h3v-6h2.5L0-19l1.5 9H4v6h3v9h4v12z'),
    fine('M-4 13V2M0 13V-6M4 13V2'),
  ],
  // A water tower.
  chelsea: [
    line('M-7 7l-2.5 10M7 7l2.5 10M0 7v10M-8.5 12h17'),
    area('#c99a6a', 'M-9-3H9V7H-9z'),
    area('#8c5f3a', 'M-10.5-3L0-14 10.5-3z'),
    fine('M-4-1.5v7M0-1.5v7M4-1.5v7'),
  ],
  // A triumphal arch.
  greenwich_village: [
    area('#ece4d6', 'M-14 17V-9h28v26H6.5V5a6.5 6.5 0 0 0-13 0v12z'),
    area('#d7cab3', 'M-16-9h32v-5.5h-32z'),
    fine('M-11-4.5h22'),
  ],
  // A pagoda.
  chinatown: [
    area('#e8d5b8', 'M-6 17V8H6v9zM-5 4v-5H5v5zM-3.5-5v-4h7v4z'),
    area('#c8493c', 'M-14 9.5C-9 9-6.5 7-5.5 4h11c1 3 3.5 5 8.5 5.5zM-11.5.5C-7 0-5-2-4-5h8c1 3 3 5 7.5 5.5zM-8.5-8.5C-4.5-9-1.5-13 0-18.5 1.5-13 4.5-9 8.5-8.5z'),
  ],
  // An exchange with columns.
  wall_street: [
    area('#e4dccd', 'M-16 17h32v-4.5h-32zM-17-2L0-14 17-2z'),
    area('#fffdf6', 'M-13 12.5V-2h4v14.5zM-5.5 12.5V-2h4v14.5zM1.5 12.5V-2h4v14.5zM9 12.5V-2h4v14.5z'),
    fine('M-3.5-5a3.5 3.5 0 0 1 7 0'),
  ],
  // A suspension bridge.
  brooklyn: [
    fine('M-19 6C-15-2-12-8-8-12-4 1 4 1 8-12c4 4 7 10 11 18M-3.5-1v9M3.5-1v9M-14 0v8M14 0v8M0 0v8'),
    area('#cdb394', 'M-11 17v-31h6v31zM5 17v-31h6v31z'),
    line('M-19 8.5h38'),
  ],
};

/** A monument, for places that have no drawing of their own. */
const MONUMENT: readonly Shape[] = [
  area('#d7cab3', 'M-12 17v-5h24v5z'),
  area('#e8dcc4', 'M-5 12l2-20h6l2 20z'),
  area('#d9a21b', 'M0-19l2.2 4.6 5 .7-3.6 3.5.9 5L0-7.6l-4.5 2.4.9-5-3.6-3.5 5-.7z'),
];

/** What a place is known for. */
export function landmarkOf(place: string): readonly Shape[] {
  return DRAWINGS[place] ?? MONUMENT;
}
