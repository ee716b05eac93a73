// Tests of the package with boardgame.io from npm: npm test

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { RandomBot, Simulate } from "boardgame.io/dist/cjs/ai.js";
import { Client } from "boardgame.io/dist/cjs/client.js";
import { InitializeGame } from "boardgame.io/dist/cjs/internal.js";
import { Local, SocketIO } from "boardgame.io/dist/cjs/multiplayer.js";
import { Server } from "boardgame.io/dist/cjs/server.js";

import { aiplayBot, checkTranslation, Engine, takeSeat } from "../index.mjs";
import { ConnectFour, connectFour } from "../games/connect_four.mjs";
import { Leduc, leduc } from "../games/leduc.mjs";
import { Pig, pig } from "../games/pig.mjs";

const engine = new Engine();
after(() => engine.close());

const GAMES = [
  [ConnectFour, connectFour, 2],
  [Leduc, leduc, 2],
  [Pig, pig(3), 3],
];
const randomBot = (game, seed) => new RandomBot({ enumerate: game.ai.enumerate, seed });
const gameover = (client) =>
  new Promise((resolve) => {
    client.subscribe((state) => state?.ctx.gameover !== undefined && resolve(state.ctx.gameover));
  });

// ---- Rules and translations ----------------------------------------------------------------------------------

for (const [game, translation, numPlayers] of GAMES) {
  test(`${game.name}: aiplay allows the same moves as boardgame.io in every position`, async () => {
    const seeds = ["a", "b", "c", "d", "e", "f"];
    assert.ok((await checkTranslation({ game, translation, engine, seeds, numPlayers })) > 15);
  });

  test(`${game.name}: clients play to the end, each with its own view`, async () => {
    const seeded = { ...game, seed: "x" };
    const Bot = aiplayBot({ game: seeded, translation, engine, iterations: 100 });
    const multiplayer = Local();
    const clients = [...Array(numPlayers).keys()].map((seat) =>
      Client({ game: seeded, numPlayers, playerID: String(seat), multiplayer, debug: false }),
    );
    const over = gameover(clients[0]);
    clients.forEach((client) => client.start());
    const leave = clients.map((client) => takeSeat(client, new Bot({ seed: 1 })));
    const result = await over;
    assert.ok(result.winner !== undefined || result.draw);
    await Promise.all(leave.map((end) => end()));
    clients.forEach((client) => client.stop());
  });
}

test("a translation that allows too little, too much, or another player is noticed", async () => {
  const check = (changes, rules = {}) =>
    checkTranslation({ game: { ...ConnectFour, ...rules }, translation: { ...connectFour, ...changes }, engine });
  await assert.rejects(check({ toParts: () => ({ verb: "drop" }) }), /{"verb":"drop"} is 7 of the legal moves/);
  await assert.rejects(check({ toParts: () => ({ column: 9 }) }), /{"column":9} is 0 of the legal moves/);
  await assert.rejects(check({ toSeat: (playerID) => 1 - Number(playerID) }), /seat 0 to move, not seat 1/);
  const narrow = { ai: { enumerate: () => [{ move: "drop", args: [0] }] } };
  await assert.rejects(check({}, narrow), /aiplay also allows 2, 3, 4, 5, 6, 7, which enumerate does not offer/);
});

test("a game whose rules differ from aiplay's is noticed by the bot", async () => {
  const narrow = { ...ConnectFour, ai: { enumerate: () => [{ move: "drop", args: [0] }] } };
  const Bot = aiplayBot({ game: narrow, translation: connectFour, engine });
  await assert.rejects(
    new Bot({ seed: 1 }).play(InitializeGame({ game: narrow }), "0"),
    /aiplay plays [2-7] .* which is 0 of the actions of enumerate: {"verb":"drop","column":1}/,
  );
});

test("a wrong scene is an error that names the entry", async () => {
  const Bot = aiplayBot({ game: Leduc, translation: { ...leduc, toScene: (G) => ({ ...leduc.toScene(G), board: "?" }) }, engine });
  await assert.rejects(new Bot({ seed: 1 }).play(InitializeGame({ game: Leduc }), "0"), {
    name: "EngineError",
    field: "view",
    message: /the scene: board is '\?'/,
  });
});

// ---- Strength and repetition ---------------------------------------------------------------------------------

test("the bot beats a random player in boardgame.io's own simulation", async () => {
  const Bot = aiplayBot({ game: ConnectFour, translation: connectFour, engine, iterations: 300 });
  for (const seed of [1, 2, 3]) {
    const bots = { 0: randomBot(ConnectFour, seed), 1: new Bot({ seed }) };
    const { state, metadata } = await Simulate({ game: ConnectFour, bots, state: InitializeGame({ game: ConnectFour }) });
    assert.deepEqual(state.ctx.gameover, { winner: "1" });
    assert.ok(metadata.value > 0.9);
  }
});

test("the same seed plays the same moves", async () => {
  const Bot = aiplayBot({ game: ConnectFour, translation: connectFour, engine, iterations: 100 });
  const state = InitializeGame({ game: ConnectFour });
  const choices = [];
  for (let i = 0; i < 2; i++) choices.push(await new Bot({ seed: "same" }).play(state, "0"));
  const [first, second] = choices.map(({ action, metadata }) => [action, metadata.text, metadata.visits, metadata.value]);
  assert.deepEqual(first, second);
});

test("a bot that is kept goes on with its tree, until it is forgotten", async () => {
  const asked = [];
  const spy = { ask: (action, fields) => (asked.push([action, fields.keep]), engine.ask(action, fields)) };
  const bot = new (aiplayBot({ game: ConnectFour, translation: connectFour, engine: spy, iterations: 100 }))({ seed: 1 });
  const state = InitializeGame({ game: ConnectFour });
  await bot.play(state, "0");
  bot.keep();
  await bot.play(state, "0");
  await bot.play(state, "0");
  await bot.forget();
  await bot.forget();
  const [fresh, kept, again, ...rest] = asked;
  assert.deepEqual(fresh, ["analyse", undefined]);
  assert.equal(kept[1], again[1]);
  assert.deepEqual(rest, [["forget", kept[1]]]);
});

// ---- Fairness ------------------------------------------------------------------------------------------------

test("what the engine is told does not depend on what the player cannot see", async () => {
  const told = [];
  const spy = { ask: async (action, fields) => (told.push(fields), { moves: [{ text: "call", parts: { verb: "call" } }] }) };
  const Bot = aiplayBot({ game: Leduc, translation: leduc, engine: spy });
  const state = InitializeGame({ game: { ...Leduc, seed: "y" } });
  const { deck } = state.G.secret;
  const other = structuredClone({ G: state.G, ctx: state.ctx }); // the other player's card exchanged with one of the deck
  [other.G.secret.deck[0], other.G.players[1].card] = [other.G.players[1].card, deck[0]];
  await new Bot({ seed: 1 }).play(state, "0");
  await new Bot({ seed: 1 }).play(other, "0");
  assert.deepEqual(told[0], told[1]);
  assert.equal(told[0].view.scene.seats[1].card, null);
});

test("over a server and sockets the bot's client never gets more than its player's view", async () => {
  const server = Server({ games: [Leduc], origins: [] });
  const running = await server.run(0);
  const multiplayer = SocketIO({ server: `http://localhost:${running.appServer.address().port}` });
  const clients = ["0", "1"].map((playerID) => Client({ game: Leduc, playerID, matchID: "m", multiplayer, debug: false }));
  const seen = [];
  clients[1].subscribe((state) => state && seen.push(state.G));
  const over = gameover(clients[1]);
  clients.forEach((client) => client.start());
  const Bot = aiplayBot({ game: Leduc, translation: leduc, engine, iterations: 100 });
  takeSeat(clients[0], randomBot(Leduc, 1));
  const leave = takeSeat(clients[1], new Bot({ seed: 1 }));
  await over;
  await leave();
  clients.forEach((client) => client.stop());
  server.kill(running);
  assert.ok(seen.length > 2);
  for (const G of seen) assert.deepEqual([Object.keys(G.players), G.secret], [["1"], undefined]);
});

// ---- Ways to join --------------------------------------------------------------------------------------------

test("the bot plays in a Local master, as boardgame.io starts it", async () => {
  const Bot = aiplayBot({ game: ConnectFour, translation: connectFour, engine, iterations: 50 });
  const client = Client({ game: ConnectFour, playerID: "0", multiplayer: Local({ bots: { 1: Bot } }), debug: false });
  client.start();
  const answered = new Promise((resolve) => {
    client.subscribe((state) => state?.G.cells.filter((owner) => owner !== null).length === 2 && resolve(state));
  });
  client.moves.drop(3);
  assert.equal((await answered).G.cells.filter((owner) => owner === "1").length, 1);
  client.stop();
});

test("an error of a bot that has taken a seat goes to onError", async () => {
  const broken = { ask: () => Promise.reject(new Error("no engine")) };
  const Bot = aiplayBot({ game: ConnectFour, translation: connectFour, engine: broken });
  const client = Client({ game: ConnectFour, playerID: "0", multiplayer: Local(), debug: false });
  const error = await new Promise((resolve) => {
    takeSeat(client, new Bot({ seed: 1 }), { onError: resolve });
    client.start();
  });
  assert.equal(error.message, "no engine");
  client.stop();
});
