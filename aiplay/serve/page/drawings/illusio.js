// Illusio: the Contest on the stage, and every seat's tricks, Backstage and hand.
// Choose a card of the hand or a component of a Backstage, then the trick or the need that it is for.

import { icon } from "./icons.js";
import { capital, el, Pen, plural } from "./shapes.js";

const PHASES = { validate: "score the tricks on display", exchange: "throw cards for new ones", claim: "place components on the trick", transform: "choose what it becomes",
  morph: "choose what it becomes", swap: "choose a component of another Backstage", discard: "discard down to 8 cards" };

/** Draw a scene. */
export function draw(svg, scene, context) {
  const pen = new Pen(svg, scene, context, "illusio", "Illusio: the Contest, the tricks, the Backstages and the hands");
  pen.felt();
  const table = new Theatre(pen, scene);
  let top = table.stage(0);
  top = table.choices(top);
  const [first, ...others] = pen.seatOrder(scene.seats.length);
  top += table.seat(first, 8, top, pen.width - 16, true) + 10;
  top += pen.columns(others, 8, top, pen.width - 16, 290, (seat, x, y, w) => table.seat(seat, x, y, w, false), { most: 3 });
  pen.finish(top + 10);
}

class Theatre {
  constructor(pen, scene) {
    Object.assign(this, { pen, scene });
    this.small = pen.isNarrow ? 62 : 74; // width of a card
  }

  kindClass(kind) {
    return `group-${this.pen.facts("component", kind).group || (this.pen.entry("special action", kind) ? "special" : kind)}`;
  }

  aboutKind(kind) {
    const found = ["component", "special action", "group"].find((one) => this.pen.entry(one, kind));
    return found ? this.pen.about(found, kind) : kind;
  }

  // ---- The stage -------------------------------------------------------------------------------------------

  stage(top) {
    const { pen, scene } = this;
    const w = pen.width;
    el(pen.root, "path", { d: `M14 0H${w - 14}Q${w} 0 ${w} 14V22H0V14Q0 0 14 0Z`, class: "velvet" });
    const folds = Math.round(w / 60);
    for (let i = 0; i < folds; i += 1) {
      const [x, step] = [(i * w) / folds, w / folds];
      el(pen.root, "path", { d: `M${x} 20h${step}q${-step * 0.1} 18 ${-step / 2} 18q${-step * 0.4} 0 ${-step / 2} -18z`, class: i % 2 ? "velvet" : "velvet-fold" });
    }
    pen.rect(pen.root, 0, 18, w, 4, 0, "gold");
    const y = this.header(top + 60);
    const cw = Math.min(220, (w - 16 - 30) / (pen.isNarrow ? 2 : Math.max(4, scene.contest.length)));
    const height = pen.rows(scene.contest, w - 16, cw, 118, (name, x, at) => this.contest(name, 8 + x, y + at, cw), { gap: 10, align: "middle" });
    return y + height + 12;
  }

  header(y) {
    const { pen, scene } = this;
    const winners = scene.winners?.map((seat) => pen.seatName(seat)).join(" and ");
    const about = pen.entry("phase", scene.phase)?.about ?? scene.phase;
    const text = winners ? `${winners} ${scene.winners.length > 1 ? "share the game" : "has won"}`
      : `${pen.seatLabel(scene.seat)}: ${scene.phase === "act" ? `${plural(scene.actions, "action")} left` : PHASES[scene.phase] ?? scene.phase}`;
    const g = pen.group(pen.root, 12, y, { about });
    pen.text(g, text, { size: 16, weight: 700, width: pen.isNarrow ? pen.width - 24 : pen.width * 0.55 });
    const discards = Object.values(scene.discards || {}).reduce((sum, count) => sum + count, 0);
    const note = `Turn ${scene.turn + 1} · deck ${scene.deck} · discards ${discards}`;
    pen.text(pen.root, note, pen.isNarrow ? { x: 12, y: y + 19, size: 12, cls: "soft" } : { x: pen.width - 12, y, size: 13, anchor: "end", cls: "soft" });
    return y + (pen.isNarrow ? 30 : 14);
  }

  contest(name, x, y, w) {
    const { pen } = this;
    const needs = (pen.facts("objective", name).needs || []).map((need) => ({ need, component: null }));
    const g = pen.thing(pen.root, { verb: "claim", objective: name }, x, y, { key: `trick ${name}`, label: `Claim ${name} from the Contest`, about: pen.about("objective", name), cls: "paper" });
    this.trickCard(g, name, needs, w, 118, "Contest");
  }

  // ---- Tricks ----------------------------------------------------------------------------------------------

  /** The face of an objective: title in the colour of its domain, level, and its needs. */
  trickCard(g, name, needs, w, h, note, { onNeed = null, prestige = null } = {}) {
    const { pen } = this;
    const { domain = "", level = "" } = pen.facts("objective", name);
    pen.face(g, w, h);
    const band = pen.group(g, 0, 0, { cls: `domain-${domain}` });
    el(band, "path", { d: `M4 28V10Q4 4 10 4H${w - 10}Q${w - 4} 4 ${w - 4} 10V28Z`, class: "tint" });
    pen.text(band, name, { x: 10, y: 16, middle: true, size: 13, weight: 700, width: w - 44, cls: "on-token" });
    pen.text(band, level, { x: w - 12, y: 16, middle: true, anchor: "end", size: 14, weight: 700, cls: "on-token" });
    const step = Math.min(60, (w - 12) / Math.max(1, needs.length));
    needs.forEach((one, i) => this.need(g, one, 6 + i * step, 34, step - 4, onNeed));
    pen.text(g, `${domain} · ${note}`, { x: 8, y: h - 7, size: 11, width: w - (prestige === null ? 16 : 44), cls: "soft" });
    if (prestige !== null) pen.token(g, w - 20, h - 16, 12, String(prestige));
  }

  need(parent, { need, component, is_exact: isExact }, x, y, w, onNeed) {
    const { pen } = this;
    const kind = component ? component.kind : need;
    const label = component ? `${component.component ?? kind} on the need ${need}${isExact ? ", exact" : ""}` : `Open need: ${need}`;
    const g = pen.thing(parent, component || !onNeed ? null : { on: onNeed, need }, x, y, { label, about: this.aboutKind(kind), cls: this.kindClass(kind) });
    pen.rect(g, 0, 0, w, 52, 6, `frame ${component ? "tint" : "need-open"}`);
    const ink = pen.group(g, 0, 0, { cls: component ? "on-tint" : "tinted" });
    const size = Math.min(26, w - 8);
    pen.icon(ink, icon(kind), (w - size) / 2, 6, size);
    pen.text(g, kind, { x: w / 2, y: 46, anchor: "middle", size: 11, width: w - 2, cls: component ? "on-token" : null });
    if (isExact) pen.text(g, "+1", { x: w - 3, y: 11, anchor: "end", size: 10, weight: 700, cls: "on-token" });
  }

  /** A trick of a seat, under way or on display. */
  trick(parent, seat, trick, isDisplayed, x, y, w) {
    const { pen } = this;
    const name = trick.objective;
    const isMine = seat === this.scene.seat;
    const things = isDisplayed ? [{ on: name }, { objective: name }] : isMine ? { objective: name } : null;
    const extras = isDisplayed ? [["encore", trick.encores], ["deja vu", trick.deja_vus], ["grand", trick.grands]].filter(([, n]) => n).map(([what, n]) => `${what} ${n}`) : [];
    const note = [isDisplayed ? "on display" : "under way", ...extras].join(", ");
    const g = pen.thing(parent, things, x, y, { key: `trick ${name}`, label: `${name} of ${pen.seatName(seat)}, ${note}`, about: pen.about("objective", name), cls: "paper" });
    const needs = this.allNeeds(trick);
    this.trickCard(g, name, [], w, 112, note, { prestige: isDisplayed ? trick.prestige ?? null : null });
    const step = Math.min(60, (w - 12) / needs.length);
    const over = pen.group(parent, x, y, { cls: "paper" }); // beside the trick, not in it: a need is a thing of its own
    needs.forEach((one, i) => this.need(over, one, 6 + i * step, 34, step - 4, isMine && !isDisplayed ? name : null));
  }

  /** The needs of a trick, with the open ones that the scene leaves out. */
  allNeeds(trick) {
    const printed = this.pen.facts("objective", trick.objective).needs || [];
    const given = [...trick.needs];
    for (const need of printed) {
      const count = (list) => list.filter((one) => one === need).length;
      if (count(given.map((one) => one.need)) < count(printed)) given.push({ need, component: null });
    }
    return given;
  }

  // ---- Seats -----------------------------------------------------------------------------------------------

  seat(seat, x, y, width, isFirst) {
    const { pen, scene } = this;
    const one = scene.seats[seat];
    const cls = scene.to_move === seat ? "tray is-to-move" : "tray";
    const robbed = { verb: "take", seat };
    return pen.panel(pen.root, x, y, width, null, (g, w) => {
      let top = this.seatHead(g, seat, one, w);
      const tricks = [...one.displayed.map((trick) => [trick, true]), ...one.under_way.map((trick) => [trick, false])];
      if (tricks.length) {
        const tw = Math.min(240, pen.isNarrow || !isFirst ? w : (w - 10) / 2);
        top += pen.rows(tricks, w, tw, 112, ([trick, isDisplayed], left, at) => this.trick(g, seat, trick, isDisplayed, left, top + at, tw), { gap: 10 }) + 10;
      }
      const title = pen.isOpen(robbed) ? "Hand: take a card" : "Hand";
      const beside = this.roomBeside(one, w); // the hand stands beside the Backstage if there is room
      const hand = beside === null ? g : pen.group(g, beside, 0);
      const below = this.row(g, "Backstage", one.backstage, seat, top, w, (component, left, at, i) => this.component(g, seat, component, left, at, i));
      return this.row(hand, title, one.hand, seat, beside === null ? below : top, w - (beside ?? 0), (card, left, at, i) => this.handCard(hand, seat, card, left, at, i)) - 8;
    }, { cls, label: pen.seatName(seat) });
  }

  /** Return how far right of the Backstage the hand can stand, or null. */
  roomBeside({ backstage, hand }, w) {
    const wide = (cards) => cards.length * (this.small + 6) + 20;
    return backstage.length && hand.length && wide(backstage) + wide(hand) - 26 <= w ? wide(backstage) : null;
  }

  seatHead(g, seat, one, w) {
    const { pen } = this;
    pen.seatTag(g, 0, 13, seat, { size: 14, width: w - 90 });
    pen.text(g, `${one.prestige} prestige`, { x: w, y: 13, anchor: "end", size: 14, weight: 700 });
    if (!one.magician) return 24;
    const used = seat === this.scene.seat && this.scene.talent_used ? ", used" : "";
    const talent = pen.group(g, 0, 32, { about: pen.about("magician", one.magician), label: `${one.magician}, talent ${one.talent}${used}` });
    pen.icon(talent, icon("Magician"), 0, -12, 15, "soft-icon");
    pen.text(talent, `${one.magician} (${one.talent}${used})`, { x: 20, y: 0, size: 12.5, width: w - 20, cls: "soft" });
    if (!one.kept.length) return 42;
    const kept = pen.group(g, 0, 50, { about: `Tricks scored: ${one.kept.join(", ")}.`, label: `Tricks scored: ${one.kept.join(", ")}` });
    pen.icon(kept, icon("grand"), 0, -12, 14, "soft-icon");
    pen.text(kept, one.kept.join(", "), { x: 20, y: 0, size: 12, width: w - 20, cls: "soft" });
    return 60;
  }

  row(g, title, cards, seat, top, w, draw) {
    if (!cards.length) return top;
    this.pen.text(g, `${title} (${cards.length})`, { y: top + 11, size: 12, weight: 600, cls: "soft", width: w });
    const cw = this.small;
    return top + 18 + this.pen.rows(cards, w, cw, cw * 1.16, (card, x, y, i) => draw(card, x, top + 18 + y, i), { overlap: cards.every((card) => card === null) ? 0.6 : 0 }) + 8;
  }

  kindCard(g, kind, note = null) {
    const { pen, small: w } = this;
    pen.face(g, w, w * 1.16);
    const ink = pen.group(g, 0, 0, { cls: "tinted" });
    pen.icon(ink, icon(kind), w * 0.27, w * 0.12, w * 0.46);
    pen.text(ink, kind, { x: w / 2, y: w * (note ? (kind.includes(" ") ? 0.7 : 0.78) : 0.84), anchor: "middle", size: 12.5, weight: 700, width: w - 8, lines: kind.includes(" ") ? 2 : 1 });
    if (note) pen.text(g, note, { x: w / 2, y: w * 1.03, anchor: "middle", size: 10.5, width: w - 6, cls: "soft" });
  }

  component(parent, seat, component, x, y, i) {
    const { pen } = this;
    const { kind, printed = kind, transforms } = component;
    const name = component.component ?? kind;
    const g = pen.thing(parent, { component: name, seat }, x, y, { key: `back ${seat} ${i} ${printed}`, cls: `paper ${this.kindClass(kind)}`,
      label: `${capital(kind)} in the Backstage of ${pen.seatName(seat)}${printed === kind ? "" : `, printed ${printed}`}`, about: this.aboutKind(kind) });
    const changed = printed === kind ? "" : `was ${printed}`;
    this.kindCard(g, kind, transforms ? `${changed} ${"★".repeat(transforms)}`.trim() : changed || null);
  }

  handCard(parent, seat, card, x, y, i) {
    const { pen } = this;
    if (card === null || seat !== this.scene.seat) {
      const label = card === null ? `Hidden card of ${pen.seatName(seat)}` : `Card of ${pen.seatName(seat)}: ${card}`;
      const g = pen.thing(parent, seat === this.scene.seat ? null : { verb: "take", seat }, x, y, { key: `hand ${seat} ${i}`, label,
        about: card === null ? `A card in the hand of ${pen.seatName(seat)}, hidden from you.` : this.aboutKind(card), cls: card ? `paper ${this.kindClass(card)}` : "" });
      if (card === null) pen.back(g, this.small, this.small * 1.16);
      else this.kindCard(g, card, (this.pen.context.seat ?? seat) === seat ? null : "known");
      return;
    }
    const g = pen.thing(parent, { card, from: "hand" }, x, y, { key: `hand ${seat} ${i} ${card}`, label: `${capital(card)} in hand`, about: this.aboutKind(card), cls: `paper ${this.kindClass(card)}` });
    this.kindCard(g, card);
  }

  // ---- Unfinished decisions --------------------------------------------------------------------------------

  /** The kinds that a component can become. Returns the place below. */
  choices(top) {
    const { pen } = this;
    const kinds = [...new Set((pen.context.legal || []).filter(({ parts }) => parts.verb === "into").map(({ parts }) => parts.kind))];
    if (!kinds.length) return top;
    const what = this.scene.pending?.component?.kind;
    return top + 10 + pen.panel(pen.root, 8, top, pen.width - 16, what ? `${capital(what)} becomes` : "It becomes", (g, w) =>
      pen.rows(kinds, w, this.small, this.small * 1.16, (kind, x, y) => {
        const one = pen.thing(g, { verb: "into", kind }, x, y, { label: `Into ${kind}`, about: this.aboutKind(kind), cls: `paper ${this.kindClass(kind)}` });
        this.kindCard(one, kind);
      }));
  }
}
