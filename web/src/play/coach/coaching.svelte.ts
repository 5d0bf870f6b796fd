/*
 * The coach on the play screen: one line that explains, in a person's first games, what a beginner
 * asks next. What it says is decided in explanations.ts and memory.ts, and kept in the browser.
 */
import type { GameEvent } from '../../net/protocol';
import { change, settings } from '../../settings.svelte';
import { isKey, t, type Values } from '../../words/i18n';
import type { PlayModel } from '../model.svelte';
import { TAGS } from '../tags';
import type { Explanation, Sight } from './explanations';
import { at, choose, finished, nothingSaid, putAway, restore, seen, type Memory } from './memory';

const KEY = 'fernzug.coach';

function stored(): Memory {
  try {
    return restore(localStorage.getItem(KEY));
  } catch {
    return nothingSaid();
  }
}

/** Whether the face-up cards have been replaced since a seat last did something. */
function sweptSince(events: readonly GameEvent[], seat: number): boolean {
  for (let i = events.length - 1; i >= 0; i--) {
    const { event, seat: who } = events[i]!;
    if (event === 'swept') return true;
    if (who === seat && event !== 'awaited') return false;
  }
  return false;
}

export class Coaching {
  private memory = $state.raw(stored());
  /** What screen readers announce. */
  spoken = $state('');

  constructor(private readonly model: PlayModel) {}

  /** Whether there is a place for explanations in this game. */
  on = $derived.by(() => {
    const { table, view, over, spectator } = this.model;
    return settings.coach && view !== null && !over && !spectator && table !== null && !table.lesson;
  });

  private sight = $derived.by((): Sight | null => {
    const { mine, board, me, moment, paying, known } = this.model;
    if (!this.on || !mine || !board || me === null || moment !== null) return null;
    return { told: mine, board: board.data, paying, swept: sweptSince(known.events, me), helper: settings.helper };
  });

  private here = $derived.by(() => at(this.memory, this.model.table?.id ?? ''));

  /** What is explained now. */
  now = $derived.by(() => (this.sight ? choose(this.sight, this.here) : null));

  text = $derived.by(() => (this.now ? this.words(this.now) : ''));

  private words({ code, parts }: Explanation): string {
    const board = this.model.board!;
    const { lang } = settings;
    const [a = 0, b = 0] = parts.pair ?? [];
    const tag = (place: number): string | number => (code === 'far' ? TAGS[place % TAGS.length]!.tag : place);
    const values: Values = {
      n: parts.n ?? 0,
      least: parts.least ?? 0,
      a: tag(a),
      b: tag(b),
      ticket: parts.ticket === undefined ? '' : board.ticketName(parts.ticket, lang),
      color: parts.color === undefined ? '' : board.color(parts.color, lang),
      player: parts.player === undefined ? '' : this.model.name(parts.player),
      pieces: this.model.pieces(parts.n ?? 0),
      piece: parts.piece === undefined ? '' : board.piece(parts.piece, 1, lang),
      special: parts.bonus === undefined ? '' : board.bonusSpecial(parts.bonus, lang),
    };
    const key = `coach.${code}`;
    return isKey(key) ? t(key, values) : '';
  }

  /** Remember that what is explained now was on the screen. */
  note(): void {
    if (!this.sight || !this.now) return;
    this.spoken = this.text;
    const before = this.here;
    const after = seen(before, this.sight, this.now);
    if (after !== before) this.keep(after);
  }

  /** Put the explanation away for good. */
  putAway(): void {
    if (this.now) this.keep(putAway(this.here));
  }

  /** Count a game that is over; after the first games the coach falls silent by itself. */
  finish(): void {
    const { table, over } = this.model;
    if (!settings.coach || !over || !table || this.memory.table !== table.id) return;
    const after = finished(this.here, table.id);
    if (!after) change('coach', false);
    // Whoever switches it on again hears everything anew.
    this.keep(after ?? nothingSaid());
  }

  private keep(memory: Memory): void {
    if (memory === this.memory) return;
    this.memory = memory;
    try {
      localStorage.setItem(KEY, JSON.stringify(memory));
    } catch {
      // Without storage the coach still speaks; it only forgets what it has said.
    }
  }
}
