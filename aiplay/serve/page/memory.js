// Tables that this browser has opened, with their secrets, so that a closed page can go on.

const KEY = "aiplay.tables";
const KEPT = 12;

/** Return the tables, newest first: {room, game, mode, opened, owner, seats: [{seat, secret}]}. */
export function tables() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

const store = (kept) => localStorage.setItem(KEY, JSON.stringify(kept.slice(0, KEPT)));

export const remember = (table) => store([table, ...tables().filter(({ room }) => room !== table.room)]);
export const forget = (room) => store(tables().filter((table) => table.room !== room));
export const find = (room) => tables().find((table) => table.room === room) ?? null;

/** Return the address of a table for whoever has the secret; what follows the # is never sent over HTTP. */
export const address = (room, secret) => `#${new URLSearchParams({ room, secret })}`;
export const link = (room, secret) => location.href.split("#")[0] + address(room, secret);
