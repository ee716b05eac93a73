// Written by js/make_types.py from docs/engine_schema.json. Do not edit.

/** The name of a query, chosen by the client. */
export type Id = string | number;

/** Ask for the versions of aiplay and of the protocol. */
export interface Version {
  action: "version";
  id: string | number;
}

/** List the games that can be played, or describe one of them. */
export interface Games {
  action: "games";
  game?: string | null;
  options?: { [name: string]: unknown };
  catalogue?: boolean;
  rules?: boolean;
  scene_schema?: boolean;
  id: string | number;
}

/** Set up a table that the engine holds: a new game, or one that goes on from its record. */
export interface NewTable {
  action: "new_table";
  game?: string | null;
  options?: { [name: string]: unknown };
  seed?: number | null;
  record?: RecordFields | null;
  table?: string | null;
  id: string | number;
}

/** A game so far, as the query `record` and `Record.to_json()` give it: it holds everything that is hidden. */
export interface RecordFields {
  game: string;
  options: { [name: string]: unknown };
  /** makes the answer reproducible */
  seed: number;
  moves: Array<number>;
  players?: Array<string>;
}

/** Show what a seat of a table knows; by default the seat to move. */
export interface View {
  action: "view";
  /** a table that the engine holds */
  table: string;
  seat?: number | null;
  id: string | number;
}

/** List the legal moves of a seat; none if it is not its turn. */
export interface LegalMoves {
  action: "legal_moves";
  id: string | number;
  table?: string | null;
  seat?: number | null;
  view?: ViewFields | null;
}

/** A whole view: its fields, as the query `view` and `View.to_json()` give them, or its scene. */
export interface ViewFields {
  game: string;
  options?: { [name: string]: unknown };
  /** a seat, counted from 0 */
  seat: number;
  view?: { [name: string]: unknown };
  scene?: unknown;
}

/** Make a move at a table, by number, notation or parts. */
export interface Play {
  action: "play";
  /** a table that the engine holds */
  table: string;
  move: number | string | { [name: string]: unknown };
  seat?: number | null;
  observer?: number | null;
  id: string | number;
}

/** Tell what happened at a table from a ply on, as a seat noticed it; without a seat, everything. */
export interface Events {
  action: "events";
  /** a table that the engine holds */
  table: string;
  seat?: number | null;
  /** moves before an event, those of chance included */
  since?: number;
  id: string | number;
}

/** Take back the last decision at a table. */
export interface Undo {
  action: "undo";
  /** a table that the engine holds */
  table: string;
  id: string | number;
}

/** Save a table: its record sets it up again with `new_table`. */
export interface Record {
  action: "record";
  /** a table that the engine holds */
  table: string;
  id: string | number;
}

/** Let a player choose a move. It is not played at the table: send `play` for that. */
export interface Choose {
  action: "choose";
  id: string | number;
  table?: string | null;
  seat?: number | null;
  view?: ViewFields | null;
  player?: string;
  seed?: number | null;
  limit?: LimitFields;
  keep?: string | null;
}

/** Limits of a player for this query; the first one reached ends the search. */
export interface LimitFields {
  time?: number | null;
  iterations?: number | null;
  nodes?: number | null;
  depth?: number | null;
}

/** Ask for every move with its value; with `every`, partial answers at this interval. */
export interface Analyse {
  action: "analyse";
  every?: number | null;
  id: string | number;
  table?: string | null;
  seat?: number | null;
  view?: ViewFields | null;
  player?: string;
  seed?: number | null;
  limit?: LimitFields;
  keep?: string | null;
}

/** Compare one move with the best one. */
export interface Explain {
  action: "explain";
  move: number | string | { [name: string]: unknown };
  id: string | number;
  table?: string | null;
  seat?: number | null;
  view?: ViewFields | null;
  player?: string;
  seed?: number | null;
  limit?: LimitFields;
  keep?: string | null;
}

/** Ask for a few good moves in no order, so that a person can choose among them. */
export interface Hint {
  action: "hint";
  count?: number;
  id: string | number;
  table?: string | null;
  seat?: number | null;
  view?: ViewFields | null;
  player?: string;
  seed?: number | null;
  limit?: LimitFields;
  keep?: string | null;
}

/** Forget a player that was kept. */
export interface Forget {
  action: "forget";
  keep: string;
  id: string | number;
}

/** Rate a person by results against levels of `mcts`: which level gives an even chance? */
export interface NextLevel {
  action: "next_level";
  game: string;
  options?: { [name: string]: unknown };
  results?: Array<ResultFields>;
  id: string | number;
}

/** The result of a person's game against bots of a level. */
export interface ResultFields {
  level: number;
  /** 0 lost, 1 won */
  score: number;
}

/** Close a table. */
export interface Close {
  action: "close";
  /** a table that the engine holds */
  table: string;
  id: string | number;
}

/** End a running or waiting query (or all of them): it answers with what it has found so far. */
export interface Terminate {
  action: "terminate";
  query?: string | number | null;
  id: string | number;
}

/** A query cannot be answered: what is wrong, what is allowed, and in which field. */
export interface ErrorAnswer {
  id: string | number | null;
  ok: boolean;
  error: string;
  field: string | null;
}

/** A query is answered, but one of its fields is suspicious. */
export interface WarningAnswer {
  id: string | number | null;
  ok: boolean;
  warning: string;
  field: string;
}

/** The versions of aiplay and of the protocol. */
export interface VersionAnswer {
  id: string | number | null;
  ok: boolean;
  version: string;
  protocol: number;
}

/** The games that can be played. */
export interface GamesAnswer {
  id: string | number | null;
  ok: boolean;
  games: Array<GameFields>;
}

/** A game with its options. */
export interface GameFields {
  name: string;
  about: string;
  seats: SeatsFields;
  chance: boolean;
  hidden: boolean;
  cooperative: boolean;
  options: Array<OptionFields>;
  labels: { [name: string]: Array<string> };
  catalogue: { [name: string]: Array<Entry> } | null;
  rules: string | null;
  scene_schema: { [name: string]: unknown } | null;
}

/** The numbers of seats that a game can have, and the number with these options. */
export interface SeatsFields {
  low: number;
  high: number;
  now: number;
}

/** An option of a game. */
export interface OptionFields {
  name: string;
  default: unknown;
  low: number | null;
  high: number | null;
  choices: Array<string>;
  allowed: string;
  about: string;
}

/** One thing that a game has: a card, a city, a space, a die, a verb. */
export interface Entry {
  name: string;
  about: string;
  facts: { [name: string]: unknown };
}

/** The new table. */
export interface NewTableAnswer {
  id: string | number | null;
  ok: boolean;
  to_move: number;
  over: boolean;
  returns: Array<number> | null;
  ply: number;
  table: string;
  game: string;
  options: { [name: string]: unknown };
  seed: number;
  seats: number;
}

/** The view of a seat: as fields, as a scene and as text, and the seat to move. */
export interface ViewAnswer {
  id: string | number | null;
  ok: boolean;
  view: ViewFields;
  scene: unknown;
  text: string;
  to_move: number;
  ply: number;
}

/** The legal moves of the seat; none if it is not its turn. */
export interface LegalMovesAnswer {
  id: string | number | null;
  ok: boolean;
  seat: number;
  to_move: number;
  moves: Array<MoveFields>;
}

/** A move: number, notation and parts. */
export interface MoveFields {
  move: number;
  text: string;
  parts: { [name: string]: string | number | null };
}

/** The move that was made, and what an observer noticed of it and of what chance decided after it. */
export interface PlayAnswer {
  id: string | number | null;
  ok: boolean;
  to_move: number;
  over: boolean;
  returns: Array<number> | null;
  ply: number;
  move: number;
  text: string;
  parts: { [name: string]: string | number | null };
  events: Array<Event> | null;
}

/** One move of a game, or one outcome of chance. */
export interface Event {
  ply: number;
  seat: number;
  text: string;
  is_seen: boolean;
  parts: { [name: string]: string | number | null };
  learned: { [name: string]: string | number | null };
}

/** The events at a table; seat -1 is chance. */
export interface EventsAnswer {
  id: string | number | null;
  ok: boolean;
  events: Array<Event>;
  ply: number;
}

/** The move that was taken back. */
export interface UndoAnswer {
  id: string | number | null;
  ok: boolean;
  to_move: number;
  over: boolean;
  returns: Array<number> | null;
  ply: number;
  undone: number;
}

/** The record of a table. */
export interface RecordAnswer {
  id: string | number | null;
  ok: boolean;
  record: RecordFields;
}

/** The move that a player chose, and the token that repeats its search (empty if it cannot be repeated). */
export interface ChooseAnswer {
  id: string | number | null;
  ok: boolean;
  move: number;
  text: string;
  parts: { [name: string]: string | number | null };
  seconds: number;
  token: string;
}

/** Every move with its value, best first; `partial` while the search is running. */
export interface AnalyseAnswer {
  id: string | number | null;
  ok: boolean;
  partial: boolean;
  seat: number;
  move: number;
  moves: Array<MoveValue>;
  line: Array<string>;
  odds: Array<number>;
  iterations: number;
  nodes: number;
  worlds: number;
  depth: number;
  seconds: number;
  token: string;
}

/** A move with its value. */
export interface MoveValue {
  move: number;
  text: string;
  parts: { [name: string]: string | number | null };
  visits: number;
  value: number;
  margin: number;
  proven: boolean;
}

/** One move compared with the others. */
export interface ExplainAnswer {
  id: string | number | null;
  ok: boolean;
  move: number;
  text: string;
  parts: { [name: string]: string | number | null };
  rank: number;
  of: number;
  value: number;
  margin: number;
  visits: number;
  best: MoveValue;
  loss: number;
  line: Array<string>;
  verdict: string;
  seconds: number;
}

/** A few good moves, in the order of their numbers. */
export interface HintAnswer {
  id: string | number | null;
  ok: boolean;
  seat: number;
  moves: Array<MoveFields>;
  seconds: number;
}

/** The player that was forgotten. */
export interface ForgetAnswer {
  id: string | number | null;
  ok: boolean;
  forgotten: string;
}

/** The level that gives a person an even chance, and the rating behind it, on the Elo scale of the game's levels. */
export interface NextLevelAnswer {
  id: string | number | null;
  ok: boolean;
  level: number;
  rating: number;
  margin: number;
  chances: Array<number>;
}

/** The table that was closed. */
export interface CloseAnswer {
  id: string | number | null;
  ok: boolean;
  closed: string;
}

/** The queries that were still running or waiting. */
export interface TerminateAnswer {
  id: string | number | null;
  ok: boolean;
  terminated: Array<string | number>;
}

/** Everything that can be asked. */
export type Query = Version | Games | NewTable | View | LegalMoves | Play | Events | Undo | Record | Choose | Analyse | Explain | Hint | Forget | NextLevel | Close | Terminate;

/** The answer to every action. */
export interface Answers {
  version: VersionAnswer;
  games: GamesAnswer;
  new_table: NewTableAnswer;
  view: ViewAnswer;
  legal_moves: LegalMovesAnswer;
  play: PlayAnswer;
  events: EventsAnswer;
  undo: UndoAnswer;
  record: RecordAnswer;
  choose: ChooseAnswer;
  analyse: AnalyseAnswer;
  explain: ExplainAnswer;
  hint: HintAnswer;
  forget: ForgetAnswer;
  next_level: NextLevelAnswer;
  close: CloseAnswer;
  terminate: TerminateAnswer;
}
