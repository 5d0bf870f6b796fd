/* The end of a game of the day is kept for the calendar. */
import { keep } from '../daily/results.svelte';
import type { PlayModel } from '../play/model.svelte';

export function keepDaily(model: PlayModel): void {
  const { table, ending, view, seatView } = model;
  if (!table?.daily || !ending.there || !view || !seatView || model.known.own[0] !== 0) return;
  keep(table.board, table.daily, table.id, {
    turns: ending.turns,
    players: table.seats.map(({ name, face, seat }) => ({ name, face, sheet: ending.sheets[seat]! })),
    routes: Object.keys(view.routes).filter((route) => view.routes[route] === 0),
    failed: (seatView.revealed[0] ?? []).filter((ticket) => !ticket.done).length,
  });
}
