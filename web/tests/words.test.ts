import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fill, say, unbroken } from '../src/words/i18n';
import { ADVICE_CODES, ERROR_CODES, REACTIONS, STAND_INS } from '../src/net/protocol';
import { CODES } from '../src/play/coach/explanations';
import { rulesOf } from '../src/learn/rulebook';
import { WORDS, type Key } from '../src/words';
import { board } from './boards';

const LANGS = ['de', 'en', 'fr'] as const;
const keys = Object.keys(WORDS) as Key[];

function sources(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return sources(path);
    return /\.(svelte|ts)$/.test(name) && !path.includes('words') ? [readFileSync(path, 'utf8')] : [];
  });
}

/** The names in braces, without the forms that follow a number. */
function names(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)/g)].map((match) => match[1]!))].sort();
}

describe('the words', () => {
  it('are there in all three languages', () => {
    for (const key of keys) {
      for (const lang of LANGS) expect(WORDS[key][lang].trim(), `${key} in ${lang}`).not.toBe('');
    }
  });

  it('use the same values in every language', () => {
    for (const key of keys) {
      const { de, en, fr } = WORDS[key];
      expect(names(de), key).toEqual(names(en));
      expect(names(fr), key).toEqual(names(en));
    }
  });

  it('are all used, and every key that is used exists', () => {
    const text = sources('src').join('\n');
    const built = ['error.', 'reaction.', 'standin.', 'level.', 'who.', 'advice.', 'coach.', 'verdict.'];
    for (const key of keys) {
      if (built.some((start) => key.startsWith(start))) continue;
      expect(text.includes(`'${key}'`), `nobody uses ${key}`).toBe(true);
    }
    for (const [, key] of text.matchAll(/\bt\(\s*'([\w.]+)'/g)) {
      expect(keys, `there is no word for ${key}`).toContain(key);
    }
  });

  it('cover every explanation of the coach, and no other', () => {
    const said = keys.filter((key) => key.startsWith('coach.')).sort();
    expect(said).toEqual([...CODES.map((code) => `coach.${code}`), 'coach.away'].sort());
  });

  it('cover every error, reaction, reason and stand-in of the protocol', () => {
    for (const code of ERROR_CODES) expect(keys).toContain(`error.${code}`);
    for (const reaction of REACTIONS) expect(keys).toContain(`reaction.${reaction}`);
    for (const code of ADVICE_CODES) expect(keys).toContain(code);
    for (const why of STAND_INS) expect(keys).toContain(`standin.${why}`);
  });

  it('are filled in, with the form that fits the number', () => {
    expect(fill('{n} {n|card|cards}', { n: 1 }, 'en')).toBe('1 card');
    expect(fill('{n} {n|card|cards}', { n: 0 }, 'en')).toBe('0 cards');
    expect(fill('{n} {n|carte|cartes}', { n: 0 }, 'fr')).toBe('0 carte');
    expect(fill('{who}', {}, 'en')).toBe('{who}');
    expect(say('status.other', 'fr', { name: 'Oma' })).toBe('Au tour d’Oma');
    expect(fill('le coup de {name}', { name: 'Paul' }, 'fr')).toBe('le coup de Paul');
    expect(fill('le coup de {name}', { name: 'Hugo' }, 'fr')).toBe('le coup d’Hugo');
    expect(fill('le coup de {name}', { name: 'Hans' }, 'fr')).toBe('le coup de Hans');
    expect(fill('le coup de {name}', { name: 'Yves' }, 'fr')).toBe('le coup d’Yves');
    expect(fill('le coup de {name}', { name: 'Yann' }, 'fr')).toBe('le coup de Yann');
    expect(fill('de {n} {n|carte|cartes}', { n: 11 }, 'fr')).toBe('de 11 cartes');
    expect(fill('Vu ? « Oui »', {}, 'fr')).toBe('Vu\u00a0? «\u00a0Oui\u00a0»');
    expect(fill('de {name}', { name: 'Oma' }, 'en')).toBe('de Oma');
    expect(say('why.cards', 'de', { n: 2, color: 'blau' })).toBe('2 × blau fehlen');
  });

  it('are not broken after a single letter', () => {
    expect(unbroken('Die U-Bahn, S-Bahn-Netz')).toBe('Die U-\u2060Bahn, S-\u2060Bahn-Netz');
    expect(unbroken('États-Unis, 5–15')).toBe('États-Unis, 5–15');
  });
});

describe('the rules', () => {
  it('are complete in every language, with nothing left to fill in', () => {
    for (const lang of LANGS) {
      const sections = rulesOf(board(), lang);
      expect(sections.length).toBe(11);
      for (const section of sections) {
        for (const text of section.paragraphs) expect(text).not.toMatch(/[{}]|undefined/);
      }
    }
  });
});
