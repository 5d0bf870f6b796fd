/* What the player has chosen, stored in the browser. */

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
  /** Whether bots show how they take what happens. */
  manners: boolean;
  /** Whether beginners are told what they may ask next. */
  coach: boolean;
  name: string;
}

const KEY = 'fernzug.settings';
const LANGS: readonly Lang[] = ['de', 'en', 'fr'];

function preferredLang(): Lang {
  const wanted = typeof navigator === 'undefined' ? [] : navigator.languages;
  for (const tag of wanted) {
    const short = tag.slice(0, 2).toLowerCase();
    if ((LANGS as readonly string[]).includes(short)) return short as Lang;
  }
  return 'en';
}

export function defaults(): Settings {
  return {
    lang: preferredLang(),
    speed: 'normal',
    sound: true,
    helper: true,
    confirm: true,
    theme: 'auto',
    chat: true,
    manners: true,
    coach: true,
    name: '',
  };
}

/** The stored settings as far as they make sense, and the defaults for the rest. */
export function restore(text: string | null): Settings {
  const settings = defaults();
  if (!text) return settings;
  try {
    const stored = JSON.parse(text) as Partial<Settings>;
    if (LANGS.includes(stored.lang as Lang)) settings.lang = stored.lang as Lang;
    if (['off', 'fast', 'normal'].includes(stored.speed as string)) settings.speed = stored.speed as Speed;
    if (['auto', 'light', 'dark'].includes(stored.theme as string)) settings.theme = stored.theme as Theme;
    for (const key of ['sound', 'helper', 'confirm', 'chat', 'manners', 'coach'] as const) {
      if (typeof stored[key] === 'boolean') settings[key] = stored[key];
    }
    if (typeof stored.name === 'string') settings.name = stored.name.slice(0, 24);
  } catch {
    return settings;
  }
  return settings;
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export const settings = $state<Settings>(restore(typeof localStorage === 'undefined' ? null : stored()));

/** Change a setting and store it. */
export function change<K extends keyof Settings>(key: K, value: Settings[K]): void {
  settings[key] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Without storage the game still works; the choice is only forgotten.
  }
}

/** Apply theme and language to the page. */
export function applyAppearance(): void {
  const dark = settings.theme === 'dark'
    || (settings.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
  document.documentElement.lang = settings.lang;
}
