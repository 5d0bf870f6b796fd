/* Letters, colours and lines that tell offered tickets apart on the board. */
import type { TicketWay } from '../board/ways';

export const TAGS: readonly Required<Pick<TicketWay, 'tag' | 'color' | 'dash'>>[] = [
  { tag: 'A', color: '#0b6e75', dash: 'solid' },
  { tag: 'B', color: '#a3470b', dash: 'dashed' },
  { tag: 'C', color: '#6b2fb0', dash: 'dotted' },
  { tag: 'D', color: '#1a5cb3', dash: 'dashed' },
  { tag: 'E', color: '#a8231c', dash: 'dotted' },
];
