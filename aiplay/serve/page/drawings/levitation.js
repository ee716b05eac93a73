// Levitation: the masters with their dice, the cities with cards or tickets, the point area, and what every seat has.
// Choose a die to draft it, a card, a city or a point space for what the action allows.

import { icon } from "./icons.js";
import { capital, el, Pen, plural } from "./shapes.js";

const ROWS = ["top", "middle", "bottom"];

const PHASES = { path: "claim a path", start: "draft a die", main: "act, use a card, or end", copy: "choose the card to duplicate", amount: "choose the points",
  target: "choose what the card is used on", flair: "place the flair, or discard it for a point" };

/** Draw a scene. */
export function draw(svg, scene, context) {
  const pen = new Pen(svg, scene, context, "levitation", "Levitation: masters, cities, the point area and the seats");
  pen.felt();
  const board = new Poster(pen, scene);
  let top = board.header(28);
  top = board.choices(top);
  top += pen.columns(scene.masters, 8, top, pen.width - 16, 104, (master, x, y, w) => board.master(master, x, y, w)) + 10;
  top = board.cities(top) + 10;
  top += board.spaces(top) + 10;
  const seats = pen.seatOrder(scene.seats.length);
  top += pen.columns(seats, 8, top, pen.width - 16, pen.isNarrow ? 300 : 400, (seat, x, y, w) => board.seat(seat, x, y, w), { most: 2 });
  pen.finish(top + 10);
}

class Poster {
  constructor(pen, scene) {
    Object.assign(this, { pen, scene });
    this.cardWidth = pen.isNarrow ? 104 : 122;
  }

  header(y) {
    const { pen, scene } = this;
    const winners = scene.winners?.length ? scene.winners.map((seat) => pen.seatName(seat)).join(" and ") : null;
    const { action } = scene;
    const text = winners ? `${winners} ${scene.winners.length > 1 ? "share the game" : "has won"}` : action ? `${pen.seatLabel(action.claiming ?? action.seat)}: ${PHASES[scene.phase] ?? scene.phase}` : capital(scene.phase);
    const g = pen.group(pen.root, 12, y, { about: pen.about("phase", scene.phase) });
    pen.text(g, text, { size: 16, weight: 700, width: pen.isNarrow ? pen.width - 24 : pen.width * 0.4 });
    const note = `Round ${scene.round}, turn ${scene.turn} · deck ${scene.deck?.length ?? 0} · supply ${scene.supply?.cubes ?? 0} cubes, ${scene.supply?.flair ?? 0} flair`;
    pen.text(pen.root, note, pen.isNarrow ? { x: 12, y: y + 19, size: 12, cls: "soft", width: pen.width - 24 } : { x: pen.width - 12, y, size: 13, anchor: "end", cls: "soft" });
    let top = y + (pen.isNarrow ? 32 : 14);
    if (action?.die) top = this.action(action, top);
    return top;
  }

  /** The drafted die, the cubes, the card in use. Returns the place below. */
  action(action, top) {
    const { pen } = this;
    const g = pen.group(pen.root, 12, top);
    this.die(pen.group(g, 0, 0, { key: "drafted", label: `Drafted die: ${action.die.colour}, from ${action.die.master}`, about: pen.about("die", action.die.colour) }), action.die.colour, 24);
    const use = action.use ? `, uses ${action.use.card}` : "";
    const done = action.has_acted ? ", main action done" : "";
    const bonus = action.path_bonus ? `, path bonus ${action.path_bonus}` : "";
    pen.text(g, `from ${action.die.master}${done} · ${plural(action.free_cubes ?? 0, "free cube")}${bonus}${use}`, { x: 32, y: 12, middle: true, size: 13, width: pen.width - 60, lines: 2 });
    return top + 34;
  }

  // ---- Pieces ----------------------------------------------------------------------------------------------

  die(g, colour, size) {
    g.classList.add(`die-${colour}`);
    this.pen.rect(g, 0, 0, size, size, size * 0.2, "frame die-tint");
    const ink = this.pen.group(g, 0, 0, { cls: "on-die" });
    this.pen.icon(ink, icon(this.pen.facts("die", colour).icon) || icon("star"), size * 0.18, size * 0.18, size * 0.64);
  }

  colourDot(g, colour, x, y, size) {
    this.die(this.pen.group(g, x, y), colour, size);
  }

  ticket(parent, seat, x, y, { thing = null, label, key = null }) {
    const g = this.pen.thing(parent, thing, x, y, { label, key, cls: `seat-${seat}`, about: label });
    this.pen.rect(g, 0, 0, 26, 16, 4, "frame seat-fill");
    this.pen.icon(this.pen.group(g, 0, 0, { cls: "on-die" }), icon("ticket"), 5, 0, 16);
  }

  /** A card: its name, icons, size, cost and flair. */
  card(parent, { name, flair = 0, is_used: isUsed, is_disabled: isDisabled }, x, y, w, h, owner) {
    const { pen } = this;
    const { icons = [], size = "", cost = "", "most flair": most = 0 } = pen.facts("card", name);
    const state = isDisabled ? ", disabled" : isUsed ? ", used" : "";
    const isSmall = w < 90;
    const g = pen.thing(parent, { card: name }, x, y, { key: `card ${name}`, about: pen.about("card", name), cls: `paper ${isUsed || isDisabled ? "is-dim" : ""}`,
      label: `${name}, ${owner}: icons ${icons.join(" and ")}, size ${size}, cost ${cost}${flair ? `, ${flair} flair` : ""}${state}` });
    pen.face(g, w, h);
    const dot = isSmall ? 12 : 16;
    icons.forEach((colour, i) => this.colourDot(g, colour, 5 + i * (dot + 3), 5, dot));
    if (!isSmall) pen.icon(g, icon(size), w - 40, 4, 17);
    pen.text(g, cost, { x: w - 6, y: isSmall ? 15 : 18, anchor: "end", size: 13, weight: 700 });
    pen.text(g, name, { x: 5, y: isSmall ? 27 : 36, size: isSmall ? 10 : 12, weight: 600, width: w - 10, lines: isSmall ? 3 : 2 });
    if (most && owner !== "in a city") this.flair(g, flair, most, 5, h - 14);
    if (state) pen.text(g, state.slice(2), { x: w - 6, y: h - 5, anchor: "end", size: 10.5, cls: "soft" });
    return g;
  }

  flair(g, count, most, x, y) {
    for (let i = 0; i < Math.max(count, most); i += 1) this.pen.icon(g, icon("flair"), x + i * 12, y, 10, i < count ? "flair-on" : "flair-off");
  }

  // ---- The board -------------------------------------------------------------------------------------------

  master({ name, dice }, x, y, width) {
    const { pen } = this;
    const size = pen.isNarrow ? 24 : 30;
    return pen.panel(pen.root, x, y, width, null, (g, w) => {
      const head = pen.group(g, 0, 12, { about: pen.about("master", name), label: `${name}: ${plural(dice.length, "die", "dice")}` });
      pen.text(head, name, { size: 14, weight: 700, width: w });
      const height = pen.rows(dice, w, size, size, (colour, left, at, i) => {
        const one = pen.thing(g, { verb: "draft", die: colour, from: name }, left, 22 + at, { label: `Draft ${colour} from ${name}`, about: pen.about("die", colour), key: `die ${name} ${colour} ${dice.slice(0, i).filter((other) => other === colour).length}` });
        this.die(one, colour, size);
      });
      if (!dice.length) pen.text(g, "no dice", { y: 36, size: 12, cls: "soft" });
      return 22 + Math.max(height, pen.isNarrow ? 54 : size);
    }, { label: name, pad: pen.isNarrow ? 8 : 10 });
  }

  cities(top) {
    const { pen, scene } = this;
    const rows = ROWS.map((row) => scene.cities.filter((city) => city.row === row)).filter((row) => row.length);
    const gap = pen.isNarrow ? 4 : 10;
    const h = pen.isNarrow ? 108 : 98;
    const down = h + (pen.isNarrow ? 10 : 24); // room for the ways
    const at = new Map();
    rows.forEach((row, j) => {
      const w = (pen.width - 16 - gap * (row.length - 1)) / row.length;
      row.forEach((city, i) => at.set(city.name, { x: 8 + i * (w + gap), y: top + j * down, w, h }));
    });
    this.ways(at);
    for (const city of scene.cities) if (at.has(city.name)) this.city(city, at.get(city.name));
    return top + (rows.length - 1) * down + h;
  }

  /** Lines between cities that touch from row to row. */
  ways(at) {
    for (const [name, from] of at) {
      for (const other of this.pen.facts("city", name).neighbours || []) {
        const to = at.get(other);
        if (to && to.y > from.y) el(this.pen.root, "line", { x1: from.x + from.w / 2, y1: from.y + from.h, x2: to.x + to.w / 2, y2: to.y, class: "way" });
      }
    }
  }

  city(city, { x, y, w, h }) {
    const { pen } = this;
    const rewards = [["points", city.points], ["flair", city.flair], ["cubes", city.cubes]].filter(([, count]) => count);
    const things = ["city", "bottom", "middle", "top"].map((part) => ({ [part]: city.name }));
    const label = `${city.name}: ${rewards.map(([what, count]) => `${count} ${what}`).join(", ")}${city.card ? `, card ${city.card.name}` : `, ${plural(city.tickets.length, "ticket")}`}${city.is_open ? ", open" : ""}`;
    const g = pen.thing(pen.root, things, x, y, { label, about: pen.about("city", city.name) });
    pen.rect(g, 0, 0, w, h, 9, "frame city");
    const dot = pen.isNarrow ? 13 : 17;
    (city.colours || []).forEach((colour, i) => this.colourDot(g, colour, 5 + i * (dot + 2), 5, dot));
    const used = 8 + (city.colours || []).length * (dot + 2);
    const text = rewards.map(([what, count]) => (what === "points" ? `${count} pt` : count)).join(" ");
    const right = pen.textWidth(text, 12, 700) + 8;
    if (pen.isNarrow) pen.text(g, city.name, { x: 5, y: 30, size: 11, weight: 600, width: w - 8 });
    else pen.text(g, city.name, { x: used, y: 18, size: 13, weight: 600, width: w - used - right - 20 });
    const picture = rewards[0]?.[0] === "flair" ? "flair" : rewards[0]?.[0] === "cubes" ? "cube" : null;
    pen.text(g, text, { x: w - 6, y: pen.isNarrow ? 16 : 18, anchor: "end", size: 12, weight: 700 });
    if (picture) pen.icon(g, icon(picture), w - 8 - right - 5, pen.isNarrow ? 5 : 7, 12, "soft-icon");
    const inner = pen.isNarrow ? 36 : 28;
    if (city.card) this.card(pen.root, city.card, x + 5, y + inner, w - 10, h - inner - 5, "in a city");
    else this.tickets(city, x + 6, y + inner + 8, w - 12);
  }

  tickets(city, x, y, w) {
    const counts = new Map();
    this.pen.rows(city.tickets, w, 26, 16, (seat, left, at) => {
      const number = counts.get(seat) || 0;
      counts.set(seat, number + 1);
      this.ticket(this.pen.root, seat, x + left, y + at, { thing: { verb: "with", seat, city: city.name }, key: `ticket ${city.name} ${seat} ${number}`, label: `Ticket of ${this.pen.seatName(seat)} in ${city.name}` });
    }, { gap: 4 });
  }

  spaces(top) {
    const { pen, scene } = this;
    return pen.panel(pen.root, 8, top, pen.width - 16, "Point area", (g, w) => {
      const rows = Math.ceil(scene.spaces.length / Math.floor((w + 6) / 50));
      const perRow = Math.ceil(scene.spaces.length / rows); // rows of nearly the same length
      const size = Math.min(64, (w + 6) / perRow - 6);
      return pen.rows(scene.spaces, w, size, 52, ({ name, seat }, x, y) => {
        const owner = seat === null || seat === undefined ? "free" : `ticket of ${pen.seatName(seat)}`;
        const one = pen.thing(g, { space: name }, x, y, { label: `Point space ${name}: ${owner}`, about: pen.about("space", name) });
        pen.rect(one, 0, 0, size, 52, 7, "frame city");
        if (pen.entry("die", name)) this.colourDot(one, name, (size - 20) / 2, 5, 20);
        else pen.icon(one, icon({ tickets: "ticket", cubes: "cube" }[name] || name) || icon("star"), (size - 20) / 2, 5, 20);
        if (owner === "free") pen.text(one, name, { x: size / 2, y: 43, anchor: "middle", size: 11, width: size - 4, cls: "soft" });
        else this.ticket(one, seat, (size - 26) / 2, 31, { key: `ticket space ${name}`, label: owner });
      });
    });
  }

  // ---- Seats -----------------------------------------------------------------------------------------------

  seat(seat, x, y, width) {
    const { pen, scene } = this;
    const one = scene.seats[seat];
    const cls = scene.to_move === seat ? "tray is-to-move" : "tray";
    const place = scene.order.indexOf(seat);
    return pen.panel(pen.root, x, y, width, null, (g, w) => {
      pen.seatTag(g, 0, 13, seat, { size: 14, width: w - 80, note: place < 0 ? "" : ` · acts ${["first", "second", "third", "fourth", "fifth"][place]}` });
      pen.text(g, plural(one.score, "point"), { x: w, y: 13, anchor: "end", size: 14, weight: 700 });
      let left = 0;
      left += pen.counter(g, left, 36, "cubes", one.cubes, { icon: icon("cube"), about: pen.about("piece", "cube") });
      left += pen.counter(g, left, 36, "tickets in hand", one.tickets_in_hand, { icon: icon("ticket"), about: pen.about("piece", "ticket") });
      left += pen.counter(g, left, 36, "unused tickets", one.tickets_unused ?? 0);
      const tokens = pen.group(g, 0, 0, { label: `Turn token ${one.revealed ?? "not revealed"}; left: ${one.tokens.join(", ")}`, about: pen.about("piece", "turn token") });
      if (one.revealed !== null) pen.token(tokens, w - 11, 32, 10, String(one.revealed));
      one.tokens.forEach((token, i) => pen.text(tokens, token, { x: w - 34 - (one.tokens.length - 1 - i) * 12, y: 36, anchor: "middle", size: 12, cls: "soft" }));
      const [cw, ch] = [Math.min(this.cardWidth, (w - 12) / (pen.isNarrow ? 3 : 1)), 74];
      return 46 + pen.rows(one.cards, w, cw, ch, (card, at, row) => this.card(g, card, at, 46 + row, cw, ch, `of ${pen.seatName(seat)}`));
    }, { cls, label: pen.seatName(seat) });
  }

  // ---- Unfinished decisions --------------------------------------------------------------------------------

  /** Points of an X card, colours of the die. Returns the place below. */
  choices(top) {
    const { pen } = this;
    const of = (part) => [...new Set((pen.context.legal || []).map(({ parts }) => parts[part]).filter((value) => value !== undefined))];
    const [points, colours] = [of("points"), of("colour")];
    if (!points.length && !colours.length) return top;
    return top + 10 + pen.panel(pen.root, 8, top, pen.width - 16, points.length ? "Points, one cube each" : "The colour of your die", (g, w) =>
      pen.rows(points.length ? points : colours, w, 40, 40, (value, x, y) => {
        const one = pen.thing(g, points.length ? { verb: "points", points: value } : { verb: "colour", colour: value }, x, y, { label: points.length ? plural(value, "point") : capital(value), about: pen.about("verb", points.length ? "points" : "colour"), cls: "paper" });
        if (!points.length) return this.die(one, value, 40);
        pen.face(one, 40, 40);
        return pen.text(one, value, { x: 20, y: 20, middle: true, anchor: "middle", size: 18, weight: 700 });
      }));
  }
}
