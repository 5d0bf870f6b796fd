/* The x-axis that the slider and the graph below it share, in px. */
export const AXIS = {
  /** From the left edge to the first moment: room for the percentages. */
  left: 48,
  /** From the last moment to the right edge: room for the players' numbers. */
  right: 34,
} as const;
