// Tables that this browser has opened, with their secrets, so that a closed page can go on; and a person's results.

const KEY = "aiplay.tables";
const RESULTS = "aiplay.results";
const KEPT = 12;
const KEPT_RESULTS = 100; // of a game

function listAt(key) {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** Return the tables, newest first: {room, game, mode, opened, owner, seats: [{seat, secret}], [rated]}. */
export const tables = () => listAt(KEY);

const store = (kept) => localStorage.setItem(KEY, JSON.stringify(kept.slice(0, KEPT)));

export const remember = (table) => store([table, ...tables().filter(({ room }) => room !== table.room)]);
export const forget = (room) => store(tables().filter((table) => table.room !== room));
export const find = (room) => tables().find((table) => table.room === room) ?? null;

/** Change what is known about a table. */
export const update = (room, fields) => store(tables().map((table) => (table.room === room ? { ...table, ...fields } : table)));

/** Return the results of this person against levels of a game, oldest first: {level, score}. */
export const results = (game) => listAt(`${RESULTS}.${game}`);
export const addResult = (game, result) =>
  localStorage.setItem(`${RESULTS}.${game}`, JSON.stringify([...results(game), result].slice(-KEPT_RESULTS)));

/** Return the address of a table for whoever has the secret; what follows the # is never sent over HTTP. */
export const address = (room, secret) => `#${new URLSearchParams({ room, secret })}`;
export const link = (room, secret) => location.href.split("#")[0] + address(room, secret);
