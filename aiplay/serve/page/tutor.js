// The tutor: a warning after a move that loses much, with the way back; and a few good moves on request.

import { announce, button, el, percent, show } from "./dom.js";

export class Tutor {
  constructor(room, onHints) {
    Object.assign(this, { room, onHints });
    this.node = el("div", { class: "warning", role: "alert", hidden: true });
    this.hint = button("Hint", () => this.ask(), { id: "hint" });
  }

  async ask() {
    this.hint.disabled = true;
    this.hint.textContent = "Thinking …";
    try {
      const { moves } = await this.room.request("hint", { seat: this.room.state.seat });
      announce(`Good moves, in no order: ${moves.map(({ text }) => text).join("; ")}`);
      this.onHints(moves);
    } catch (problem) {
      announce(problem.message);
    } finally {
      this.hint.textContent = "Hint";
      this.update();
    }
  }

  /** The hint is for whoever is to move; the warning stays until it is answered. */
  update() {
    const { state, warning } = this.room;
    this.hint.hidden = state.seat === null;
    this.hint.disabled = state.over || state.to_move !== state.seat;
    const isNew = this.node.hidden && warning;
    this.node.hidden = !warning;
    if (isNew) this.warn(warning);
  }

  warn({ loss, better }) {
    const answer = async (action, fields) => {
      this.room.warning = null;
      this.node.hidden = true;
      await this.room.request(action, fields).catch((problem) => announce(problem.message));
    };
    show(this.node, el("p", el("b", `That move loses about ${percent(loss)}.`), ` Better: ${better.text}.`),
      el("div", { class: "row" },
        button("Take it back", () => answer("undo", { seat: this.room.state.seat }), { class: "primary" }),
        button("Go on", () => answer("now", {}))));
  }
}
