/** The whole address of a page, for links that are shared. */
export function address(path: string): string {
  return `${location.href.split('#')[0]}#${path}`;
}
