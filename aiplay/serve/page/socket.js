// The transport to a server: a WebSocket that is opened again whenever it is lost.

import { Transport } from "./transport.js";

const FIRST_WAIT = 300; // milliseconds before the first new attempt; doubled each time
const LONGEST_WAIT = 8000;

class Connection extends Transport {
  constructor(url) {
    super();
    this.url = url;
    this.wait = FIRST_WAIT;
    this.open();
    window.addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
  }

  send(message) {
    this.socket.send(JSON.stringify(message));
  }

  open() {
    clearTimeout(this.timer);
    this.timer = null;
    this.socket = new WebSocket(this.url);
    this.socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.tell("open");
    };
    this.socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    this.socket.onclose = () => this.lose();
  }

  lose() {
    super.lose();
    this.timer = setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  hurry() {
    if (this.timer) this.open();
  }
}

/** Connect to the server of this page. */
export const connect = () => new Connection(new URL("ws", document.baseURI.split("#")[0].replace(/^http/, "ws")).href);
