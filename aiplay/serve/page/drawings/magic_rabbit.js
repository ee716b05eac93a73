// Magic Rabbit: the line of piles. A pile is a hat on a rabbit; doves stand on hats.
// Choose a hat to switch hats, a rabbit to look at it, the plate of a pile to switch whole piles, a dove and then its hat.

import { icon } from "./icons.js";
import { el, Pen, plural } from "./shapes.js";

const HAT = "M0.16 0 L0.84 0 L0.78 0.62 Q0.5 0.7 0.22 0.62Z";
const BRIM = "M0 0.62 Q0.12 0.6 0.22 0.64 Q0.5 0.72 0.78 0.64 Q0.88 0.6 1 0.62 Q0.94 0.84 0.5 0.86 Q0.06 0.84 0 0.62Z";
const BAND = "M0.205 0.46 Q0.5 0.54 0.795 0.46 L0.78 0.62 Q0.5 0.7 0.22 0.62Z";

/** Draw a scene. */
export function draw(svg, scene, context) {
  const pen = new Pen(svg, scene, context, "magic_rabbit", "Magic Rabbit: the line of piles");
  pen.felt();
  const top = header(pen, scene);
  pen.finish(line(pen, scene, top) + 10);
}

/** The path of a shape in a box of 1, in a box of another size. */
function scaled(path, w, h) {
  let isX = false;
  return path.replace(/-?\d+(\.\d+)?/g, (number) => ((isX = !isX) ? number * w : number * h).toFixed(2));
}

function header(pen, scene) {
  let [x, y] = [14, 26];
  const left = scene.turns_left;
  const text = scene.phase === "over" ? (scene.succeeded ? "All in order: the team has succeeded" : "The team has failed")
    : left === null || left === undefined ? "No hourglass" : `${plural(left, "turn")} left`;
  pen.icon(pen.root, icon("hourglass"), x, y - 16, 20, "soft-icon");
  pen.text(pen.root, text, { x: x + 26, y, size: 16, weight: 700, width: pen.width - 54 });
  [x, y] = pen.isNarrow ? [14, y + 26] : [40 + pen.textWidth(text, 16, 700) + 28, y];
  (scene.seats || []).forEach((seat, i) => {
    const seen = plural(seat.has_seen.length, "rabbit");
    const note = pen.isNarrow ? `: ${seat.has_seen.length} seen` : `: ${seen} seen`;
    const needed = 24 + pen.textWidth(`${pen.seatLabel(i)}${note}`, 13, 700);
    if (x > 14 && x + needed > pen.width - 14) [x, y] = [14, y + 24];
    const one = pen.group(pen.root, 0, 0, { label: `${pen.seatName(i)} has seen ${seen}${scene.to_move === i ? ", to move" : ""}`,
      about: `${pen.seatName(i)} has seen ${seen}.` });
    x += pen.seatTag(one, x, y, i, { note, width: pen.width - 28 }) + 18;
  });
  return y + 20;
}

function line(pen, scene, top) {
  const n = scene.piles.length;
  const perRow = pen.isNarrow ? Math.ceil(n / 2) : n;
  const step = (pen.width - 16) / perRow;
  const w = Math.min(step - 6, 112);
  const h = w * 2.12 + 34;
  scene.piles.forEach((pile, i) => {
    const [row, column] = [Math.floor(i / perRow), i % perRow];
    const inRow = Math.min(perRow, n - row * perRow);
    const left = (pen.width - inRow * step) / 2;
    drawPile(pen, scene, pile, i, left + column * step + (step - w) / 2, top + row * (h + 14), w);
  });
  return top + Math.ceil(n / perRow) * (h + 14);
}

function drawPile(pen, scene, pile, i, x, y, w) {
  const name = pile.name;
  const isOver = scene.phase === "over";
  const hatY = y + w * 0.36;
  const rabbitY = hatY + w * 0.72;
  const plateY = rabbitY + w * 0.98;
  const switched = [{ verb: "piles", pile: name }, { verb: "piles", with: name }];
  const plate = pen.thing(pen.root, switched, x, plateY, { label: `Pile ${name}: switch whole piles`, about: pen.about("pile", name),
    cls: pile.hat === i + 1 ? "is-home" : "" });
  pen.rect(plate, 0, 0, w, 30, 8, "frame plate");
  pen.text(plate, name, { x: w * 0.3, y: 15, middle: true, anchor: "middle", size: 16, weight: 700 });
  seenBy(pen, plate, pile, w);
  drawRabbit(pen, scene, pile, x, rabbitY, w, i);
  if (pile.hat !== null) drawHat(pen, scene, pile, x, hatY, w, i, pile.dove && scene.hats_hidden && !isOver);
  if (pile.dove) drawDove(pen, scene, pile, x + w * 0.2, y - w * 0.12, w);
}

/** Points in the colours of the seats that have seen the rabbit. */
function seenBy(pen, plate, pile, w) {
  (pile.lifted || []).forEach(({ seat, turn }, j) => {
    const g = pen.group(plate, 0, 0, { cls: `seat-${seat}`, about: `${pen.seatName(seat)} saw this rabbit in turn ${turn}.` });
    el(g, "circle", { cx: w * 0.58 + j * w * 0.115, cy: 15, r: w * 0.05, class: "seat-fill" });
  });
}

function drawRabbit(pen, scene, pile, x, y, w, i) {
  const isKnown = pile.rabbit !== null;
  const [rw, rh] = [w * 0.8, w * 0.9];
  const label = isKnown ? `Rabbit ${pile.rabbit} under the hat of pile ${pile.name}` : `Pile ${pile.name}: hidden rabbit`;
  const g = pen.thing(pen.root, { verb: "lift", pile: pile.name }, x + w * 0.1, y, {
    label: `${label}; lift the pile and look`, key: `rabbit ${pile.name}`, from: movedFrom(scene, pile.name, ["piles"]),
    about: isKnown ? pen.about("rabbit", `rabbit ${pile.rabbit}`) : `The rabbit of pile ${pile.name} is hidden from you.` });
  if (!isKnown) return pen.back(g, rw, rh);
  g.classList.add("paper");
  pen.face(g, rw, rh);
  pen.icon(g, icon("rabbit"), rw * 0.22, rh * 0.06, rw * 0.56, pile.rabbit === i + 1 ? "good" : null);
  pen.token(g, rw * 0.5, rh * 0.8, w * 0.16, String(pile.rabbit), "token", w * 0.21);
}

function drawHat(pen, scene, pile, x, y, w, i, isHidden) {
  const name = pile.name;
  const thing = scene.phase === "to move a dove" ? { verb: "dove", to: name } : [{ verb: "hats", pile: name }, { verb: "hats", with: name }];
  const what = isHidden ? `Hat under the dove of pile ${name}` : `Hat ${pile.hat} on pile ${name}`;
  const g = pen.thing(pen.root, thing, x, y, {
    label: `${what}${pile.dove ? ", with a dove" : ""}: ${scene.phase === "to move a dove" ? "move the dove here" : "switch hats"}`,
    key: `hat ${name}`, from: movedFrom(scene, name, ["piles", "hats"]), cls: pile.hat === i + 1 && !isHidden ? "is-home" : "",
    about: isHidden ? "The number of a hat under a dove is hidden." : pen.about("hat", `hat ${pile.hat}`) });
  el(g, "path", { d: scaled(`${HAT} ${BRIM}`, w, w), class: "frame hat-shape" });
  el(g, "path", { d: scaled(BAND, w, w), class: "hat-band" });
  pen.text(g, isHidden ? "?" : pile.hat, { x: w / 2, y: w * 0.27, middle: true, anchor: "middle", size: w * 0.34, weight: 700, cls: "on-token" });
}

function drawDove(pen, scene, pile, x, y, w) {
  const last = scene.log?.at(-1);
  const move = scene.phase === "to move a dove" ? null : last?.dove;
  const g = pen.thing(pen.root, { verb: "dove", from: pile.name }, x, y, {
    label: `Dove on pile ${pile.name}`, about: pen.about("dove", "dove"), key: `dove ${pile.name}`,
    from: move?.to === pile.name ? `dove ${move.from}` : null });
  el(g, "g", { transform: `scale(${(w * 0.6) / 24})`, class: "frame dove-shape" }).append(
    ...icon("dove").map(([name, attributes]) => el(g, name, attributes)));
}

/** The key of what has come here by the last action, if it was a switch of this kind. */
function movedFrom(scene, name, verbs) {
  const last = scene.log?.at(-1)?.action;
  if (!last || scene.phase !== "to move a dove" || !verbs.includes(last.verb)) return null;
  const other = last.pile === name ? last.with : last.with === name ? last.pile : null;
  const kind = last.verb === "hats" || verbs.length > 1 ? "hat" : "rabbit";
  return other && `${kind} ${other}`;
}
