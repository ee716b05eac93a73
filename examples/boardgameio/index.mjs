// Bots of aiplay for boardgame.io. See README.md.

export { aiplayBot } from "./bot.mjs";
export { checkTranslation } from "./check.mjs";
export { Engine, EngineError } from "./engine.mjs";
export { takeSeat } from "./seat.mjs";
