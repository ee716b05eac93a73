// A client of `aiplay engine` (protocol 2) for Node.js: starts the engine, returns promises, passes partial answers to
// a callback.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

// A query that the engine refused; `field` is the field of the query that is wrong.
export class EngineError extends Error {
  constructor(message, field = null) {
    super(message);
    this.name = "EngineError";
    this.field = field;
  }
}

export class Engine {
  #process;
  #waiting = new Map(); // id -> {resolve, reject, onPartial}
  #lastId = 0;
  #ended = null; // the error that ended the engine

  // `command` starts the engine: by default AIPLAY_ENGINE, or `aiplay engine`.
  constructor(command = (process.env.AIPLAY_ENGINE ?? "aiplay engine").split(" ")) {
    this.#process = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
    createInterface({ input: this.#process.stdout }).on("line", (line) => this.#take(JSON.parse(line)));
    this.#process.on("error", (error) => this.#fail(startError(error, command)));
    this.#process.stdin.on("error", (error) => this.#fail(error));
    this.#process.on("exit", (code) => this.#fail(new Error(`the engine ended with code ${code}`)));
  }

  // Send a query: ask("choose", {table, player: "mcts"}). `onPartial` gets the partial answers of `analyse`.
  ask(action, fields = {}, onPartial = undefined) {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onPartial });
      this.#process.stdin.write(JSON.stringify({ id, action, ...fields }) + "\n");
    });
  }

  // Let the engine answer all queries and exit.
  close() {
    if (this.#ended) return Promise.resolve();
    return new Promise((resolve) => {
      this.#process.once("exit", resolve);
      this.#process.stdin.end();
    });
  }

  #take(answer) {
    const asked = this.#waiting.get(answer.id);
    if (answer.warning !== undefined || asked === undefined) {
      console.warn(answer.warning ?? answer.error ?? answer);
    } else if (answer.partial === true) {
      asked.onPartial?.(answer);
    } else {
      this.#waiting.delete(answer.id);
      if (answer.ok) asked.resolve(answer);
      else asked.reject(new EngineError(answer.error ?? "the engine does not speak protocol 2", answer.field));
    }
  }

  #fail(error) {
    this.#ended ??= error;
    for (const asked of this.#waiting.values()) asked.reject(this.#ended);
    this.#waiting.clear();
  }
}

function startError(error, command) {
  if (error.code !== "ENOENT") return error;
  return new Error(
    `cannot start ${command[0]}: it is not found. Install aiplay (pip install aiplay), or set AIPLAY_ENGINE to the ` +
      `command, such as "/path/to/venv/bin/aiplay engine"`,
  );
}
