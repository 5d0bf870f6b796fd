import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PAINTS, PLAYERS, symbol } from '../src/board/colors';
import { TAGS } from '../src/play/tags';
import { contrast, distance, KINDS, mixed, tokens, type Kind, type Theme } from './vision';

const THEMES: Theme[] = ['light', 'dark'];
const BLIND = (Object.keys(KINDS) as Kind[]).filter((kind) => kind !== 'everything');
const COLORS = [...Object.keys(PAINTS).filter((color) => color !== 'wild'), 'other-0', 'other-1', 'other-2', 'other-3'];
/** As many as any of the boards seats. */
const SEATS = PLAYERS.slice(0, 5);
/** WCAG: for graphics, and for text. */
const GRAPHIC = 3;
const TEXT = 4.5;

const sheets = new Map(THEMES.map((theme) => [theme, tokens(theme, 'src/app.css', 'src/board/board.css')]));

function token(theme: Theme, name: string): string {
  const value = sheets.get(theme)!.get(name);
  expect(value, `--${name}, ${theme}`).toBeDefined();
  return value!;
}

/** The tones of the maps on which routes lie. The light ones are in the drawings. */
function grounds(theme: Theme): string[] {
  const palette = readFileSync('maps/palette.toml', 'utf8');
  return ['home', 'abroad', 'city', 'park', 'water'].map((name) => {
    const found = new RegExp(`^${name} .*${theme} = "(#\\w+)"`, 'm').exec(palette);
    return found![1]!;
  });
}

function pairs<T>(list: readonly T[]): [T, T][] {
  return list.flatMap((a, i) => list.slice(i + 1).map((b): [T, T] => [a, b]));
}

/** What a free space looks like on the whole: its outline and symbol take a good part of it. */
function spaceDistance(theme: Theme, color: string, ground: string): number {
  const fill = distance(token(theme, `free-${color}`), ground);
  const line = distance(token(theme, `free-${color}-line`), ground);
  return 0.55 * fill + 0.45 * line;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe.each(THEMES)('in the %s theme', (theme) => {
  it('every free route stands out from every ground', () => {
    for (const color of COLORS) {
      for (const ground of grounds(theme)) {
        expect(contrast(token(theme, `free-${color}-line`), ground), `${color} on ${ground}`).toBeGreaterThanOrEqual(GRAPHIC);
      }
    }
  });

  it('every symbol stands out from its space, also in a strong frame', () => {
    for (const color of COLORS) {
      const line = token(theme, `free-${color}-line`);
      expect(contrast(line, token(theme, `free-${color}`)), color).toBeGreaterThanOrEqual(GRAPHIC);
      expect(contrast(line, token(theme, 'strong-fill')), color).toBeGreaterThanOrEqual(GRAPHIC);
    }
  });

  it('the page and the drawings agree on the map', () => {
    const [home, , , , water] = grounds(theme);
    expect(token(theme, 'map-water')).toBe(water);
    if (theme === 'dark') expect(token(theme, 'map-home')).toBe(home);
    else expect(readFileSync('public/maps/usa.svg', 'utf8')).toContain(`var(--map-home,${home})`);
  });

  it('pieces stand out from every ground, by their side or by their rim', () => {
    for (const seat of SEATS) {
      for (const ground of grounds(theme)) {
        const best = Math.max(...[seat.fill, seat.edge, token(theme, 'piece-rim')].map((tone) => contrast(tone, ground)));
        expect(best, `${seat.fill} on ${ground}`).toBeGreaterThanOrEqual(GRAPHIC);
      }
    }
  });

  it('claimed routes are louder than free ones', () => {
    const home = grounds(theme)[0]!;
    const free = mean(COLORS.map((color) => spaceDistance(theme, color, home)));
    const claimed = mean(SEATS.map((seat) => distance(seat.fill, home)));
    expect(claimed).toBeGreaterThan(1.5 * free);
    // No free space looks like a piece of the player of its colour: its fill or its rim is another.
    for (const seat of SEATS) {
      for (const color of COLORS) {
        const apart = Math.max(
          distance(seat.fill, token(theme, `free-${color}`)),
          distance(token(theme, 'piece-rim'), token(theme, `free-${color}-line`)),
        );
        expect(apart, `${seat.fill} and ${color}`).toBeGreaterThan(25);
      }
    }
  });

  it('marks can be seen: strong ones clearly, faint ones a little', () => {
    for (const ground of grounds(theme)) {
      for (const mark of ['useful', 'last', 'hover', 'end-ring', 'tube-rim']) {
        expect(contrast(token(theme, mark), ground), `${mark} on ${ground}`).toBeGreaterThanOrEqual(GRAPHIC);
      }
      const faint = contrast(mixed(token(theme, 'affordable'), ground, 0.75), ground);
      expect(faint, `affordable on ${ground}`).toBeGreaterThan(2);
    }
  });

  it('the ways of offered tickets stand out from every ground, and their tags can be read', () => {
    const glow = parseFloat(token(theme, 'way-glow')) / 100;
    for (const { tag, color } of TAGS) {
      for (const ground of grounds(theme)) {
        expect(contrast(mixed('#ffffff', color, glow), ground), `${tag} on ${ground}`).toBeGreaterThanOrEqual(GRAPHIC);
      }
      expect(contrast('#ffffff', color), tag).toBeGreaterThanOrEqual(TEXT);
    }
  });

  it('text can be read on its ground', () => {
    for (const ink of ['ink', 'ink-2', 'accent', 'brass', 'bad', 'good']) {
      for (const ground of ['bg', 'surface', 'surface-2', 'surface-3']) {
        expect(contrast(token(theme, ink), token(theme, ground)), `${ink} on ${ground}`).toBeGreaterThanOrEqual(TEXT);
      }
    }
    expect(contrast(token(theme, 'accent-ink'), token(theme, 'accent'))).toBeGreaterThanOrEqual(TEXT);
    expect(contrast(token(theme, 'label'), token(theme, 'label-halo'))).toBeGreaterThanOrEqual(TEXT);
    for (const player of PLAYERS) {
      expect(contrast(player.ink, player.fill), player.fill).toBeGreaterThanOrEqual(GRAPHIC);
      const tone = theme === 'dark' ? player.onDark : player.onLight;
      expect(contrast(tone, token(theme, 'surface')), tone).toBeGreaterThanOrEqual(TEXT);
    }
  });
});

describe.each(BLIND)('with %s', (kind) => {
  it('all players can be told apart by their colours', () => {
    for (const [a, b] of pairs(SEATS)) {
      expect(distance(a.fill, b.fill, kind), `${a.fill} and ${b.fill}`).toBeGreaterThan(25);
    }
  });

  it('cards that look alike have different symbols', () => {
    const cards = Object.keys(PAINTS).filter((color) => color !== 'gray');
    const alike = pairs(cards).filter(([a, b]) => distance(PAINTS[a]!.fill, PAINTS[b]!.fill, kind) < 15);
    // Nine hues are too many: without symbols, some could not be told apart.
    expect(alike.length).toBeGreaterThan(0);
    for (const [a, b] of alike) expect(symbol(a), `${a} and ${b}`).not.toBe(symbol(b));
  });

  it.each(THEMES)('claimed routes are louder than free ones in the %s theme', (theme) => {
    const home = grounds(theme)[0]!;
    const free = mean(COLORS.map((color) => distance(token(theme, `free-${color}`), home, kind)));
    expect(mean(SEATS.map((seat) => distance(seat.fill, home, kind)))).toBeGreaterThan(2 * free);
  });
});

describe('symbols', () => {
  it('differ between all cards', () => {
    const cards = [...Object.keys(PAINTS).filter((color) => color !== 'gray'), 'copper', 'teal', 'lime', 'sky'];
    const drawn = cards.map(symbol);
    expect(drawn).not.toContain(null);
    expect(new Set(drawn).size).toBe(cards.length);
    expect(symbol('gray')).toBeNull();
  });
});
