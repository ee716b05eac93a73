// The one way to the host of the games (aiplay.serve.host). The page does not know whether the host is a server behind
// a WebSocket (socket.js) or a worker in the same browser. A transport provides:
//
//   request(query, onPartial?)   a promise of the answer to {action, ...}; rejected with Refused if the host refuses
//                                the query, and with Lost if the connection ends first. onPartial is called with
//                                every answer that is not the last one (partial: true)
//   onPush(listener)             listener is called with every message that is no answer; returns what ends that
//   onStatus(listener)           listener is called with "connecting", "open" or "lost"; returns what ends that
//   status                       the last of these; a transport says "open" once the host answers, and after every
//                                reconnection, when rooms have to be joined again
//   isShared                     true if other people can reach the same host: then seats can be theirs, by links
//
// A transport is a module that exports connect(), which returns such an object. index.html names the module:
// <meta name="aiplay-transport" content="page/socket.js">, relative to the page. Another one, for a worker, needs
//
//   import { Transport } from "./transport.js";
//   class WorkerTransport extends Transport {
//     isShared = false;
//     constructor() {
//       super();
//       this.worker = new Worker(...);
//       this.worker.onmessage = ({ data }) => (data.ready ? this.tell("open") : this.receive(data.message));
//     }
//     send(message) { this.worker.postMessage(message); }
//   }
//   export const connect = () => new WorkerTransport();
//
// In the worker, Host.connect(send) gets the function that posts messages to the page, and Host.receive(connection,
// text) gets every message from it as JSON.

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

/** What every transport shares: numbers queries, and brings each message to whoever waits for it. */
export class Transport {
  isShared = true;

  constructor() {
    this.status = "connecting";
    this.waiting = new Map(); // id -> {resolve, reject, onPartial}
    this.pushed = new Set();
    this.watched = new Set();
    this.lastId = 0;
  }

  /** Send a message, an object that JSON can hold. */
  send(message) {
    throw new Error(`a transport has to send ${message.action}`);
  }

  request(query, onPartial = null) {
    if (this.status !== "open") return Promise.reject(new Lost());
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, onPartial });
      this.send({ id, ...query });
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

  /** Take a message from the host. */
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

  /** The host is out of reach: nobody gets an answer any more. */
  lose() {
    for (const { reject } of this.waiting.values()) reject(new Lost());
    this.waiting.clear();
    this.tell("lost");
  }

  tell(status) {
    this.status = status;
    for (const listener of this.watched) listener(status);
  }
}
