// A test for your own test-suite: both sets of rules allow the same moves, in every position of random games.

import { RandomBot } from "boardgame.io/dist/cjs/ai.js";
import { Client } from "boardgame.io/dist/cjs/client.js";

import { hasParts, seenBy, viewOf } from "./bot.mjs";

// Play random games with these seeds; throw an error at the first position in which aiplay and `enumerate` disagree
// about whose turn it is or what may be done. Return the number of positions.
export async function checkTranslation({ game, translation, engine, seeds = ["a", "b", "c"], numPlayers = 2 }) {
  let n = 0;
  for (const seed of seeds) {
    for await (const { state, playerID } of positions({ ...game, seed }, numPlayers)) {
      await checkPosition({ game, translation, engine, state, playerID });
      n += 1;
    }
  }
  return n;
}

async function checkPosition({ game, translation, engine, state, playerID }) {
  const { ctx } = state;
  const G = seenBy(game, state.G, ctx, playerID);
  const { seat, to_move, moves } = await engine.ask("legal_moves", { view: viewOf(translation, G, ctx, playerID) });
  const where = `player ${playerID}, turn ${ctx.turn}`;
  if (to_move !== seat) throw new Error(`${where}: aiplay has seat ${to_move} to move, not seat ${seat}`);
  const left = new Set(moves);
  for (const { move, args = [] } of game.ai.enumerate(G, ctx, playerID)) {
    const wanted = translation.toParts(move, args, G, ctx);
    const found = moves.filter(({ parts }) => hasParts(parts, wanted));
    if (found.length !== 1) {
      throw new Error(`${where}: ${JSON.stringify(wanted)} is ${found.length} of the legal moves of aiplay: ${texts(moves)}`);
    }
    left.delete(found[0]);
  }
  if (left.size) throw new Error(`${where}: aiplay also allows ${texts(left)}, which enumerate does not offer`);
}

const texts = (moves) => [...moves].map(({ text }) => text).join(", ");

// Yield every position of a random game, with the player to move.
async function* positions(game, numPlayers) {
  const client = Client({ game, numPlayers, debug: false });
  client.start();
  const bot = new RandomBot({ enumerate: game.ai.enumerate, seed: game.seed });
  const whole = () => client.store.getState(); // getState would hide all cards, because this client is not a player
  for (let state = whole(); state.ctx.gameover === undefined; state = whole()) {
    const playerID = state.ctx.currentPlayer;
    yield { state, playerID };
    const { payload } = (await bot.play(state, playerID)).action;
    client.moves[payload.type](...(payload.args ?? []));
  }
  client.stop();
}
