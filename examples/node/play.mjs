// A complete game through the engine: node play.mjs [game] [seed]
//
// Seat 0 is the bot. The other seats stand for people in your front end, who choose among their legal moves (here: at
// random).

import { Engine } from "./engine.mjs";

const [game = "illusio", seed = "7"] = process.argv.slice(2);
const engine = new Engine();

let state = Number(seed); // of a small random generator, so that a seed repeats the game
const random = (n) => (state = (state * 48271 + 11) % 2147483647) % n;

const fail = (error) => {
  console.error(error.message);
  process.exit(1);
};

let turn = await engine.ask("new_table", { game, seed: Number(seed) }).catch(fail);
const { table } = turn;
let moves = 0;
while (!turn.over) {
  const seat = turn.to_move;
  let move;
  if (seat === 0) {
    ({ move } = await engine.ask("choose", { table, player: "mcts", limit: { iterations: 200 }, seed: moves }));
  } else {
    const choices = (await engine.ask("legal_moves", { table })).moves;
    move = choices[random(choices.length)].move;
  }
  turn = await engine.ask("play", { table, move });
  moves += 1;
  if (moves <= 10) console.log(`seat ${seat}: ${turn.text}`);
}
console.log(`... ${moves} decisions, returns ${JSON.stringify(turn.returns)}`);
await engine.ask("close", { table });
await engine.close();
