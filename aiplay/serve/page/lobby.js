// The lobby: choose a game, its options and seats, and open a table; go on with one; load a save; replay a record.

import { button, el, gameTitle, show, title } from "./dom.js";
import { emblem } from "./emblems.js";
import { readSave } from "./files.js";
import { showHelp } from "./help.js";
import { address, forget, remember, results, tables } from "./memory.js";
import { isSeats, optionForm } from "./options.js";
import { seatForm } from "./seats.js";
import { Refused } from "./transport.js";

const NAME = "aiplay.name";
const LOSSES = [[0, "Off"], [0.05, "Warn early: a loss of 5 %"], [0.1, "Warn: a loss of 10 %"], [0.2, "Warn late: a loss of 20 %"]];

const PACES = [[0.5, "Calmly"], [0, "At once"], [1.5, "Slowly"]]; // seconds between two moves of bots

/** Keep the secrets of a new table and go there: to the seat of this person, or to the owner's place. `rated`: the level
 * of a game that counts for this person's rating. */
export function enter(game, mode, answer, mine = -1, rated = null) {
  const secrets = answer.seats ?? [];
  const seat = secrets.find((one) => one.seat === mine) ?? secrets[0];
  remember({ room: answer.room, game, mode, opened: Date.now(), owner: answer.owner, seats: secrets, rated });
  location.hash = address(answer.room, seat?.secret ?? answer.owner);
}

const seatsText = ({ low, high }) => (low === high ? `${low} seats` : `${low}–${high} seats`);

const traits = (game) => [seatsText(game.seats), game.hidden && "hidden cards", game.chance && "chance",
  game.cooperative && "together"].filter(Boolean).join(" · ");

function gallery(games, chosen, onChoose) {
  const cards = games.map((game) => {
    const input = el("input", { type: "radio", name: "game", value: game.name, checked: game.name === chosen,
      onchange: () => onChoose(game.name) });
    return el("label", { class: "game" }, input, emblem(game.name),
      el("span", { class: "game-words" }, el("b", gameTitle(game).name), el("span", { class: "muted small" }, traits(game))));
  });
  return el("fieldset", { class: "games" }, el("legend", el("h2", "Choose a game")), cards);
}

const field = (label, input, about = null) =>
  el("div", { class: "field" }, el("label", { for: input.id }, label), input, about && el("p", { class: "muted small" }, about));

function modeChoice(onChange) {
  const radio = (value, text, checked) =>
    el("label", { class: "segment" }, el("input", { type: "radio", name: "mode", value, checked, onchange: () => onChange(value) }), text);
  return el("fieldset", { class: "segments" }, el("legend", { class: "unseen" }, "Play or watch"),
    radio("play", "Play", true), radio("watch", "Watch bots", false));
}

/** The form for a new table of one game. */
class Setup {
  constructor(app, game) {
    Object.assign(this, { app, game, mode: "play", count: game.seats.now });
    this.seatPlace = el("div");
    this.problem = el("p", { class: "problem", role: "alert" });
    const change = () => this.changed();
    this.players = optionForm(game.options, change, { only: isSeats });
    this.others = optionForm(game.options, change, { only: (option) => !isSeats(option) });
    this.name = el("input", { id: "my-name", autocomplete: "nickname", maxlength: 40, value: localStorage.getItem(NAME) ?? "" });
    this.tutor = el("select", { id: "tutor" }, LOSSES.map(([loss, text]) => el("option", { value: loss }, text)));
    this.pace = el("select", { id: "pace" }, PACES.map(([seconds, text]) => el("option", { value: seconds }, text)));
    this.seed = el("input", { id: "seed", type: "number", min: 0, step: 1, placeholder: "by chance" });
    this.start = el("button", { class: "primary wide" }, "Start");
    this.personal = el("div", { class: "pair" }, field("Your name", this.name), field("Tutor", this.tutor), field("Bots move", this.pace));
    this.showSeats();
  }

  values() {
    return { ...this.players.values(), ...this.others.values() };
  }

  showSeats() {
    this.seatRows = seatForm(this.app, this.count, this.mode === "watch", this.seatRows?.chosen(), !this.game.cooperative);
    show(this.seatPlace, this.seatRows.node);
    this.personal.hidden = this.mode === "watch";
    this.start.textContent = this.mode === "watch" ? "Watch" : "Start";
  }

  async changed() {
    try {
      const described = await this.app.game(this.game.name, this.values());
      this.complain("");
      if (described.seats.now !== this.count) {
        this.count = described.seats.now;
        this.showSeats();
      }
    } catch (problem) {
      this.complain(problem.message);
    }
  }

  complain(text) {
    this.players.problem(text);
    this.others.problem(text);
    this.problem.textContent = text;
  }

  async open(event) {
    event.preventDefault();
    this.start.disabled = true;
    localStorage.setItem(NAME, this.name.value.trim());
    const query = { game: this.game.name, options: this.values() };
    if (this.seed.value !== "") query.seed = Number(this.seed.value);
    if (this.mode === "play") Object.assign(query, { tutor: Number(this.tutor.value), pace: Number(this.pace.value) });
    try {
      const level = this.mode === "play" && this.seatRows.adapts() ? await this.nextLevel(query) : null;
      query.seats = this.seatRows.seats(this.name.value.trim(), level);
      const answer = await this.app.transport.request({ action: this.mode === "watch" ? "watch" : "open_room", ...query });
      enter(this.game.name, this.mode, answer, this.seatRows.mine(), level);
    } catch (problem) {
      this.complain(problem.message);
      this.start.disabled = false;
    }
  }

  /** Ask for the level that gives this person an even chance. */
  async nextLevel({ game, options }) {
    return (await this.app.transport.request({ action: "next_level", game, options, results: results(game) })).level;
  }

  get node() {
    const rules = button("Rules", async () => showHelp(await this.app.game(this.game.name)), { class: "quiet" });
    const more = this.others.nodes.length ? "Options and seed" : "Seed";
    return el("form", { class: "panel setup stack", onsubmit: (event) => this.open(event), novalidate: true },
      el("div", { class: "setup-head" }, el("h2", { id: "setup-title" }, gameTitle(this.game).name), rules),
      el("p", { class: "muted" }, gameTitle(this.game).about),
      modeChoice((mode) => {
        this.mode = mode;
        this.showSeats();
      }),
      this.players.nodes, this.seatPlace, this.personal,
      el("details", el("summary", more), el("div", { class: "options" }, this.others.nodes, field("Seed", this.seed,
        "The same seed gives the same cards and dice."))),
      this.problem, this.start);
  }
}

function recent(app) {
  const kept = tables();
  if (!kept.length) return null;
  const list = el("ul", { class: "recent" }, kept.map((table) => {
    const secret = table.seats[0]?.secret ?? table.owner;
    const item = el("li", emblem(table.game), el("a", { href: address(table.room, secret) }, title(table.game)),
      el("span", { class: "muted small" }, `${table.mode}, ${new Date(table.opened).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}`),
      button("Forget", () => {
        forget(table.room);
        item.remove();
      }, { class: "quiet", "aria-label": `Forget the table of ${title(table.game)}` }));
    return item;
  }));
  return el("section", { class: "panel stack" }, el("h2", "Go on"), list);
}

/** Go on with a record: you at seat 0, the usual bots at the others. */
async function goOn(app, record) {
  const { seats } = await app.game(record.game, record.options);
  const rows = seatForm(app, seats.now, false);
  return app.transport.request({ action: "open_room", record, seats: rows.seats(localStorage.getItem(NAME) ?? "") });
}

function loader(app) {
  const problem = el("p", { class: "problem", role: "alert" });
  const input = el("input", { type: "file", id: "save-file", accept: ".json,application/json" });
  const replay = el("input", { type: "checkbox", id: "as-replay" });
  const attempt = async (ask, mode, game) => {
    problem.textContent = "";
    try {
      const answer = await ask();
      enter(answer.game ?? game, answer.mode ?? mode, answer);
    } catch (trouble) {
      problem.textContent = trouble.message;
    }
  };
  const load = () => input.files.length && attempt(async () => {
    const found = await readSave(input.files[0]);
    if (found.record && !replay.checked) return { game: found.record.game, mode: "play", ...(await goOn(app, found.record)) };
    const action = found.record ? "replay" : "open_room";
    return { game: found.record?.game ?? "", mode: found.record ? "replay" : "play", ...(await app.transport.request({ action, ...found })) };
  });
  input.addEventListener("change", load);
  return el("section", { class: "panel stack" }, el("h2", "Load"),
    el("div", { class: "field" }, el("label", { for: "save-file" }, "A saved game or a record"), input),
    el("div", { class: "field is-switch" }, replay, el("label", { for: "as-replay" }, "Replay a record move by move")),
    matchChoice(app, attempt), problem);
}

function matchChoice(app, attempt) {
  const matches = app.hello.matches ?? [];
  if (!matches.length) return null;
  const select = el("select", { id: "match" }, matches.map(({ name, games }) => el("option", { value: name }, `${name} (${games} games)`)));
  const number = el("input", { id: "match-game", type: "number" });
  const chosen = () => {
    const [first = 0, last = first] = matches.find(({ name }) => name === select.value).numbers;
    Object.assign(number, { min: first, max: last, value: first });
  };
  select.addEventListener("change", chosen);
  chosen();
  const go = button("Replay this game", () =>
    attempt(() => app.transport.request({ action: "replay", match: select.value, number: Number(number.value) }), "replay", ""));
  return el("div", { class: "pair" }, field("A saved match", select), field("Game", number), go);
}

/** Show the lobby. */
export async function showLobby(main, app, wanted = null) {
  let hello;
  try {
    hello = await app.greet();
  } catch (problem) {
    if (problem instanceof Refused) app.hello = null;
    throw problem;
  }
  document.title = "aiplay";
  const place = el("div", { class: "setup-place" });
  const choose = (name) => show(place, new Setup(app, hello.games.find((game) => game.name === name)).node);
  const names = hello.games.map(({ name }) => name);
  const first = names.includes(wanted) ? wanted : names.includes("illusio") ? "illusio" : names[0];
  show(main, el("div", { class: "lobby" },
    el("header", { class: "lobby-head" }, el("h1", "Take a seat"),
      el("p", { class: "muted" }, "Play against bots that see what their seat sees, and nothing more.")),
    gallery(hello.games, first, choose), place, el("div", { class: "lobby-more" }, recent(app), loader(app))));
  choose(first);
  return () => {};
}
