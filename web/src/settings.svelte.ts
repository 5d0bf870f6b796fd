/* What a player has chosen, kept in the browser. */

export type Lang = 'de' | 'en' | 'fr';
export type Speed = 'off' | 'fast' | 'normal';
export type Theme = 'auto' | 'light' | 'dark';

export interface Settings {
  lang: Lang;
  speed: Speed;
  sound: boolean;
  helper: boolean;
  confirm: boolean;
  theme: Theme;
  chat: boolean;
  name: string;
}

const KEY = 'fernzug.settings';
const LANGS: readonly Lang[] = ['de', 'en', 'fr'];

function usualLang(): Lang {
  const asked = typeof navigator === 'undefined' ? [] : navigator.languages;
  for (const one of asked) {
    const short = one.slice(0, 2).toLowerCase();
    if ((LANGS as readonly string[]).includes(short)) return short as Lang;
  }
  return 'en';
}

export function usual(): Settings {
  return {
    lang: usualLang(),
    speed: 'normal',
    sound: true,
    helper: true,
    confirm: true,
    theme: 'auto',
    chat: true,
    name: '',
  };
}

/** What was kept, as far as it makes sense; everything else as usual. */
export function restored(text: string | null): Settings {
  const settings = usual();
  if (!text) return settings;
  try {
    const kept = JSON.parse(text) as Partial<Settings>;
    if (LANGS.includes(kept.lang as Lang)) settings.lang = kept.lang as Lang;
    if (['off', 'fast', 'normal'].includes(kept.speed as string)) settings.speed = kept.speed as Speed;
    if (['auto', 'light', 'dark'].includes(kept.theme as string)) settings.theme = kept.theme as Theme;
    for (const key of ['sound', 'helper', 'confirm', 'chat'] as const) {
      if (typeof kept[key] === 'boolean') settings[key] = kept[key];
    }
    if (typeof kept.name === 'string') settings.name = kept.name.slice(0, 24);
  } catch {
    return settings;
  }
  return settings;
}

function kept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export const settings = $state<Settings>(restored(typeof localStorage === 'undefined' ? null : kept()));

/** Change a setting and keep it. */
export function change<K extends keyof Settings>(key: K, value: Settings[K]): void {
  settings[key] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing still plays; it only asks again next time.
  }
}

/** Put theme and language on the page itself. */
export function dress(): void {
  const dark = settings.theme === 'dark'
    || (settings.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
  document.documentElement.lang = settings.lang;
}
