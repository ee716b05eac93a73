// The page: connects, greets the host, and shows the lobby or a table, as the address says.
//
//   #                      the lobby            #game=pig              the lobby, with this game chosen
//   #room=R&secret=S       a table              #token=T               the right to open tables on a public server

import { el, show } from "./dom.js";
import { showLobby } from "./lobby.js";
import { showTable } from "./table.js";
import { themeSwitch } from "./theme.js";
import { startTips } from "./tip.js";
import { Lost, Refused } from "./transport.js";

const TOKEN = "aiplay.token";
const main = document.getElementById("main");
const connection = document.getElementById("connection");
const WORDS = { connecting: "Connecting …", open: "", lost: "Connection lost. Trying again …" };

themeSwitch(document.getElementById("theme"));
startTips();
const { connect } = await import(new URL(document.querySelector("meta[name=aiplay-transport]").content, document.baseURI).href);

const app = {
  transport: connect(), // see transport.js
  hello: null, // the answer to "hello"
  games: new Map(), // name and options -> the answer to "game"
  close: () => {}, // ends what is shown
};

/** Ask about a game once: rules, catalogue, options, drawing. */
app.game = (name, options = {}) => {
  const key = JSON.stringify([name, options]);
  if (!app.games.has(key)) {
    const asked = app.transport.request({ action: "game", game: name, options });
    asked.catch(() => app.games.delete(key));
    app.games.set(key, asked);
  }
  return app.games.get(key);
};

/** Greet the host, with the token of a public server if there is one. */
app.greet = async () => {
  if (!app.hello) {
    const token = sessionStorage.getItem(TOKEN);
    app.hello = await app.transport.request({ action: "hello", ...(token ? { token } : {}) });
  }
  return app.hello;
};

/** Ask for the token of a public server. */
function askToken(problem) {
  const input = el("input", { name: "token", required: true, autocomplete: "off", id: "token" });
  const submit = (event) => {
    event.preventDefault();
    sessionStorage.setItem(TOKEN, input.value.trim());
    route();
  };
  show(main, el("form", { class: "panel ask stack", onsubmit: submit },
    el("h1", "A token, please"),
    el("p", { class: "muted" }, problem.message),
    el("label", { for: "token" }, "Token"), input,
    el("button", { class: "primary" }, "Go on")));
  input.focus();
}

function showProblem(problem) {
  if (problem instanceof Lost) return; // it is made again, and then shown again
  if (problem instanceof Refused && problem.field === "token") return askToken(problem);
  show(main, el("section", { class: "panel ask stack" },
    el("h1", "That did not work"),
    el("p", problem.message),
    el("p", el("a", { href: "#" }, "To the lobby"))));
}

async function route() {
  if (app.transport.status !== "open") return;
  app.close();
  app.close = () => {};
  const asked = new URLSearchParams(location.hash.replace(/^#\/?/, ""));
  if (asked.has("token")) {
    sessionStorage.setItem(TOKEN, asked.get("token"));
    history.replaceState(null, "", "#");
  }
  try {
    if (asked.has("room")) app.close = await showTable(main, app, asked.get("room"), asked.get("secret") ?? "");
    else app.close = await showLobby(main, app, asked.get("game"));
  } catch (problem) {
    showProblem(problem);
    if (!(problem instanceof Lost || problem instanceof Refused)) throw problem;
  }
}

/** Greet again after a lost connection: the right to open tables belongs to the connection. */
function greetAgain() {
  const token = sessionStorage.getItem(TOKEN);
  if (app.hello && token) app.transport.request({ action: "hello", token }).catch(() => {});
}

let isShown = false;
app.transport.onStatus((status) => {
  connection.textContent = WORDS[status];
  connection.classList.toggle("is-lost", status === "lost");
  document.body.classList.toggle("is-lost", status === "lost");
  if (status === "open") greetAgain();
  if (status === "open" && (!isShown || main.querySelector(".loading, .ask"))) {
    isShown = true;
    route();
  }
});
connection.textContent = WORDS.connecting;
window.addEventListener("hashchange", async () => {
  await route();
  main.focus({ preventScroll: true });
  scrollTo(0, 0); // the lobby may have been scrolled
});
