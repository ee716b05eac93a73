// The transport to a host in a worker of this browser: see page/transport.js. Nothing is sent anywhere.

import { Transport } from "../page/transport.js";

const ROOM = "aiplay.room."; // before the name of a room that is kept
const main = document.getElementById("main");

/** The rooms that this browser has kept, as texts by name. */
function keptRooms() {
  const names = Object.keys(localStorage).filter((key) => key.startsWith(ROOM));
  return Object.fromEntries(names.map((key) => [key.slice(ROOM.length), localStorage.getItem(key)]));
}

function keep(name, text) {
  if (text === null) localStorage.removeItem(ROOM + name);
  else {
    try {
      localStorage.setItem(ROOM + name, text);
    } catch (problem) {
      console.info(`the room ${name} is not kept`, problem); // there is no more space
    }
  }
}

/** A bar in the place of the page while it loads. */
class Progress {
  constructor() {
    this.bar = document.createElement("progress");
    this.bar.max = 1;
    this.bar.id = "progress";
    const label = document.createElement("label");
    label.htmlFor = "progress";
    label.textContent = "Loading the games and their bots …";
    this.box = document.createElement("div");
    this.box.className = "loading site-loading";
    this.note = document.createElement("p");
    this.note.textContent = "They play on your machine. Once loaded, this page works without a connection.";
    this.box.append(label, this.bar, this.note);
    main.replaceChildren(this.box);
  }

  show(share) {
    if (share >= 1) this.bar.removeAttribute("value"); // loaded, and now starting: nobody knows how long
    else this.bar.value = share;
  }

  fail(text) {
    this.bar.remove();
    this.note.textContent = `${text} Reload the page to try again.`;
    this.note.setAttribute("role", "alert");
  }
}

class WorkerTransport extends Transport {
  isShared = false;

  constructor() {
    super();
    this.progress = new Progress();
    this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (event) => this.fail(event.message || "The games cannot be loaded.");
    this.worker.postMessage({ kept: keptRooms() });
  }

  send(message) {
    this.worker.postMessage({ message });
  }

  hear(data) {
    if (data.message) this.receive(data.message);
    else if (data.progress !== undefined) this.progress.show(data.progress);
    else if (data.keep) keep(data.keep, data.text);
    else if (data.failed) this.fail(data.failed);
    else if (data.ready) {
      this.tell("open");
      // Now, not before: its first work is to fetch files, most of which this browser has by now.
      navigator.serviceWorker?.register(new URL("../sw.js", import.meta.url)).catch((problem) => console.info(problem));
    }
  }

  fail(text) {
    console.error(text);
    if (this.status === "connecting") this.progress.fail(text.split("\n").filter(Boolean).at(-1));
    this.lose();
  }
}

export const connect = () => new WorkerTransport();
