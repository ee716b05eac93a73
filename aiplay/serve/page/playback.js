// The controls of watching and of replays: pause, step, speed, and the moment of a replay.

import { button, el } from "./dom.js";
import { seatName } from "./room.js";

const SPEEDS = [4, 2, 1, 0.5, 0.25, 0.1, 0]; // seconds from move to move, slow to fast

export class Playback {
  constructor(room, onProblem) {
    Object.assign(this, { room, onProblem, isPaused: false });
    this.speed = el("input", { type: "range", id: "speed", min: 0, max: SPEEDS.length - 1, step: 1, value: 2, onchange: () => this.setSpeed() });
    this.moment = el("input", { type: "range", id: "moment", min: 0, value: 0, step: 1, oninput: () => this.seek(Number(this.moment.value)) });
    this.place = el("output", { for: "moment", class: "figure" });
    this.pause = button("Pause", () => this.setPaused(!this.isPaused), { id: "pause" });
    this.eyes = el("select", { id: "eyes", onchange: () => this.seek(this.room.state.ply) });
    const step = (text, label, count) => button(text, () => this.step(count), { "aria-label": label, class: count < 0 ? "back" : "" });
    this.replayOnly = [
      el("div", { class: "moment" }, el("label", { for: "moment" }, "Move"), this.moment, this.place),
      el("div", { class: "eyes" }, el("label", { for: "eyes" }, "Seen by"), this.eyes)];
    this.backwards = step("‹ Back", "One move back", -1);
    this.node = el("section", { class: "panel playback", "aria-label": "Playback" },
      el("div", { class: "row" }, this.backwards, this.pause, step("Step ›", "One move on", 1),
        el("div", { class: "speed" }, el("label", { for: "speed" }, "Speed"), this.speed)),
      this.replayOnly);
    this.node.hidden = true;
  }

  send(action, fields) {
    return this.room.request(action, fields).catch(this.onProblem);
  }

  get seconds() {
    return SPEEDS[Number(this.speed.value)];
  }

  setSpeed() {
    this.speed.setAttribute("aria-valuetext", `${this.seconds} seconds a move`);
    if (!this.isPaused) this.send("speed", { seconds: this.seconds });
  }

  setPaused(isPaused) {
    return this.send("speed", { seconds: isPaused ? null : this.seconds });
  }

  async step(count) {
    if (!this.isPaused) await this.setPaused(true);
    return this.send("step", { count });
  }

  seek(ply) {
    const seat = this.eyes.value === "" ? null : Number(this.eyes.value);
    return this.send("seek", { ply, seat });
  }

  update() {
    const { state } = this.room;
    this.node.hidden = state.mode === "play";
    if (state.mode === "play") return;
    const isReplay = state.mode === "replay";
    this.isPaused = state.speed === null || state.speed === undefined;
    this.pause.textContent = this.isPaused ? "Play" : "Pause";
    this.backwards.hidden = !isReplay;
    for (const node of this.replayOnly) node.hidden = !isReplay;
    const length = state.length ?? state.ply;
    this.moment.max = length;
    if (document.activeElement !== this.moment) this.moment.value = state.ply;
    this.moment.setAttribute("aria-valuetext", `move ${state.ply} of ${length}`);
    this.place.textContent = `${state.ply} / ${length}`;
    if (!this.eyes.options.length) {
      this.eyes.append(el("option", { value: "" }, "everyone"), ...state.seats.map(({ seat }) => el("option", { value: seat }, seatName({ ...state, seat: null }, seat))));
    }
  }
}
