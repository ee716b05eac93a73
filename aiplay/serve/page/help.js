// Help: the rules, every card and verb of the catalogue, and the keys. In a dialog.

import { button, el, gameTitle, title } from "./dom.js";
import { markdown } from "./markdown.js";
import { factList } from "./tip.js";

const KEYS = [
  ["Tab", "goes from thing to thing: the table, your choice, the list of moves"],
  ["Arrow keys", "go to the nearest thing on the table that can be chosen"],
  ["Enter or Space", "chooses a thing; plays when one move is left"],
  ["Escape", "clears the choice"],
];

function section(heading, children, isOpen = false) {
  return el("details", { open: isOpen }, el("summary", heading), el("div", { class: "prose" }, children));
}

const entries = (catalogue) => Object.entries(catalogue ?? {}).map(([kind, list]) =>
  section(`${title(kind)} (${list.length})`, el("ul", { class: "entries" }, list.map((entry) =>
    el("li", el("b", title(entry.name)), " ", entry.about, factList(entry))))));

/** Open a dialog with a heading; it closes with Escape or its button. */
export function openDialog(heading, ...children) {
  const dialog = el("dialog", { "aria-labelledby": "dialog-title", onclose: () => dialog.remove() },
    el("header", el("h2", { id: "dialog-title" }, heading), button("Close", () => dialog.close())),
    el("div", { class: "stack" }, children));
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Show the rules of a game and what its cards do. */
export function showHelp(game) {
  return openDialog(gameTitle(game).name, section("Rules", markdown(game.rules ?? game.about), true), entries(game.catalogue),
    section("Keys", el("ul", KEYS.map(([key, does]) => el("li", el("kbd", key), " ", does)))));
}
