// Who sits where: a row for each seat of the table to open.

import { el, title } from "./dom.js";

const ME = "me", PERSON = "person", ADAPT = "adapt";
const ADAPTING = "Its level follows your results in this browser, so that your chances stay even";

function choices(strengths, isWatch, isShared, canAdapt) {
  const people = isWatch ? [] : isShared ? [[ME, "You"], [PERSON, "Another person"]] : [[ME, "You"]];
  return [...people.map(([value, text]) => el("option", { value }, text)),
    el("optgroup", { label: "Bots" }, canAdapt && el("option", { value: ADAPT }, "Bot that adapts to you"), strengths.map(({ name }) => el("option", { value: `bot:${name}` }, `${title(name)} bot`)))];
}

/** Return {node, seats(), mine(), adapts()}: the rows for `count` seats, and who was chosen. */
export function seatForm({ hello: { strengths }, transport }, count, isWatch, before = [], canAdapt = false) {
  const usual = `bot:${(strengths[Math.floor((strengths.length - 1) / 2)] ?? { name: "" }).name}`;
  const about = el("p", { class: "muted small", id: "strength-about" });
  const rows = Array.from({ length: count }, (_, seat) => {
    const select = el("select", { id: `seat-${seat}`, "aria-describedby": "strength-about" }, choices(strengths, isWatch, transport.isShared, canAdapt && !isWatch));
    const wanted = before[seat] ?? (seat === 0 && !isWatch ? ME : usual);
    select.value = isWatch && !wanted.startsWith("bot:") ? usual : wanted;
    const node = el("div", { class: "seat-row" },
      el("span", { class: "dot", style: { "--seat": `var(--seat-${seat})` } }),
      el("label", { for: `seat-${seat}` }, `Seat ${seat}`), select);
    return { select, node };
  });
  const explain = (value) => {
    about.textContent = value === ADAPT ? ADAPTING : title(strengths.find(({ name }) => value === `bot:${name}`)?.about ?? "");
  };
  for (const { select } of rows) {
    select.addEventListener("change", () => {
      if (select.value === ME) for (const row of rows) if (row.select !== select && row.select.value === ME) row.select.value = usual;
      explain(select.value);
    });
    select.addEventListener("focus", () => explain(select.value));
  }
  explain(usual);
  const chosen = () => rows.map(({ select }) => select.value);
  return {
    node: el("div", { class: "seat-rows" }, rows.map(({ node }) => node), about),
    chosen,
    mine: () => chosen().indexOf(ME),
    adapts: () => chosen().includes(ADAPT) && chosen().includes(ME),
    seats: (myName, level = null) => chosen().map((value, seat) => {
      if (value === ME) return { kind: "human", name: myName || undefined };
      if (value === PERSON) return { kind: "human" };
      const strength = value !== ADAPT ? value.slice(4) : level ? `level ${level}` : usual.slice(4);
      return { kind: "bot", strength, name: `${title(strength)} bot ${seat}` };
    }),
  };
}
