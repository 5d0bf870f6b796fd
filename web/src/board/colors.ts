/*
 * Colours and symbols of cards and players.
 *
 * Nine hues cannot be told apart by hue alone with every kind of colour vision, so each card
 * colour has its own symbol, which is never switched off. Symbols are drawn in a box of 24 by 24.
 */

export interface Paint {
  /** The colour of spaces and cards. */
  fill: string;
  /** A darker tone for rims. */
  edge: string;
  /** The colour of the symbol on it. */
  ink: string;
}

export const PAINTS: Record<string, Paint> = {
  red: { fill: '#d3382f', edge: '#8f1d18', ink: '#fff1ee' },
  blue: { fill: '#2f6fc4', edge: '#1a4480', ink: '#eef5ff' },
  green: { fill: '#3d9a4a', edge: '#1f6029', ink: '#f0fbf0' },
  yellow: { fill: '#f5cf33', edge: '#a88406', ink: '#5c4600' },
  black: { fill: '#34353b', edge: '#0e0f12', ink: '#e9e9ee' },
  white: { fill: '#fbfaf6', edge: '#96928a', ink: '#6a675f' },
  orange: { fill: '#f08a24', edge: '#a3560a', ink: '#4a2500' },
  purple: { fill: '#8450ab', edge: '#523072', ink: '#f7eeff' },
  pink: { fill: '#ea86b8', edge: '#a94377', ink: '#5e1239' },
  gray: { fill: '#b9b5ad', edge: '#817d75', ink: '#5b5852' },
  wild: { fill: '#f2e3c0', edge: '#8a6a2a', ink: '#4b3a16' },
};

/** Used in turn for colours of other people's boards that have no paint here. */
const OTHER_PAINTS: Paint[] = [
  { fill: '#1f9e9a', edge: '#0d5f5c', ink: '#eafffd' },
  { fill: '#8a5a34', edge: '#4f3119', ink: '#fff3e8' },
  { fill: '#b7cf4a', edge: '#6f8214', ink: '#39440a' },
  { fill: '#9fb7d9', edge: '#5a7399', ink: '#1d3150' },
];
const unpainted = new Map<string, number>();

/** The index of a colour among those without paint, in the order in which they were first seen. */
function fallbackIndex(color: string): number {
  const index = unpainted.get(color) ?? unpainted.size;
  unpainted.set(color, index);
  return index;
}

export function paint(color: string): Paint {
  return PAINTS[color] ?? OTHER_PAINTS[fallbackIndex(color) % OTHER_PAINTS.length]!;
}

/** The colours of a free space, which follow the theme; see board.css. */
export interface SpaceTone {
  fill: string;
  /** Outline and symbol. */
  line: string;
}

/** The tone of a free space: pale, so that pieces stand out from it. */
export function spaceTone(color: string): SpaceTone {
  const name = color in PAINTS ? color : `other-${fallbackIndex(color) % OTHER_PAINTS.length}`;
  return { fill: `var(--free-${name})`, line: `var(--free-${name}-line)` };
}

/** Symbols as SVG path data, filled with the even-odd rule, in a box of 24 by 24. */
export const SYMBOLS: Record<string, string> = {
  // A heart.
  red: 'M12 20.5C5.5 15.6 2.5 12.3 2.5 8.6 2.5 5.7 4.7 3.7 7.3 3.7c1.9 0 3.6 1 4.7 2.8 1.1-1.8 2.8-2.8 4.7-2.8 2.6 0 4.8 2 4.8 4.9 0 3.7-3 7-9.5 11.9z',
  // A drop.
  blue: 'M12 1.8c4.3 5.4 6.9 9 6.9 12.6a6.9 6.9 0 0 1-13.8 0C5.1 10.8 7.7 7.2 12 1.8z',
  // A leaf with its rib.
  green: 'M21 3C9.5 2.6 3.4 7.6 3.6 14.2c0 1.6.5 3 1.3 4.2L3 21l1.6 1.3 2.2-2.7c1.1.6 2.4.9 3.8.9C17.6 20.5 21.8 14.3 21 3zM7.8 17.1c2.2-4 5.1-6.9 9.2-9.4l.7 1c-3.8 2.5-6.4 5.3-8.4 9.1z',
  // A star.
  yellow: 'M12 1.7l3.1 6.7 7.3.9-5.4 5 1.4 7.3L12 18l-6.4 3.6L7 14.3l-5.4-5 7.3-.9z',
  // A crescent.
  black: 'M15.8 2.3A10 10 0 1 0 21.9 15.6 8.2 8.2 0 0 1 15.8 2.3z',
  // A ring.
  white: 'M12 2.5a9.5 9.5 0 1 0 0 19 9.5 9.5 0 0 0 0-19zm0 4.6a4.9 4.9 0 1 1 0 9.8 4.9 4.9 0 0 1 0-9.8z',
  // A triangle.
  orange: 'M12 2.5L22.5 20.8H1.5z',
  // A diamond.
  purple: 'M12 1.2L20.3 12 12 22.8 3.7 12z',
  // A flower with five petals.
  pink: 'M12 1.5a4.2 4.2 0 0 1 4.1 5.1 4.2 4.2 0 0 1 3.3 7.6 4.2 4.2 0 0 1-2.7 7.2A4.2 4.2 0 0 1 12 19.3a4.2 4.2 0 0 1-4.7 2.1 4.2 4.2 0 0 1-2.7-7.2 4.2 4.2 0 0 1 3.3-7.6A4.2 4.2 0 0 1 12 1.5zm0 7.9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  // A wheel with eight spokes.
  wild: 'M12 1a11 11 0 1 0 0 22 11 11 0 0 0 0-22zm0 2.6c1.6 0 3.1.4 4.3 1.2L13.2 8a4.2 4.2 0 0 0-.3-.1V3.7zM11.1 3.7v4.2l-.3.1-3.1-3.2a8.3 8.3 0 0 1 3.4-1.1zM6.3 6.2l3 3.1-.1.3H4.8a8.3 8.3 0 0 1 1.5-3.4zm11.4 0a8.3 8.3 0 0 1 1.5 3.4h-4.4l-.1-.3zM3.7 11.2h5.2a3.3 3.3 0 0 0 .1 1.8H3.7a8.4 8.4 0 0 1 0-1.8zm11.4 0h5.2a8.4 8.4 0 0 1 0 1.8H15a3.3 3.3 0 0 0 .1-1.8zM4.7 14.7h4.7l.1.1-3.2 3a8.3 8.3 0 0 1-1.6-3.1zm9.9 0h4.7a8.3 8.3 0 0 1-1.6 3.1l-3.2-3zM10.9 15.9l.2.1v4.3a8.3 8.3 0 0 1-3.5-1.2zm2.2 0l3.3 3.2a8.3 8.3 0 0 1-3.5 1.2V16z',
};

/** Symbols that go with the paint of other colours: a square, a cross, a house, a pair of bars. */
const OTHER_SYMBOLS: string[] = [
  'M3.5 3.5h17v17h-17z',
  'M8.5 2.5h7v6h6v7h-6v6h-7v-6h-6v-7h6z',
  'M12 2L22 11h-3v10H5V11H2z',
  'M3 4.5h18v5.500H3zM3 14h18v5.500H3z',
];

/** The symbol on cards and spaces of a colour; gray, which takes any colour, has none. */
export function symbol(color: string): string | null {
  if (color === 'gray') return null;
  return SYMBOLS[color] ?? OTHER_SYMBOLS[fallbackIndex(color) % OTHER_SYMBOLS.length]!;
}

/**
 * Digits as lines in a box of 10 by 14. They are drawings, not text, so that screen readers and
 * voice commands do not take a piece for a word.
 */
export const DIGITS: readonly string[] = [
  'M5 1.5c-2 0-3.2 2.2-3.2 5.500s1.2 5.5 3.2 5.5 3.2-2.2 3.2-5.500S7 1.5 5 1.500z',
  'M2.5 4L5.6 1.500v11',
  'M2 4.200a3 3 0 0 1 6 .1c0 2.7-6 4.4-6 8.200h6.3',
  'M2.2 1.600h5.600L4.7 5.500c2 0 3.5 1.5 3.5 3.500s-1.5 3.5-3.4 3.500c-1.3 0-2.3-.5-3-1.5',
  'M6.6 12.500v-11L1.5 9h7',
  'M7.8 1.500H3L2.5 6.300c.7-.5 1.5-.8 2.4-.8 2 0 3.4 1.5 3.4 3.500s-1.5 3.5-3.5 3.500c-1.2 0-2.2-.5-2.9-1.4',
  'M7.3 1.700C4.2 2.4 1.9 5.4 1.9 9a3.2 3.2 0 1 0 3.2-3.300c-1.5 0-2.7 1-3.2 2.6',
  'M2 1.500h6.200l-4 11',
  'M5 6.600a2.550 2.550 0 1 0 0-5.1 2.550 2.550 0 0 0 0 5.100zm0 0a2.950 2.950 0 1 0 0 5.9 2.950 2.950 0 0 0 0-5.900z',
  'M2.7 12.300c3.1-.7 5.4-3.7 5.4-7.300a3.2 3.2 0 1 0-3.2 3.300c1.5 0 2.7-1 3.2-2.6',
];

export interface PlayerPaint extends Paint {
  /** A tone that can be read as text on light ground and on dark ground. */
  onLight: string;
  onDark: string;
}

/** The players' colours can be told apart with every kind of colour blindness. */
export const PLAYERS: PlayerPaint[] = [
  { fill: '#c0182b', edge: '#6f0813', ink: '#ffffff', onLight: '#a81425', onDark: '#ff8d93' },
  { fill: '#1f6fd6', edge: '#0e3f80', ink: '#ffffff', onLight: '#1a5cb3', onDark: '#86baff' },
  { fill: '#4fc08d', edge: '#1a6b48', ink: '#08291b', onLight: '#17694a', onDark: '#6fdcab' },
  { fill: '#ffd93b', edge: '#8d6e00', ink: '#3d3000', onLight: '#755c00', onDark: '#ffe273' },
  { fill: '#15171a', edge: '#000000', ink: '#ffffff', onLight: '#15171a', onDark: '#d5dae2' },
  { fill: '#8450ab', edge: '#523072', ink: '#ffffff', onLight: '#6d3c94', onDark: '#cfa6ef' },
  { fill: '#e07b1a', edge: '#8f4a05', ink: '#2e1700', onLight: '#95500a', onDark: '#ffb56b' },
  { fill: '#7d8791', edge: '#4a525a', ink: '#101418', onLight: '#4a525a', onDark: '#c3ccd4' },
];

export function playerPaint(seat: number): PlayerPaint {
  return PLAYERS[seat % PLAYERS.length]!;
}
