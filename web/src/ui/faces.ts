/*
 * The faces of the bots, drawn in a box of 64 by 64.
 *
 * All share a head, and differ in the tones of skin, hair and clothes, and in what is behind and in
 * front of the head: hair, hats, glasses, beards. A shape is path data and the tone it is filled with;
 * with a width it is a line.
 */
import type { Face } from '../net/protocol';

export interface Shape {
  d: string;
  fill?: string;
  line?: string;
  width?: number;
}

export interface FaceDrawing {
  ground: string;
  clothes: string;
  skin: string;
  /** A darker tone of the skin, for the neck. */
  shade: string;
  mouth: string;
  behind: Shape[];
  front: Shape[];
}

const GLASSES = 'M21 32a5.2 5.2 0 1 0 10.4 0a5.2 5.2 0 1 0-10.4 0M32.6 32a5.2 5.2 0 1 0 10.4 0a5.2 5.2 0 1 0-10.4 0M31.4 31.500q.6-.8 1.2 0M21 31l-3.5-1M43 31l3.5-1';
const BEARD = 'M17.8 33.500c.2 12 5.4 18.5 14.2 18.500s14-6.5 14.2-18.500c-2 4-4.4 5.2-6.7 5-2.5-.3-4.8-1.5-7.5-1.500s-5 1.2-7.5 1.500c-2.3.2-4.7-1-6.7-5zM27 41.200q5 3 10 0q-1.5 4.6-5 4.600t-5-4.600z';
const SHORT = 'M17.8 30C16 18.5 22.5 12.5 32 12.500S48 18.5 46.2 30c-1-5-3.2-7.6-6.2-8.6-5 1.4-11 1.4-16 0-3 1-5.2 3.6-6.2 8.600z';

export const FACE_DRAWINGS: Record<Face, FaceDrawing> = {
  ada: {
    ground: '#d8c9d8', clothes: '#7a5aa8', skin: '#f0c9a4', shade: '#d9a781', mouth: '#8a3f30',
    behind: [{ d: 'M32 3.500a7.5 7.5 0 1 1 0 15a7.5 7.5 0 0 1 0-15zM16.5 34c-2-14 5-21 15.5-21s17.5 7 15.5 21z', fill: '#3b2a20' }],
    front: [
      { d: 'M18 31c-.5-10 5-15.5 14-15.500S46.5 21 46 31c-2.5-6-7-8.5-14-8.500S20.5 25 18 31z', fill: '#3b2a20' },
      { d: GLASSES, line: '#2b2622', width: 1.5 },
      { d: 'M22 58.500l10-6 10 6', line: '#e9dff4', width: 2.2 },
    ],
  },
  bruno: {
    ground: '#cdd0b8', clothes: '#36584d', skin: '#c98d5e', shade: '#a96f43', mouth: '#fff3e0',
    behind: [],
    front: [
      { d: SHORT, fill: '#1f1a17' },
      { d: BEARD, fill: '#1f1a17' },
      { d: 'M24 52l8 5 8-5', line: '#f0e6cf', width: 2.2 },
    ],
  },
  clara: {
    ground: '#c4d2d2', clothes: '#2f6fa5', skin: '#f6d7b8', shade: '#e0b48f', mouth: '#9a4636',
    behind: [{ d: 'M13 47c-1.5-5 0-10 0-16C13 18 20.5 10.5 32 10.500S51 18 51 31c0 6 1.5 11 0 16-4 2.5-9 2-11 0H24c-2 2-7 2.5-11 0z', fill: '#c0582a' }],
    front: [
      { d: 'M17.5 33c-1-11 5.5-17.5 14.5-17.500S47.5 22 46.5 33c-1-4-3-6.5-6-8-6 .5-11.5-.5-15.5-3.5-1 5-4 8.5-7.5 11.500z', fill: '#c0582a' },
      { d: 'M24.5 36.500h.01M27 38h.01M22.5 38.800h.01M39.5 36.500h.01M37 38h.01M41.5 38.800h.01', line: '#d9925f', width: 1.3 },
      { d: 'M25 51.500c1 4 13 4 14 0l3 2c-3 6-17 6-20 0z', fill: '#f4efe2' },
    ],
  },
  emil: {
    ground: '#c2c4c1', clothes: '#24476b', skin: '#f2cda8', shade: '#d8a77d', mouth: '#8a3f30',
    behind: [],
    front: [
      { d: 'M17.5 33v-8h3v7zM46.5 33v-8h-3v7z', fill: '#d2a64c' },
      { d: 'M14.5 22.500C13 14 20 9 32 9s19 5 17.5 13.500c-5 1.5-30 1.5-35 0z', fill: '#24476b' },
      { d: 'M16.5 21.500h31c1 2 1 3.5.5 5-10-2.5-22-2.5-32 0-.5-1.5-.5-3 .5-5z', fill: '#142b44' },
      { d: 'M32 12.500l1.4 2.6 2.9.4-2.1 2 .5 2.9-2.7-1.4-2.7 1.4.5-2.9-2.1-2 2.9-.4z', fill: '#e8c15c' },
      { d: 'M32 54v10M29 56.500h.01M29 60.500h.01', line: '#e8c15c', width: 1.8 },
    ],
  },
  frida: {
    ground: '#e6bfab', clothes: '#b5382f', skin: '#b57a4c', shade: '#8f5a33', mouth: '#6d2420',
    behind: [{ d: 'M15 42c-2.5-6-1-10-.5-15C15.5 16 22 10.5 32 10.500S48.5 16 49.5 27c.5 5 2 9-.5 15z', fill: '#241811' }],
    front: [
      { d: 'M17.5 31c0-9.5 5.5-14.5 14.5-14.500S46.5 21.5 46.5 31c-2.5-5-8-8-14.5-11-6.5 3-12 6-14.5 11z', fill: '#241811' },
      { d: 'M46 8.500a4 4 0 0 1 4.8 3.600a4 4 0 0 1 1 6.800a4 4 0 0 1-6.6 2.200a4 4 0 0 1-5.4-4a4 4 0 0 1 2-6.800a4 4 0 0 1 4.2-1.800z', fill: '#e9573f' },
      { d: 'M46.2 12.700a2.3 2.3 0 1 1 0 4.600a2.3 2.3 0 0 1 0-4.600z', fill: '#ffd35c' },
      { d: 'M20 45.500h.01M44 45.500h.01', line: '#ffd35c', width: 3.4 },
      { d: 'M24 53.500q8 5 16 0', line: '#ffd35c', width: 1.8 },
    ],
  },
  hugo: {
    ground: '#d9cbb0', clothes: '#6b5a3a', skin: '#f3d0b0', shade: '#dcae87', mouth: '#8a3f30',
    behind: [],
    front: [
      { d: 'M18.5 35c-5.5-1.5-5-11.5.5-13.5-.7 4-.8 9-.5 13.500zM45.5 35c5.5-1.5 5-11.5-.5-13.5.7 4 .8 9 .5 13.500z', fill: '#a5a19b' },
      { d: 'M23.5 40c3.5-3.5 6.5-3 8.5-1.5 2-1.5 5-2 8.5 1.5-3.5 2.4-6.5 2-8.5.8-2 1.2-5 1.6-8.5-.8z', fill: '#b8b4ae' },
      { d: 'M23.5 26.500q2.5-1.8 5-.6M40.5 26.500q-2.5-1.8-5-.6', line: '#b8b4ae', width: 1.9 },
      { d: GLASSES, line: '#5b4a2f', width: 1.4 },
      { d: 'M26.5 53.500l5.5 2 5.5-2v5l-5.5-2-5.5 2z', fill: '#a8231c' },
    ],
  },
  ida: {
    ground: '#f0d9a8', clothes: '#d99a2b', skin: '#8a5a3a', shade: '#6a4026', mouth: '#4d1d18',
    behind: [{ d: 'M32 4c12 0 21 8.5 21.5 19.5.3 7-2.5 13-7 16.500h-29c-4.5-3.5-7.3-9.5-7-16.500C11 12.5 20 4 32 4z', fill: '#17120f' }],
    front: [
      { d: 'M18 31c0-9 6-13.5 14-13.500S46 22 46 31c-3-4.5-8-6.5-14-6.500S21 26.5 18 31z', fill: '#17120f' },
      { d: 'M13.5 21.500C19 15 25 13 32 13s13 2 18.5 8.5', line: '#e9573f', width: 3.4 },
      { d: 'M18.5 43a2.6 2.6 0 1 1 0 5.200a2.6 2.6 0 0 1 0-5.200zM45.5 43a2.6 2.6 0 1 1 0 5.200a2.6 2.6 0 0 1 0-5.200z', line: '#ffd35c', width: 1.5 },
    ],
  },
  jules: {
    ground: '#c9c2b4', clothes: '#26313c', skin: '#efc79f', shade: '#d3a174', mouth: '#8a3f30',
    behind: [],
    front: [
      { d: 'M17.5 34c-.8-3.5-.8-7 0-10h3l-.5 9zM46.5 34c.8-3.5.8-7 0-10h-3l.5 9z', fill: '#4a3423' },
      { d: 'M13 22.500c-3-6 4-12 16-13 12-.8 23 3 23 9 0 4.5-6.5 4.5-15 4.5-9 0-22 3.5-24-.5z', fill: '#a8231c' },
      { d: 'M30.5 9.500q-.5-3 1-5', line: '#a8231c', width: 2.4 },
      { d: 'M22.5 38c2 1.2 3.6.6 5-.3 1.6-1 3.3-.6 4.5.6 1.2-1.2 2.9-1.6 4.5-.6 1.4.9 3 1.5 5 .3-1.5 3.2-5.5 4-9.5 1.9-4 2.1-8 1.3-9.5-1.900z', fill: '#4a3423' },
      { d: 'M15.5 58h33M17 62.500h30', line: '#e8e2d4', width: 1.8 },
    ],
  },
  lotte: {
    ground: '#cdd8b6', clothes: '#4a8a5a', skin: '#f7dcc2', shade: '#e3b996', mouth: '#a04a3a',
    behind: [
      { d: 'M17 28c-4.5 6.5-2.5 12-5 17.500s-1.5 9-3.5 12.500M47 28c4.5 6.5 2.5 12 5 17.500s1.5 9 3.5 12.5', line: '#e3c063', width: 7 },
      { d: 'M8.5 51.500l6 2M55.5 51.500l-6 2', line: '#b5382f', width: 2.6 },
    ],
    front: [
      { d: 'M16.8 31.500C15.5 19.5 22 13 32 13s16.5 6.5 15.2 18.500c-3.7-2.5-11.2-5-15.2-11-4 6-11.5 8.5-15.2 11z', fill: '#e3c063' },
      { d: 'M25.5 36.800h.01M23.5 38.500h.01M38.5 36.800h.01M40.5 38.500h.01', line: '#d99b6a', width: 1.3 },
      { d: 'M24 51.500l2 12.500M40 51.500l-2 12.5', line: '#2f5f3d', width: 2.6 },
    ],
  },
  oskar: {
    ground: '#d0c4b0', clothes: '#54463a', skin: '#e8b98c', shade: '#c8925f', mouth: '#fff3e0',
    behind: [],
    front: [
      { d: BEARD, fill: '#5b3a1e' },
      { d: 'M18 31v-7h3.500l-.5 6zM46 31v-7h-3.500l.5 6z', fill: '#5b3a1e' },
      { d: 'M20.5 20.500C20.5 11 24 7.5 32 7.500s11.5 3.5 11.5 13z', fill: '#3c3228' },
      { d: 'M20.3 16.800h23.400v4.400H20.300z', fill: '#e2b95a' },
      { d: 'M10.5 23q0-2.5 2.5-2.500h38q2.5 0 2.5 2.5-9 2.3-21.5 2.300T10.5 23z', fill: '#3c3228' },
    ],
  },
  rosa: {
    ground: '#e8bfc0', clothes: '#c2507f', skin: '#e9b48d', shade: '#cb8f65', mouth: '#8a2f35',
    behind: [{ d: 'M22 8.500a7 7 0 0 1 10-1.500a7 7 0 0 1 11 2.500a7 7 0 0 1 7 8.500a7 7 0 0 1 3.5 10a7 7 0 0 1-1 11a7 7 0 0 1-8 7.500H19.500a7 7 0 0 1-8-7.500a7 7 0 0 1-1-11a7 7 0 0 1 3.5-10a7 7 0 0 1 8-9.500z', fill: '#6b2d1a' }],
    front: [
      { d: 'M18.5 30a5 5 0 0 1 3-7.500a5.5 5.5 0 0 1 7-4.500a5.5 5.5 0 0 1 8 .5a5.5 5.5 0 0 1 6.5 4.500a5 5 0 0 1 2.5 7c-4-4.5-8-5.5-13.5-5.500s-9.5 1-13.5 5.500z', fill: '#6b2d1a' },
      { d: 'M19 44.500h.01M45 44.500h.01', line: '#5fc0a4', width: 3.6 },
    ],
  },
  theo: {
    ground: '#c6d0cb', clothes: '#3d7fa0', skin: '#6f452c', shade: '#54311c', mouth: '#3a140f',
    behind: [],
    front: [
      { d: 'M18 28.500c-.5-11 5-17 14-17s14.5 6 14 17c-1.3-4.2-3-6-5.5-6.5-5.5-1-11.5-1-17 0-2.5.5-4.2 2.3-5.5 6.500z', fill: '#120e0c' },
      { d: GLASSES, line: '#e8e2d4', width: 1.5 },
      { d: 'M26 51.500l6 6.5 6-6.5', line: '#e8e2d4', width: 2.4 },
    ],
  },
};
