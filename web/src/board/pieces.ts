/* The drawings of pieces. Boards made by others may have kinds that have no drawing. */
const DRAWN = new Set(['train', 'taxi', 'bus', 'tram', 'subway']);

/** The id of the drawing for a kind of piece; a plain wagon if it has none. */
export function pieceDrawing(kind: string): string {
  return `#piece-${DRAWN.has(kind) ? kind : 'wagon'}`;
}
