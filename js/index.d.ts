import type { Answers, AnalyseAnswer, Id, Query, WarningAnswer } from "./messages";

export type * from "./messages";

/** The actions of queries. */
export type Action = Query["action"];
/** A query with this action; the engine numbers it, if it has no id. */
export type Asked<A extends Action> = Omit<Extract<Query, { action: A }>, "id"> & { id?: Id };

/** The engine refused a query; `field` says which part of it was wrong. */
export class Refused extends Error {
  readonly field: string | null;
}

/** An engine in a worker. */
export class Engine {
  /** Called with warnings about fields that the engine does not know; writes to the console by default. */
  onWarning: (warning: WarningAnswer) => void;
  /** Send a query; a promise of its answer. `onPartial` gets the answers of an analysis that goes on. */
  request<A extends Action>(query: Asked<A> & { action: A }, onPartial?: (answer: AnalyseAnswer) => void): Promise<Answers[A]>;
  /** End a search early: its query is answered with what was found. Without an id: all searches. */
  stop(id?: Id | null): Promise<Answers["terminate"]>;
  /** End the worker. */
  close(): void;
}

/** Start an engine. The folder of Pyodide (with a slash at its end) and the archive can be elsewhere than in node_modules. */
export function createEngine(places?: {
  pyodide?: string | URL;
  archive?: string | URL;
  worker?: string | URL;
}): Promise<Engine>;
