// The pen that every drawing uses: elements, text that fits, things to choose, cards, dice, figures, and short animations.

import { fits, remaining } from "./things.js";

const NS = "http://www.w3.org/2000/svg";
const MOVE_MS = 420; // a drawn move
const drawn = new WeakMap(); // SVG -> the scene that it shows
const measuring = document.createElement("canvas").getContext("2d");

/** Append an element with attributes (null ones are left out) and perhaps a text; return it. */
export function el(parent, name, attributes = {}, text = null) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  if (text !== null) element.textContent = text;
  parent.append(element);
  return element;
}

/** Return the text with a capital first letter. */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Return "1 card", "2 cards". */
export function plural(count, word, words = `${word}s`) {
  return `${count} ${count === 1 ? word : words}`;
}

/** A drawing under way: the SVG, its width in pixels, the moves that the chosen things leave. */
export class Pen {
  constructor(svg, scene, context, name, label) {
    this.svg = svg;
    this.scene = scene;
    this.context = context;
    this.isMoved = drawn.has(svg) && drawn.get(svg) !== scene; // not drawn again only because something was chosen
    drawn.set(svg, scene);
    this.width = Math.max(320, Math.round(context.width || (context.size === "narrow" ? 360 : 960)));
    this.isNarrow = this.width < 640;
    this.selected = context.selected || [];
    this.open = remaining(context.legal || [], this.selected);
    this.before = this.#placesOfKeys();
    this.entries = new Map(); // "kind name" -> entry of the catalogue
    for (const [kind, entries] of Object.entries(context.catalogue || {})) {
      for (const entry of entries) this.entries.set(`${kind} ${entry.name}`, entry);
    }
    svg.replaceChildren();
    svg.setAttribute("class", `drawing drawing-${name}${this.isNarrow ? " is-narrow" : ""}`);
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", label);
    this.font = getComputedStyle(svg).fontFamily || "sans-serif";
    this.root = el(svg, "g");
  }

  // ---- Words -------------------------------------------------------------------------------------------------

  /** Return the catalogue's entry, or null. */
  entry(kind, name) {
    return this.entries.get(`${kind} ${name}`) || null;
  }

  /** Return the facts of an entry; none if it is not in the catalogue. */
  facts(kind, name) {
    return this.entry(kind, name)?.facts || {};
  }

  /** Return what `tell` says about a thing: its entry of the catalogue, or its name alone. */
  about(kind, name) {
    return this.entry(kind, name) ? { entry: `${kind}/${name}` } : String(name);
  }

  /** Return the name of a seat for a sentence: "Seat 0 (you) has won". */
  seatName(seat) {
    const name = capital(this.context.seats?.[seat]?.name || `seat ${seat}`);
    return seat === this.context.seat ? `${name} (you)` : name;
  }

  /** Return the name of a seat alone: "You". */
  seatLabel(seat) {
    return seat === this.context.seat ? "You" : this.seatName(seat);
  }

  /** A line with the name of a seat in its colour, and whether it is to move. Returns its width. */
  seatTag(g, x, y, seat, { note = "", width = Infinity, size = 13 } = {}) {
    const isToMove = this.scene.to_move === seat;
    const one = this.group(g, x, y, { cls: `seat-${seat}` });
    el(one, "circle", { cx: 7, cy: -size * 0.34, r: 6, class: "seat-fill" });
    if (isToMove) el(one, "circle", { cx: 7, cy: -size * 0.34, r: 9, class: "to-move" });
    const text = `${this.seatLabel(seat)}${note}`;
    this.text(one, text, { x: 20, y: 0, size, weight: isToMove ? 700 : 500, width: width - 20 });
    return Math.min(width, 20 + this.textWidth(text, size, isToMove ? 700 : 500));
  }

  /** The background of the whole table; `finish` gives it its height. */
  felt() {
    this.ground = this.rect(this.root, 0, 0, this.width, 10, 14, "felt");
  }

  /** Return the seats from the viewer's own on, or from 0. */
  seatOrder(count) {
    const first = this.context.seat ?? 0;
    return Array.from({ length: count }, (_, i) => (first + i) % count);
  }

  textWidth(text, size, weight = 400) {
    measuring.font = `${weight} ${size}px ${this.font}`;
    return measuring.measureText(text).width;
  }

  #wrap(text, width, size, weight) {
    const lines = [];
    for (const word of text.split(" ")) {
      const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
      if (lines.length && this.textWidth(longer, size, weight) <= width) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines;
  }

  #cut(text, width, size, weight) {
    let short = text;
    while (short.length > 1 && this.textWidth(`${short}…`, size, weight) > width) short = short.slice(0, -1);
    return short === text ? text : `${short.trimEnd()}…`;
  }

  /** Write a text that fits: smaller, on up to `lines` lines, at last cut. `y` is its first baseline. Returns its height. */
  text(parent, text, options = {}) {
    const { x = 0, y = 0, width = Infinity, lines = 1, anchor = "start", weight = 400, cls = null } = options;
    let { size = 13 } = options;
    const least = Math.min(size, Math.max(9.5, size * 0.72));
    let parts = this.#wrap(String(text), lines > 1 ? width : Infinity, size, weight);
    const isTooBig = () => parts.length > lines || parts.some((line) => this.textWidth(line, size, weight) > width);
    while (isTooBig() && size > least) {
      size = Math.max(least, size - 0.5);
      parts = this.#wrap(String(text), lines > 1 ? width : Infinity, size, weight);
    }
    if (parts.length > lines) parts = [...parts.slice(0, lines - 1), parts.slice(lines - 1).join(" ")];
    parts = parts.map((line) => (this.textWidth(line, size, weight) > width ? this.#cut(line, width, size, weight) : line));
    const step = size * 1.16;
    const top = options.middle ? y + size * 0.36 - ((parts.length - 1) * step) / 2 : y;
    parts.forEach((line, i) => {
      el(parent, "text", { x, y: top + i * step, "font-size": size, "font-weight": weight === 400 ? null : weight,
        "text-anchor": anchor === "start" ? null : anchor, class: cls }, line);
    });
    return parts.length * step;
  }

  // ---- Things ------------------------------------------------------------------------------------------------

  /**
   * A group at a place. `key` is the identity of what moves: it glides from where it was in the drawing before; `from` is
   * the key that it had there, if that was another one.
   */
  group(parent, x = 0, y = 0, { key = null, from = null, cls = null, label = null, about = null } = {}) {
    const g = el(parent, "g", { transform: x || y || key ? `translate(${x},${y})` : null, class: cls, "data-key": key, "data-from": from });
    if (label) {
      g.setAttribute("role", "img");
      g.setAttribute("aria-label", label);
    }
    if (about) this.tell(g, about);
    return g;
  }

  /** Give an element words that the page shows at the pointer or the focus: a text, or an entry of the catalogue. */
  tell(g, about) {
    if (about.entry) g.setAttribute("data-entry", about.entry);
    else g.setAttribute("data-about", about);
  }

  /** True if a legal move fits the thing and everything that is chosen. */
  isOpen(thing) {
    return thing !== null && this.open.some(({ parts }) => fits(parts, thing));
  }

  /**
   * A group that can be chosen if a legal move fits it, and is a plain one otherwise. It glows (is-legal) while a move fits it
   * and everything that is chosen; else choosing it begins anew (is-other). Draw its outline with the class "frame". `thing`
   * may be null.
   */
  thing(parent, thing, x, y, { key = null, from = null, label, about = null, cls = "" }) {
    const id = thing === null ? null : JSON.stringify(thing);
    const isLegal = id !== null && (this.context.legal || []).some(({ parts }) => fits(parts, thing));
    if (!isLegal) return this.group(parent, x, y, { key, from, label, about, cls: cls || null });
    const isChosen = this.selected.includes(id);
    const state = isChosen ? "is-legal is-chosen" : this.isOpen(thing) ? "is-legal" : "is-other";
    const g = this.group(parent, x, y, { key, from, about, cls: `thing ${state} ${cls}`.trim() });
    for (const [name, value] of Object.entries({ "data-thing": id, tabindex: 0, role: "button", "aria-label": label,
      "aria-pressed": String(isChosen) })) g.setAttribute(name, value);
    return g;
  }

  /** Return the values that open moves have for a part, with the verb if one is given. */
  values(part, verb = null) {
    const fitting = this.open.filter(({ parts }) => (verb === null || parts.verb === verb) && part in parts);
    return [...new Set(fitting.map(({ parts }) => parts[part]))];
  }

  // ---- Boxes -------------------------------------------------------------------------------------------------

  rect(parent, x, y, width, height, radius = 6, cls = null, attributes = {}) {
    return el(parent, "rect", { x, y, width: Math.max(0, width), height: Math.max(0, height), rx: radius, class: cls, ...attributes });
  }

  /** A panel with a heading; `fill(g, inner width)` draws its content and returns its height. Returns its height. */
  panel(parent, x, y, width, title, fill, { cls = "tray", pad = 10, label = null, note = null } = {}) {
    const g = this.group(parent, x, y, { cls });
    if (label || title) {
      g.setAttribute("role", "group");
      g.setAttribute("aria-label", label || title);
    }
    const frame = this.rect(g, 0, 0, width, 10, 10, "frame");
    let top = pad;
    if (title) {
      const noteWidth = note ? this.textWidth(note, 12) + 10 : 0;
      this.text(g, title, { x: pad, y: top + 11, size: 13, weight: 700, width: width - 2 * pad - noteWidth, cls: "heading" });
      if (note) this.text(g, note, { x: width - pad, y: top + 11, size: 12, anchor: "end", cls: "soft" });
      top += 20;
    }
    const inner = this.group(g, pad, top);
    const height = top + fill(inner, width - 2 * pad) + pad;
    frame.setAttribute("height", height);
    return height;
  }

  /** Draw items of one size in rows: `draw(item, x, y, i)`. They overlap if they may and there is no room. Returns the height. */
  rows(items, width, w, h, draw, { gap = 6, overlap = 0, top = 0, align = "start" } = {}) {
    if (!items.length) return 0;
    let step = w + gap;
    let perRow = Math.max(1, Math.floor((width + gap) / step));
    if (overlap && items.length > perRow) {
      step = Math.max(w * (1 - overlap), (width - w) / (items.length - 1));
      perRow = Math.max(1, Math.floor((width - w) / step + 1.001));
    }
    items.forEach((item, i) => {
      const row = Math.floor(i / perRow);
      const inRow = Math.min(perRow, items.length - row * perRow);
      const left = align === "middle" ? (width - (inRow - 1) * step - w) / 2 : 0;
      draw(item, left + (i % perRow) * step, top + row * (h + gap), i);
    });
    const count = Math.ceil(items.length / perRow);
    return count * h + (count - 1) * gap;
  }

  /** Draw panels side by side in rows of equal columns: `draw(item, x, y, width) -> height`. Returns the height. */
  columns(items, x, y, width, least, draw, { gap = 10, most = 6 } = {}) {
    const perRow = Math.max(1, Math.min(most, items.length, Math.floor((width + gap) / (least + gap))));
    const even = Math.ceil(items.length / Math.ceil(items.length / perRow));
    const w = (width - gap * (even - 1)) / even;
    let top = y;
    for (let i = 0; i < items.length; i += even) {
      const heights = items.slice(i, i + even).map((item, j) => draw(item, x + j * (w + gap), top, w, i + j));
      top += Math.max(...heights) + gap;
    }
    return top - gap - y;
  }

  // ---- Pieces ------------------------------------------------------------------------------------------------

  /** The face of a card, as an outline that glows. */
  face(g, w, h, cls = "face") {
    return this.rect(g, 0, 0, w, h, Math.min(w, h) * 0.11, `frame ${cls}`);
  }

  /** The back of a hidden card. */
  back(g, w, h, cls = "back") {
    this.rect(g, 0, 0, w, h, Math.min(w, h) * 0.11, `frame ${cls}`);
    const inset = Math.max(2.5, w * 0.08);
    this.rect(g, inset, inset, w - 2 * inset, h - 2 * inset, Math.min(w, h) * 0.07, "back-line");
    const [cx, cy, r] = [w / 2, h / 2, Math.min(w, h) * 0.26];
    el(g, "path", { d: starPath(cx, cy, r, r * 0.42, 8), class: "back-star" });
  }

  /** A die that shows a value (pips), or a text. */
  die(g, size, value, cls = "die") {
    this.rect(g, 0, 0, size, size, size * 0.2, `frame ${cls}`);
    for (const [px, py] of PIPS[value] || []) {
      el(g, "circle", { cx: size * (0.5 + px * 0.27), cy: size * (0.5 + py * 0.27), r: size * 0.088, class: "pip" });
    }
  }

  /** A round token with a short text. */
  token(g, cx, cy, r, text, cls = "token", size = null) {
    el(g, "circle", { cx, cy, r, class: `frame ${cls}` });
    if (text !== null && text !== "") {
      this.text(g, text, { x: cx, y: cy, middle: true, anchor: "middle", size: size || r * 1.05, weight: 700, width: r * 1.85, cls: "on-token" });
    }
  }

  /** A small label with a picture or a symbol before it. Returns its width. */
  counter(g, x, y, name, value, { icon = null, about = null, iconCls = "soft-icon" } = {}) {
    const one = this.group(g, x, y, { label: `${name}: ${value}`, about: about || `${capital(name)}: ${value}` });
    const left = icon ? 17 : 0;
    if (icon) this.icon(one, icon, 0, -12, 15, iconCls);
    const text = icon ? String(value) : `${name} ${value}`;
    this.text(one, text, { x: left, y: 0, size: 13, weight: icon ? 700 : 400 });
    return left + this.textWidth(text, 13, icon ? 700 : 400) + 12;
  }

  /** A picture of the set `icons.js` in a square; `picture` is its inner markup for a box of 24. */
  icon(g, picture, x, y, size, cls = null) {
    const one = el(g, "g", { transform: `translate(${x},${y}) scale(${size / 24})`, class: `icon ${cls || ""}`.trim(), "aria-hidden": "true" });
    for (const [name, attributes] of picture || []) el(one, name, attributes);
    return one;
  }

  // ---- The end -----------------------------------------------------------------------------------------------

  /** Set the size of the drawing, and let what has moved glide to its place. */
  finish(height) {
    this.ground?.setAttribute("height", Math.ceil(height));
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${Math.ceil(height)}`);
    if (this.isMoved && !this.context.reducedMotion && this.context.previous) this.#glide();
  }

  #place(element) {
    const m = this.svg.getScreenCTM()?.inverse().multiply(element.getScreenCTM());
    return m ? { x: m.e, y: m.f } : null;
  }

  #placesOfKeys() {
    const places = new Map();
    for (const element of this.svg.querySelectorAll("[data-key]")) places.set(element.dataset.key, this.#place(element));
    return places;
  }

  #glide() {
    for (const element of this.svg.querySelectorAll("[data-key]")) {
      const { key, from: old } = element.dataset;
      const [from, to] = [this.before.get(old) || this.before.get(key), this.#place(element)];
      if (!from) element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: MOVE_MS, easing: "ease-out" });
      else if (to && Math.abs(from.x - to.x) + Math.abs(from.y - to.y) > 1) {
        const [, x, y] = /translate\(([-\d.e]+),([-\d.e]+)\)/.exec(element.getAttribute("transform")).map(Number);
        const path = [[x + from.x - to.x, y + from.y - to.y], [x, y]];
        element.animate(path.map(([a, b]) => ({ transform: `translate(${a}px,${b}px)` })), { duration: MOVE_MS, easing: "ease-in-out" });
      }
    }
  }
}

const [L, M, R] = [-1, 0, 1];
const PIPS = { 1: [[M, M]], 2: [[L, L], [R, R]], 3: [[L, L], [M, M], [R, R]], 4: [[L, L], [L, R], [R, L], [R, R]],
  5: [[L, L], [L, R], [M, M], [R, L], [R, R]], 6: [[L, L], [L, M], [L, R], [R, L], [R, M], [R, R]] };

/** The path of a star with a number of points. */
export function starPath(cx, cy, outer, inner, points = 5) {
  const corner = (i) => {
    const [r, angle] = [i % 2 ? inner : outer, (Math.PI * i) / points - Math.PI / 2];
    return `${(cx + r * Math.cos(angle)).toFixed(2)},${(cy + r * Math.sin(angle)).toFixed(2)}`;
  };
  return `M${Array.from({ length: 2 * points }, (_, i) => corner(i)).join("L")}Z`;
}
