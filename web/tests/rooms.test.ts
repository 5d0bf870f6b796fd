import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Which rooms each room may import from. A file directly in src is a room of its own. */
const MAY_USE: Record<string, readonly string[]> = {
  settings: [],
  words: ['settings'],
  board: ['settings'],
  net: ['settings', 'board'],
  ui: ['settings', 'words', 'board'],
  learn: ['settings', 'words', 'board', 'ui'],
  daily: ['settings', 'words', 'board', 'net', 'ui'],
  play: ['settings', 'words', 'board', 'net', 'ui'],
  review: ['settings', 'words', 'board', 'net', 'ui', 'play'],
  screens: ['settings', 'words', 'board', 'net', 'ui', 'learn', 'daily', 'play', 'review'],
  App: ['settings', 'words', 'board', 'net', 'ui', 'screens'],
  main: ['settings', 'App'],
};

/** The types of the protocol are everybody's vocabulary: they are gone when the client is built. */
const PROTOCOL = join('net', 'protocol');

function sources(): string[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => /\.(svelte|ts)$/.test(path));
}

function room(path: string): string {
  return path.split(/[\\/.]/)[0]!;
}

function imports(path: string): { target: string; typesOnly: boolean }[] {
  const text = readFileSync(join('src', path), 'utf8');
  return [...text.matchAll(/\b(?:import|export)\s+(type\s)?[^'";]*?from\s+'(\.[^']*)'/g)].map((match) => ({
    target: relative('src', join('src', dirname(path), match[2]!)),
    typesOnly: match[1] !== undefined,
  }));
}

/** The kinds of bonus, each in a module of its own. */
function kindsOfBonus(): string[] {
  return readdirSync('../src/fernzug/bonuses')
    .filter((name) => /^[a-z]\w*\.py$/.test(name))
    .map((name) => name.replace('.py', ''));
}

describe('the client', () => {
  it('knows no kind of bonus by name', () => {
    const kinds = kindsOfBonus();
    expect(kinds.length).toBeGreaterThan(0);
    const named = new RegExp(`(?<![a-z])(${kinds.join('|')})(?![a-z])`);
    // What the protocol fixes is written from the server's types.
    for (const path of sources().filter((one) => !one.startsWith(PROTOCOL))) {
      expect(readFileSync(join('src', path), 'utf8').match(named)?.[0], path).toBeUndefined();
    }
  });
});

describe('the rooms', () => {
  it('depend on each other one way only', () => {
    for (const path of sources()) {
      const allowed = MAY_USE[room(path)];
      expect(allowed, `${path} is in a room that nobody has described`).toBeDefined();
      for (const { target, typesOnly } of imports(path)) {
        if (room(target) === room(path) || (typesOnly && target === PROTOCOL)) continue;
        expect(allowed, `${path} imports ${target}`).toContain(room(target));
      }
    }
  });

  it('are in an order without circles', () => {
    const order = Object.keys(MAY_USE);
    for (const [name, used] of Object.entries(MAY_USE)) {
      for (const other of used) expect(order.indexOf(other), `${name} uses ${other}`).toBeLessThan(order.indexOf(name));
    }
  });
});
