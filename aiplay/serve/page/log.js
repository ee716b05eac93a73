// The log: what this seat noticed, in words. What chance did in a row is one line.

import { el, show } from "./dom.js";
import { seatName } from "./room.js";

const words = (learned) => Object.entries(learned ?? {}).map(([name, value]) =>
  `${name} ${value !== null && typeof value === "object" ? JSON.stringify(value) : value}`).join(", ");

/** Return one event in words, without who did it. */
export function eventText(event) {
  const learned = words(event.learned);
  return learned ? `${event.text} (seen: ${learned})` : event.text;
}

function grouped(events) {
  const groups = [];
  for (const event of events) {
    const last = groups.at(-1);
    if (last && event.seat < 0 && last[0].seat < 0) last.push(event);
    else groups.push([event]);
  }
  return groups;
}

/** Return the same texts said once: "draw ? × 3". */
function counted(texts) {
  const found = [];
  for (const text of texts) {
    if (found.at(-1)?.text === text) found.at(-1).times += 1;
    else found.push({ text, times: 1 });
  }
  return found.map(({ text, times }) => (times > 1 ? `${text} × ${times}` : text)).join(", ");
}

export class Log {
  constructor() {
    this.node = el("ol", { class: "log", tabindex: 0, "aria-label": "Log of the game" });
  }

  show(room) {
    const { state } = room;
    const events = [...room.events.values()].sort((a, b) => a.ply - b.ply);
    const atEnd = this.node.scrollHeight - this.node.scrollTop - this.node.clientHeight < 40;
    show(this.node, grouped(events).map((group) => {
      const { seat, ply, is_seen: isSeen, parts } = group[0];
      return el("li", { class: seat < 0 ? "is-chance" : isSeen ? "" : "is-hidden", style: seat < 0 ? {} : { "--seat": `var(--seat-${seat})` } },
        el("span", { class: "ply muted" }, String(ply)),
        el("span", seat < 0 ? null : el("b", seatName(state, seat)), " ",
          el("span", { "data-entry": seat < 0 ? null : `verb/${parts?.verb}` }, counted(group.map(eventText)))));
    }));
    if (atEnd) this.node.scrollTop = this.node.scrollHeight;
  }
}
