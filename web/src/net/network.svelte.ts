/* Who can reach the server, and so which address the links carry that are shared. */
import { codeOf, networkState, setNetwork } from './api';
import type { ErrorCode, NetworkState } from './protocol';

class Network {
  known = $state.raw<NetworkState | null>(null);
  busy = $state(false);
  /** Why the switch did not work. */
  problem = $state<ErrorCode | 'network' | null>(null);
  /** Whether a link would work on this machine only. */
  onlyHere = $derived(this.known !== null && !this.known.open);

  async load(): Promise<void> {
    try {
      this.known = await networkState();
    } catch {
      // A page that cannot ask has worse problems, and says so elsewhere.
    }
  }

  /** Let other machines in, or shut them out. */
  async set(open: boolean): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.problem = null;
    try {
      this.known = await setNetwork({ open });
    } catch (error) {
      this.problem = codeOf(error);
    } finally {
      this.busy = false;
    }
  }
}

export const network = new Network();

/** The whole address of a page as others reach it, for links that are shared. */
export function address(path: string): string {
  return `${network.known?.url ?? location.href.split('#')[0]}#${path}`;
}
