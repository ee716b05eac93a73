// Pig: the race of the scores, the points at risk, the die. Choose the die to roll, the bank to hold.

import { capital, el, Pen, plural } from "./shapes.js";

const TARGET = 100; // if no seat's score is higher

/** Draw a scene. */
export function draw(svg, scene, context) {
  const pen = new Pen(svg, scene, context, "pig", "Pig: the scores and the points at risk");
  pen.felt();
  const top = table(pen, scene);
  pen.finish(scores(pen, scene, top) + 14);
}

/** The number that the die showed last, if the events tell. */
function lastRoll(pen) {
  const rolls = (pen.context.events || []).filter(({ parts }) => parts?.verb === "show");
  return rolls.at(-1)?.parts.die ?? null;
}

function table(pen, scene) {
  const w = Math.min(pen.width - 28, 560);
  const x = (pen.width - w) / 2;
  const roll = lastRoll(pen);
  const size = Math.min(110, w * 0.27);
  const die = pen.thing(pen.root, { verb: "roll" }, x + w * 0.04, 34, { label: roll ? `Roll the die; it showed ${roll}` : "Roll the die",
    about: pen.about("verb", "roll"), key: "die" });
  pen.die(die, size, roll);
  pen.text(pen.root, "Roll", { x: x + w * 0.04 + size / 2, y: 34 + size + 22, anchor: "middle", size: 14, weight: 600 });
  pen.text(pen.root, scene.at_risk, { x: x + w / 2, y: 34 + size * 0.62, anchor: "middle", size: size * 0.62, weight: 700 });
  pen.text(pen.root, "points at risk", { x: x + w / 2, y: 34 + size + 22, anchor: "middle", size: 14, cls: "soft" });
  const bank = pen.thing(pen.root, { verb: "hold" }, x + w * 0.96 - size * 1.1, 34, { label: `Hold: bank ${plural(scene.at_risk, "point")}`,
    about: pen.about("verb", "hold") });
  drawPig(bank, size * 1.1, size);
  pen.text(pen.root, "Hold", { x: x + w * 0.96 - size * 0.55, y: 34 + size + 22, anchor: "middle", size: 14, weight: 600 });
  return 34 + size + 46;
}

function drawPig(g, w, h) {
  el(g, "ellipse", { cx: w * 0.5, cy: h * 0.52, rx: w * 0.42, ry: h * 0.34, class: "frame pig-shape" });
  for (const x of [0.27, 0.62]) el(g, "rect", { x: w * x, y: h * 0.76, width: w * 0.11, height: h * 0.18, rx: 4, class: "pig-shape" });
  el(g, "path", { d: `M${w * 0.2} ${h * 0.3}l${-w * 0.04} ${-h * 0.2}l${w * 0.2} ${h * 0.08}z`, class: "pig-shape" });
  el(g, "ellipse", { cx: w * 0.1, cy: h * 0.52, rx: w * 0.075, ry: h * 0.12, class: "pig-shape" });
  for (const y of [0.48, 0.56]) el(g, "circle", { cx: w * 0.1, cy: h * y, r: w * 0.016, class: "pig-dark" });
  el(g, "circle", { cx: w * 0.27, cy: h * 0.42, r: w * 0.025, class: "pig-dark" });
  el(g, "rect", { x: w * 0.44, y: h * 0.235, width: w * 0.2, height: h * 0.035, rx: 2, class: "pig-dark" });
  el(g, "path", { d: `M${w * 0.92} ${h * 0.45}q${w * 0.1} ${-h * 0.05} ${w * 0.04} ${h * 0.1}`, class: "pig-tail" });
}

function scores(pen, scene, top) {
  const target = Math.max(pen.context.options?.target ?? TARGET, ...scene.seats.map(({ score }) => score));
  const w = pen.width - 28;
  scene.seats.forEach(({ score }, seat) => {
    const y = top + seat * 56;
    const risk = scene.turn === seat ? scene.at_risk : 0;
    const g = pen.group(pen.root, 14, y, { label: `${capital(pen.seatName(seat))}: ${plural(score, "point")}${risk ? `, ${risk} at risk` : ""}` });
    pen.seatTag(g, 0, 12, seat, { note: scene.winner === seat ? " wins" : "", size: 14, width: w - 60 });
    pen.text(g, score, { x: w, y: 13, anchor: "end", size: 18, weight: 700 });
    pen.rect(g, 0, 22, w, 16, 8, "bar");
    pen.rect(g, 0, 22, (w * Math.min(target, score + risk)) / target, 16, 8, "bar-risk");
    pen.rect(g, 0, 22, (w * score) / target, 16, 8, "bar-score");
  });
  return top + scene.seats.length * 56;
}
