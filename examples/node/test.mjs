// Every action of the protocol through the client: node --test test.mjs

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { Engine, EngineError } from "./engine.mjs";

const engine = new Engine();
after(() => engine.close());

const PLAYER = { player: "mcts:iterations=300", seed: 1 };
const newTable = async (game, fields = {}) => (await engine.ask("new_table", { game, seed: 7, ...fields })).table;

test("version: the client speaks the protocol of the engine", async () => {
  assert.equal((await engine.ask("version")).protocol, 2);
});

test("games: seats as numbers, catalogue and rules on request", async () => {
  const { games } = await engine.ask("games");
  assert.deepEqual(games.find(({ name }) => name === "pig").seats, { low: 2, high: 6, now: 2 });
  const [pig] = (await engine.ask("games", { game: "pig", catalogue: true, rules: true, scene_schema: true })).games;
  assert.ok(pig.catalogue.verb.some(({ name, about }) => name === "hold" && about.endsWith(".")));
  assert.match(pig.rules, /^# Pig/);
  assert.ok(pig.scene_schema.$defs.PigScene);
});

test("new_table, view, legal_moves, play, events, undo, close: a table in the engine", async () => {
  const table = await newTable("leduc_poker");
  const { scene, view } = await engine.ask("view", { table, seat: 1 });
  assert.equal(scene.seats[0].card, null);
  assert.equal(view.view.hands[0], -1);
  const { moves } = await engine.ask("legal_moves", { table, seat: 0 });
  assert.deepEqual(moves.map(({ parts }) => parts), [{ verb: "call" }, { verb: "raise" }]);
  const played = await engine.ask("play", { table, seat: 0, move: moves[1].parts, observer: 1 });
  assert.deepEqual(played.events.map(({ seat, parts }) => [seat, parts]), [[0, { verb: "raise" }]]);
  const { events, ply } = await engine.ask("events", { table, seat: 1 });
  assert.deepEqual(events[0].parts, { verb: "deal", card: null, to: 0 });
  assert.equal(ply, 3);
  assert.equal((await engine.ask("undo", { table })).undone, moves[1].move);
  assert.equal((await engine.ask("close", { table })).closed, table);
});

test("record: a table is saved, and goes on with the same dice", async () => {
  const table = await newTable("pig");
  await engine.ask("play", { table, move: "roll" });
  const { record } = await engine.ask("record", { table });
  const copy = (await engine.ask("new_table", { record })).table;
  const rolls = await Promise.all([table, copy].map((table) => engine.ask("play", { table, seat: 0, move: "roll" })));
  assert.deepEqual(rolls[0].events, rolls[1].events);
});

test("choose: by table, by fields and by scene", async () => {
  const table = await newTable("leduc_poker");
  const { view, scene } = await engine.ask("view", { table });
  const positions = [{ table }, { view }, { view: { game: "leduc_poker", seat: 0, scene } }];
  const answers = await Promise.all(positions.map((position) => engine.ask("choose", { ...position, ...PLAYER })));
  assert.equal(new Set(answers.map(({ move }) => move)).size, 1);
  assert.deepEqual(Object.keys(answers[0].parts), ["verb"]);
});

test("analyse: partial answers before the last one; terminate ends a search", async () => {
  const table = await newTable("connect_four");
  const partial = [];
  const last = await new Promise((resolve, reject) => {
    const stop = (answer) => partial.push(answer) === 2 && engine.ask("terminate");
    engine.ask("analyse", { table, limit: { time: 600 }, every: 0.05 }, stop).then(resolve, reject);
  });
  assert.ok(partial.length >= 2 && partial.every(({ partial }) => partial));
  assert.ok(last.moves.every(({ margin, parts }) => margin >= 0 && parts.verb === "drop"));
});

test("explain: a good answer is not taken for a failure", async () => {
  const table = await newTable("connect_four");
  const answer = await engine.ask("explain", { table, move: { column: 4 }, ...PLAYER });
  assert.equal(answer.rank, 1);
  assert.ok(answer.margin > 0);
});

test("hint: a few good moves without values", async () => {
  const table = await newTable("connect_four");
  const { moves } = await engine.ask("hint", { table, ...PLAYER });
  assert.ok(moves.length <= 3 && moves.some(({ text }) => text === "4"));
  assert.deepEqual(Object.keys(moves[0]), ["move", "text", "parts"]);
});

test("keep and forget: a player goes on with its tree", async () => {
  const table = await newTable("connect_four");
  const keep = "bot";
  const ask = () => engine.ask("analyse", { table, keep, player: "mcts:iterations=2000", seed: 1 });
  await ask();
  for (const move of ["4", "4"]) await engine.ask("play", { table, move });
  const visits = (await ask()).moves.reduce((sum, entry) => sum + entry.visits, 0);
  assert.ok(visits > 2000);
  assert.equal((await engine.ask("forget", { keep })).forgotten, keep);
});

test("next_level: a person who wins meets a stronger bot", async () => {
  const ask = async (score) =>
    (await engine.ask("next_level", { game: "connect_four", results: [{ level: 3, score }] })).level;
  assert.ok((await ask(1)) > (await ask(0)));
});

test("a failure is an error with the field that is wrong, and lists no moves of another seat", async () => {
  const table = await newTable("leduc_poker");
  await assert.rejects(engine.ask("choose", { table: "nowhere" }), { name: "EngineError", field: "table" });
  const error = await engine.ask("play", { table, seat: 1, move: "call" }).catch((error) => error);
  assert.ok(error instanceof EngineError);
  assert.equal(error.message, "it is not the turn of seat 1: seat 0 is to move");
  await assert.rejects(engine.ask("play", { table, move: "dance" }), (error) => !/raise/.test(error.message));
});

test("an engine that is not found is named", async () => {
  const missing = new Engine(["no-such-program", "engine"]);
  await assert.rejects(missing.ask("version"), /cannot start no-such-program: .*pip install aiplay/);
  await missing.close();
});
