// A bot that joins a match like any other client, perhaps in its own process: it only ever gets its player's view.
//
//   const client = Client({ game, playerID: "1", multiplayer: SocketIO({ server }), matchID });
//   client.start();
//   const leave = takeSeat(client, new Bot());

// Let a bot play for a client until the game is over, or until the returned function is called. `onError` gets the
// error of a move that could not be made; the bot tries again when the state changes.
export function takeSeat(client, bot, { onError = (error) => console.error(error) } = {}) {
  let answered = -1; // the last state in which the bot moved
  bot.keep?.();
  const forget = () => bot.forget?.().catch(onError);
  const unsubscribe = client.subscribe(async (state) => {
    if (!state || state._stateID <= answered) return;
    if (state.ctx.gameover !== undefined) return forget();
    if (!state.isActive) return;
    answered = state._stateID;
    try {
      const { action } = await bot.play(state, client.playerID);
      const { type, args } = action.payload;
      client.moves[type](...(args ?? []));
    } catch (error) {
      onError(error);
    }
  });
  return () => {
    unsubscribe();
    return forget();
  };
}
