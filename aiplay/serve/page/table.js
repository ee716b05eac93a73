// The table: the drawing, the choice of moves, the seats, and the panels beside them.

import { announce, button, el, gameTitle, show, title } from "./dom.js";
import { Board } from "./board.js";
import { Chart } from "./chart.js";
import { chosenAfter, remaining } from "./choice.js";
import { download, savedText } from "./files.js";
import { showHelp } from "./help.js";
import { enter } from "./lobby.js";
import { hasLinks, showLinks } from "./links.js";
import { eventText, Log } from "./log.js";
import { addResult, find, results, update } from "./memory.js";
import { Moves } from "./moves.js";
import { Playback } from "./playback.js";
import { Room, seatName } from "./room.js";
import { Thinking } from "./thinking.js";
import { useCatalogue } from "./tip.js";
import { Tutor } from "./tutor.js";

const panel = (heading, node, isOpen = true) =>
  el("details", { class: "panel fold", open: isOpen }, el("summary", el("h2", heading)), el("div", { class: "fold-body" }, node));

const count = (n) => Math.round(n).toLocaleString();

class TableView {
  constructor(app, room, game, board) {
    Object.assign(this, { app, room, game, board, chosen: [], hints: [], isSending: false });
    board.onChoose = (thing) => this.choose(thing);
    this.moves = new Moves((move) => this.play(move), (thing) => this.choose(thing), () => this.clear());
    this.log = new Log();
    this.chart = new Chart((ply) => room.state.mode === "replay" && this.playback.seek(ply));
    this.thinking = new Thinking(room);
    this.tutor = new Tutor(room, (moves) => {
      this.hints = moves;
      this.update();
    });
    this.playback = new Playback(room, (problem) => this.complain(problem));
    this.seats = el("ul", { class: "seats", "aria-label": "Seats" });
    this.status = el("p", { class: "status", role: "status" });
    this.problem = el("p", { class: "problem", role: "alert" });
    this.result = el("section", { class: "result panel", hidden: true, "aria-label": "Result" });
    this.text = el("pre", { class: "as-text", tabindex: 0 });
    this.makeTools();
    this.onKey = (event) => event.key === "Escape" && !document.querySelector("dialog[open]") && this.clear();
    document.addEventListener("keydown", this.onKey);
    this.stop = room.on((change) => this.changed(change));
  }

  makeTools() {
    this.undo = button("Undo", () => this.takeBack(), { id: "undo" });
    this.now = button("Move now", () => this.ask("now"), { id: "now" });
    this.save = button("Save", () => this.download(), { id: "save" });
    this.links = button("Invite", () => showLinks(this.room), { id: "links" });
    this.away = button("Leave", () => this.leave(), { id: "leave" });
    this.rules = button("Rules", () => showHelp(this.game), { id: "rules" });
    this.tools = el("div", { class: "tools row", role: "group", "aria-label": "Table" },
      this.undo, this.tutor.hint, this.now, this.save, this.links, this.rules, this.away);
  }

  get node() {
    this.movesPanel = panel("Moves", this.moves.node);
    this.root = el("div", { class: "table" },
      el("h1", { class: "unseen" }, gameTitle(this.game).name),
      el("div", { class: "stage" },
        this.seats, el("div", { class: "status-row" }, this.status, this.problem), this.playback.node, this.tutor.node, this.result,
        el("div", { class: "board panel", tabindex: -1 }, this.board.svg), this.moves.bar, this.tools,
        el("details", { class: "small" }, el("summary", "The table as text"), this.text)),
      el("div", { class: "side" }, this.movesPanel, panel("Log", this.log.node)),
      el("div", { class: "side" }, panel("Odds", this.chart.node), panel("Thinking", this.thinking.node)));
    return this.root;
  }

  // What happens

  changed(change) {
    if (change.kind === "closed") return this.closed(change.why);
    if (change.kind === "room") {
      this.chosen = [];
      this.hints = [];
      this.isSending = false;
      this.problem.textContent = "";
      this.update(true);
      this.tell();
    } else if (change.kind === "odds") {
      this.chart.show(this.room, this.game.cooperative);
    } else if (change.kind === "thinking") {
      this.thinking.paint();
      this.showStatus();
    } else if (change.kind === "warning") this.tutor.update();
    return undefined;
  }

  closed(why) {
    this.status.textContent = `This table is closed: ${why}`;
    this.chosen = [];
    this.room.state = { ...this.room.state, legal: [] };
    this.redraw(false);
  }

  tell() {
    const { state, fresh } = this.room;
    const told = fresh.map((event) => `${seatName(state, event.seat)}: ${eventText(event)}`).slice(-6);
    announce([...told, this.statusText()].join(". "));
  }

  get legal() {
    return this.isSending ? [] : this.room.state.legal ?? [];
  }

  choose(thing) {
    this.chosen = chosenAfter(this.legal, this.chosen, thing);
    const left = remaining(this.legal, this.chosen);
    if (this.chosen.length && left.length === 1) this.play(left[0]);
    else this.redraw(false);
  }

  clear() {
    if (!this.chosen.length) return;
    this.chosen = [];
    announce("Choice cleared.");
    this.redraw(false);
  }

  async play(move) {
    if (this.isSending) return;
    const { seat, ply } = this.room.state;
    this.isSending = true;
    this.chosen = [];
    this.redraw(false);
    this.showStatus();
    await this.ask("move", { seat, move: move.move, ply });
    if (this.room.state.ply === ply && this.problem.textContent) {
      this.isSending = false;
      this.redraw(false);
      this.showStatus();
    }
  }

  async ask(action, fields = {}) {
    try {
      this.problem.textContent = "";
      return await this.room.request(action, fields);
    } catch (problem) {
      this.complain(problem);
      return null;
    }
  }

  complain(problem) {
    this.problem.textContent = problem.message;
  }

  async download() {
    const answer = await this.ask("save", { secret: this.room.secret });
    if (answer) download(`${this.game.name}-${this.room.state.ply}.json`, savedText(answer));
  }

  async takeBack() {
    update(this.room.room, { rated: null }); // a game with undo does not count
    await this.ask("undo", { seat: this.room.state.seat });
  }

  /** Count a finished game against bots that adapt for this person's rating, once; return what to tell about it. */
  async rate({ seat, scores }) {
    const level = find(this.room.room)?.rated;
    if (!level || seat === null || !scores) return "";
    update(this.room.room, { rated: null });
    addResult(this.game.name, { level, score: scores[seat] });
    const query = { action: "next_level", game: this.game.name, options: this.room.state.options, results: results(this.game.name) };
    const answer = await this.app.transport.request(query).catch(() => null); // the next game asks again
    return answer ? `Your next bot plays at level ${answer.level}.` : "";
  }

  async leave() {
    const { mode, seat, over } = this.room.state;
    if (mode === "play" && seat !== null && !over) await this.ask("leave", { seat });
    location.hash = `#game=${this.game.name}`;
  }

  async replay() {
    const saved = await this.ask("save", { secret: this.room.secret });
    const answer = saved?.record && (await this.app.transport.request({ action: "replay", record: saved.record }).catch((problem) => this.complain(problem)));
    if (answer) enter(this.game.name, "replay", answer);
  }

  // What is shown

  update(isNew = false) {
    const { state } = this.room;
    this.showSeats(state);
    this.showStatus();
    this.showResult(state);
    this.playback.update();
    this.tutor.update();
    this.redraw(isNew);
    this.log.show(this.room);
    this.chart.show(this.room, this.game.cooperative);
    this.thinking.show();
    this.text.textContent = state.text ?? "";
    this.movesPanel.hidden = state.seat === null;
    this.undo.hidden = state.seat === null;
    this.undo.disabled = !state.can_undo;
    this.now.hidden = state.mode === "replay" || state.over || !state.seats.some(({ thinking }) => thinking);
    this.links.hidden = !hasLinks(this.room);
    this.away.textContent = state.mode === "play" && !state.over ? "Leave" : "To the lobby";
    this.root.dataset.ply = state.ply; // for tests, and for whoever writes a script for the page
    document.title = `${gameTitle(this.game).name} · ${this.statusText()}`;
  }

  redraw(isNew) {
    const { state, previous, fresh } = this.room;
    this.board.draw({ state, previous: isNew ? previous : null, fresh: isNew ? fresh : [], legal: this.legal, chosen: this.chosen, hinted: this.hints });
    const isMine = state.seat !== null && state.to_move === state.seat;
    const { bar } = this.moves, hadFocus = bar.contains(document.activeElement);
    this.moves.show({ legal: this.legal, chosen: this.chosen, hinted: this.hints, isMine, isOver: state.over,
      things: this.board.things.map(({ dataset }) => dataset.thing) });
    if (hadFocus && !bar.contains(document.activeElement)) this.board.svg.parentElement.focus({ preventScroll: true });
  }

  showSeats(state) {
    show(this.seats, state.seats.map((seat) => {
      const isTurn = seat.seat === state.to_move;
      const role = seat.kind === "bot" ? seat.strength ?? "bot" : seat.stand_in ? "away: a bot plays" : seat.present === false ? "away" : "person";
      return el("li", { class: isTurn ? "seat is-turn" : "seat", style: { "--seat": `var(--seat-${seat.seat})` }, "aria-current": isTurn ? "true" : null },
        el("span", { class: "dot" }),
        el("span", { class: "seat-name" }, seatName(state, seat.seat), el("span", { class: "muted small" }, ` seat ${seat.seat} · ${title(role)}`)),
        seat.thinking && el("span", { class: "pulse", role: "img", "aria-label": "thinking" }));
    }));
  }

  statusText() {
    const { state, thinking } = this.room;
    const iterations = thinking?.isPast ? 0 : thinking?.iterations;
    if (state.over) return this.outcome(state);
    if (state.to_move === state.seat) return this.isSending ? "…" : "Your turn";
    const name = seatName(state, state.to_move);
    if (!state.seats[state.to_move]?.thinking) return `${name} to move`;
    return iterations ? `${name} thinks: ${count(iterations)} iterations` : `${name} thinks`;
  }

  showStatus() {
    const text = this.statusText();
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  outcome({ returns, seats, seat }) {
    if (!returns) return "The game is over";
    if (this.game.cooperative) return returns[0] > 0 ? `The team succeeds: ${returns[0]}` : `The team fails: ${returns[0]}`;
    const best = Math.max(...returns), winners = seats.filter((_, i) => returns[i] === best).map(({ seat: one }) => one);
    if (winners.length > 1) return winners.length === seats.length ? "A draw" : `Shared by ${winners.map((one) => seatName({ seats, seat }, one)).join(" and ")}`;
    return winners[0] === seat ? "You win" : `${seatName({ seats, seat }, winners[0])} wins`;
  }

  showResult(state) {
    const isNew = state.over && this.result.hidden;
    this.result.hidden = !state.over || state.mode === "replay";
    if (!isNew || this.result.hidden) return;
    const rated = el("p", { class: "rated" });
    this.rate(state).then((text) => { rated.textContent = text; });
    show(this.result, el("h2", this.outcome(state)), rated,
      el("ul", { class: "returns" }, (state.returns ?? []).map((value, seat) => el("li", { style: { "--seat": `var(--seat-${seat})` } },
        el("span", { class: "dot" }), seatName(state, seat), el("b", { class: "figure" }, String(Math.round(100 * value) / 100))))),
      el("div", { class: "row" },
        el("a", { class: "button", href: `#game=${this.game.name}` }, "Play again"),
        button("Replay with thinking", () => this.replay())));
  }

  close() {
    this.stop();
    this.board.stop();
    this.thinking.stop();
    this.room.leave();
    document.removeEventListener("keydown", this.onKey);
  }
}

/** Show a table; returns what ends it. */
export async function showTable(main, app, name, secret) {
  const room = new Room(app.transport, name, secret);
  try {
    await room.join();
    const [game] = await Promise.all([app.game(room.state.game, room.state.options), app.greet()]);
    useCatalogue(game.catalogue);
    const view = new TableView(app, room, game, await Board.make(game, null));
    show(main, view.node);
    view.update();
    view.board.start();
    return () => view.close();
  } catch (problem) {
    room.leave();
    throw problem;
  }
}
