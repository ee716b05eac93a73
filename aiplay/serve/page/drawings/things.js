// Things that can be chosen, and the moves they leave. A thing is some parts of a move ({"card": "dove"}), or a list of
// alternatives ([{"pile": "E"}, {"with": "E"}]); its id is the JSON text in the attribute data-thing.

/** Return the alternatives of a thing, given as parts, as a list or as an id. */
export function alternatives(thing) {
  const value = typeof thing === "string" ? JSON.parse(thing) : thing;
  return Array.isArray(value) ? value : [value];
}

/** True if the parts of a move have everything that the thing says. */
export function fits(parts, thing) {
  return alternatives(thing).some((wanted) =>
    Object.entries(wanted).every(([name, part]) => parts[name] === part),
  );
}

/** Return the legal moves that fit every chosen thing. */
export function remaining(legal, selected) {
  const chosen = selected.map(alternatives);
  return legal.filter(({ parts }) => chosen.every((thing) => fits(parts, thing)));
}

/** Return the ids of all things that are drawn. */
export function thingsIn(svg) {
  return [...svg.querySelectorAll("[data-thing]")].map((element) => element.dataset.thing);
}

/** Return the id of the uppermost thing at a point of the window, or null: what lies on a thing leads to it. */
export function thingAt(x, y) {
  for (const element of document.elementsFromPoint(x, y)) {
    const found = element.closest("[data-thing]");
    if (found) return found.dataset.thing;
  }
  return null;
}
