// Any scene of any game: names and numbers as counters, lists of names as small cards, lists of lists as a grid, lists of
// things with the same entries as tables or panels. Whatever a legal move names can be chosen.

import { capital, Pen } from "./shapes.js";

const MARGIN = 6;
const isPlain = (value) => value === null || typeof value !== "object";
const isNamed = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isTold = (value) => value !== null && value !== undefined && value !== false;
const words = (name) => capital(String(name).replaceAll("_", " "));

/** Draw a scene. */
export function draw(svg, scene, context) {
  const pen = new Pen(svg, scene, context, "generic", "The table");
  const drawing = new Generic(pen);
  const g = pen.group(pen.root, MARGIN, MARGIN);
  const width = pen.width - 2 * MARGIN;
  const height = Array.isArray(scene) ? drawing.list(g, scene, "table", width) : drawing.named(g, scene, width);
  const more = drawing.leftParts(g, height + 12, width);
  pen.finish(height + more + 2 * MARGIN);
}

class Generic {
  constructor(pen) {
    this.pen = pen;
    this.shown = new Set(); // "part value" of everything that is drawn as a thing
    this.parts = new Map(); // value -> names of parts that have it in a legal move
    for (const { parts } of pen.context.legal || []) {
      for (const [part, value] of Object.entries(parts)) {
        if (value !== null) this.parts.set(value, (this.parts.get(value) || new Set()).add(part));
      }
    }
  }

  /** The thing of a value under a name, or null. A number is one only under the name of the part. */
  thingOf(value, name) {
    const found = [...(this.parts.get(value) || [])].filter(
      (part) => typeof value === "string" || part === name,
    );
    for (const part of found) this.shown.add(`${part} ${value}`);
    return found.length ? found.map((part) => ({ [part]: value })) : null;
  }

  entryOf(value) {
    for (const kind of Object.keys(this.pen.context.catalogue || {})) {
      if (this.pen.entry(kind, value)) return this.pen.about(kind, value);
    }
    return null;
  }

  text(value) {
    if (value === true) return "yes";
    if (value === false) return "no";
    return value === null ? "–" : String(value);
  }

  // ---- Values ------------------------------------------------------------------------------------------------

  /** A value as a small card; null is a hidden one. Returns its width. */
  chip(parent, value, name, x, y, width = Infinity) {
    const { pen } = this;
    const text = this.text(value);
    const w = Math.min(width, Math.max(30, pen.textWidth(text, 13, 600) + 20));
    const label = value === null ? `${words(name)}: hidden or none` : `${words(name)}: ${text}`;
    const g = pen.thing(parent, this.thingOf(value, name), x, y, { label, about: this.entryOf(value) });
    if (value === null) pen.back(g, 24, 30);
    else {
      pen.rect(g, 0, 0, w, 30, 7, "frame chip");
      pen.text(g, text, { x: w / 2, y: 15, middle: true, anchor: "middle", size: 13, weight: 600, width: w - 8 });
    }
    return value === null ? 24 : w;
  }

  /** Chips in rows; equal neighbours become one with a number. Returns the height. */
  chips(parent, values, name, width) {
    let [x, y] = [0, 0];
    const runs = [];
    for (const value of values) {
      if (runs.length && runs.at(-1).value === value) runs.at(-1).count += 1;
      else runs.push({ value, count: 1 });
    }
    for (const { value, count } of runs) {
      const times = count > 1 ? `× ${count}` : "";
      const needed = Math.min(width, value === null ? 24 : Math.max(30, this.pen.textWidth(this.text(value), 13, 600) + 20)) + (times ? 32 : 0);
      if (x && x + needed > width) [x, y] = [0, y + 36];
      x += this.chip(parent, value, name, x, y, width) + 6;
      if (times) {
        this.pen.text(parent, times, { x, y: y + 20, size: 12, cls: "soft" });
        x += 32;
      }
    }
    return values.length ? y + 30 : 16;
  }

  /** Names and plain values, one after the other; a flag that is true is its name alone. Returns the height. */
  counters(parent, entries, width) {
    let [x, y] = [0, 0];
    for (const [name, value] of entries) {
      const isFlag = value === true;
      const label = isFlag ? 0 : Math.min(width * 0.55, this.pen.textWidth(words(name), 12) + 6);
      const chip = Math.min(width - label, value === null ? 24 : Math.max(30, this.pen.textWidth(isFlag ? words(name) : this.text(value), 13, 600) + 20));
      if (x && x + label + chip > width) [x, y] = [0, y + 36];
      if (!isFlag) this.pen.text(parent, words(name), { x, y: y + 19, size: 12, width: label - 4, cls: "soft" });
      this.chip(parent, isFlag ? words(name) : value, name, x + label, y, chip);
      x += label + chip + 14;
    }
    return entries.length ? y + 30 : 0;
  }

  // ---- Lists -------------------------------------------------------------------------------------------------

  list(parent, values, name, width) {
    if (values.every(isPlain)) return this.chips(parent, values, name, width);
    if (values.every((value) => Array.isArray(value) && value.every(isPlain))) return this.grid(parent, values, name, width);
    if (values.every(isNamed)) return this.records(parent, values, name, width);
    return this.stack(parent, values.map((value, i) => [i + 1, value]), width);
  }

  grid(parent, lists, name, width) {
    const longest = Math.max(1, ...lists.map((list) => list.length));
    const size = Math.max(16, Math.min(34, (width - 28) / longest - 3));
    lists.forEach((list, row) => {
      const y = row * (Math.min(size, 34) + 4);
      this.pen.text(parent, row + 1, { x: 14, y: y + size / 2, middle: true, anchor: "end", size: 11, cls: "soft" });
      if (!list.length) this.pen.rect(parent, 22, y, size, size, 6, "slot");
      list.forEach((value, i) => {
        const g = this.pen.thing(parent, this.thingOf(value, name), 22 + i * (size + 3), y, {
          label: `${words(name)} ${row + 1}, ${i + 1}: ${this.text(value)}`, about: this.entryOf(value) });
        this.pen.rect(g, 0, 0, size, size, 6, "frame chip");
        this.pen.text(g, this.text(value), { x: size / 2, y: size / 2, middle: true, anchor: "middle", size: 12, weight: 600, width: size - 4 });
      });
    });
    return lists.length * (Math.min(size, 34) + 4) - 4;
  }

  /** Things with entries: a table if all are plain and there is room, else a panel each. */
  records(parent, records, name, width) {
    const keys = [...new Set(records.flatMap(Object.keys))].filter((key) => records.some((record) => isTold(record[key])));
    const columns = keys.map((key) => Math.max(this.pen.textWidth(words(key), 11.5) + 10,
      ...records.map((record) => (isPlain(record[key]) ? this.pen.textWidth(this.text(record[key] ?? null), 13, 600) + 22 : Infinity))));
    const needed = columns.reduce((sum, w) => sum + w, 0);
    if (records.length > 1 && name !== "seats" && needed <= width) return this.table(parent, records, keys, columns.map((w) => w * Math.min(1.6, width / needed)));
    const told = keys.filter((key) => records.every((record) => isPlain(record[key])));
    const single = name.endsWith("s") ? name.slice(0, -1) : name;
    return this.pen.columns(records, 0, 0, width, Math.min(width, 250), (record, x, y, w, i) =>
      this.pen.panel(parent, x, y, w, this.recordTitle(record, single, i), (g, inner) => this.named(g, record, inner, told)), { most: 4 });
  }

  recordTitle(record, single, i) {
    if (single === "seat") return this.pen.seatName(i);
    return typeof record.name === "string" ? null : `${words(single)} ${i + 1}`;
  }

  table(parent, records, keys, columns) {
    const left = columns.map((_, i) => columns.slice(0, i).reduce((sum, w) => sum + w, 0));
    keys.forEach((key, i) => this.pen.text(parent, words(key), { x: left[i], y: 12, size: 11.5, width: columns[i] - 6, cls: "soft" }));
    records.forEach((record, row) => keys.forEach((key, i) => {
      if (key in record) this.chip(parent, record[key], key, left[i], 20 + row * 35, columns[i] - 6);
    }));
    return 20 + records.length * 35 - 5;
  }

  // ---- Names -------------------------------------------------------------------------------------------------

  /**
   * The entries of a scene or a part of it: plain ones first, then the others with headings. Entries that say nothing are
   * left out, but null is a hidden thing if others of its kind (`told`) have that entry. Returns the height.
   */
  named(parent, value, width, told = []) {
    const entries = Object.entries(value);
    const plain = entries.filter(([name, one]) => isPlain(one) && (isTold(one) || (one === null && told.includes(name))));
    const rest = entries.filter(([, one]) => !isPlain(one) && Object.keys(one).length);
    const height = this.counters(parent, plain, width);
    if (!rest.length) return height;
    const g = this.pen.group(parent, 0, height ? height + 8 : 0);
    return (height ? height + 8 : 0) + this.stack(g, rest, width);
  }

  stack(parent, entries, width) {
    let top = 0;
    for (const [name, value] of entries) {
      this.pen.text(parent, words(name), { y: top + 13, size: 13, weight: 700, width, cls: "heading" });
      const g = this.pen.group(parent, 0, top + 21);
      const height = Array.isArray(value) ? this.list(g, value, String(name), width)
        : isPlain(value) ? this.chips(g, [value], String(name), width) : this.named(g, value, width);
      top += 21 + height + 12;
    }
    return top - 12;
  }

  /** Rows of what legal moves name but the scene does not. Returns the height. */
  leftParts(parent, y, width) {
    const left = new Map();
    for (const { parts } of this.pen.context.legal || []) {
      for (const [part, value] of Object.entries(parts)) {
        if (part !== "verb" && value !== null && !this.shown.has(`${part} ${value}`)) left.set(part, (left.get(part) || new Set()).add(value));
      }
    }
    let top = y;
    for (const [part, values] of left) {
      this.pen.text(parent, words(part), { y: top + 13, size: 13, weight: 700, width, cls: "heading" });
      top += 21 + this.chips(this.pen.group(parent, 0, top + 21), [...values], part, width) + 12;
    }
    return top - y;
  }
}
