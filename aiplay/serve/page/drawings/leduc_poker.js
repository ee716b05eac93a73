// Leduc poker: two hands, the public card, the chips in the pot. Choose one's own chips to call or raise, one's card to fold.

import { icon } from "./icons.js";
import { el, Pen, plural } from "./shapes.js";

/** Draw a scene. */
export function draw(svg, scene, context) {
  const pen = new Pen(svg, scene, context, "leduc_poker", "Leduc poker: the cards and the chips");
  pen.felt();
  const me = context.seat ?? 0;
  const w = pen.isNarrow ? Math.min(92, pen.width * 0.22) : Math.min(116, pen.width * 0.115);
  const h = w * 1.42;
  const x = (pen.width - w * 2.5) / 2;
  const places = pen.isNarrow ? [[x, 20], [x, h + 62], [x, 2 * h + 82]] : [-1, 0, 1].map((i) => [x + i * Math.min(pen.width * 0.335, w * 3.2), 30]);
  drawSeat(pen, scene, 1 - me, ...places[0], w, h);
  drawBoard(pen, scene, ...places[1], w, h);
  drawSeat(pen, scene, me, ...places[2], w, h);
  pen.finish(places[2][1] + h + 40);
}

function drawCard(pen, name, x, y, w, h, { key, label, thing = null, hidden }) {
  const about = name ? pen.about("card", name) : hidden;
  const g = pen.thing(pen.root, thing, x, y, { key, label, about, cls: name ? "paper" : "" });
  if (!name) return pen.back(g, w, h);
  const { rank = name.slice(0, -1), suit = "" } = pen.facts("card", name);
  const isRed = suit === "hearts" || suit === "diamonds";
  const letter = rank.charAt(0).toUpperCase();
  pen.face(g, w, h);
  const ink = pen.group(g, 0, 0, { cls: isRed ? "suit-red" : "suit-black" });
  pen.text(ink, letter, { x: w * 0.12, y: w * 0.32, size: w * 0.3, weight: 700 });
  pen.icon(ink, icon(isRed ? "heart" : "spade"), w * 0.1, w * 0.38, w * 0.22);
  pen.icon(ink, icon(isRed ? "heart" : "spade"), w * 0.28, h * 0.36, w * 0.56);
  pen.text(ink, rank, { x: w / 2, y: h - w * 0.1, anchor: "middle", size: w * 0.17, width: w * 0.9 });
  return g;
}

function drawSeat(pen, scene, seat, x, y, w, h) {
  const { card, chips, has_card: hasCard } = scene.seats[seat];
  const isMine = seat === pen.context.seat;
  const name = pen.seatName(seat);
  const folded = scene.folded === seat;
  if (hasCard) {
    drawCard(pen, card, x, y, w, h, { key: `card ${seat}`, thing: isMine ? { verb: "fold" } : null,
      label: `Card of ${name}: ${card ?? "hidden"}${isMine ? "; fold" : ""}`, hidden: `The card of ${name} is hidden from you.` })
      ?.classList.toggle("is-dim", folded);
  } else pen.rect(pen.root, x, y, w, h, w * 0.1, "slot");
  const thing = isMine ? [{ verb: "call" }, { verb: "raise" }] : null;
  const pot = pen.thing(pen.root, thing, x + w * 1.3, y + h * 0.2, { key: `chips ${seat}`, label: `${name} has put in ${plural(chips, "chip")}${isMine ? "; call or raise" : ""}`,
    about: `${name} has put ${plural(chips, "chip")} into the pot.` });
  pen.rect(pot, -4, -6, w * 1.25, h * 0.62, 10, "frame chips");
  const size = Math.min(w * 0.17, 15);
  for (let i = 0; i < chips; i += 1) {
    const [column, row] = [Math.floor(i / 5), i % 5];
    el(pot, "ellipse", { cx: w * 0.2 + column * size * 2.3, cy: h * 0.46 - row * size * 0.55, rx: size, ry: size * 0.5, class: `poker-chip seat-${seat}` });
  }
  pen.text(pot, plural(chips, "chip"), { x: w * 0.58, y: h * 0.1 - 2, anchor: "middle", size: 13, weight: 600 });
  pen.seatTag(pen.root, x, y + h + 20, seat, { note: folded ? " has folded" : "", size: 14 });
}

function drawBoard(pen, scene, x, y, w, h) {
  if (scene.board) drawCard(pen, scene.board, x, y, w, h, { key: "board", label: `Public card: ${scene.board}`, hidden: "" });
  else {
    const g = pen.group(pen.root, x, y, { label: "The public card is not dealt yet" });
    pen.rect(g, 0, 0, w, h, w * 0.1, "slot");
    pen.text(g, "Public card", { x: w / 2, y: h / 2, middle: true, anchor: "middle", size: 13, width: w - 12, lines: 2, cls: "soft" });
  }
  const pot = scene.seats.reduce((sum, { chips }) => sum + chips, 0);
  pen.text(pen.root, `Pot ${pot}`, { x: x + w * 1.3, y: y + h * 0.4, size: 24, weight: 700 });
  const round = scene.round === "showdown" ? "Showdown" : `${scene.round === "first" ? "First" : "Second"} round, ${plural(scene.raises, "raise")}`;
  pen.text(pen.root, round, { x: x + w * 1.3, y: y + h * 0.4 + 24, size: 14, cls: "soft", width: w * 1.3, lines: 2 });
}
