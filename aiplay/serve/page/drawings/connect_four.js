// Connect four: the frame with its discs; choose a column to drop one.

import { el, Pen } from "./shapes.js";

const ROWS = 6;

/** Draw a scene. */
export function draw(svg, scene, context) {
  const pen = new Pen(svg, scene, context, "connect_four", "Connect four: seven columns of six");
  pen.felt();
  const n = scene.columns.length;
  const cell = Math.min(80, (pen.width - 32) / n);
  const [left, top] = [(pen.width - n * cell) / 2, 52 + cell * 0.5];
  header(pen, scene);
  pen.rect(pen.root, left - 8, top - 8, n * cell + 16, ROWS * cell + 16, cell * 0.28, "grid-board");
  const won = winningCells(scene);
  scene.columns.forEach((column, i) => drawColumn(pen, scene, column, i, left + i * cell, top, cell, won));
  for (let i = 0; i < n; i += 1) {
    pen.text(pen.root, i + 1, { x: left + (i + 0.5) * cell, y: top + ROWS * cell + 28, anchor: "middle", size: 14, weight: 600, cls: "soft" });
  }
  pen.finish(top + ROWS * cell + 42);
}

function header(pen, scene) {
  let x = 16;
  for (const seat of [0, 1]) x += pen.seatTag(pen.root, x, 28, seat, { size: 14, width: pen.width / 2 - 24 }) + 24;
  const isFull = scene.columns.every((column) => column.length === ROWS);
  const result = scene.winner !== null && scene.winner !== undefined ? `${pen.seatName(scene.winner)} wins` : isFull ? "A draw" : null;
  if (result) pen.text(pen.root, result, { x: pen.width - 16, y: 28, anchor: "end", size: 16, weight: 700, width: Math.max(80, pen.width - x - 16) });
}

function drawColumn(pen, scene, column, i, x, top, cell, won) {
  const seats = column.map((seat) => pen.seatName(seat)).join(", ") || "empty";
  const g = pen.thing(pen.root, { verb: "drop", column: i + 1 }, x, top, {
    label: `Column ${i + 1}, from the bottom: ${seats}`, about: pen.about("verb", "drop"), cls: `seat-${scene.to_move ?? 0}` });
  pen.rect(g, 3, -cell * 0.5, cell - 6, (ROWS + 0.5) * cell + 1, cell * 0.2, "frame drop-zone");
  el(g, "path", { d: `M${cell * 0.34} ${-cell * 0.42}h${cell * 0.32}l${-cell * 0.16} ${cell * 0.2}z`, class: "drop-arrow" });
  const place = (row) => ({ cx: cell / 2, cy: (ROWS - row - 0.5) * cell });
  for (let row = column.length; row < ROWS; row += 1) el(g, "circle", { ...place(row), r: cell * 0.39, class: "hole" });
  column.forEach((seat, row) => {
    const { cx, cy } = place(row);
    const disc = pen.group(g, cx, cy, { key: `disc ${i} ${row}`, from: "hand", cls: `seat-${seat}` });
    el(disc, "circle", { r: cell * 0.39, class: "disc" });
    el(disc, "circle", { r: cell * 0.27, class: "disc-ring" });
    if (won.has(`${i} ${row}`)) el(disc, "circle", { r: cell * 0.33, class: "win-ring" });
  });
  if (column.length < ROWS && pen.isOpen({ verb: "drop", column: i + 1 })) el(g, "circle", { ...place(column.length), r: cell * 0.39, class: "ghost" });
}

/** The cells of four or more in a row, if somebody has won. */
function winningCells({ columns, winner }) {
  const cells = new Set();
  if (winner === null || winner === undefined) return cells;
  const at = (x, y) => columns[x]?.[y] === winner;
  columns.forEach((column, x) => column.forEach((_, y) => {
    for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
      const four = [0, 1, 2, 3].map((k) => [x + k * dx, y + k * dy]);
      if (four.every(([a, b]) => at(a, b))) four.forEach(([a, b]) => cells.add(`${a} ${b}`));
    }
  }));
  return cells;
}
