/* All words of the client, by key. */
import { COMMON } from './common';
import { LOBBY } from './lobby';
import { PLAY } from './play';
import { RULES } from './rules';
import type { Word } from './word';

const ALL = { ...COMMON, ...LOBBY, ...PLAY, ...RULES };

export type Key = keyof typeof ALL;
export const WORDS: Readonly<Record<Key, Word>> = ALL;
