// What a search thinks: visits and values of the moves with their uncertainty, the best line, beliefs, outcomes.

import { el, percent, show } from "./dom.js";
import { seatName } from "./room.js";

const MOST_MOVES = 8, MOST_PLACES = 12, MOST_THINGS = 5, MOST_OUTCOMES = 12;
const SURE = 1.96; // standard errors on each side of 95 %

const number = (n) => Math.round(n).toLocaleString();
const clamp = (value) => Math.min(1, Math.max(0, value));

function moveRow(move, most) {
  const low = clamp(move.value - SURE * (move.margin ?? 0)), high = clamp(move.value + SURE * (move.margin ?? 0));
  const range = move.margin ? `${percent(low)} to ${percent(high)}` : percent(move.value);
  return el("tr",
    el("th", { scope: "row" }, move.text),
    el("td", { class: "visits" }, el("span", { class: "bar", style: { width: `${(100 * move.visits) / most}%` } }), el("span", { class: "figure" }, number(move.visits))),
    el("td", { class: "value", "aria-label": `value ${percent(move.value)}, between ${range}` },
      el("span", { class: "level", style: { width: `${100 * clamp(move.value)}%` } }),
      el("span", { class: "whisker", style: { left: `${100 * low}%`, width: `${100 * (high - low)}%` } }),
      el("span", { class: "point", style: { left: `${100 * clamp(move.value)}%` } }),
      el("span", { class: "figure" }, percent(move.value))));
}

function moveGrid(moves) {
  const shown = moves.slice(0, MOST_MOVES), most = Math.max(1, ...moves.map(({ visits }) => visits));
  const rest = moves.length - shown.length;
  return el("div", { class: "scroll" }, el("table", { class: "thoughts" },
    el("caption", { class: "unseen" }, "Moves with their visits and values"),
    el("thead", el("tr", el("th", { scope: "col" }, "Move"), el("th", { scope: "col" }, "Visits"), el("th", { scope: "col" }, "Value, 95 %"))),
    el("tbody", shown.map((move) => moveRow(move, most)))),
  rest > 0 && el("p", { class: "muted small" }, `and ${rest} more`));
}

const shares = (heading, about, rows) => rows.length > 0 && [el("h3", heading), el("p", { class: "muted small" }, about),
  el("ul", { class: "shares" }, rows.map(({ text, share, more }) => el("li",
    el("span", text), el("span", { class: "figure" }, more ? `${percent(share)} · ${more}` : percent(share)),
    el("span", { class: "bar", style: { width: `${100 * clamp(share)}%` } }))))];

/** Return a place of the table by the name of its seat: "seat 1's hand" is "Club 1: hand". */
const placeName = (state, place) => place.replace(/^seat (\d+)'s /, (_, seat) => `${seatName(state, Number(seat))}: `);

function beliefList(state, beliefs) {
  const places = Map.groupBy(beliefs, ({ place }) => place);
  const row = (place, things) => el("li", el("b", placeName(state, place)),
    el("ul", things.slice(0, MOST_THINGS).map(({ thing, share }) => el("li", { style: { "--share": percent(clamp(share)).replace(" ", "") } },
      `${thing} `, el("span", { class: "figure muted" }, percent(share))))));
  return places.size > 0 && [el("h3", "Beliefs"), el("p", { class: "muted small" }, "What may be hidden, with the share of the sampled worlds in which it is there."),
    el("ul", { class: "beliefs" }, [...places].slice(0, MOST_PLACES).map(([place, things]) => row(place, things)))];
}

/** Return the elements that show one state of a search. */
export function thoughts(state, thought) {
  const { moves = [], line = [], beliefs = [], outcomes = [], odds = [] } = thought;
  const outcome = (one) => ({ text: one.text, share: one.probability, more: one.value === null || one.value === undefined ? null : `value ${percent(one.value)}` });
  return [
    odds.length > 0 && el("p", { class: "small" }, "Odds: ", odds.map((share, seat) => `${seatName(state, seat)} ${percent(share)}`).join(" · ")),
    moves.length > 0 && moveGrid(moves),
    line.length > 0 && [el("h3", "Best line"), el("ol", { class: "line" }, line.map((text) => el("li", text)))],
    shares("Outcomes", "How likely each is after the best move, and what it is worth.", outcomes.slice(0, MOST_OUTCOMES).map(outcome)),
    beliefList(state, beliefs),
  ];
}

const KEEP = "aiplay.analyse";

/** The panel: shows bots that think, and thinks for the person on request. */
export class Thinking {
  constructor(room) {
    this.room = room;
    this.own = null; // the last answer to "think"
    this.running = null; // the position that is thought about
    this.head = el("p", { class: "small muted", role: "status" });
    this.body = el("div", { class: "stack" });
    this.toggle = el("input", { type: "checkbox", id: "analyse", checked: sessionStorage.getItem(KEEP) === "yes", onchange: () => this.switched() });
    this.node = el("div", { class: "stack" },
      el("div", { class: "field is-switch" }, this.toggle, el("label", { for: "analyse" }, "Analyse for me"),
        el("p", { class: "muted small" }, "From what your seat sees only.")),
      this.head, this.body);
  }

  switched() {
    sessionStorage.setItem(KEEP, this.toggle.checked ? "yes" : "no");
    if (!this.toggle.checked) this.stop();
    this.own = null;
    this.show();
  }

  /** The seat whose position can be analysed now, or null. */
  get seat() {
    const { state } = this.room;
    if (state.over || state.to_move < 0) return null;
    if (state.mode !== "play") return state.to_move;
    return state.to_move === state.seat ? state.seat : null;
  }

  async think() {
    const { state } = this.room;
    const position = `${state.ply}`;
    if (this.running === position) return;
    this.running = position;
    try {
      const take = (answer) => {
        if (this.running !== position) return;
        this.own = answer;
        this.paint();
      };
      take(await this.room.request("think", { seat: this.seat, time: 4, every: 0.25 }, take));
    } catch (problem) {
      if (this.running === position) this.head.textContent = problem.message;
    }
  }

  stop() {
    if (this.running !== null) this.room.request("stop_thinking").catch(() => {});
    this.running = null;
  }

  /** Show what there is after a change of the room. */
  show() {
    if (this.running !== null && this.running !== `${this.room.state.ply}`) {
      this.running = null;
      this.own = null;
    }
    if (this.toggle.checked && this.seat !== null) this.think();
    this.paint();
  }

  paint() {
    const { state, thinking } = this.room;
    const thought = this.own ?? thinking;
    if (!thought || (thought.isPast && !thought.moves)) {
      this.head.textContent = state.over ? "The game is over." : "";
      show(this.body);
      return;
    }
    const seat = this.own ? this.own.seat ?? this.seat : thought.seat;
    const cost = [thought.iterations && `${number(thought.iterations)} iterations`, thought.seconds && `${thought.seconds.toFixed(1)} s`].filter(Boolean).join(", ");
    const what = this.own ? "Analysis for" : thought.isPast ? "Last thoughts:" : "Thinking:";
    this.head.textContent = `${what} ${seatName(state, seat)}${cost ? ` (${cost})` : ""}`;
    if (thought.moves || this.own) show(this.body, thoughts(state, thought));
    else show(this.body, el("p", { class: "muted small" }, "Its thoughts are hidden while the game is on: they would show its cards."));
  }
}
