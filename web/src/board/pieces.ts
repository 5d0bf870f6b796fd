/* Pieces by their kind; a board of somebody else may have kinds that nobody has drawn. */
const DRAWN = new Set(['train', 'taxi', 'bus', 'tram', 'subway']);

/** Where the drawing of a kind of pieces is: its own, or else a plain wagon. */
export function pieceDrawing(kind: string): string {
  return `#piece-${DRAWN.has(kind) ? kind : 'wagon'}`;
}
