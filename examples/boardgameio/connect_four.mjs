// Connect four with rules in boardgame.io, and its translation for aiplay.

const COLUMNS = 7;
const ROWS = 6;
const STEPS = [[0, 1], [1, 0], [1, 1], [1, -1]];

const cell = (row, column) => row * COLUMNS + column; // row 0 is at the top
const lowest = (cells, column) => {
  for (let row = ROWS - 1; row >= 0; row--) if (cells[cell(row, column)] === null) return row;
  return -1;
};

function hasFour(cells, player) {
  const has = (row, column) =>
    row >= 0 && row < ROWS && column >= 0 && column < COLUMNS && cells[cell(row, column)] === player;
  for (let row = 0; row < ROWS; row++)
    for (let column = 0; column < COLUMNS; column++)
      if (STEPS.some(([dy, dx]) => [0, 1, 2, 3].every((i) => has(row + i * dy, column + i * dx)))) return true;
  return false;
}

export const ConnectFour = {
  name: "connect-four",
  setup: () => ({ cells: Array(ROWS * COLUMNS).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    drop({ G, playerID }, column) {
      const row = lowest(G.cells, column);
      if (row < 0) return "INVALID_MOVE";
      G.cells[cell(row, column)] = playerID;
    },
  },
  endIf({ G }) {
    for (const player of ["0", "1"]) if (hasFour(G.cells, player)) return { winner: player };
    return G.cells.every((owner) => owner !== null) ? { draw: true } : undefined;
  },
  ai: {
    enumerate: ({ cells }) =>
      [...Array(COLUMNS).keys()]
        .filter((column) => cells[column] === null)
        .map((column) => ({ move: "drop", args: [column] })),
  },
};

export const connectFour = {
  toView(G, ctx, playerID) {
    const stones = [0, 0]; // bit 7 * column + row, row 0 at the bottom; below 2 ** 48, so exact in a number
    G.cells.forEach((owner, index) => {
      const row = ROWS - 1 - Math.floor(index / COLUMNS);
      if (owner !== null) stones[Number(owner)] += 2 ** (7 * (index % COLUMNS) + row);
    });
    const n_stones = G.cells.filter((owner) => owner !== null).length;
    return { game: "connect_four", options: {}, seat: Number(playerID), view: { stones, n_stones, winner: 0 } };
  },
  toText: (move, [column]) => String(column + 1),
};
