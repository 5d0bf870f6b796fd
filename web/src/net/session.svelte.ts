/*
 * A connection to one table that reconnects by itself.
 *
 * No move is shown before the server has confirmed it. Commands carry an id and are sent again after
 * a lost connection; the server never carries one out twice. Messages pass through a queue at the
 * pace of the animation; a click empties it.
 */
import { freshId } from './api';
import { nothingKnown, reduce, type KnownTable } from './table';
import { settings } from '../settings.svelte';
import { keepSeats, ownSeats, tokensAt } from './seats';
import type { ClientMessage, ErrorCode, GameEvent, Hints, Reaction, ServerMessage } from './protocol';

export type Status = 'connecting' | 'open' | 'lost' | 'gone';

type Command = Extract<ClientMessage, { id: string }>;
type Draft = Command extends infer C ? (C extends Command ? Omit<C, 'id'> : never) : never;

export interface SessionHooks {
  /** Called just before a message changes what is shown, so that cards can fly from where they lie. */
  beforeShow?(events: GameEvent[], own: number[]): void;
  /** Called when new events have been shown. */
  shown?(events: GameEvent[]): void;
  refused?(code: ErrorCode, message: string, reply: number | undefined): void;
}

export interface ShownReaction {
  id: number;
  seat: number;
  reaction: Reaction;
}

/** How the server closes the connection of somebody whose seat is somebody else's now. */
const SEAT_FREED = 4409;
const PING_INTERVAL = 20_000;
/** A connection that has been silent for longer is given up. */
const MAX_SILENCE = 45_000;
const RETRY_DELAYS = [300, 700, 1500, 3000, 5000, 8000];

/** How long events are shown before the next ones, in milliseconds at normal speed. */
export function displayTime(events: readonly GameEvent[], pieces: (route: string) => number): number {
  let time = 0;
  for (const event of events) {
    if (event.event === 'claimed') time = Math.max(time, 240 + 70 * pieces(event.route ?? ''));
    else if (event.event === 'took' || event.event === 'drew') time = Math.max(time, 420);
    else if (event.event === 'kept' || event.event === 'swept') time = Math.max(time, 300);
  }
  return Math.min(time, 660);
}

export class Session {
  known = $state.raw<KnownTable>(nothingKnown());
  status = $state<Status>('connecting');
  /** Commands that the server has not answered yet. */
  pending = $state<number>(0);
  /** Routes claimed by the events shown last; their pieces are placed one by one. */
  justClaimed = $state.raw<ReadonlySet<string>>(new Set());
  reactions = $state<ShownReaction[]>([]);
  /** The hints that were given last. */
  hints = $state.raw<Hints | null>(null);
  /** Whether the host has given one's seat to somebody else. */
  removed = $state(false);

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
    this.pinger = window.setInterval(() => this.heartbeat(), PING_INTERVAL);
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
    this.disconnect();
  }

  /** Close the socket and ignore whatever it still delivers. */
  private disconnect(): void {
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
    else this.heartbeat();
  };

  private heartbeat(): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    if (performance.now() - this.heard > MAX_SILENCE) {
      // Nobody is at the other end, and waiting for the close would take as long again.
      this.status = 'lost';
      this.connect();
      return;
    }
    this.send({ type: 'ping' });
  }

  private connect(): void {
    clearTimeout(this.retry);
    if (this.closed || this.socket?.readyState === WebSocket.CONNECTING) return;
    this.disconnect();
    const url = new URL('ws', document.baseURI.split('#')[0]);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    url.searchParams.set('table', this.table);
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.onopen = () => {
      this.heard = performance.now();
      // What has arrived counts as seen, so it must be shown before the server is told that it was.
      this.skip();
      this.send({ type: 'hello', tokens: tokensAt(this.table), seen: this.known.seq || null });
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      this.heard = performance.now();
      this.receive(JSON.parse(event.data) as ServerMessage);
    };
    socket.onclose = (event) => {
      this.status = 'lost';
      this.removed ||= event.code === SEAT_FREED;
      const wait = RETRY_DELAYS[Math.min(this.tries, RETRY_DELAYS.length - 1)]!;
      this.tries += 1;
      this.retry = window.setTimeout(() => this.connect(), wait);
    };
  }

  private send(message: ClientMessage): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private receive(message: ServerMessage): void {
    switch (message.type) {
      case 'ack':
        this.settle(message.id);
        break;
      case 'error':
        this.refuse(message.id, message.code, message.message, message.reply);
        break;
      case 'reaction':
        this.react(message.seat, message.reaction);
        break;
      case 'hints':
        this.hints = message;
        break;
      case 'pong':
        break;
      case 'snapshot':
        this.queue = [];
        this.show(message);
        this.status = 'open';
        this.tries = 0;
        // Whoever was not connected when the host removed them learns it now.
        this.removed ||= ownSeats(this.table).some((seat) => !message.own.includes(seat));
        // The tokens that open nothing any more would be in the way of a new seat.
        if (this.removed) keepSeats(this.table, message.own);
        for (const command of this.waiting.values()) this.send(command);
        break;
      default:
        this.queue.push(message);
        this.showNext();
    }
  }

  private refuse(id: string | null, code: ErrorCode, message: string, reply: number | undefined): void {
    if (id !== null) this.settle(id);
    else if (code === 'not_found') {
      this.status = 'gone';
      this.disconnect();
      return;
    }
    this.hooks.refused?.(code, message, reply);
  }

  private settle(id: string): void {
    this.waiting.delete(id);
    this.count();
  }

  /** Show the next message of the queue, unless the last one is still being animated. */
  private showNext(): void {
    if (this.showing !== null) return;
    const message = this.queue.shift();
    if (!message) return;
    this.show(message);
    const pause = this.pause(message);
    if (pause > 0) {
      this.showing = window.setTimeout(() => {
        this.showing = null;
        this.showNext();
      }, pause);
    } else {
      this.showNext();
    }
  }

  private pause(message: ServerMessage): number {
    if (message.type !== 'events' || settings.speed === 'off' || document.hidden) return 0;
    const full = displayTime(message.events, this.pieces);
    const pace = settings.speed === 'fast' ? 0.4 : 1;
    // A long queue means that the game has run ahead: catch up instead of watching every move.
    return (full * pace) / Math.max(1, this.queue.length - 1);
  }

  private show(message: ServerMessage): void {
    const before = this.known;
    const events = message.type === 'events' ? message.events : [];
    if (events.length) this.hooks.beforeShow?.(events, before.own);
    this.known = reduce(before, message, performance.now());
    if (events.length && this.known !== before) {
      this.justClaimed = new Set(events.filter((e) => e.event === 'claimed').map((e) => e.route!));
      this.hooks.shown?.(events);
    }
  }

  /** Show everything that has arrived without delay. */
  skip(): void {
    if (this.showing !== null) clearTimeout(this.showing);
    this.showing = null;
    const rest = this.queue.splice(0);
    for (const message of rest) this.show(message);
  }

  private command(draft: Draft): void {
    const command = { ...draft, id: freshId() } as Command;
    this.waiting.set(command.id, command);
    this.count();
    this.send(command);
  }

  /** Whoever has asked for a hint may play without waiting for it. */
  private count(): void {
    this.pending = [...this.waiting.values()].filter((command) => command.type !== 'hint').length;
  }

  play(seat: number, action: string): void {
    this.command({ type: 'play', seat, version: this.known.seq, action });
  }

  undo(seat: number): void {
    this.command({ type: 'undo', seat, version: this.known.seq });
  }

  askHint(seat: number): void {
    this.command({ type: 'hint', seat, version: this.known.seq });
  }

  goToStep(seat: number, step: number): void {
    this.command({ type: 'step', seat, step });
  }

  say(seat: number, text: string): void {
    this.command({ type: 'chat', seat, text });
  }

  reactWith(seat: number, reaction: Reaction): void {
    this.send({ type: 'react', seat, reaction });
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

  startGame(level: string | undefined): void {
    this.command({ type: 'start', ...(level === undefined ? {} : { level }) });
  }

  renewCode(): void {
    this.command({ type: 'renew_code' });
  }

  rematch(): void {
    this.command({ type: 'rematch' });
  }

  private react(seat: number, reaction: Reaction): void {
    if (!settings.manners && this.known.table?.seats[seat]?.kind === 'bot') return;
    const shown = { id: ++this.counter, seat, reaction };
    this.reactions.push(shown);
    setTimeout(() => {
      this.reactions = this.reactions.filter((one) => one.id !== shown.id);
    }, 3200);
  }
}
