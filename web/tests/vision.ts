/* Colours as people see them: contrast, distance, and the three kinds of colour blindness. */
import { readFileSync } from 'node:fs';

export type Theme = 'light' | 'dark';

/** The custom properties of a style sheet for a theme, the dark ones over the light ones. */
export function tokens(theme: Theme, ...sheets: string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const sheet of sheets) {
    const text = readFileSync(sheet, 'utf8');
    for (const [, selector, body] of text.matchAll(/^:root(\[[^\]]*\])? \{([^}]*)\}/gm)) {
      if (selector && theme === 'light') continue;
      for (const [, name, value] of body!.matchAll(/--([\w-]+): (#[0-9a-f]{6}|\d+%);/g)) found.set(name!, value!);
    }
  }
  return found;
}

type Triple = [number, number, number];

function linear(hex: string): Triple {
  return [1, 3, 5].map((at) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as Triple;
}

function luminance([r, g, b]: Triple): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast of two colours by WCAG. */
export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(linear(a)), luminance(linear(b))];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** A colour seen through a share of another. */
export function mixed(over: string, under: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [a, b] = [over, under].map((hex) => parseInt(hex.slice(at, at + 2), 16)) as [number, number];
    return Math.round(a * share + b * (1 - share)).toString(16).padStart(2, '0');
  });
  return `#${parts.join('')}`;
}

/** What is left of colours where one kind of cone is missing, in linear RGB (Machado et al., 2009). */
export const KINDS = {
  everything: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
} as const;
export type Kind = keyof typeof KINDS;

function seen(hex: string, kind: Kind): Triple {
  const m = KINDS[kind];
  const [r, g, b] = linear(hex);
  return [0, 3, 6].map((row) => Math.min(1, Math.max(0, m[row]! * r + m[row + 1]! * g + m[row + 2]! * b))) as Triple;
}

function lab([r, g, b]: Triple): Triple {
  const f = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** How far apart two colours are for somebody, in the CIELAB space. */
export function distance(a: string, b: string, kind: Kind = 'everything'): number {
  const [p, q] = [lab(seen(a, kind)), lab(seen(b, kind))];
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}
