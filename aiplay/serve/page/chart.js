// The odds of every seat over the game, as a chart; in a replay a click goes to that moment.

import { el, percent, show, svg } from "./dom.js";
import { seatName } from "./room.js";

const HIGH = 150, LEFT = 34, RIGHT = 10, TOP = 8, BOTTOM = 20;

export class Chart {
  constructor(onSeek) {
    this.onSeek = onSeek;
    this.svg = svg("svg", { class: "chart", role: "img" });
    this.legend = el("ul", { class: "legend" });
    this.node = el("div", this.svg, this.legend);
    this.svg.addEventListener("click", (event) => {
      const box = this.svg.getBoundingClientRect();
      if (this.last) this.onSeek(Math.round(((event.clientX - box.left - LEFT) / (this.wide - LEFT - RIGHT)) * this.last)); // a replay begins at 0
    });
  }

  /** Draw the odds of a room; cooperative games have one line. */
  show(room, isCooperative) {
    const { state } = room;
    const points = [...room.odds].sort(([a], [b]) => a - b);
    this.wide = Math.max(240, this.svg.clientWidth || 360);
    this.first = state.mode === "replay" ? 0 : points[0]?.[0] ?? 0; // a game that goes on from a record has no odds before
    this.last = Math.max(state.length ?? 0, state.ply, this.first + 1);
    const seats = isCooperative ? [0] : state.seats.map((_, seat) => seat);
    const name = (seat) => (isCooperative ? "The team" : seatName(state, seat));
    this.svg.setAttribute("viewBox", `0 0 ${this.wide} ${HIGH}`);
    show(this.svg, this.ground(state), seats.map((seat) => this.line(points, seat)));
    const now = points.findLast(([ply]) => ply <= state.ply)?.[1];
    const texts = seats.map((seat) => `${name(seat)} ${now ? percent(now[seat]) : "not known yet"}`);
    this.svg.setAttribute("aria-label", `Odds over the game. Now: ${texts.join(", ")}.`);
    show(this.legend, seats.map((seat, i) => el("li", { style: { "--seat": `var(--seat-${seat})` } }, el("span", { class: "dot" }), texts[i])));
  }

  x(ply) {
    return LEFT + ((this.wide - LEFT - RIGHT) * (ply - this.first)) / (this.last - this.first);
  }

  y(value) {
    return TOP + (HIGH - TOP - BOTTOM) * (1 - value);
  }

  ground(state) {
    const lines = [0, 0.5, 1].map((value) => [
      svg("line", { x1: LEFT, x2: this.wide - RIGHT, y1: this.y(value), y2: this.y(value), class: "grid" }),
      svg("text", { x: LEFT - 6, y: this.y(value) + 4, "text-anchor": "end" }, `${100 * value}`)]);
    const now = svg("line", { x1: this.x(state.ply), x2: this.x(state.ply), y1: TOP, y2: HIGH - BOTTOM, class: "now" });
    return [...lines, now, svg("text", { x: LEFT, y: HIGH - 4 }, this.first ? `ply ${this.first}` : "start"),
      svg("text", { x: this.wide - RIGHT, y: HIGH - 4, "text-anchor": "end" }, `ply ${this.last}`)];
  }

  line(points, seat) {
    const places = points.map(([ply, odds]) => [this.x(ply), this.y(odds[seat])]);
    const color = { stroke: `var(--seat-${seat})` };
    const end = places.at(-1);
    return [svg("polyline", { points: places.map((place) => place.map((n) => n.toFixed(1)).join(",")).join(" "), class: "odds", ...color }),
      end ? svg("circle", { cx: end[0], cy: end[1], r: 3.5, fill: color.stroke }) : null];
  }
}
