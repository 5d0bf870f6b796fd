/*
 * A board as the server describes it, and what the client reads off it.
 *
 * Nothing here knows a rule: the server says which routes may be claimed and for which cards.
 */
import type { Lang } from '../settings.svelte';
import { paint } from './colors';
import { routeShape, type RouteShape } from './geometry';
import type {
  BoardData,
  BoardDrawing,
  BoardGroup,
  BoardLocation,
  BoardRoute,
  BoardTicket,
} from '../net/protocol';

export type Drawing = BoardDrawing;
export type Place = BoardLocation;
export type Route = BoardRoute;
export type Ticket = BoardTicket;

/** A part of the board that a bonus is about. */
export type Group = BoardGroup;

/** What counts for a player's bonuses. */
export interface Reached {
  seat: number;
  /** Places that count by themselves. */
  places: ReadonlySet<string>;
  /** How many places of each group count. */
  groups: ReadonlyMap<string, number>;
}

/** How much larger than a disc a landmark is. */
const LANDMARK = 1.5;

/** A board, indexed and laid out once. */
export class Board {
  readonly id: string;
  readonly places: Map<string, Place>;
  readonly routes: Map<string, Route>;
  readonly tickets: Map<string, Ticket>;
  readonly shapes: RouteShape[];
  readonly shapeOf: Map<string, RouteShape>;
  /** Places that count for a bonus, each with its landmark. */
  readonly landmarks: ReadonlySet<string>;
  /** Parts of the board that count for a bonus as a whole. */
  readonly groups: readonly Group[];
  /** Colours in the order of the board, the wild card last. */
  readonly cards: string[];

  constructor(readonly data: BoardData) {
    this.id = data.id;
    this.places = new Map(data.locations.map((place) => [place.id, place]));
    this.routes = new Map(data.routes.map((route) => [route.id, route]));
    this.tickets = new Map(data.tickets.map((ticket) => [ticket.id, ticket]));
    this.shapes = data.routes.map((route) =>
      routeShape(route, this.places.get(route.a)!, this.places.get(route.b)!, data.drawing),
    );
    this.shapeOf = new Map(this.shapes.map((shape) => [shape.id, shape]));
    this.landmarks = new Set(data.bonuses.flatMap((bonus) => bonus.locations));
    this.groups = data.bonuses.flatMap((bonus) => bonus.groups);
    this.cards = data.colors.map((color) => color.id);
    // Colours that have no paint of their own get theirs in the order of the board.
    this.cards.forEach(paint);
  }

  name(lang: Lang): string {
    return this.data.names[lang] ?? this.data.name;
  }

  note(lang: Lang): string {
    return this.data.notes[lang] ?? this.data.notes['en'] ?? '';
  }

  /** Whether a board of the package has another network than the printed one; of one's own boards one knows. */
  get ownNetwork(): boolean {
    return this.data.network === 'own' && this.data.facts !== null;
  }

  place(id: string, lang: Lang): string {
    const place = this.places.get(id);
    return place ? (place.names[lang] ?? place.name) : id;
  }

  /** Both ends of a route or a ticket. */
  ends(of: { a: string; b: string }, lang: Lang): string {
    return `${this.place(of.a, lang)} – ${this.place(of.b, lang)}`;
  }

  routeName(id: string, lang: Lang): string {
    const route = this.routes.get(id);
    return route ? this.ends(route, lang) : id;
  }

  ticketName(id: string, lang: Lang): string {
    const ticket = this.tickets.get(id);
    return ticket ? this.ends(ticket, lang) : id;
  }

  color(id: string, lang: Lang): string {
    const names = this.data.colors.find((color) => color.id === id)?.names;
    return names?.[lang] ?? names?.['en'] ?? id;
  }

  /** What the wild cards show, such as a locomotive. */
  wildPicture(lang: Lang): string {
    return this.data.wild_names[lang] ?? this.data.wild_names['en'] ?? this.color('wild', lang);
  }

  piece(kind: string, count: number, lang: Lang): string {
    const found = this.data.pieces.find((piece) => piece.id === kind);
    const names = count === 1 ? found?.singular : found?.names;
    return names?.[lang] ?? names?.['en'] ?? kind;
  }

  bonusName(kind: string, lang: Lang): string {
    const names = this.data.bonuses.find((bonus) => bonus.kind === kind)?.names;
    return names?.[lang] ?? names?.['en'] ?? kind;
  }

  /** What is special about a bonus, in a few words. */
  bonusSpecial(kind: string, lang: Lang): string {
    const special = this.data.bonuses.find((bonus) => bonus.kind === kind)?.special;
    return special?.[lang] ?? special?.['en'] ?? '';
  }

  /** What an option of a claim does, by the word that names it in the action. */
  optionName(option: string, lang: Lang): string {
    const names = this.data.bonuses.find((bonus) => option in bonus.options)?.options[option];
    return names?.[lang] ?? names?.['en'] ?? option;
  }

  /** The text of an event that belongs to a bonus, with `{points}` to be filled in. */
  eventText(event: string, lang: Lang): string {
    const texts = this.data.bonuses.find((bonus) => event in bonus.events)?.events[event];
    return texts?.[lang] ?? texts?.['en'] ?? event;
  }

  /** How large a place is drawn. */
  radius(place: string): number {
    return this.data.drawing.location_radius * (this.landmarks.has(place) ? LANDMARK : 1);
  }
}
