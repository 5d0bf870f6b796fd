// Written by tools/protocol_ts.py from json_types.py, table/protocol.py and server/lobby_protocol.py in src/fernzug. Do not edit.

/** Something that happened, as far as the receiver may know it; see ``fernzug.events``. */
export interface GameEvent {
  event: string;
  seat?: number;
  color?: string;
  place?: number;
  route?: string;
  cards?: string[] | Record<string, number>;
  tickets?: string[];
  count?: number;
  points?: number;
  phase?: string;
  turns_left?: number;
}

/** What may be known of one player; see ``fernzug.view.PlayerView``. Bonuses that are given in play add keys of their own, ``Bonus.KEYS``. */
export interface PlayerView {
  seat: number;
  hand_count: number;
  known: Record<string, number>;
  ticket_count: number;
  pieces: Record<string, number>;
  points: number | null;
  choosing: boolean;
  offer_count: number;
  hand: Record<string, number> | null;
  tickets: string[] | null;
}

/** How far a seat has come with one thing that a bonus asks for. */
export interface BonusStep {
  /** The id of the board's group that it is about, if it is about one. */
  group: string | null;
  have: number;
  /** 0 where more is always better. */
  need: number;
  /** The ids of the places, or the colours, that the seat has. */
  items: string[];
  /** The ids of the routes that it runs along, in order, if it is about a way. */
  routes: string[];
}

/** The points of one seat; see ``fernzug.score.ScoreSheet``. */
export interface ScoreSheet {
  seat: number;
  routes: number;
  tickets_won: number;
  tickets_lost: number;
  tickets_completed: number;
  bonuses: Record<string, number>;
  total: number;
  rank: number;
}

/** What one seat, or a spectator, may know of the game; see ``fernzug.view.View``. */
export interface View {
  board: string;
  viewer: number | null;
  phase: 'setup' | 'turn' | 'second_card' | 'keep' | 'over';
  seat: number | null;
  turn: number;
  turns_left: number | null;
  first_player: number;
  passes: number;
  players: PlayerView[];
  routes: Record<string, number>;
  faceup: (string | null)[];
  deck_count: number;
  discard: Record<string, number>;
  unseen: Record<string, number>;
  ticket_deck_count: number;
  offer: string[];
  returned: string[];
  /** Every action that the seat may take now, as texts of the notation. */
  legal: string[];
  scores: ScoreSheet[] | null;
}

/** By language; a missing one means the plain name. */
export type Names = Record<string, string>;

/** A place. */
export interface BoardLocation {
  id: string;
  name: string;
  names: Record<string, string>;
  x: number;
  y: number;
  label: string;
  lines: string[];
}

/** A route, or one lane of a double route. */
export interface BoardRoute {
  id: string;
  a: string;
  b: string;
  color: string;
  length: number;
  cost: number;
  pieces: number;
  piece: string;
  lane: number;
  twin: string | null;
  points: number;
  bend: number;
}

/** A ticket. */
export interface BoardTicket {
  id: string;
  a: string;
  b: string;
  points: number;
}

/** A kind of piece. */
export interface BoardPiece {
  id: string;
  count: number;
  one_per_route: boolean;
  points: Record<string, number>;
  names: Record<string, string>;
  singular: Record<string, string>;
}

/** Places that belong together, such as a district. */
export interface BoardGroup {
  id: string;
  name: string;
  names: Record<string, string>;
  color: string | null;
  points: number;
  locations: string[];
}

/** A bonus. */
export interface BoardBonus {
  kind: string;
  points: number;
  locations: string[];
  colors: string[];
  groups: BoardGroup[];
  names: Record<string, string>;
  /** What is special about it, in a few words. */
  special: Record<string, string>;
  /** Its rules in words. */
  rules: (Record<string, string>)[];
  /** The buttons for its options of a claim, by their words in the notation. */
  options: Record<string, Record<string, string>>;
  /** The line of the log for each event of its own; ``{points}`` is to be filled in. */
  events: Record<string, Record<string, string>>;
}

/** Sizes for drawing. */
export interface BoardDrawing {
  width: number;
  height: number;
  pitch: number;
  space_width: number;
  lane_gap: number;
  location_radius: number;
  font_size: number;
}

/** A colour of cards; the wild card is the one with the id ``wild``. */
export interface BoardColor {
  id: string;
  count: number;
  names: Record<string, string>;
}

/** A board with everything that a client draws and names; see ``fernzug.board``. */
export interface Board {
  id: string;
  hash: string;
  name: string;
  names: Record<string, string>;
  network: string;
  notes: Record<string, string>;
  min_players: number;
  max_players: number;
  colors: BoardColor[];
  /** What the wild cards show, such as a locomotive. */
  wild_names: Record<string, string>;
  pieces: BoardPiece[];
  deal_cards: number;
  deal_tickets: number;
  deal_keep: number;
  draw_tickets: number;
  draw_keep: number;
  last_round_at: number;
  single_lane_up_to: number;
  score_track: boolean;
  bonuses: BoardBonus[];
  tie_breaks: string[];
  locations: BoardLocation[];
  routes: BoardRoute[];
  tickets: BoardTicket[];
  drawing: BoardDrawing;
}

/** Who has the seat: somebody at the host's screen, somebody who joins by link, or a bot. */
export type SeatKind = 'here' | 'link' | 'bot';

export const SEAT_KINDS: readonly SeatKind[] = ['here', 'link', 'bot'];

/** Waiting for people, playing, or over. */
export type TableState = 'waiting' | 'playing' | 'over';

export const TABLE_STATES: readonly TableState[] = ['waiting', 'playing', 'over'];

/** When the game starts: when the host says so, or as soon as every seat is taken. */
export type StartRule = 'host' | 'full';

export const START_RULES: readonly StartRule[] = ['host', 'full'];

/** Why a bot decides for a person: they left, did not return in time, or ran out of time. */
export type StandIn = 'left' | 'away' | 'clock';

export const STAND_INS: readonly StandIn[] = ['left', 'away', 'clock'];

/** The quick reactions. */
export type Reaction = 'hello' | 'bravo' | 'thanks' | 'ouch' | 'oops' | 'hurry' | 'thinking' | 'laugh';

export const REACTIONS: readonly Reaction[] = ['hello', 'bravo', 'thanks', 'ouch', 'oops', 'hurry', 'thinking', 'laugh'];

/** The faces of bots. */
export type Face = 'ada' | 'anton' | 'bruno' | 'clara' | 'emil' | 'frida' | 'greta' | 'hugo' | 'ida' | 'jules' | 'lotte' | 'mila' | 'nico' | 'oskar' | 'paula' | 'rosa' | 'theo' | 'viktor';

export const FACES: readonly Face[] = ['ada', 'anton', 'bruno', 'clara', 'emil', 'frida', 'greta', 'hugo', 'ida', 'jules', 'lotte', 'mila', 'nico', 'oskar', 'paula', 'rosa', 'theo', 'viktor'];

/** Why a request was refused; ``message`` says it in English. */
export type ErrorCode = 'bad_message' | 'too_large' | 'rate' | 'limit' | 'origin' | 'not_found' | 'not_yours' | 'not_host' | 'not_playing' | 'not_over' | 'stale' | 'illegal' | 'not_asked' | 'no_undo' | 'seat_taken' | 'table_full' | 'bot_seat' | 'bad_name' | 'no_network' | 'chat_off' | 'hints_off' | 'busy' | 'storage' | 'stopping';

export const ERROR_CODES: readonly ErrorCode[] = ['bad_message', 'too_large', 'rate', 'limit', 'origin', 'not_found', 'not_yours', 'not_host', 'not_playing', 'not_over', 'stale', 'illegal', 'not_asked', 'no_undo', 'seat_taken', 'table_full', 'bot_seat', 'bad_name', 'no_network', 'chat_off', 'hints_off', 'busy', 'storage', 'stopping'];

/** What can speak for an action; see ``fernzug.analysis.advice``. */
export type AdviceCode = 'advice.completes' | 'advice.nearer' | 'advice.points' | 'advice.last_lane' | 'advice.rival' | 'advice.last_turn' | 'advice.ending' | 'advice.wild' | 'advice.deck' | 'advice.unknown' | 'advice.card' | 'advice.last_card' | 'advice.stock' | 'advice.tickets' | 'advice.tickets_done' | 'advice.together';

export const ADVICE_CODES: readonly AdviceCode[] = ['advice.completes', 'advice.nearer', 'advice.points', 'advice.last_lane', 'advice.rival', 'advice.last_turn', 'advice.ending', 'advice.wild', 'advice.deck', 'advice.unknown', 'advice.card', 'advice.last_card', 'advice.stock', 'advice.tickets', 'advice.tickets_done', 'advice.together'];

/** How good a decision was. */
export type Verdict = 'best' | 'good' | 'slip' | 'mistake' | 'blunder';

export const VERDICTS: readonly Verdict[] = ['best', 'good', 'slip', 'mistake', 'blunder'];

/** How far a review is. */
export type ReviewState = 'none' | 'running' | 'stopped' | 'done';

export const REVIEW_STATES: readonly ReviewState[] = ['none', 'running', 'stopped', 'done'];

/** How time is limited: not at all, per turn, or by a bank for the whole game. */
export interface ClockSetting {
  kind: 'none' | 'turn' | 'bank';
  seconds?: number;
  /** Seconds that each turn adds to the bank. */
  increment?: number;
}

/** The time that each seat had left when the message was sent, and whose clock is running. */
export interface ClockState {
  left: number[];
  running: number[];
}

/** A seat and who has it. */
export interface SeatInfo {
  seat: number;
  kind: SeatKind;
  /** None while a seat of the kind ``link`` is free, and for people who play alone, or at one screen, and gave no name: what they are called then depends on the reader's language. */
  name: string | null;
  level: string | null;
  /** Of a bot; None for people. */
  face: Face | null;
  connected: boolean;
  /** Why a bot is deciding for this person now. */
  bot: StandIn | null;
  /** How many hints this person has asked for. */
  hints: number;
}

/** The table of the next game; each token opens the same seat there. */
export interface Rematch {
  table: string;
  code: string;
}

/** What everybody knows about the table. */
export interface TableInfo {
  id: string;
  /** Whoever has it can take a free seat. None for spectators, unless the table is public. */
  code: string | null;
  board: string;
  state: TableState;
  start: StartRule;
  seats: SeatInfo[];
  /** None if chance decides. */
  first_player: number | null;
  clock: ClockSetting;
  /** Seconds before a bot plays for somebody who is gone; None for never. */
  grace: number | null;
  public: boolean;
  chat: boolean;
  /** Whether hints may be asked for: by somebody alone against bots, or if the host allows it. */
  hints: boolean;
  spectators: number;
  created: number;
  /** The host chose the seed, and so may know the decks. */
  seeded?: boolean;
  /** The id of the lesson that is taken here. */
  lesson?: string | null;
  /** The date, if this is the game of a day, whose seed anybody can know. */
  daily?: string | null;
  rematch: Rematch | null;
}

/** A table in the list of the server's public tables. */
export interface OpenTable {
  id: string;
  code: string;
  board: string;
  state: TableState;
  /** By seat; None if it is free. */
  names: (string | null)[];
  bots: number;
  free: number;
  clock: ClockSetting;
  /** The host chose the seed, and so may know the decks. */
  seeded: boolean;
  created: number;
}

/** Why a free route cannot be claimed at the moment. */
export interface Blocked {
  /** The twin lane is yours (C5), only one lane is used (C6), or pieces or cards are missing. */
  code: 'own_twin' | 'shut' | 'pieces' | 'cards';
  /** The number of cards or pieces missing. */
  missing?: number;
  /** The colour of the missing cards; ``gray`` for any one colour. */
  color?: string;
  piece?: string;
  /** The number of pieces of that kind left. */
  left?: number;
}

/** The progress of a ticket. */
export interface Progress {
  done: boolean;
  /** Pieces still needed on the shortest way over free routes; None if it cannot be completed. */
  missing: number | null;
  /** The routes of that way from end to end, the seat's own among them; empty if there is none. */
  way: string[];
}

/** A ticket of a finished game. */
export interface RevealedTicket {
  ticket: string;
  done: boolean;
  /** The routes of its owner that connect its places, in order; empty if it has failed. */
  way: string[];
}

/** Where somebody is in a lesson. */
export interface LessonState {
  /** The number of the step, counted from 0. */
  step: number;
  /** Whether the step has begun; before, the opponents finish what they do. */
  ready: boolean;
  /** The legal actions that are what the step asks for; empty if there is only something to read. */
  asked: string[];
}

/** The game for one seat of the receiver, or for a spectator (``seat`` is None). */
export interface SeatView {
  seat: number | null;
  view: View;
  /** Free routes that this seat can no longer claim (C5, C6). */
  shut: string[];
  /** On your own turn: why the other free routes cannot be claimed. */
  blocked: Record<string, Blocked>;
  /** For the seat's own tickets and those offered to it. */
  progress: Record<string, Progress>;
  /** For each player and kind of bonus: the steps that the player has begun. */
  bonuses: (Record<string, BonusStep[]>)[];
  /** For each player: the tickets, once the game is over; empty before. */
  revealed: RevealedTicket[][];
  /** How many of the offered tickets must be kept; 0 if none are offered. */
  keep_least: number;
  /** Whether this seat may take back its last action. */
  undo: boolean;
  /** At a table where a lesson is taken. */
  lesson?: LessonState;
}

/** What may have changed of a view since the change before. What is there replaces what was there; what is missing is as it was. */
export interface ViewChange {
  phase: 'setup' | 'turn' | 'second_card' | 'keep' | 'over';
  seat: number | null;
  turn: number;
  turns_left: number | null;
  passes: number;
  /** Only those of whom anything may have changed. */
  players: PlayerView[];
  faceup: (string | null)[];
  deck_count: number;
  discard: Record<string, number>;
  unseen: Record<string, number>;
  ticket_deck_count: number;
  legal: string[];
  scores: ScoreSheet[] | null;
  board?: string;
  viewer?: number | null;
  first_player?: number;
  /** All that are claimed. */
  routes?: Record<string, number>;
  offer?: string[];
  returned?: string[];
}

/** What may have changed of the game for one seat since the change before. What is there replaces what was there, but for ``view``. Whole, it is a :class:`SeatView`. */
export interface SeatChange {
  seat: number | null;
  view: ViewChange;
  blocked: Record<string, Blocked>;
  keep_least: number;
  undo: boolean;
  shut?: string[];
  progress?: Record<string, Progress>;
  bonuses?: (Record<string, BonusStep[]>)[];
  revealed?: RevealedTicket[][];
  lesson?: LessonState;
}

/** Something said at the table. */
export interface ChatLine {
  seq: number;
  seat: number;
  text: string;
  at: number;
}

/** Everything; the first message after ``hello``. */
export interface Snapshot {
  type: 'snapshot';
  seq: number;
  /** The events are those after this change; 0 if they are all events of the game. */
  since: number;
  /** The seats that the tokens open. */
  own: number[];
  host: boolean;
  table: TableInfo;
  events: GameEvent[];
  /** One for each of the receiver's seats, or the spectator's; empty before the game begins. */
  views: SeatView[];
  clock: ClockState | null;
  chat: ChatLine[];
  now: number;
}

/** Something happened in the game. */
export interface Events {
  type: 'events';
  seq: number;
  /** This many of the last events are taken back. */
  undone: number;
  events: GameEvent[];
  /** Whether a bot decided, for itself or for a person. */
  bot: boolean;
  /** One for each of the receiver's seats, or the spectator's; whole where a game begins. */
  views: SeatChange[];
  clock: ClockState | null;
}

/** Something about the table has changed: seats, presence, state, rematch. */
export interface TableChanged {
  type: 'table';
  seq: number;
  table: TableInfo;
  clock: ClockState | null;
}

/** Somebody said something. */
export interface Chat {
  type: 'chat';
  seq: number;
  line: ChatLine;
}

/** Somebody reacted; reactions are not kept. */
export interface Reacted {
  type: 'reaction';
  seat: number;
  reaction: Reaction;
}

/** What speaks for an action: ``code`` says what it is, and which of the others there are. */
export interface Advice {
  code: AdviceCode;
  ticket?: string;
  route?: string;
  /** A seat. */
  player?: number;
  color?: string;
  count?: number;
}

/** A good action, and what speaks for it. */
export interface Hint {
  action: string;
  reasons: Advice[];
}

/** The answer to ``hint``: a few good actions, the best first; only for who has asked. */
export interface Hints {
  type: 'hints';
  seat: number;
  /** The change since which the seat has had the decision that they are about. */
  version: number;
  hints: Hint[];
}

/** A command was accepted, now or the first time it came, and is on disk. */
export interface Ack {
  type: 'ack';
  id: string;
  seq: number;
}

/** A command or message was refused; nothing has changed. */
export interface Refusal {
  type: 'error';
  id: string | null;
  code: ErrorCode;
  message: string;
  /** In a lesson: which of the step's replies says why this is not what is asked for. */
  reply?: number;
}

/** The answer to ``ping``. */
export interface Pong {
  type: 'pong';
  now: number;
}

export type ServerMessage = Snapshot | Events | TableChanged | Chat | Reacted | Hints | Ack | Refusal | Pong;

/** The first message of a connection; without tokens you are a spectator. */
export interface Hello {
  type: 'hello';
  tokens: string[];
  /** The last ``seq`` received, to get only what has happened since. */
  seen: number | null;
}

/** Play an action; the same ``id`` is never played twice. */
export interface Play {
  type: 'play';
  id: string;
  seat: number;
  version: number;
  action: string;
}

/** Take back your last action. */
export interface Undo {
  type: 'undo';
  id: string;
  seat: number;
  version: number;
}

/** Go to a step of the lesson: back to an earlier one, or on from one that is only read. */
export interface GoToStep {
  type: 'step';
  id: string;
  seat: number;
  step: number;
}

/** Ask for good actions; it is counted once for each decision. */
export interface AskHint {
  type: 'hint';
  id: string;
  seat: number;
  version: number;
}

/** Say something to everybody at the table. */
export interface Say {
  type: 'chat';
  id: string;
  seat: number;
  text: string;
}

/** Show a quick reaction. */
export interface React {
  type: 'react';
  seat: number;
  reaction: Reaction;
}

/** Let a bot play your seat from now on. */
export interface Leave {
  type: 'leave';
  id: string;
  seat: number;
}

/** Take your seat back from the bot. */
export interface Takeover {
  type: 'takeover';
  id: string;
  seat: number;
}

/** Put a bot on a free seat; only for the host, before the game. */
export interface Fill {
  type: 'fill';
  id: string;
  seat: number;
  level: string;
}

/** Send somebody who joined by link away; only for the host. Before the game the seat is free again, after its start a bot takes over. */
export interface Remove {
  type: 'remove';
  id: string;
  seat: number;
}

/** Start the game; only for the host. Bots of the level take the seats that are still free. */
export interface StartGame {
  type: 'start';
  id: string;
  level?: string;
}

/** Give the table another code; only for the host. The old one stops working. */
export interface RenewCode {
  type: 'renew_code';
  id: string;
}

/** Ask for a table for another game with the same people. */
export interface AskRematch {
  type: 'rematch';
  id: string;
}

/** Check that the server is there. */
export interface Ping {
  type: 'ping';
}

export type ClientMessage = Hello | Play | Undo | GoToStep | AskHint | Say | React | Leave | Takeover | Fill | Remove | StartGame | RenewCode | AskRematch | Ping;

/** What was measured about a board; see ``fernzug.server.facts``. */
export interface BoardFacts {
  /** From one person against two bots to a full table of people. */
  minutes: number[];
  /** The owners of the routes in the middle of a game, for pictures. */
  picture: Record<string, number>;
}

/** A board as this server offers it. */
export interface BoardData {
  id: string;
  hash: string;
  name: string;
  names: Record<string, string>;
  network: string;
  notes: Record<string, string>;
  min_players: number;
  max_players: number;
  colors: BoardColor[];
  wild_names: Record<string, string>;
  pieces: BoardPiece[];
  deal_cards: number;
  deal_tickets: number;
  deal_keep: number;
  draw_tickets: number;
  draw_keep: number;
  last_round_at: number;
  single_lane_up_to: number;
  score_track: boolean;
  bonuses: BoardBonus[];
  tie_breaks: string[];
  locations: BoardLocation[];
  routes: BoardRoute[];
  tickets: BoardTicket[];
  drawing: BoardDrawing;
  /** Whether there is a map to draw behind the network. */
  map: boolean;
  facts: BoardFacts | null;
}

/** ``GET /api/boards``. */
export interface Boards {
  boards: BoardData[];
}

/** Somebody whom a bot may be; see ``fernzug.table.characters``. */
export interface CharacterData {
  name: string;
  face: Face;
  /** The level at which they are usually met, or their personality. */
  level: string;
}

/** ``GET /api/levels``: the levels of the bots, weakest first, and their personalities. */
export interface Levels {
  levels: string[];
  /** Those who play in a way of their own; a seat names one where it would name a level. */
  personalities: string[];
  /** The default level. */
  default: string;
  /** Measured strength by board and level or personality; random play is 0. */
  ratings: Record<string, Record<string, number>>;
  /** Whom one may meet, weakest first. */
  characters: CharacterData[];
}

/** A seat of a new table. */
export interface NewSeat {
  kind: SeatKind;
  name?: string;
  level?: string;
}

/** ``POST /api/tables``. */
export interface NewTable {
  /** Repeating a request with the same id does not create a second table. */
  id?: string;
  board: string;
  seats: NewSeat[];
  first_player?: number | null;
  /** ``host`` unless it says otherwise. A table without free seats starts at once. */
  start?: StartRule;
  clock?: ClockSetting;
  grace?: number | null;
  seed?: number | null;
  /** This is the game of a day: a single seat ``here`` is given, and neither seed nor clock. */
  daily?: string;
  public?: boolean;
  chat?: boolean;
  /** Whether people may ask for hints although they do not play alone; not unless it says so. */
  hints?: boolean;
}

/** A step of a lesson: its texts by language, and what it points at. */
export interface LessonStep {
  title: Record<string, string>;
  /** ``**`` stands before and after bold words. */
  text: Record<string, string>;
  /** Empty if there is only something to read. */
  task: Record<string, string>;
  /** What to say about actions that are not what is asked for. */
  replies: (Record<string, string>)[];
  /** ``board``, ``players``, … or ``route ID`` or ``place ID``; see ``fernzug.lessons.model``. */
  point: string[];
}

/** A lesson; see ``fernzug.lessons``. */
export interface LessonData {
  id: string;
  board: string;
  minutes: number;
  title: Record<string, string>;
  about: Record<string, string>;
  steps: LessonStep[];
}

/** ``GET /api/lessons``: the lessons, the one to begin with first. */
export interface Lessons {
  lessons: LessonData[];
}

/** ``POST /api/lessons``: open a table at which a lesson is taken. */
export interface NewLesson {
  id?: string;
  lesson: string;
  name?: string;
}

/** ``GET /api/daily/{date}``: whom everybody plays against on a day; see ``table.daily``. */
export interface Daily {
  date: string;
  /** By board, in the order of the seats after the player's. */
  opponents: Record<string, CharacterData[]>;
}

/** What an opponent would have made of the player's cards, in the player's seat. */
export interface DailyResult {
  name: string;
  face: Face;
  level: string;
  points: number;
  rank: number;
}

/** ``GET /api/daily/{date}/{board}``. */
export interface DailyResults {
  date: string;
  board: string;
  results: DailyResult[];
}

/** The token that opens one seat; keep it secret. */
export interface SeatToken {
  seat: number;
  token: string;
}

/** The answer to ``POST /api/tables`` and to ``POST /api/lessons``. */
export interface TableCreated {
  table: string;
  code: string;
  /** The host's token, which opens no seat. */
  host: string;
  tokens: SeatToken[];
}

/** ``POST /api/join``: take a free seat at a table, given its code, or its id if it is public. If somebody at the table has the same name, a number is added to it. */
export interface Join {
  id?: string;
  code?: string;
  table?: string;
  name: string;
  seat?: number;
}

/** The answer to ``POST /api/join``. */
export interface Joined {
  table: string;
  code: string;
  seat: number;
  token: string;
}

/** ``GET /api/tables/{id or code}``: the table of an invitation. */
export interface Found {
  table: TableInfo;
}

/** ``GET /api/tables``. */
export interface OpenTables {
  tables: OpenTable[];
}

/** ``GET /api/network``: who can reach this server. */
export interface NetworkState {
  /** Whether other machines can. If not, a link works only on this one. */
  open: boolean;
  /** The address that others use; None if it is the one that the page came from. */
  url: string | null;
  /** Whether this page can let others join, and shut them out again. */
  switch: boolean;
}

/** ``POST /api/network``: let other machines in or shut them out. */
export interface SetNetwork {
  open: boolean;
}

/** One action of a finished game and the position after it; nothing is secret any more. */
export interface Frame {
  events: GameEvent[];
  /** The spectator's view, with the hands and tickets of all players. */
  view: View;
}

/** ``GET /api/record/{table}``: a finished game for the replay. */
export interface RecordData {
  table: TableInfo;
  /** The first one is the set-up. */
  frames: Frame[];
  /** The tickets of each player at the end. */
  revealed: RevealedTicket[][];
}

/** A decision of a finished game, beside the best one that was found. */
export interface ReviewedDecision {
  /** The number of its first event in the game. */
  event: number;
  seat: number;
  action: string;
  /** The same as ``action`` unless another one has proved better. */
  best: string;
  /** The chance of winning that it cost. */
  loss: number;
  /** The chance that the best one gave, from what the seat could know. */
  win: number;
  verdict: Verdict;
  /** What would have spoken for a better one. */
  reasons: Advice[];
}

/** What chance brought each seat at an event, in win chance. */
export interface ReviewedChance {
  event: number;
  brought: number[];
}

/** How one seat played; start, losses, gifts and luck add up to its end. */
export interface SeatReview {
  /** Up to 100. */
  score: number;
  start: number;
  /** What its own decisions cost, as a negative number. */
  losses: number;
  /** What the decisions of the others brought. */
  gifts: number;
  luck: number;
  end: number;
  /** The event by which its chance changed most. */
  turning_point: number | null;
}

/** ``GET /api/review/{table}``: what decided a finished game, as far as it is worked out. */
export interface ReviewData {
  state: ReviewState;
  /** How many steps are worked out. */
  done: number;
  /** How many there are; 0 if nobody has asked for the review. */
  total: number;
  /** For each event so far, each seat's chance of winning after it. */
  win: number[][];
  decisions: ReviewedDecision[];
  chances: ReviewedChance[];
  seats: SeatReview[];
}

/** ``POST /api/review/{table}``: begin to review a finished game, or go on; or stop. */
export interface AskReview {
  run: boolean;
}

/** ``POST /api/again``: a new table from before a decision of a finished game. */
export interface TryAgain {
  id?: string;
  table: string;
  /** The number of the first event of the decision. */
  event: number;
  /** The seat of whoever tries again; the others are bots. */
  seat: number;
}

/** The body of every error. */
export interface Problem {
  code: ErrorCode;
  message: string;
}
