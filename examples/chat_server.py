"""A bot in a chat: everyone who connects plays against it, all in one event loop.

    python examples/chat_server.py [game] [player]      then, in other terminals:      nc localhost 4444

The lines of a connection stand for the messages of a chat (Discord, IRC, a web socket): `Chat.hear` takes one and
yields the replies. Searches run in threads beside the loop, so nobody waits for the bot of another person.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator

import aiplay
from aiplay import aio

PORT = 4444
PERSON = 0  # seat of the person; bots have the others


class Chat:
    """One person at a table with bots."""

    def __init__(self, game: aiplay.Game, spec: str, seed: int | None = None) -> None:
        self.table = aiplay.Table(game, seed=seed)
        self.bots = [aiplay.make_player(spec, seed) for _ in range(game.seats)]
        self.told = 0  # moves that the person has been told

    async def hear(self, words: str) -> AsyncIterator[str]:
        """Reply to a message: a move, or one of the commands hint, save and moves."""
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
            async for reply in self.go_on():
                yield reply

    async def go_on(self) -> AsyncIterator[str]:
        """Let the bots move until it is the person's turn, or the game is over."""
        while not self.table.over and (seat := self.table.to_move) != PERSON:
            self.table.play(await aio.choose(self.bots[seat], self.table.view(seat)))
        for line in self.news():
            yield line
        yield str(self.table.view(PERSON))
        if self.table.over:
            yield f"The game is over: {self.table.returns()}"

    def news(self) -> list[str]:
        """Tell what the others and chance did, as the person noticed it: hidden cards stay hidden."""
        events, self.told = self.table.events(PERSON, self.told), len(self.table.moves)
        names = {aiplay.CHANCE: "chance"}
        return [
            f"{names.get(event.seat, f'seat {event.seat}')}: {event.text}"
            for event in events
            if event.seat != PERSON
        ]


async def serve(game: aiplay.Game, spec: str, port: int = PORT) -> asyncio.Server:
    """Start listening."""

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        chat = Chat(game, spec)
        try:
            async for reply in chat.go_on():
                writer.write(reply.encode() + b"\n")
            while not chat.table.over and (message := await reader.readline()):
                async for reply in chat.hear(message.decode(errors="replace").strip()):
                    writer.write(reply.encode() + b"\n")
                    await writer.drain()
        finally:
            writer.close()

    return await asyncio.start_server(meet, "localhost", port)


async def main() -> None:
    """Serve until Ctrl-C."""
    game = aiplay.load_game(sys.argv[1] if len(sys.argv) > 1 else "connect_four")
    spec = sys.argv[2] if len(sys.argv) > 2 else "mcts:time=0.5"
    Chat(game, spec)  # a wrong specification fails here, not for those who connect
    async with await serve(game, spec) as server:
        print(f"{game.name} against {spec}: nc localhost {PORT}")
        await server.serve_forever()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except (aiplay.AiplayError, OSError) as problem:  # OSError: the port is taken
        print(f"chat_server: {problem}", file=sys.stderr)
        sys.exit(2)
