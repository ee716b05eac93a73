// What a card or a verb does, in words, beside whatever the pointer or the focus is on.
// An element says which entry of the catalogue it shows (data-entry="card/dove"), or has the words itself (data-about).

import { el, show, title } from "./dom.js";

const tip = () => document.getElementById("tip");
let catalogue = {};
let shownFor = null; // the element that the tip explains
const changes = new MutationObserver(() => follow()); // of the page while a tip is shown

/** Use the catalogue of this game from now on. */
export function useCatalogue(entries) {
  catalogue = entries ?? {};
  hide();
}

/** Return an entry by "kind/name", or null; names compare without case. */
export function entryOf(id) {
  const cut = id.indexOf("/");
  const name = id.slice(cut + 1).toLowerCase();
  return (catalogue[id.slice(0, cut)] ?? []).find((entry) => entry.name.toLowerCase() === name) ?? null;
}

const factText = (fact) => {
  if (Array.isArray(fact)) return fact.map(factText).join(", ");
  if (fact !== null && typeof fact === "object") return Object.entries(fact).map(([k, v]) => `${k} ${factText(v)}`).join(", ");
  return fact === true ? "yes" : fact === false ? "no" : String(fact ?? "none");
};

/** Return the facts of an entry as a list of names and values. */
export const factList = (entry) =>
  el("dl", Object.entries(entry.facts ?? {})
    .filter(([name]) => name !== "notation")
    .map(([name, fact]) => [el("dt", title(name)), el("dd", factText(fact))]));

function wordsOf(target) {
  const entry = target.dataset.entry ? entryOf(target.dataset.entry) : null;
  if (entry) return [el("b", title(entry.name)), entry.about, factList(entry)];
  return target.dataset.about ?? null;
}

function place(box, target) {
  const at = target.getBoundingClientRect();
  const wide = box.offsetWidth, high = box.offsetHeight, gap = 10;
  const left = Math.min(Math.max(8, at.left + at.width / 2 - wide / 2), innerWidth - wide - 8);
  const above = at.top - high - gap;
  box.style.left = `${left}px`;
  box.style.top = `${above > 4 ? above : Math.min(at.bottom + gap, innerHeight - high - 4)}px`;
}

function reveal(event) {
  const target = event.target.closest?.("[data-entry], [data-about]");
  const words = target && wordsOf(target);
  if (!words) return hide();
  const box = tip();
  show(box, words);
  box.hidden = false;
  shownFor = target;
  changes.observe(document.body, { childList: true, subtree: true });
  place(box, target);
  target.setAttribute("aria-describedby", "tip");
}

function hide() {
  const box = tip();
  if (box) box.hidden = true;
  shownFor = null;
  changes.disconnect();
  document.querySelector("[aria-describedby='tip']")?.removeAttribute("aria-describedby");
}

/** Keep the tip beside its element while things scroll (the focus itself scrolls to what it goes to), and end with it. */
function follow() {
  if (!shownFor) return;
  const { top, bottom } = shownFor.getBoundingClientRect();
  if (!shownFor.isConnected || bottom < 0 || top > innerHeight) hide();
  else place(tip(), shownFor);
}

let pointer = null; // where it was last

function notePointer({ screenX, screenY }) {
  pointer = [screenX, screenY];
}

/** True if the pointer has come to an element, and not a new element under the pointer: that one did not ask for words. */
const isMoved = ({ screenX, screenY }) => !pointer || screenX !== pointer[0] || screenY !== pointer[1];

/** Show tips everywhere on the page; Escape hides them. */
export function startTips() {
  document.addEventListener("focusin", reveal);
  document.addEventListener("pointerover", (event) => isMoved(event) && reveal(event));
  for (const kind of ["pointermove", "pointerdown"]) document.addEventListener(kind, notePointer, true);
  for (const kind of ["pointerleave", "focusout"]) document.addEventListener(kind, hide, true);
  document.addEventListener("scroll", follow, { capture: true, passive: true });
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
}
