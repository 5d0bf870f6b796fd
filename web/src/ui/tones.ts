/* Tones that can be read: contrast as WCAG defines it. */

function channel(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** The relative luminance of a colour such as #17604f. */
export function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => channel(parseInt(hex.slice(at, at + 2), 16))) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** The first of some tones that stands out from a ground, or the last. */
export function firstReadable(tones: readonly string[], ground: string, least: number): string {
  return tones.find((tone) => contrast(tone, ground) >= least) ?? tones.at(-1)!;
}
