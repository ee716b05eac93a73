// A bot for boardgame.io that thinks in `aiplay engine` and sees what its player sees.
//
//   const engine = new Engine();
//   const Bot = aiplayBot({ game: ConnectFour, translation: connectFour, engine });
//   Client({ game: ConnectFour, multiplayer: Local({ bots: { 1: Bot } }), ... });
//
// `translation` says what your game means to aiplay, in two functions:
//   toView(G, ctx, playerID)   the view of that player, as `aiplay engine` takes it (docs/engine.md)
//   toText(move, args)         the notation of one of your moves in aiplay

import { Bot } from "boardgame.io/dist/cjs/ai.js";

export function aiplayBot({ game, translation, engine, player = "mcts", iterations = 1000 }) {
  return class AiplayBot extends Bot {
    constructor({ enumerate = game.ai.enumerate, seed } = {}) {
      super({ enumerate, seed });
      this.addOpt({ key: "iterations", range: { min: 1, max: 20000 }, initial: iterations });
    }

    async play({ G: whole, ctx }, playerID) {
      // boardgame.io's Local master hands the whole G to its bots; everything from here on is the player's view.
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

    // The action of boardgame.io that has this notation in aiplay.
    #find(text, G, ctx, playerID) {
      const actions = this.enumerate(G, ctx, playerID);
      const texts = actions.map(({ payload }) => translation.toText(payload.type, payload.args));
      const place = texts.indexOf(text);
      if (place < 0) throw new Error(`aiplay plays ${text}, but enumerate offers ${texts.join(", ")}`);
      return actions[place];
    }
  };
}

// Let a bot sit at a table as any other client: a process of its own, which never gets more than its player's view.
//
//   const client = Client({ game, playerID: "1", multiplayer: SocketIO({ server }), matchID });
//   client.start();
//   takeSeat(client, new Bot());
export function takeSeat(client, bot) {
  let answered = -1; // the state that the bot has moved in
  return client.subscribe(async (state) => {
    if (!state || state.ctx.gameover !== undefined || !state.isActive || state._stateID <= answered) return;
    answered = state._stateID;
    const { action } = await bot.play(state, client.playerID);
    const { type, args } = action.payload;
    client.moves[type](...(args ?? []));
  });
}
