// Pig, a game with a die for two to six players, with rules in boardgame.io, and its translation for aiplay.

const TARGET = 100;

const bank = (G, player) => {
  G.scores[player] += G.atRisk;
  G.atRisk = 0;
};
const isWon = (G, player) => G.scores[player] + G.atRisk >= TARGET;

export const Pig = {
  name: "pig",
  setup: ({ ctx }) => ({ scores: Array(ctx.numPlayers).fill(0), atRisk: 0, decisions: 0 }),
  moves: {
    roll: {
      client: false, // the master rolls
      move({ G, playerID, random, events }) {
        if (isWon(G, playerID)) return "INVALID_MOVE";
        const face = random.D6();
        G.decisions += 1;
        G.atRisk = face === 1 ? 0 : G.atRisk + face;
        if (face === 1) events.endTurn();
      },
    },
    hold({ G, playerID, events }) {
      G.decisions += 1;
      bank(G, playerID);
      events.endTurn();
    },
  },
  endIf({ G }) {
    const winner = G.scores.findIndex((score) => score >= TARGET);
    return winner < 0 ? undefined : { winner: String(winner) };
  },
  ai: {
    enumerate: (G, ctx, playerID) =>
      (isWon(G, playerID) ? ["hold"] : ["roll", "hold"]).map((move) => ({ move, args: [] })),
  },
};

// The translation depends on the number of players, an option of the game in aiplay.
export const pig = (numPlayers) => ({
  game: "pig",
  options: { players: numPlayers, horizon: 30000 },
  toScene: (G, ctx) => ({
    seats: G.scores.map((score) => ({ score })),
    turn: Number(ctx.currentPlayer),
    at_risk: G.atRisk,
    decisions: G.decisions,
  }),
  toParts: (move) => ({ verb: move }),
});
