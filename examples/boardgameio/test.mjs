// Tests of the bot with boardgame.io from npm: node --test test.mjs

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { RandomBot, Simulate } from "boardgame.io/dist/cjs/ai.js";
import { Client } from "boardgame.io/dist/cjs/client.js";
import { InitializeGame } from "boardgame.io/dist/cjs/internal.js";
import { Local, SocketIO } from "boardgame.io/dist/cjs/multiplayer.js";
import { Server } from "boardgame.io/dist/cjs/server.js";

import { Engine } from "../node/engine.mjs";
import { aiplayBot, takeSeat } from "./bot.mjs";
import { ConnectFour, connectFour } from "./connect_four.mjs";
import { Leduc, leduc } from "./leduc.mjs";

const engine = new Engine((process.env.AIPLAY_ENGINE ?? "aiplay engine").split(" "));
after(() => engine.close());

const GAMES = [
  [ConnectFour, connectFour],
  [Leduc, leduc],
];
const randomBot = (game, seed) => new RandomBot({ enumerate: game.ai.enumerate, seed });

// Yield every position of a random game, with the player to move.
async function* positions(game, seed) {
  const client = Client({ game: { ...game, seed }, debug: false });
  client.start();
  const bot = randomBot(game, seed);
  const whole = () => client.store.getState(); // getState would hide all cards, because this client is not a player
  for (let state = whole(); state.ctx.gameover === undefined; state = whole()) {
    yield { state, playerID: state.ctx.currentPlayer };
    const { payload } = (await bot.play(state, state.ctx.currentPlayer)).action;
    client.moves[payload.type](...payload.args);
  }
}

for (const [game, translation] of GAMES) {
  test(`${game.name}: aiplay allows the same moves as boardgame.io in every position`, async () => {
    let compared = 0;
    for (const seed of ["a", "b", "c", "d", "e", "f"]) {
      for await (const { state, playerID } of positions(game, seed)) {
        const G = game.playerView ? game.playerView({ ...state, playerID }) : state.G;
        const answer = await engine.ask("legal_moves", { view: translation.toView(G, state.ctx, playerID) });
        const ours = game.ai.enumerate(G, state.ctx, playerID).map(({ move, args }) => translation.toText(move, args));
        assert.equal(answer.to_move, Number(playerID));
        assert.deepEqual(answer.moves.map(({ text }) => text), ours);
        compared += 1;
      }
    }
    assert.ok(compared > 15);
  });

  test(`${game.name}: two clients play to the end, each with its own view`, async () => {
    const seeded = { ...game, seed: "x" };
    const Bot = aiplayBot({ game: seeded, translation, engine, iterations: 100 });
    const multiplayer = Local();
    const clients = ["0", "1"].map((playerID) => Client({ game: seeded, playerID, multiplayer, debug: false }));
    const over = new Promise((resolve) => {
      clients[0].subscribe((state) => state?.ctx.gameover !== undefined && resolve(state.ctx.gameover));
    });
    clients.forEach((client) => client.start());
    const unsubscribe = clients.map((client) => takeSeat(client, new Bot({ seed: 1 })));
    const result = await over;
    assert.ok(result.winner !== undefined || result.draw);
    unsubscribe.forEach((end) => end());
    clients.forEach((client) => client.stop());
  });
}

test("over a server and sockets the bot's client never gets more than its player's view", async () => {
  const server = Server({ games: [Leduc], origins: [] });
  const running = await server.run(0);
  const multiplayer = SocketIO({ server: `http://localhost:${running.appServer.address().port}` });
  const clients = ["0", "1"].map((playerID) => Client({ game: Leduc, playerID, matchID: "m", multiplayer, debug: false }));
  const seen = [];
  const over = new Promise((resolve) => {
    clients[1].subscribe((state) => {
      if (state) seen.push(state.G);
      if (state?.ctx.gameover !== undefined) resolve();
    });
  });
  clients.forEach((client) => client.start());
  const Bot = aiplayBot({ game: Leduc, translation: leduc, engine, iterations: 100 });
  takeSeat(clients[0], randomBot(Leduc, 1));
  takeSeat(clients[1], new Bot({ seed: 1 }));
  await over;
  clients.forEach((client) => client.stop());
  server.kill(running);
  assert.ok(seen.length > 2);
  for (const G of seen) assert.deepEqual([Object.keys(G.players), G.secret], [["1"], undefined]);
});

test("the bot beats a random player in boardgame.io's own simulation", async () => {
  const Bot = aiplayBot({ game: ConnectFour, translation: connectFour, engine, iterations: 300 });
  for (const seed of [1, 2, 3]) {
    const bots = { 0: randomBot(ConnectFour, seed), 1: new Bot({ seed }) };
    const { state, metadata } = await Simulate({ game: ConnectFour, bots, state: InitializeGame({ game: ConnectFour }) });
    assert.deepEqual(state.ctx.gameover, { winner: "1" });
    assert.ok(metadata.value > 0.9);
  }
});

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

test("what the engine is told does not depend on what the player cannot see", async () => {
  const told = [];
  const spy = { ask: async (action, fields) => (told.push(fields), { moves: [{ text: "call" }] }) };
  const Bot = aiplayBot({ game: Leduc, translation: leduc, engine: spy });
  const state = InitializeGame({ game: { ...Leduc, seed: "y" } });
  const { deck } = state.G.secret;
  const other = structuredClone({ G: state.G, ctx: state.ctx }); // the other player's card exchanged with one of the deck
  [other.G.secret.deck[0], other.G.players[1].card] = [other.G.players[1].card, deck[0]];
  await new Bot({ seed: 1 }).play(state, "0");
  await new Bot({ seed: 1 }).play(other, "0");
  assert.deepEqual(told[0], told[1]);
  assert.equal(told[0].view.view.hands[1], -1);
});

test("the same seed plays the same moves", async () => {
  const Bot = aiplayBot({ game: ConnectFour, translation: connectFour, engine, iterations: 100 });
  const state = InitializeGame({ game: ConnectFour });
  const choices = [];
  for (let i = 0; i < 2; i++) choices.push(await new Bot({ seed: "same" }).play(state, "0"));
  const [first, second] = choices.map(({ action, metadata }) => [action, metadata.text, metadata.visits, metadata.value]);
  assert.deepEqual(first, second);
});

test("a game whose rules differ from aiplay's is noticed", async () => {
  const narrow = { ...ConnectFour, ai: { enumerate: () => [{ move: "drop", args: [0] }] } };
  const Bot = aiplayBot({ game: narrow, translation: connectFour, engine });
  await assert.rejects(
    new Bot({ seed: 1 }).play(InitializeGame({ game: narrow }), "0"),
    /aiplay plays 4, but enumerate offers 1/,
  );
});
