// The one way to the host of the games. The rest of the page sees only what connect() returns:
//
//   request(query, onPartial?)   a promise of the answer; rejected with an Error if the query failed
//   onPush(listener)             called with every message that is not an answer
//   onStatus(listener)           called with "connecting", "open" or "lost"
//   status                       the last of them
//   drop()                       closes the connection as a broken network would (for tests)
//
// Another host (a worker in the browser) needs another function that returns the same.

const FIRST_WAIT = 300; // milliseconds before the first new attempt; doubled each time
const LONGEST_WAIT = 8000;

/** The host refused a query; `field` says which part of it was wrong. */
export class Refused extends Error {
  constructor(answer) {
    super(answer.error);
    this.field = answer.field ?? null;
  }
}

/** The connection was lost before the answer came. */
export class Lost extends Error {
  constructor() {
    super("The connection is lost. It is being made again.");
  }
}

class Connection {
  constructor(url) {
    this.url = url;
    this.status = "connecting";
    this.waiting = new Map(); // id -> {resolve, reject, onPartial}
    this.pushed = new Set();
    this.watched = new Set();
    this.lastId = 0;
    this.wait = FIRST_WAIT;
    this.open();
    window.addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
  }

  request(query, onPartial = null) {
    if (this.status !== "open") return Promise.reject(new Lost());
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, onPartial });
      this.socket.send(JSON.stringify({ id, ...query }));
    });
  }

  onPush(listener) {
    this.pushed.add(listener);
    return () => this.pushed.delete(listener);
  }

  onStatus(listener) {
    this.watched.add(listener);
    return () => this.watched.delete(listener);
  }

  drop() {
    this.socket.close();
  }

  open() {
    clearTimeout(this.timer);
    this.timer = null;
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.tell("open");
    };
    socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    socket.onclose = () => this.lose();
  }

  receive(message) {
    if (message.push !== undefined) {
      for (const listener of this.pushed) listener(message);
      return;
    }
    const asker = this.waiting.get(message.id);
    if (!asker || message.warning !== undefined) return;
    if (message.partial === true) {
      asker.onPartial?.(message);
      return;
    }
    this.waiting.delete(message.id);
    if (message.ok === false) asker.reject(new Refused(message));
    else asker.resolve(message);
  }

  lose() {
    for (const { reject } of this.waiting.values()) reject(new Lost());
    this.waiting.clear();
    this.tell("lost");
    this.timer = setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  hurry() {
    if (this.timer) this.open();
  }

  tell(status) {
    this.status = status;
    for (const listener of this.watched) listener(status);
  }
}

/** Connect to a host; a lost connection is made again by itself. */
export const connect = (url) => new Connection(url);
