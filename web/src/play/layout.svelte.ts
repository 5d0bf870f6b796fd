/* How the play screen is arranged in the window. */
import { innerHeight, innerWidth } from 'svelte/reactivity/window';

/**
 * `desk`: panels beside and below the board. `phone`: players above the board, a sheet below it.
 * `sideways`: a phone on its side, with the players on the left and the sheet on the right.
 */
export type Layout = 'desk' | 'phone' | 'sideways';

/** A tablet held upright is wide, but a board beside panels would be too small there. */
const PHONE = 700;
const UPRIGHT = 920;
const LOW = 520;
const SLIM = 1100;
const FLAT = 700;

export function layoutOf(width: number, height: number): Layout {
  if (height <= LOW && width > height) return 'sideways';
  return width <= PHONE || (width <= UPRIGHT && height > width) ? 'phone' : 'desk';
}

class Arrangement {
  layout = $derived(layoutOf(innerWidth.current ?? 1280, innerHeight.current ?? 800));
  /** Whether panels beside the board have to make do with little room. */
  slim = $derived((innerWidth.current ?? 1280) <= SLIM);
  /** Whether there is little room from top to bottom. */
  flat = $derived((innerHeight.current ?? 800) <= FLAT);
}

export const arrangement = new Arrangement();
