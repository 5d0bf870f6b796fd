/* One text in the three languages of the game. */
export interface Word {
  readonly de: string;
  readonly en: string;
  readonly fr: string;
}

export function w(de: string, en: string, fr: string): Word {
  return { de, en, fr };
}
