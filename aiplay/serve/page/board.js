// The drawing of a table: loads the game's drawing, redraws it, and turns clicks and keys into chosen things.

import { reducedMotion, svg } from "./dom.js";
import { fits } from "./choice.js";
import { thingAt } from "./drawings/things.js";

const NARROW = 640; // CSS pixels
const REDRAW = 40; // pixels by which the width has to change
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The games with a drawing in drawings/; a game of another package may bring its own.
const DRAWN = ["connect_four", "illusio", "leduc_poker", "levitation", "magic_rabbit", "pig", "three_magicians"];

/** Return the module that draws a game; the generic one if it has none or if it does not load. */
async function loadDrawing(game) {
  const own = game.drawing ?? (DRAWN.includes(game.name) ? `page/drawings/${game.name}.js` : null);
  if (own) {
    try {
      return await import(new URL(own, document.baseURI).href);
    } catch (problem) {
      console.warn(`the drawing of ${game.name} does not load`, problem);
    }
  }
  return import("./drawings/generic.js");
}

const middle = (element) => {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
};

/** Return the nearest element in a direction, or null; what lies off to the side counts as further away. */
function nearest(from, elements, [right, down]) {
  const [x, y] = middle(from);
  let best = null, least = Infinity;
  for (const element of elements) {
    const [toX, toY] = middle(element);
    const ahead = (toX - x) * right + (toY - y) * down;
    const aside = Math.abs((toX - x) * down) + Math.abs((toY - y) * right);
    if (element !== from && ahead > 2 && ahead + 2 * aside < least) [best, least] = [element, ahead + 2 * aside];
  }
  return best;
}

export class Board {
  constructor(game, drawing, onChoose) {
    Object.assign(this, { game, drawing, onChoose });
    this.svg = svg("svg", { role: "group" });
    this.last = null;
    this.focused = null; // the thing that has the focus, or gets it back
    this.width = 0;
    this.svg.addEventListener("click", (event) => this.pick(event));
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.watcher = new ResizeObserver(() => this.resize());
  }

  static async make(game, onChoose) {
    return new Board(game, await loadDrawing(game), onChoose);
  }

  /** Watch the size of the drawing once it is on the page. */
  start() {
    this.watcher.observe(this.svg);
  }

  stop() {
    this.watcher.disconnect();
  }

  /** Draw {state, previous, fresh, legal, chosen, hinted}. */
  draw(shown) {
    this.last = shown;
    this.width = this.svg.clientWidth || this.svg.parentElement?.clientWidth || 720;
    this.noteFocus();
    const { state, previous, fresh, legal, chosen } = shown;
    this.drawing.draw(this.svg, state.scene, {
      catalogue: this.game.catalogue, labels: this.game.labels, seat: state.seat, seats: state.seats,
      toMove: state.to_move, over: state.over, legal, selected: chosen, previous, events: fresh,
      width: this.width, size: this.width < NARROW ? "narrow" : "wide", reducedMotion: reducedMotion(),
      choose: (thing) => this.onChoose(thing),
    });
    this.mark();
    if (this.focused) this.refocus(this.focused);
  }

  /** Remember the thing with the focus. While nothing can be chosen, the frame of the drawing keeps the focus for it. */
  noteFocus() {
    const { activeElement } = document;
    if (this.svg.contains(activeElement)) this.focused = activeElement.dataset.thing ?? null;
    else if (activeElement !== this.svg.parentElement) this.focused = null;
  }

  get things() {
    return [...this.svg.querySelectorAll("[data-thing]")];
  }

  /** Mark the things of hinted moves. */
  mark() {
    const { hinted } = this.last;
    for (const element of this.things) {
      element.classList.toggle("is-hinted", hinted.some(({ parts }) => fits(parts, element.dataset.thing)));
    }
  }

  refocus(thing) {
    const { things } = this;
    (things.find((element) => element.dataset.thing === thing) ?? things[0] ?? this.svg.parentElement).focus({ preventScroll: true });
  }

  pick({ target, clientX, clientY }) {
    const thing = target.closest("[data-thing]")?.dataset.thing ?? thingAt(clientX, clientY);
    if (thing !== null) this.onChoose(thing);
  }

  key(event) {
    const element = event.target.closest("[data-thing]");
    if (!element) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.pick(event);
    } else if (event.key in ARROWS) {
      event.preventDefault();
      nearest(element, this.things, ARROWS[event.key])?.focus();
    }
  }

  resize() {
    if (this.last && Math.abs(this.svg.clientWidth - this.width) > REDRAW) this.draw({ ...this.last, previous: null, fresh: [] });
  }
}
