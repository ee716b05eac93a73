// A small picture for each game of the lobby; a letter for games that have none.

import { svg, title } from "./dom.js";

const circle = (cx, cy, r, fill) => svg("circle", { cx, cy, r, fill });
const rect = (x, y, width, height, fill, rx = 2) => svg("rect", { x, y, width, height, fill, rx });
const path = (d, fill, more = {}) => svg("path", { d, fill, ...more });
const A = "var(--accent)", S = "var(--accent-soft)", M = "var(--muted)", C = "var(--card)";

const stones = () => [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) =>
  circle(14 + 18 * column, 14 + 18 * row, 7, row + column === 2 ? A : (row * column) % 2 ? M : S)));
const die = () => [rect(9, 9, 46, 46, C, 10), ...[[20, 20], [44, 20], [32, 32], [20, 44], [44, 44]].map(([x, y]) => circle(x, y, 4.5, A))];
const hat = () => [rect(19, 14, 26, 30, A), rect(19, 34, 26, 6, S, 0), rect(8, 43, 48, 6, A, 3),
  path("M40 12c3-6 9-6 11-4-2 1-3 3-3 5z", M)];
const cards = () => [svg("g", { transform: "rotate(-12 32 34)" }, rect(12, 14, 26, 38, S, 4)),
  svg("g", { transform: "rotate(10 32 34)" }, rect(27, 14, 26, 38, C, 4), path("M40 24l6 9-6 9-6-9z", A))];
const stage = () => [path("M6 10h52v6c-6 8-10 20-11 34H17C16 36 12 24 6 16z", S), path("M6 10h12c0 16-2 30-9 40H6zM58 10H46c0 16 2 30 9 40h3z", A),
  rect(6, 50, 52, 5, M), path("M32 24l2.6 5.6 6 .8-4.4 4.2 1.1 6-5.3-3-5.3 3 1.1-6-4.4-4.2 6-.8z", A)];
const balloon = () => [circle(32, 25, 17, A), path("M21 37h22l-6 11H27z", S), rect(27, 49, 10, 7, M), path("M32 8c-9 8-9 26 0 34 9-8 9-26 0-34z", S)];
const stonesInRing = () => [svg("circle", { cx: 32, cy: 32, r: 21, fill: "none", stroke: "var(--line)", "stroke-width": 3 }),
  ...[0, 1, 2, 3, 4, 5, 6].map((i) => circle(32 + 21 * Math.sin((i * 2 * Math.PI) / 7), 32 - 21 * Math.cos((i * 2 * Math.PI) / 7), 5, i % 3 ? S : M)),
  path("M32 20l9 20H23z", A), circle(32, 20, 5, A)];

const EMBLEMS = { connect_four: stones, pig: die, leduc_poker: cards, magic_rabbit: hat, illusio: stage,
  levitation: balloon, three_magicians: stonesInRing };

/** Return the picture of a game. */
export function emblem(name) {
  const letter = () => [svg("text", { x: 32, y: 44, "text-anchor": "middle", "font-size": 36, "font-family": "var(--serif)", fill: A }, title(name)[0])];
  return svg("svg", { class: "emblem", viewBox: "0 0 64 64", width: 56, height: 56, "aria-hidden": "true" }, (EMBLEMS[name] ?? letter)());
}
