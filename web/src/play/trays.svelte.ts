/* Which parts of the play screen are open where there is not room for all of them. */

export type Tab = 'cards' | 'tickets' | 'players' | 'log';

/** How much of the sheet of a phone is seen: its buttons, its usual content, or everything. */
export type Level = 'peek' | 'half' | 'full';

export class Trays {
  /** What the sheet shows. */
  tab = $state<Tab>('cards');
  level = $state<Level>('half');
  /** Log and chat share a place on every screen. */
  side = $state<'log' | 'chat'>('log');

  show(tab: Tab): void {
    this.tab = tab;
    if (this.level === 'peek') this.level = 'half';
  }

  /** Whether a part can be seen in the sheet. */
  shows(tab: Tab): boolean {
    return this.tab === tab && this.level !== 'peek';
  }

  /** Show a part in the sheet; the same button brings the cards back. */
  toggle(tab: Tab): void {
    this.show(this.shows(tab) ? 'cards' : tab);
  }

  /** Make room for the board. */
  lower(): void {
    if (this.level === 'full') this.level = 'half';
  }
}
