// A complete game of boardgame.io against the bot: node play.mjs [connect-four|leduc|pig] [seed]
//
// Player 0 stands for a person (boardgame.io's RandomBot), player 1 is the bot. Each has its own client.

import { RandomBot } from "boardgame.io/dist/cjs/ai.js";
import { Client } from "boardgame.io/dist/cjs/client.js";
import { Local } from "boardgame.io/dist/cjs/multiplayer.js";

import { aiplayBot, Engine, takeSeat } from "./index.mjs";
import { ConnectFour, connectFour } from "./games/connect_four.mjs";
import { Leduc, leduc } from "./games/leduc.mjs";
import { Pig, pig } from "./games/pig.mjs";

const GAMES = { "connect-four": [ConnectFour, connectFour], leduc: [Leduc, leduc], pig: [Pig, pig(2)] };
const [name = "connect-four", seed = "1"] = process.argv.slice(2);
const [rules, translation] = GAMES[name];
const game = { ...rules, seed };

const engine = new Engine();
const Bot = aiplayBot({ game, translation, engine });
const multiplayer = Local();
const clients = ["0", "1"].map((playerID) => Client({ game, playerID, multiplayer, debug: false }));
for (const client of clients) client.start();

const over = new Promise((resolve) => {
  clients[0].subscribe((state) => state?.ctx.gameover !== undefined && resolve(state.ctx.gameover));
});
takeSeat(clients[0], new RandomBot({ enumerate: game.ai.enumerate, seed }));
const leave = takeSeat(clients[1], new Bot({ seed }));
console.log(`${name}: ${JSON.stringify(await over)} after ${clients[0].log.length} log entries`);
await leave();
for (const client of clients) client.stop();
await engine.close();
