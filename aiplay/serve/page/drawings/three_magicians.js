// The Three Magicians: a map of places with stepping stones between them, the figures of all seats, their tarot cards,
// the wands of a turn and of a duel. Choose a figure and then a spot, or the spot at once.

import { icon } from "./icons.js";
import { el, Pen, plural, starPath } from "./shapes.js";

const MAGICIAN = "M12 0 L17 9.5 Q21 10 21.5 11.5 Q12 14.500 2.500 11.500 Q3 10 7 9.500Z M7.500 13 Q12 15 16.500 13 L16 17 L20 27 Q12 30 4 27 L8 17Z";
const APPRENTICE = "M12 6 A5 5 0 1 1 11.990 6Z M8.500 16 Q12 18 15.500 16 L18.500 27 Q12 30 5.500 27Z";
const PHASES = { first: "Who begins is drawn", throw: "The wands are thrown", move: "move a figure, or end the turn", offer: "throw the wands for magic, or not",
  magic: "The wands are thrown for magic", tie: "choose a symbol", star: "choose a place for the Apprentice", steal: "choose whose card to take",
  "duel throw": "The wands of a duel are thrown", "duel keep": "keep wands, or stop", over: "The game is over" };

/** Draw a scene. */
export function draw(svg, scene, context) {
  const pen = new Pen(svg, scene, context, "three_magicians", "The Three Magicians: the map, the figures and the tarot cards");
  pen.felt();
  const top = header(pen, scene);
  const side = pen.isNarrow ? 0 : Math.max(250, Math.min(360, pen.width * 0.34));
  const w = pen.isNarrow ? pen.width - 12 : pen.width - side - 34;
  const h = pen.isNarrow ? w * 1.06 : Math.min(w * 0.86, 600);
  new Board(pen, scene, pen.isNarrow ? 6 : 12, top, w, h).draw();
  const [x, y] = pen.isNarrow ? [8, top + h + 10] : [w + 22, top];
  const bottom = panels(pen, scene, x, y, pen.isNarrow ? pen.width - 16 : side);
  pen.finish(Math.max(bottom, top + h) + 10);
}

function header(pen, scene) {
  const mover = scene.to_move;
  const winners = scene.winners?.map((seat) => pen.seatName(seat)).join(" and ");
  const isOf = mover !== null && mover !== undefined;
  const text = winners ? `${winners} ${scene.winners.length > 1 ? "share the game" : "has won"}` : isOf ? `${pen.seatLabel(mover)}: ${PHASES[scene.phase]}` : PHASES[scene.phase];
  const left = scene.turn.left === undefined ? "" : ` of ${scene.turn.number + scene.turn.left}`;
  const note = `Throw ${scene.turn.number}${left}${scene.turn.another ? ", another turn" : ""}`;
  const noteWidth = pen.isNarrow ? 0 : pen.textWidth(note, 13) + 30;
  pen.text(pen.root, text, { x: 14, y: 26, size: 16, weight: 700, width: pen.width - 28 - noteWidth });
  pen.text(pen.root, note, pen.isNarrow ? { x: 14, y: 44, size: 12, cls: "soft" } : { x: pen.width - 14, y: 26, size: 13, anchor: "end", cls: "soft" });
  return pen.isNarrow ? 54 : 40;
}

/** The map. */
class Board {
  constructor(pen, scene, x, y, w, h) {
    Object.assign(this, { pen, scene, x, y, w, h });
    this.places = pen.context.catalogue.place;
    const [rows, columns] = ["row", "column"].map((fact) => 1 + Math.max(...this.places.map(({ facts }) => facts[fact])));
    this.r = Math.min(w / columns, h / rows) * (pen.isNarrow ? 0.235 : 0.25);
    this.at = new Map(this.places.map(({ name, facts }) => [name, {
      x: (w * (facts.column + 0.5)) / columns, y: (h * (facts.row + 0.5)) / rows - 6 }]));
    this.stones = pen.context.catalogue.stone || [];
    for (const stone of this.stones) this.at.set(stone.name, this.stonePlace(stone.facts));
  }

  stonePlace({ "first place": first, "second place": second, number }) {
    const [a, b] = [this.at.get(first), this.at.get(second)];
    const count = this.stones.filter(({ facts }) => facts["first place"] === first && facts["second place"] === second).length;
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    const isDown = Math.abs(b.y - a.y) > Math.abs(b.x - a.x);
    const [start, end] = [this.r * 1.08, this.r * (isDown ? 1.08 : 1.08)];
    const below = isDown && b.y > a.y ? 15 : 0; // room for the name under a place
    const part = (start + below + ((length - start - end - below) * (number - 0.5)) / count) / length;
    return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part };
  }

  draw() {
    const { pen } = this;
    this.g = pen.group(pen.root, this.x, this.y, { cls: "map-ink" });
    pen.rect(this.g, 0, 0, this.w, this.h, 14, "map");
    for (const stone of this.stones) this.drawStone(stone);
    for (const place of this.places) this.drawPlace(place);
    this.drawFigures();
  }

  drawStone({ name, facts }) {
    const { x, y } = this.at.get(name);
    const size = this.pen.isNarrow ? 8.5 : 12;
    const g = this.pen.thing(this.g, { to: name }, x, y, { label: `Stone ${name}${facts.magic ? ", with magic symbols" : ""}`, about: this.pen.about("stone", name) });
    el(g, "ellipse", { rx: size * 1.12, ry: size, class: `frame stone ${facts.magic ? "stone-magic" : ""}` });
    if (facts.magic) el(g, "path", { d: starPath(0, 0, size * 0.62, size * 0.26, 4), class: "power" });
  }

  drawPlace({ name, facts }) {
    const { pen, r } = this;
    const { x, y } = this.at.get(name);
    const here = (this.scene.places || []).find((place) => place.name === name) || { cards_left: 0 };
    const isDark = name === "Labyrinth";
    const g = pen.thing(this.g, { to: name }, x, y, {
      label: `${name}${facts.cards ? `, ${plural(here.cards_left, "tarot card")} left` : ""}`, about: pen.about("place", name) });
    el(g, "circle", { r, class: `frame place ${isDark ? "place-labyrinth" : ""}` });
    const picture = pen.group(g, 0, 0, { cls: isDark ? "on-dark" : null });
    pen.icon(picture, icon(name) || icon("star"), -r * 0.62, -r * 0.62, r * 1.24).setAttribute("opacity", isDark ? 0.75 : 0.4);
    pen.text(g, name, { y: r + 14, anchor: "middle", size: pen.isNarrow ? 12 : 14, weight: 700 });
    for (let i = 0; i < here.cards_left; i += 1) this.drawTarot(g, r * (0.62 + i * 0.14), -r * (1.02 - i * 0.1), r * 0.34, name);
  }

  drawTarot(g, x, y, w, name) {
    const card = this.pen.group(g, x, y);
    this.pen.rect(card, 0, 0, w, w * 1.5, w * 0.14, "tarot");
    const ink = this.pen.group(card, 0, 0, { cls: "tarot-ink" });
    this.pen.icon(ink, icon(name) || icon("star"), w * 0.16, w * 0.4, w * 0.68);
  }

  drawFigures() {
    const standing = new Map();
    this.scene.seats.forEach(({ magician, apprentice, power }, seat) => {
      const add = (spot, kind) => standing.set(spot, [...(standing.get(spot) || []), { kind, seat, power }]);
      add(magician, "magician");
      add(apprentice, "apprentice");
    });
    for (const [spot, figures] of standing) this.drawGroup(spot, figures);
  }

  drawGroup(spot, figures) {
    const at = this.at.get(spot);
    const isStone = !this.places.some(({ name }) => name === spot);
    const scale = (this.pen.isNarrow ? 0.8 : 1.15) * (isStone ? 0.95 : 1);
    const rows = isStone ? [figures] : ["magician", "apprentice"].map((kind) => figures.filter((one) => one.kind === kind)).filter((row) => row.length);
    rows.forEach((row, j) => row.forEach((figure, i) => {
      const step = Math.min(22 * scale, (this.r * 1.7) / row.length);
      const x = at.x + (i - (row.length - 1) / 2) * step - 12 * scale;
      const y = at.y - (isStone ? 24 : 15) * scale + (j - (rows.length - 1) / 2) * 22 * scale;
      this.drawFigure(figure, x, y, scale, spot);
    }));
  }

  drawFigure({ kind, seat, power }, x, y, scale, spot) {
    const { pen } = this;
    const name = kind === "magician" ? "Magician" : "Apprentice";
    const thing = seat === this.scene.turn.seat ? { verb: kind === "magician" ? "jump" : "walk" } : null;
    const g = pen.thing(this.g, thing, x, y, { key: `${kind} ${seat}`, cls: `seat-${seat}`, about: pen.about("figure", name),
      label: `${name} of ${pen.seatName(seat)} on ${spot}${power && kind === "apprentice" ? ", with the Power token" : ""}` });
    el(g, "path", { d: kind === "magician" ? MAGICIAN : APPRENTICE, transform: `scale(${scale})`, class: "frame figure" });
    if (power && kind === "apprentice") el(g, "path", { d: starPath(18 * scale, 8 * scale, 6 * scale, 2.6 * scale), class: "power" });
  }
}

// ---- Beside the map ------------------------------------------------------------------------------------------

function panels(pen, scene, x, y, width) {
  let top = y;
  if (!scene.winners) top += (scene.duel ? duelPanel : turnPanel)(pen, scene, x, top, width) + 10;
  const seats = pen.seatOrder(scene.seats.length);
  for (const seat of seats) top += seatPanel(pen, scene, seat, x, top, width) + 10;
  return top - 10;
}

function wand(pen, g, x, y, width, notches, seat = null) {
  const one = pen.group(g, x, y, { label: `A wand with ${plural(notches, "notch", "notches")}`, cls: seat === null ? null : `seat-${seat}` });
  pen.rect(one, 0, 0, width, 14, 7, seat === null ? "wand" : "wand seat-fill");
  for (let i = 0; i < notches; i += 1) pen.rect(one, width / 2 - 9 + i * 12 - (notches - 2) * 3, 2, 6, 10, 2, "notch");
}

function turnPanel(pen, scene, x, y, width) {
  const { jump, walk } = scene.turn;
  const seat = scene.turn.seat ?? 0;
  const symbols = scene.symbols || [];
  return pen.panel(pen.root, x, y, width, symbols.length ? "Magic" : "The throw", (g, w) => {
    if (symbols.length) {
      return pen.rows(symbols, w, 64, 58, (symbol, left, at) => {
        const one = pen.thing(g, { verb: "choose", symbol }, left, at, { label: `Choose ${symbol}`, about: pen.about("symbol", symbol), cls: "paper" });
        pen.face(one, 64, 58);
        pen.icon(one, icon(symbol), 20, 6, 24);
        pen.text(one, symbol, { x: 32, y: 50, anchor: "middle", size: 12, weight: 600 });
      });
    }
    const doubled = scene.seats[seat].power && walk ? ` or ${2 * walk}` : "";
    const row = (top, path, text, about) => {
      const one = pen.group(g, 0, top, { about: pen.about("figure", about), cls: `seat-${seat}` });
      el(one, "path", { d: path, transform: "scale(0.75)", class: "figure" });
      pen.text(one, text, { x: 28, y: 16, size: 13, width: w - 100 });
    };
    row(0, MAGICIAN, `${jump ? plural(jump, "jump") : "no jump"}`, "Magician");
    row(26, APPRENTICE, walk ? `${walk}${doubled} ${walk === 1 && !doubled ? "step" : "steps"}` : "no walk", "Apprentice");
    if (jump) wand(pen, g, w - 64, 4, 64, jump, seat);
    return 50;
  });
}

function duelPanel(pen, scene, x, y, width) {
  const { duel } = scene;
  const title = `Duel at ${duel.place}`;
  return pen.panel(pen.root, x, y, width, title, (g, w) => {
    pen.text(g, `${pen.seatName(duel.challenger)} against ${pen.seatName(duel.rival)}`, { y: 11, size: 13, width: w });
    const kept = duel.kept_wands ? `, keeps ${plural(duel.kept_wands, "wand")} with ${duel.kept_points}` : "";
    pen.text(g, `${pen.seatName(duel.thrower)}: ${plural(duel.throws, "throw")}${kept}`, { y: 30, size: 13, width: w });
    let top = 40;
    if (duel.goal) {
      pen.text(g, `To beat: ${plural(duel.goal.points, "point")} in ${plural(duel.goal.throws, "throw")}`, { y: 49, size: 13, weight: 700, width: w });
      top = 59;
    }
    const each = (w - 12) / 3;
    duel.thrown.forEach((notches, i) => wand(pen, g, i * (each + 6), top, each, notches));
    if (duel.thrown.length) top += 24;
    return keepChoices(pen, g, top, w) + top;
  });
}

/** The wands that can be kept, each choice a small card. Returns the height. */
function keepChoices(pen, g, top, width) {
  const choices = [...new Set((pen.context.legal || []).filter(({ parts }) => parts.verb === "keep").map(({ parts }) => parts.wands))];
  if (!choices.length) return 0;
  pen.text(g, "Keep", { y: top + 17, size: 12, cls: "soft" });
  return pen.rows(choices, width - 38, 52, 26, (wands, x, y) => {
    const one = pen.thing(g, { verb: "keep", wands }, 38 + x, top + y, { label: `Keep ${wands}`, about: pen.about("verb", "keep"), cls: "paper" });
    pen.face(one, 52, 26);
    pen.text(one, wands, { x: 26, y: 13, middle: true, anchor: "middle", size: 13, weight: 600 });
  });
}

function seatPanel(pen, scene, seat, x, y, width) {
  const { cards, power } = scene.seats[seat];
  const tarot = pen.context.catalogue.card;
  const cls = scene.to_move === seat ? "tray is-to-move" : "tray";
  return pen.panel(pen.root, x, y, width, null, (g, w) => {
    pen.seatTag(g, 0, 12, seat, { size: 14, width: w - 90 });
    pen.text(g, `${cards.length} of ${tarot.length} cards`, { x: w, y: 12, anchor: "end", size: 13, weight: 700 });
    const step = Math.min(44, w / tarot.length);
    const cw = step - 5;
    tarot.forEach(({ name }, i) => drawCard(pen, g, name, seat, cards.includes(name), i * step, 22, cw));
    if (!power) return 22 + cw * 1.5;
    const token = pen.group(g, 0, 22 + cw * 1.5 + 8, { about: pen.about("token", "Power token"), label: `${pen.seatName(seat)} has the Power token` });
    el(token, "path", { d: starPath(9, 9, 9, 4), class: "power" });
    pen.text(token, "Power token", { x: 24, y: 14, size: 13 });
    return 22 + cw * 1.5 + 28;
  }, { cls, label: pen.seatName(seat) });
}

function drawCard(pen, g, name, seat, isOwned, x, y, w) {
  if (!isOwned) {
    const slot = pen.group(g, x, y, { about: `The card ${name} is missing.`, cls: "missing" });
    pen.rect(slot, 0, 0, w, w * 1.5, w * 0.12, "slot");
    pen.icon(slot, icon(name) || icon("star"), w * 0.25, w * 0.5, w * 0.5, "soft-icon").setAttribute("opacity", 0.45);
    return;
  }
  const card = pen.thing(g, { verb: "take", card: name, seat }, x, y, { key: `card ${seat} ${name}`, label: `Tarot card ${name} of ${pen.seatName(seat)}`, about: pen.about("card", name) });
  pen.rect(card, 0, 0, w, w * 1.5, w * 0.12, "frame tarot");
  const ink = pen.group(card, 0, 0, { cls: "tarot-ink" });
  pen.icon(ink, icon(name) || icon("star"), w * 0.14, w * 0.22, w * 0.72);
  if (w > 26) pen.text(ink, name, { x: w / 2, y: w * 1.34, anchor: "middle", size: 10, width: w - 3 });
}
