/* The maps behind the boards: each is fetched and parsed once, and cloned wherever it is shown. */
const drawings = new Map<string, Promise<SVGSVGElement | null>>();

/** A copy of the board's map, or null if it could not be loaded. */
export async function mapOf(board: string): Promise<SVGSVGElement | null> {
  let drawing = drawings.get(board);
  if (!drawing) {
    drawing = load(board);
    drawings.set(board, drawing);
  }
  const map = await drawing;
  return map ? (map.cloneNode(true) as SVGSVGElement) : null;
}

async function load(board: string): Promise<SVGSVGElement | null> {
  try {
    const answer = await fetch(`./maps/${encodeURIComponent(board)}.svg`);
    if (!answer.ok) return null;
    const text = await answer.text();
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    const root = parsed.documentElement as unknown as SVGSVGElement;
    if (root.nodeName !== 'svg') return null;
    // The page names the board itself; a title here would show up as a tooltip.
    root.querySelectorAll('title, desc').forEach((child) => child.remove());
    return document.importNode(root, true);
  } catch {
    drawings.delete(board);
    return null;
  }
}
