// A table as this connection sees it: joins, joins again after a lost connection, and merges what the host pushes.

import { Lost } from "./transport.js";

/** Return whose turn or event it is, for people. */
export function seatName(state, seat) {
  if (seat < 0) return "Chance";
  if (seat === state.seat) return "You";
  return state.seats[seat]?.name || `Seat ${seat}`;
}

export class Room {
  constructor(transport, room, secret) {
    Object.assign(this, { transport, room, secret });
    this.state = null; // the last push "room"
    this.previous = null; // the scene before it
    this.fresh = []; // events of the last push
    this.events = new Map(); // ply -> event
    this.odds = new Map(); // ply -> value for each seat
    this.thinking = null; // the last push "thinking"; isPast once the move is made
    this.warning = null;
    this.listeners = new Set();
    this.stops = [
      transport.onPush((message) => message.room === room && this.take(message)),
      transport.onStatus((status) => status === "open" && this.rejoin()),
    ];
  }

  async join() {
    const since = this.state?.ply ?? 0;
    this.take({ ...(await this.request("join", { secret: this.secret, since })), push: "room" });
  }

  async rejoin() {
    if (!this.state) return;
    try {
      await this.join();
    } catch (problem) {
      if (!(problem instanceof Lost)) this.tell({ kind: "closed", why: problem.message });
    }
  }

  leave() {
    for (const stop of this.stops) stop();
    this.listeners.clear();
  }

  request(action, fields = {}, onPartial = null) {
    return this.transport.request({ action, room: this.room, ...fields }, onPartial);
  }

  /** Listen to changes: {kind: "room" | "odds" | "thinking" | "warning" | "closed", ...}. */
  on(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  tell(change) {
    for (const listener of this.listeners) listener(change);
  }

  take(message) {
    if (message.push === "room") this.takeRoom(message);
    else if (message.push === "odds") for (const point of message.odds) this.odds.set(point.ply, point.odds);
    else if (message.push === "thinking" && message.moves?.length !== 1) this.thinking = message; // a choice
    else if (message.push === "warning") this.warning = message;
    this.tell({ ...message, kind: message.push });
  }

  takeRoom(message) {
    const before = this.state;
    this.previous = before?.scene ?? null;
    this.state = message;
    const from = message.events_from ?? message.ply;
    for (const ply of [...this.events.keys()]) if (ply >= from) this.events.delete(ply);
    this.fresh = before ? message.events ?? [] : [];
    for (const event of message.events ?? []) this.events.set(event.ply, event);
    for (const point of message.odds ?? []) this.odds.set(point.ply, point.odds);
    if (message.mode !== "replay") for (const ply of [...this.odds.keys()]) if (ply > message.ply) this.odds.delete(ply);
    if (before && message.ply > before.ply && this.thinking) this.thinking = { ...this.thinking, isPast: true };
    else if (before && message.ply < before.ply) this.thinking = null;
    if (this.warning && message.ply < this.warning.ply) this.warning = null;
  }
}
