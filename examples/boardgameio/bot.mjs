// A bot for boardgame.io that searches with `aiplay engine` and sees only what its player sees.
//
//   const engine = new Engine();
//   const Bot = aiplayBot({ game: ConnectFour, translation: connectFour, engine });
//   Client({ game: ConnectFour, multiplayer: Local({ bots: { 1: Bot } }), ... });
//
// `translation` maps your game to aiplay, with two functions:
//   toView(G, ctx, playerID)   the view of that player for `aiplay engine` (docs/engine.md)
//   toText(move, args)         the notation of a move in aiplay

import { Bot } from "boardgame.io/dist/cjs/ai.js";

export function aiplayBot({ game, translation, engine, player = "mcts", iterations = 1000 }) {
  return class AiplayBot extends Bot {
    constructor({ enumerate = game.ai.enumerate, seed } = {}) {
      super({ enumerate, seed });
      this.addOpt({ key: "iterations", range: { min: 1, max: 20000 }, initial: iterations });
    }

    async play({ G: whole, ctx }, playerID) {
      // boardgame.io's Local master passes the whole G to its bots: reduce it to the player's view first.
      const G = game.playerView ? game.playerView({ G: whole, ctx, playerID }) : whole;
      const analysis = await engine.ask("analyse", {
        view: translation.toView(G, ctx, playerID),
        player,
        limit: { iterations: this.getOpt("iterations") },
        seed: this.random(2 ** 31),
      });
      const { text, value, visits } = analysis.moves[0];
      const { odds, line, seconds } = analysis;
      return { action: this.#find(text, G, ctx, playerID), metadata: { text, value, visits, odds, line, seconds } };
    }

    // Return the action of boardgame.io that has this notation in aiplay.
    #find(text, G, ctx, playerID) {
      const actions = this.enumerate(G, ctx, playerID);
      const texts = actions.map(({ payload }) => translation.toText(payload.type, payload.args));
      const place = texts.indexOf(text);
      if (place < 0) throw new Error(`aiplay plays ${text}, but enumerate offers ${texts.join(", ")}`);
      return actions[place];
    }
  };
}

// Let a bot join a match like any other client, perhaps in its own process: it only ever gets its player's view.
//
//   const client = Client({ game, playerID: "1", multiplayer: SocketIO({ server }), matchID });
//   client.start();
//   takeSeat(client, new Bot());
export function takeSeat(client, bot) {
  let answered = -1; // the last state in which the bot moved
  return client.subscribe(async (state) => {
    if (!state || state.ctx.gameover !== undefined || !state.isActive || state._stateID <= answered) return;
    answered = state._stateID;
    const { action } = await bot.play(state, client.playerID);
    const { type, args } = action.payload;
    client.moves[type](...(args ?? []));
  });
}
