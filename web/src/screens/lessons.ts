/* Beginning a lesson, or going on with one. */
import { codeOf, findTable, freshId, takeLesson } from '../net/api';
import { hold } from '../net/seats';
import { allBegun, noteLesson } from '../learn/progress';
import type { LessonData } from '../net/protocol';
import { settings } from '../settings.svelte';

/** Return the table of a lesson: the one at which it was begun, or a new one. */
export async function tableOf(lesson: LessonData): Promise<string> {
  const begun = allBegun()[lesson.id];
  if (begun?.table) {
    try {
      return (await findTable(begun.table)).id;
    } catch (error) {
      // Its table may be gone, or the lesson may have changed since.
      if (codeOf(error) !== 'not_found') throw error;
    }
  }
  const own = settings.name.trim();
  const made = await takeLesson({ id: freshId(), lesson: lesson.id, ...(own ? { name: own } : {}) });
  hold({ table: made.table, board: lesson.board, host: made.host, tokens: made.tokens, at: Date.now() });
  noteLesson(lesson.id, { table: made.table, step: 0, done: begun?.done ?? false });
  return made.table;
}
