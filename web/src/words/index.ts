/* All words of the client, by key. */
import { ANALYSIS } from './analysis';
import { COACH } from './coach';
import { COMMON } from './common';
import { DAILY } from './daily';
import { LEARN } from './learn';
import { LOBBY } from './lobby';
import { PLAY } from './play';
import { RULES } from './rules';
import type { Word } from './word';

const ALL = { ...ANALYSIS, ...COACH, ...COMMON, ...DAILY, ...LEARN, ...LOBBY, ...PLAY, ...RULES };

export type Key = keyof typeof ALL;
export const WORDS: Readonly<Record<Key, Word>> = ALL;
