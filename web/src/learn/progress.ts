/* Which lessons somebody has begun and finished, stored in the browser. */

export interface Begun {
  /** The table at which the lesson is taken; null once it is finished. */
  table: string | null;
  step: number;
  done: boolean;
}

const KEY = 'fernzug.lessons';

export function allBegun(): Record<string, Begun> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return kept !== null && typeof kept === 'object' ? (kept as Record<string, Begun>) : {};
  } catch {
    return {};
  }
}

export function noteLesson(id: string, begun: Begun): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...allBegun(), [id]: begun }));
  } catch {
    // Without storage the lesson still works; it is only not found again.
  }
}
