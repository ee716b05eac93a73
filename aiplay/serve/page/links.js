// Links for the other people at a table: whoever has the link of a seat plays it.

import { button, el } from "./dom.js";
import { openDialog } from "./help.js";
import { find, link } from "./memory.js";

async function copy(event, text) {
  const target = event.currentTarget;
  try {
    await navigator.clipboard.writeText(text);
    target.textContent = "Copied";
  } catch {
    target.previousElementSibling.select();
    target.textContent = "Press Ctrl+C";
  }
}

/** True if this browser opened the table and other people can sit there. */
export function hasLinks(room) {
  const others = (find(room.room)?.seats ?? []).filter(({ seat }) => seat !== room.state.seat);
  return room.state.mode === "play" && others.length > 0;
}

/** Show the links of the other seats. */
export function showLinks(room) {
  const kept = find(room.room);
  const rows = kept.seats.filter(({ seat }) => seat !== room.state.seat).map(({ seat, secret }) => {
    const url = link(room.room, secret);
    return el("li", el("label", { for: `link-${seat}` }, `Seat ${seat}`),
      el("input", { id: `link-${seat}`, readonly: true, value: url, onfocus: (event) => event.target.select() }),
      button("Copy", (event) => copy(event, url)));
  });
  openDialog("Invite people", el("p", { class: "muted" }, "Send each person one link. Whoever opens it plays that seat and sees what it sees, so do not open them yourself."),
    el("ul", { class: "links" }, rows));
}
