// The list of moves as text, by verb, and the buttons under the drawing that lead on.

import { announce, button, el, show, title } from "./dom.js";
import { listed, offers, remaining } from "./choice.js";

const SEARCHED = 24; // a list longer than this has a field to search it

const nameOf = (thing) => {
  const parts = JSON.parse(thing);
  return [...new Set(Object.values(Array.isArray(parts) ? parts[0] : parts))].join(" ");
};

export class Moves {
  constructor(onPlay, onChoose, onClear) {
    Object.assign(this, { onPlay, onChoose, onClear, words: "" });
    this.list = el("div", { class: "moves", tabindex: -1 }); // keeps the focus while there are no moves
    this.bar = el("div", { class: "choice", role: "group", "aria-label": "Your choice" });
    this.search = el("input", { type: "search", "aria-label": "Search the moves", placeholder: "Search …", hidden: true,
      oninput: () => {
        this.words = this.search.value.toLowerCase();
        this.showList(this.shown);
      } });
    this.node = el("div", this.search, this.list);
  }

  /** Show {legal, chosen, hinted, things, isMine, isOver}. */
  show(shown) {
    this.shown = shown;
    this.search.hidden = shown.legal.length <= SEARCHED;
    this.showList(shown);
    this.showBar(shown);
  }

  showList(shown) {
    const hasFocus = this.list.contains(document.activeElement);
    this.fillList(shown);
    if (hasFocus) (this.list.querySelector(".move") ?? this.list).focus({ preventScroll: true });
  }

  fillList({ legal, chosen, hinted, isMine, isOver }) {
    const left = remaining(legal, chosen).filter(({ text }) => text.toLowerCase().includes(this.words));
    if (!legal.length) {
      show(this.list, el("p", { class: "muted" }, isOver ? "The game is over." : isMine ? "No moves." : "It is not your turn."));
      return;
    }
    const hints = new Set(hinted.map(({ move }) => move));
    const groups = listed(left);
    show(this.list, groups.map(([verb, moves]) => el("div", { class: "verb" },
      groups.length > 1 && el("h3", { class: "small", "data-entry": `verb/${verb}` }, title(verb)),
      el("ul", { "aria-label": title(verb) || "Moves" }, moves.map((move) => el("li", button(move.text, () => this.onPlay(move),
        { class: hints.has(move.move) ? "move is-hinted" : "move", "data-move": move.move, "data-entry": `verb/${move.parts?.verb}` })))))));
  }

  showBar({ legal, chosen, things }) {
    const focused = this.bar.contains(document.activeElement);
    const chips = chosen.map((thing) => button([nameOf(thing), el("span", { "aria-hidden": "true" }, "×")],
      () => this.onChoose(thing), { class: "chip", "aria-label": `${nameOf(thing)}: take the choice back` }));
    const ways = offers(legal, chosen, things).map(({ text, move, thing }) =>
      button(text, () => (move ? this.onPlay(move) : this.onChoose(thing)), { class: "way" }));
    const clear = chosen.length ? [button("Clear", this.onClear, { class: "quiet" })] : [];
    show(this.bar, chips, chosen.length ? el("span", { class: "muted" }, ways.length ? "then" : "choose what glows, or from the list") : null, ways, clear);
    this.bar.hidden = !chips.length && !ways.length;
    if (chosen.length) announce(`Chosen: ${chosen.map(nameOf).join(", ")}. ${remaining(legal, chosen).length} moves left.`);
    if (focused) this.bar.querySelector("button")?.focus();
  }
}
