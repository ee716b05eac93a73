// A bot for boardgame.io that searches with `aiplay engine` and sees only what its player sees.
//
//   const engine = new Engine();
//   const Bot = aiplayBot({ game: Leduc, translation: leduc, engine });
//   Client({ game: Leduc, multiplayer: Local({ bots: { 1: Bot } }), ... });
//
// `translation` maps your game to one of aiplay:
//   game, options                 the name of the game in aiplay, and its options (defaults if left out)
//   toScene(G, ctx, playerID)     what that player sees, as a scene of aiplay; G is the player's view
//   toParts(move, args, G, ctx)   a move of yours as parts of a move in aiplay; enough of them to tell it from the others
//   toSeat(playerID, ctx)         the seat in aiplay; by default the player's place in ctx.playOrder

import { randomUUID } from "node:crypto";

import { Bot } from "boardgame.io/dist/cjs/ai.js";

export function aiplayBot({ game, translation, engine, player = "mcts", iterations = 1000 }) {
  return class AiplayBot extends Bot {
    #kept = null; // the name of the player that the engine keeps for this bot

    constructor({ enumerate = game.ai.enumerate, seed } = {}) {
      super({ enumerate, seed });
      this.addOpt({ key: "iterations", range: { min: 1, max: 20000 }, initial: iterations });
    }

    // Return an action of `enumerate`, and what the search found out.
    async play({ G: whole, ctx }, playerID) {
      const G = seenBy(game, whole, ctx, playerID);
      const analysis = await engine.ask("analyse", {
        view: viewOf(translation, G, ctx, playerID),
        limit: { iterations: this.getOpt("iterations") },
        ...this.#player(),
      });
      const { text, parts, value, visits } = analysis.moves[0];
      const { odds, line, seconds } = analysis;
      const action = this.#find({ text, parts }, G, ctx, playerID);
      return { action, metadata: { text, parts, value, visits, odds, line, seconds } };
    }

    // Keep the search tree from move to move. Call `forget` at the end: the engine keeps a limited number of players.
    keep() {
      this.#kept ??= { name: randomUUID(), seed: this.random(2 ** 31) };
    }

    async forget() {
      const kept = this.#kept;
      this.#kept = null;
      if (kept?.isKnown) await engine.ask("forget", { keep: kept.name });
    }

    #player() {
      if (this.#kept === null) return { player, seed: this.random(2 ** 31) };
      this.#kept.isKnown = true;
      return { player, seed: this.#kept.seed, keep: this.#kept.name };
    }

    // Return the one action of boardgame.io that is this move of aiplay.
    #find({ text, parts }, G, ctx, playerID) {
      const actions = this.enumerate(G, ctx, playerID);
      const wanted = actions.map(({ payload }) => translation.toParts(payload.type, payload.args ?? [], G, ctx));
      const found = actions.filter((_, place) => hasParts(parts, wanted[place]));
      if (found.length === 1) return found[0];
      const offered = wanted.map((entry) => JSON.stringify(entry)).join(", ");
      throw new Error(
        `aiplay plays ${text} ${JSON.stringify(parts)}, which is ${found.length} of the actions of enumerate: ${offered}`,
      );
    }
  };
}

// Return what a player sees. boardgame.io's Local master and Simulate pass the whole G to their bots.
export function seenBy(game, G, ctx, playerID) {
  return game.playerView ? game.playerView({ G, ctx, playerID }) : G;
}

// Return the position for `aiplay engine`.
export function viewOf(translation, G, ctx, playerID) {
  const seat = translation.toSeat ? translation.toSeat(playerID, ctx) : ctx.playOrder.indexOf(playerID);
  const scene = translation.toScene(G, ctx, playerID);
  return { game: translation.game, options: translation.options ?? {}, seat, scene };
}

// True if a move of aiplay has all wanted parts.
export function hasParts(parts, wanted) {
  return Object.entries(wanted).every(([name, part]) => parts[name] === part);
}
