// Leduc poker, a game with hidden cards, with rules in boardgame.io, and its translation for aiplay.

import { PlayerView } from "boardgame.io/dist/cjs/core.js";

const CARDS = ["Js", "Jh", "Qs", "Qh", "Ks", "Kh"];
const RAISE = [2, 4]; // chips, by round
const rank = (card) => "JQK".indexOf(card[0]);
const strength = (card, board) => rank(card) + (rank(card) === rank(board) ? 3 : 0);

function setup({ random }) {
  const [first, second, ...deck] = random.Shuffle([...CARDS]);
  return {
    secret: { deck }, // seen by nobody
    players: { 0: { card: first }, 1: { card: second } }, // seen by the player only
    board: null,
    round: 0,
    raises: 0,
    actions: 0,
    chips: [1, 1],
    folded: null,
    toAct: 0,
  };
}

// Call or raise: match the other seat, and add to it for a raise. A call ends the round unless it is the first action.
function bet(G, seat, raise) {
  G.actions += 1;
  G.chips[seat] = G.chips[1 - seat] + (raise ? RAISE[G.round] : 0);
  G.raises += raise ? 1 : 0;
  G.toAct = 1 - seat;
  if (raise || G.actions === 1) return;
  if (G.round === 0) G.board = G.secret.deck.pop();
  Object.assign(G, { round: G.round + 1, raises: 0, actions: 0, toAct: 0 });
}

const isFacingBet = (G, seat) => G.chips[seat] < G.chips[1 - seat];
const isAllowed = { fold: isFacingBet, call: () => true, raise: (G) => G.raises < 2 };
const effect = {
  fold: (G, seat) => Object.assign(G, { folded: seat }),
  call: (G, seat) => bet(G, seat, false),
  raise: (G, seat) => bet(G, seat, true),
};

const moveOf = (name) => ({
  client: false, // only the master knows the deck
  move({ G, playerID }) {
    const seat = Number(playerID);
    if (!isAllowed[name](G, seat)) return "INVALID_MOVE";
    effect[name](G, seat);
  },
});

function result({ G }) {
  if (G.folded !== null) return { winner: String(1 - G.folded), chips: G.chips[G.folded] };
  if (G.round < 2) return undefined;
  const [first, second] = [0, 1].map((seat) => strength(G.players[seat].card, G.board));
  if (first === second) return { draw: true, chips: 0 };
  return { winner: first > second ? "0" : "1", chips: G.chips[0] };
}

export const Leduc = {
  name: "leduc",
  setup,
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1, order: { first: () => 0, next: ({ G }) => G.toAct } },
  moves: { fold: moveOf("fold"), call: moveOf("call"), raise: moveOf("raise") },
  endIf: result,
  ai: {
    enumerate: (G, ctx, playerID) =>
      ["fold", "call", "raise"]
        .filter((name) => isAllowed[name](G, Number(playerID)))
        .map((move) => ({ move, args: [] })),
  },
};

export const leduc = {
  game: "leduc_poker",
  toScene: (G) => ({
    seats: G.chips.map((chips, seat) => ({ card: G.players[seat]?.card ?? null, chips })), // null: hidden
    board: G.board,
    round: ["first", "second", "showdown"][G.round],
    turn: G.toAct,
    raises: G.raises,
    folded: G.folded,
  }),
  toParts: (move) => ({ verb: move }),
};
