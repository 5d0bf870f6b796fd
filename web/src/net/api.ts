/* Plain HTTP requests to the server. */
import { Board } from '../board/board';
import type {
  Boards,
  Daily,
  DailyResult,
  DailyResults,
  ErrorCode,
  Found,
  Join,
  Joined,
  Lessons,
  LessonData,
  Levels,
  NetworkState,
  NewLesson,
  NewTable,
  OpenTable,
  OpenTables,
  Problem,
  RecordData,
  ReviewData,
  SetNetwork,
  TableCreated,
  TableInfo,
  TryAgain,
} from './protocol';

export class ApiError extends Error {
  constructor(
    readonly code: ErrorCode | 'network',
    message: string,
  ) {
    super(message);
  }
}

/** The error code of a failed request. */
export function codeOf(error: unknown): ErrorCode | 'network' {
  return error instanceof ApiError ? error.code : 'network';
}

async function ask<T>(path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, body === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
  } catch {
    throw new ApiError('network', 'the server does not respond');
  }
  const data: unknown = await answer.json().catch(() => null);
  if (!answer.ok) {
    const problem = data as Partial<Problem> | null;
    throw new ApiError(problem?.code ?? 'network', problem?.message ?? answer.statusText);
  }
  return data as T;
}

let boards: Promise<Map<string, Board>> | undefined;

/** All boards by id; fetched once. */
export function allBoards(): Promise<Map<string, Board>> {
  boards ??= ask<Boards>('api/boards').then(
    (answer) => new Map(answer.boards.map((data) => [data.id, new Board(data)])),
    (error: unknown) => {
      boards = undefined;
      throw error;
    },
  );
  return boards;
}

let levels: Promise<Levels> | undefined;

export function allLevels(): Promise<Levels> {
  levels ??= ask<Levels>('api/levels').catch((error: unknown) => {
    levels = undefined;
    throw error;
  });
  return levels;
}

const days = new Map<string, Promise<Daily>>();

/** Whom everybody plays against on a day; fetched once. */
export function dailyOf(day: string): Promise<Daily> {
  let found = days.get(day);
  if (!found) {
    found = ask<Daily>(`api/daily/${encodeURIComponent(day)}`);
    days.set(day, found);
    found.catch(() => days.delete(day));
  }
  return found;
}

/** What the opponents of a day make of the player's cards. */
export async function dailyResults(day: string, board: string): Promise<DailyResult[]> {
  return (await ask<DailyResults>(`api/daily/${encodeURIComponent(day)}/${encodeURIComponent(board)}`)).results;
}

let lessons: Promise<LessonData[]> | undefined;

/** All lessons, the one to begin with first; fetched once. */
export function allLessons(): Promise<LessonData[]> {
  lessons ??= ask<Lessons>('api/lessons').then(
    (answer) => answer.lessons,
    (error: unknown) => {
      lessons = undefined;
      throw error;
    },
  );
  return lessons;
}

export function takeLesson(lesson: NewLesson): Promise<TableCreated> {
  return ask<TableCreated>('api/lessons', lesson);
}

export async function openTables(): Promise<OpenTable[]> {
  return (await ask<OpenTables>('api/tables')).tables;
}

export async function findTable(codeOrId: string): Promise<TableInfo> {
  return (await ask<Found>(`api/tables/${encodeURIComponent(codeOrId)}`)).table;
}

export function createTable(table: NewTable): Promise<TableCreated> {
  return ask<TableCreated>('api/tables', table);
}

export function joinTable(join: Join): Promise<Joined> {
  return ask<Joined>('api/join', join);
}

export function recordOf(table: string): Promise<RecordData> {
  return ask<RecordData>(`api/record/${encodeURIComponent(table)}`);
}

export function reviewOf(table: string): Promise<ReviewData> {
  return ask<ReviewData>(`api/review/${encodeURIComponent(table)}`);
}

/** Begin or continue a review, or stop it. */
export function runReview(table: string, run: boolean): Promise<ReviewData> {
  return ask<ReviewData>(`api/review/${encodeURIComponent(table)}`, { run });
}

/** A new table from before a decision of a finished game. */
export function tryAgain(wanted: TryAgain): Promise<TableCreated> {
  return ask<TableCreated>('api/again', wanted);
}

export function networkState(): Promise<NetworkState> {
  return ask<NetworkState>('api/network');
}

export function setNetwork(wanted: SetNetwork): Promise<NetworkState> {
  return ask<NetworkState>('api/network', wanted);
}

export async function credits(): Promise<Record<string, string>> {
  return ask<Record<string, string>>('maps/credits.json').catch(() => ({}));
}

/** An id for a request that must not be carried out twice. */
export function freshId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
