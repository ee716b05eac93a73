// A client of `aiplay engine` for Node.js: starts the engine, returns promises, passes partial answers to a callback.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export class Engine {
  #process;
  #waiting = new Map(); // id -> {resolve, reject, onPartial}
  #lastId = 0;
  #ended = null; // the error that ended the engine

  constructor(command = ["aiplay", "engine"]) {
    this.#process = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
    createInterface({ input: this.#process.stdout }).on("line", (line) => this.#take(JSON.parse(line)));
    this.#process.on("error", (error) => this.#fail(error));
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
      if (answer.error !== undefined) asked.reject(new Error(answer.error));
      else asked.resolve(answer);
    }
  }

  #fail(error) {
    this.#ended ??= error;
    for (const asked of this.#waiting.values()) asked.reject(error);
    this.#waiting.clear();
  }
}
