// Choosing a move by its parts: what a click on a thing means, and which buttons lead on. Without the page.

import { fits, remaining } from "./drawings/things.js";

export { fits, remaining };

/** Return the chosen things after one more click: added, taken away, or a new start if no move fits both. */
export function chosenAfter(legal, chosen, thing) {
  if (chosen.includes(thing)) return chosen.filter((other) => other !== thing);
  const both = [...chosen, thing];
  if (remaining(legal, both).length) return both;
  return remaining(legal, [thing]).length ? [thing] : chosen;
}

const isPlain = ({ parts }) => Object.keys(parts ?? {}).length < 2; // a verb alone: it often ends something

/** Return the moves by verb, in the order of the list; verbs without a choice come last. */
export function byVerb(moves) {
  const groups = new Map();
  for (const move of [...moves].sort((one, other) => isPlain(one) - isPlain(other))) {
    const verb = move.parts?.verb ?? "";
    if (!groups.has(verb)) groups.set(verb, []);
    groups.get(verb).push(move);
  }
  return groups;
}

/** Return the groups of a list of moves: by verb, or all together if no verb has two. */
export function listed(moves) {
  const groups = [...byVerb(moves)];
  return groups.every(([, group]) => group.length === 1) ? [["", moves]] : groups;
}

const FEW = 4; // moves of different verbs that get a button each
const MOST = 10; // moves of one verb that do

/** Return the buttons that lead on: {text, move} plays a move, {text, thing} chooses a verb. */
export function offers(legal, chosen, things) {
  if (chosen.length) return offered(remaining(legal, chosen));
  return offered(legal.filter(({ parts }) => !things.some((thing) => fits(parts, thing))));
}

function offered(moves) {
  const groups = [...byVerb(moves)];
  if (moves.length <= (groups.length > 1 ? FEW : MOST)) return moves.map((move) => ({ text: move.text, move }));
  if (groups.length === 1) return []; // too many of one kind: the table and the list have them
  return groups.map(([verb, group]) =>
    group.length === 1 ? { text: group[0].text, move: group[0] } : { text: `${verb} …`, thing: JSON.stringify({ verb }) });
}
