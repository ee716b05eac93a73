"""A bot in a chat: everybody who connects plays against it, all at once, in one event loop.

    python examples/chat_server.py [game] [player]      then, elsewhere:      nc localhost 4444

The lines of a connection stand for the messages of a chat (Discord, IRC, a web socket): `Talk.hear` takes one and says
what to answer. Searches run beside the loop, so nobody waits for the bot of somebody else.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator

import aiplay
from aiplay import aio

PORT = 4444
PERSON = 0  # the seat of the person; bots have the others


class Talk:
    """One person, one table, a bot on every other seat."""

    def __init__(self, game: aiplay.Game, spec: str, seed: int | None = None) -> None:
        self.table = aiplay.Table(game, seed=seed)
        self.bots = [aiplay.make_player(spec, seed) for _ in range(game.seats)]

    async def hear(self, words: str) -> AsyncIterator[str]:
        """Answer what somebody said: a move, or one of three words."""
        if words == "hint":
            analysis = await aio.analyse(self.bots[PERSON], self.table.view(PERSON), aiplay.Limit(time=0.5))
            yield f"I would play {analysis.moves[0].text}: {analysis.moves[0].value:.0%}"
        elif words == "save":
            yield self.table.record.to_json()
        elif words == "moves":
            view = self.table.view(PERSON)
            yield ", ".join(view.move_text(move) for move in view.legal_moves())
        else:
            try:
                self.table.play(words)
            except aiplay.IllegalMoveError as problem:
                yield str(problem)
                return
            async for line in self.go_on():
                yield line

    async def go_on(self) -> AsyncIterator[str]:
        """Let the bots move until it is the person's turn or the game is over."""
        while not self.table.over and (seat := self.table.to_move) != PERSON:
            view = self.table.view(seat)
            move = await aio.choose(self.bots[seat], view)
            yield f"seat {seat}: {view.move_text(move)}"
            self.table.play(move)
        yield str(self.table.view(PERSON))
        if self.table.over:
            yield f"The game is over: {self.table.returns()}"


async def serve(game: aiplay.Game, spec: str, port: int = PORT) -> asyncio.Server:
    """Start listening."""

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = Talk(game, spec)
        try:
            async for line in talk.go_on():
                writer.write(line.encode() + b"\n")
            while not talk.table.over and (heard := await reader.readline()):
                async for line in talk.hear(heard.decode(errors="replace").strip()):
                    writer.write(line.encode() + b"\n")
                    await writer.drain()
        finally:
            writer.close()

    return await asyncio.start_server(meet, "localhost", port)


async def main() -> None:
    """Serve until Ctrl-C."""
    game = aiplay.load_game(sys.argv[1] if len(sys.argv) > 1 else "connect_four")
    spec = sys.argv[2] if len(sys.argv) > 2 else "mcts:time=0.5"
    Talk(game, spec)  # what is wrong with the player is said here, not to those who connect
    async with await serve(game, spec) as server:
        print(f"{game.name} against {spec}: nc localhost {PORT}")
        await server.serve_forever()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except (aiplay.AiplayError, OSError) as problem:  # OSError: the port is taken
        print(f"chat_server: {problem}", file=sys.stderr)
        sys.exit(2)
