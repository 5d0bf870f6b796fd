/*
 * A connection to one table that mends itself.
 *
 * No move is shown before the server has told it. Commands carry an id of their own and are sent
 * again after a lost connection: the server plays none of them twice. Messages pass through a queue
 * whose pace is that of the animation; a click empties it.
 */
import { freshId } from './api';
import { nothingKnown, reduce, type TableKnown } from './table';
import { settings } from '../settings.svelte';
import { tokensAt } from './seats';
import type { ClientMessage, ErrorCode, GameEvent, Reaction, ServerMessage } from './protocol';

export type Status = 'connecting' | 'open' | 'lost' | 'gone';

type Command = Extract<ClientMessage, { id: string }>;
type Draft = Command extends infer C ? (C extends Command ? Omit<C, 'id'> : never) : never;

export interface SessionHooks {
  /** Called just before a message changes what is shown, to let cards fly from where they lie. */
  before?(events: GameEvent[], own: number[]): void;
  /** Called when new events are shown. */
  told?(events: GameEvent[]): void;
  refused?(code: ErrorCode, message: string): void;
}

export interface Shown {
  id: number;
  seat: number;
  reaction: Reaction;
}

const PING = 20_000;
const SILENCE = 45_000;
const BACKOFF = [300, 700, 1500, 3000, 5000, 8000];

/** How long events are shown before the next ones, in milliseconds at normal speed. */
export function showTime(events: readonly GameEvent[], pieces: (route: string) => number): number {
  let time = 0;
  for (const event of events) {
    if (event.event === 'claimed') time = Math.max(time, 240 + 70 * pieces(event.route ?? ''));
    else if (event.event === 'took' || event.event === 'drew') time = Math.max(time, 420);
    else if (event.event === 'kept' || event.event === 'swept') time = Math.max(time, 300);
  }
  return Math.min(time, 660);
}

export class Session {
  known = $state.raw<TableKnown>(nothingKnown());
  status = $state<Status>('connecting');
  /** Commands that the server has not answered yet. */
  pending = $state<number>(0);
  fresh = $state.raw<ReadonlySet<string>>(new Set());
  reactions = $state<Shown[]>([]);

  private socket: WebSocket | null = null;
  private queue: ServerMessage[] = [];
  private showing: number | null = null;
  private readonly waiting = new Map<string, Command>();
  private tries = 0;
  private retry = 0;
  private pinger = 0;
  private heard = 0;
  private closed = false;
  private counter = 0;
  pieces: (route: string) => number = () => 1;

  constructor(
    readonly table: string,
    private readonly hooks: SessionHooks = {},
  ) {}

  start(): void {
    this.connect();
    this.pinger = window.setInterval(() => this.beat(), PING);
    window.addEventListener('online', this.wake);
    document.addEventListener('visibilitychange', this.wake);
  }

  stop(): void {
    this.closed = true;
    clearInterval(this.pinger);
    clearTimeout(this.retry);
    window.removeEventListener('online', this.wake);
    document.removeEventListener('visibilitychange', this.wake);
    if (this.showing !== null) clearTimeout(this.showing);
    this.queue = [];
    this.drop();
  }

  /** Let go of the socket: whatever it still brings is nobody's concern any more. */
  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private readonly wake = (): void => {
    if (document.hidden || this.closed) return;
    this.skip();
    if (this.status === 'lost') this.connect();
    else this.beat();
  };

  private beat(): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    if (performance.now() - this.heard > SILENCE) {
      // Nobody is at the other end, and waiting for a farewell would take as long again.
      this.status = 'lost';
      this.connect();
      return;
    }
    this.put({ type: 'ping' });
  }

  private connect(): void {
    clearTimeout(this.retry);
    if (this.closed || this.socket?.readyState === WebSocket.CONNECTING) return;
    this.drop();
    const url = new URL('ws', document.baseURI.split('#')[0]);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    url.searchParams.set('table', this.table);
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.onopen = () => {
      this.heard = performance.now();
      // What has arrived counts as seen, so it must be shown before the server is told so.
      this.skip();
      this.put({ type: 'hello', tokens: tokensAt(this.table), seen: this.known.seq || null });
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      this.heard = performance.now();
      this.receive(JSON.parse(event.data) as ServerMessage);
    };
    socket.onclose = () => {
      this.status = 'lost';
      const wait = BACKOFF[Math.min(this.tries, BACKOFF.length - 1)]!;
      this.tries += 1;
      this.retry = window.setTimeout(() => this.connect(), wait);
    };
  }

  private put(message: ClientMessage): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private receive(message: ServerMessage): void {
    switch (message.type) {
      case 'ack':
        this.settle(message.id);
        break;
      case 'error':
        this.refuse(message.id, message.code, message.message);
        break;
      case 'reaction':
        this.react(message.seat, message.reaction);
        break;
      case 'pong':
        break;
      case 'snapshot':
        this.queue = [];
        this.show(message);
        this.status = 'open';
        this.tries = 0;
        for (const command of this.waiting.values()) this.put(command);
        break;
      default:
        this.queue.push(message);
        this.next();
    }
  }

  private refuse(id: string | null, code: ErrorCode, message: string): void {
    if (id !== null) this.settle(id);
    else if (code === 'not_found') {
      this.status = 'gone';
      this.drop();
      return;
    }
    this.hooks.refused?.(code, message);
  }

  private settle(id: string): void {
    this.waiting.delete(id);
    this.pending = this.waiting.size;
  }

  /** Show the next message of the queue, unless the last one is still being looked at. */
  private next(): void {
    if (this.showing !== null) return;
    const message = this.queue.shift();
    if (!message) return;
    this.show(message);
    const time = this.time(message);
    if (time > 0) {
      this.showing = window.setTimeout(() => {
        this.showing = null;
        this.next();
      }, time);
    } else {
      this.next();
    }
  }

  private time(message: ServerMessage): number {
    if (message.type !== 'events' || settings.speed === 'off' || document.hidden) return 0;
    const full = showTime(message.events, this.pieces);
    const pace = settings.speed === 'fast' ? 0.4 : 1;
    // A long queue means that the game has run ahead; it is caught up with, not watched.
    return (full * pace) / Math.max(1, this.queue.length - 1);
  }

  private show(message: ServerMessage): void {
    const before = this.known;
    const events = message.type === 'events' ? message.events : [];
    if (events.length) this.hooks.before?.(events, before.own);
    this.known = reduce(before, message, performance.now());
    if (events.length && this.known !== before) {
      this.fresh = new Set(events.filter((e) => e.event === 'claimed').map((e) => e.route!));
      this.hooks.told?.(events);
    }
  }

  /** Show everything that has arrived, at once. */
  skip(): void {
    if (this.showing !== null) clearTimeout(this.showing);
    this.showing = null;
    const rest = this.queue.splice(0);
    for (const message of rest) this.show(message);
  }

  private command(draft: Draft): void {
    const command = { ...draft, id: freshId() } as Command;
    this.waiting.set(command.id, command);
    this.pending = this.waiting.size;
    this.put(command);
  }

  play(seat: number, action: string): void {
    this.command({ type: 'play', seat, version: this.known.seq, action });
  }

  undo(seat: number): void {
    this.command({ type: 'undo', seat, version: this.known.seq });
  }

  say(seat: number, text: string): void {
    this.command({ type: 'chat', seat, text });
  }

  reactWith(seat: number, reaction: Reaction): void {
    this.put({ type: 'react', seat, reaction });
  }

  leave(seat: number): void {
    this.command({ type: 'leave', seat });
  }

  takeover(seat: number): void {
    this.command({ type: 'takeover', seat });
  }

  fillSeat(seat: number, level: string): void {
    this.command({ type: 'fill', seat, level });
  }

  removeSeat(seat: number): void {
    this.command({ type: 'remove', seat });
  }

  rematch(): void {
    this.command({ type: 'rematch' });
  }

  private react(seat: number, reaction: Reaction): void {
    const shown = { id: ++this.counter, seat, reaction };
    this.reactions.push(shown);
    setTimeout(() => {
      this.reactions = this.reactions.filter((one) => one.id !== shown.id);
    }, 3200);
  }
}
