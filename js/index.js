// The engine of aiplay in a worker: every message of docs/engine.md, without a server.

const isNode = typeof process !== "undefined" && Boolean(process.versions?.node);

/** The engine refused a query; `field` says which part of it was wrong. */
export class Refused extends Error {
  constructor(answer) {
    super(answer.error);
    this.name = "Refused";
    this.field = answer.field ?? null;
  }
}

async function makeWorker(url) {
  if (!isNode) return new Worker(url, { type: "module" });
  const threads = await import("node:worker_threads");
  const worker = new threads.Worker(url);
  worker.on("message", (data) => worker.onmessage?.({ data }));
  worker.on("error", (problem) => worker.onerror?.(problem));
  return worker;
}

export class Engine {
  constructor(worker) {
    this.worker = worker;
    this.waiting = new Map(); // id -> {resolve, reject, onPartial}
    this.lastId = 0;
    this.onWarning = (warning) => console.warn(warning.warning);
    worker.onmessage = ({ data }) => this.hear(data);
    worker.onerror = (problem) => this.end(new Error(problem.message));
  }

  /** Send a query; a promise of its answer. `onPartial` gets the answers of an analysis that goes on. */
  request(query, onPartial = null) {
    if (this.ended) return Promise.reject(this.ended);
    const id = query.id ?? `js-${++this.lastId}`;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, onPartial });
      this.worker.postMessage({ message: { ...query, id } });
    });
  }

  /** End a search early: its query is answered with what was found. Without an id: all searches. */
  stop(id = null) {
    return this.request({ action: "terminate", query: id });
  }

  /** End the worker. */
  close() {
    this.worker.terminate();
    this.end(new Error("the engine is closed"));
  }

  hear(data) {
    if (data.failed) this.end(new Error(data.failed));
    if (!data.message) return;
    const answer = data.message;
    if (answer.warning !== undefined) return this.onWarning(answer);
    const asker = this.waiting.get(answer.id);
    if (!asker) return;
    if (answer.partial) return asker.onPartial?.(answer);
    this.waiting.delete(answer.id);
    if (answer.ok) asker.resolve(answer);
    else asker.reject(new Refused(answer));
  }

  end(problem) {
    this.ended = problem;
    for (const { reject } of this.waiting.values()) reject(problem);
    this.waiting.clear();
  }
}

/** Start an engine. The folder of Pyodide and the archive of the packages can be elsewhere than in node_modules. */
export async function createEngine({
  pyodide = new URL("../pyodide/", import.meta.url),
  archive = new URL("aiplay.zip", import.meta.url),
  worker = new URL("worker.js", import.meta.url),
} = {}) {
  const made = await makeWorker(worker);
  await new Promise((resolve, reject) => {
    made.onmessage = ({ data }) => (data.ready ? resolve() : data.failed && reject(new Error(data.failed)));
    made.onerror = (problem) => reject(new Error(problem.message));
    made.postMessage({ pyodide: String(pyodide), archive: String(archive) });
  });
  return new Engine(made);
}
