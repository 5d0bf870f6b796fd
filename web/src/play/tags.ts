/* Letters and colours that tell offered tickets apart on the board. */
export const TAGS: { tag: string; color: string }[] = [
  { tag: 'A', color: '#a8231c' },
  { tag: 'B', color: '#1a5cb3' },
  { tag: 'C', color: '#17694a' },
  { tag: 'D', color: '#6d3c94' },
  { tag: 'E', color: '#8f4a05' },
];
