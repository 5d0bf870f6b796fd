/* What the tab of the browser shows: a title, and an icon with a dot when the player is waited for. */

export function titleTab(...parts: string[]): void {
  document.title = [...parts.filter(Boolean), 'Fernzug'].join(' · ');
}

export function markTab(waitedFor: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('#icon');
  const href = waitedFor ? './icon-turn.svg' : './icon.svg';
  if (icon && icon.getAttribute('href') !== href) icon.setAttribute('href', href);
}
