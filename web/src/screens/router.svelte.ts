/*
 * Pages are behind the # of the address: the server serves a single file, links work everywhere,
 * and what follows the # is never sent to anybody.
 */
export type Page =
  | { name: 'start' }
  | { name: 'new'; board: string }
  | { name: 'join'; code: string }
  | { name: 'table'; id: string }
  | { name: 'watch'; id: string }
  | { name: 'seat'; id: string; tokens: string }
  | { name: 'replay' | 'review'; id: string; at: number | null }
  | { name: 'rules'; board: string }
  | { name: 'daily'; board: string; day: string }
  | { name: 'learn' };

export function parse(hash: string): Page {
  const [name = '', first = '', second = ''] = hash.replace(/^#\/?/, '').split('/').map(decode);
  switch (name) {
    case 'new':
      return { name, board: first };
    case 'join':
      return { name, code: first };
    case 'table':
    case 'watch':
      return { name, id: first };
    case 'seat':
      return { name, id: first, tokens: second };
    case 'replay':
    case 'review':
      return { name, id: first, at: /^\d+$/.test(second) ? Number(second) : null };
    case 'rules':
      return { name, board: first };
    case 'daily':
      return { name, board: first, day: second };
    case 'learn':
      return { name };
    default:
      return { name: 'start' };
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const route = $state<{ page: Page }>({
  page: parse(typeof location === 'undefined' ? '' : location.hash),
});

export function listen(): () => void {
  const update = (): void => {
    route.page = parse(location.hash);
    window.scrollTo(0, 0);
  };
  window.addEventListener('hashchange', update);
  return () => window.removeEventListener('hashchange', update);
}

export function go(path: string): void {
  location.hash = path;
}
