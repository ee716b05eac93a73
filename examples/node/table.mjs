// A front end without its own rules: node table.mjs [game] [seed]
//
// A person at seat 0 (here: always the first legal move) plays against a bot at seat 1. The program shows what a real
// front end would draw: the scene of the person's seat, its moves by parts, and the events that it noticed.

import { Engine } from "./engine.mjs";

const [game = "leduc_poker", seed = "7"] = process.argv.slice(2);
const engine = new Engine();
const PERSON = 0;

let turn = await engine.ask("new_table", { game, seed: Number(seed) });
const { table } = turn;
tell((await engine.ask("events", { table, seat: PERSON })).events);
while (!turn.over) {
  const seat = turn.to_move;
  let move;
  if (seat === PERSON) {
    const { scene } = await engine.ask("view", { table, seat });
    console.log("scene", JSON.stringify(scene));
    const { moves } = await engine.ask("legal_moves", { table, seat });
    console.log("moves", moves.map(({ parts }) => Object.values(parts).join(" ")).join(", "));
    move = moves[0].parts;
  } else {
    ({ move } = await engine.ask("choose", { table, player: "mcts:iterations=200", seed: 1, keep: `bot ${seat}` }));
  }
  turn = await engine.ask("play", { table, seat, move, observer: PERSON });
  tell(turn.events);
}
console.log("returns", JSON.stringify(turn.returns));
const { record } = await engine.ask("record", { table });
const again = await engine.ask("new_table", { record });
console.log(`saved and loaded: ${again.ply} moves, over: ${again.over}`);
await engine.close();

function tell(events) {
  for (const { seat, text } of events) console.log(seat < 0 ? "chance" : `seat ${seat}`, text);
}
