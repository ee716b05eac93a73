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
  game: "connect_four",
  toScene: ({ cells }) => ({ columns: [...Array(COLUMNS).keys()].map((column) => stones(cells, column)) }),
  toParts: (move, [column]) => ({ verb: "drop", column: column + 1 }),
};

// The owners of the stones of a column, from the bottom.
function stones(cells, column) {
  const rows = [...Array(ROWS).keys()].reverse();
  return rows.map((row) => cells[cell(row, column)]).filter((owner) => owner !== null).map(Number);
}
