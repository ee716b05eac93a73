"""Load of `aiplay serve` on this machine: tables with a bot each, and people who answer at once or after a pause.

    python bench/serve_load.py                        50 tables, 50 ms a move, no pause, 15 s
    python bench/serve_load.py --pause 1              people who think for a second
    python bench/serve_load.py --game illusio

A move is late by the time from sending the person's move to receiving the bot's answer, minus the limit of the bot.
Server and people share the machine, over loopback only.
"""

import argparse
import asyncio
import json
import random
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

from websockets.asyncio.client import connect

GRACE = 5.0  # seconds after the end for answers that are still missing


class Person:
    """One table: a person who plays random moves against a bot, game after game."""

    def __init__(self, number, address, options, end):
        self.number, self.address, self.options, self.end = number, address, options, end
        self.chooser = random.Random(number)
        self.waits, self.iterations, self.games, self.lost = [], [], 0, 0

    async def play(self):
        async with connect(self.address, max_size=None) as self.socket:
            while time.perf_counter() < self.end:
                await self.play_game()

    async def ask(self, action, **fields):
        await self.socket.send(json.dumps({"id": action, "action": action, **fields}))

    async def answer(self, action, **fields):
        await self.ask(action, **fields)
        while True:
            message = json.loads(await self.socket.recv())
            if message.get("id") == action:
                assert message["ok"], message
                return message

    async def play_game(self):
        bot = {"kind": "bot", "player": f"mcts:time={self.options.limit},reuse=no,memory=64"}
        seats = [{"kind": "human"}, *[bot] * (self.options.seats - 1)]
        room = await self.answer("open_room", game=self.options.game, seats=seats)
        shown = await self.answer("join", room=room["room"], secret=room["seats"][0]["secret"])
        name, asked = room["room"], None
        while not shown["over"] and time.perf_counter() < self.end:
            if shown["to_move"] == 0:
                await asyncio.sleep(self.options.pause * self.chooser.uniform(0.5, 1.5))
                move = self.chooser.choice(shown["legal"])["move"]
                await self.ask("move", room=name, seat=0, move=move, ply=shown["ply"])
                shown = await self.position(shown["ply"])
            asked = time.perf_counter()
            while not shown["over"] and shown["to_move"] != 0:  # every move of a bot is due by its own
                before = shown["ply"]
                try:
                    shown = await asyncio.wait_for(self.position(before), self.options.limit + GRACE)
                except TimeoutError:
                    self.lost += 1
                    return
                self.waits.append(time.perf_counter() - asked)
                asked = time.perf_counter()
        self.games += shown["over"]
        await self.ask("leave", room=name, seat=0)

    async def position(self, ply):
        """Return the next position of the room after a ply."""
        while True:
            message = json.loads(await self.socket.recv())
            if message.get("push") == "thinking" and "moves" in message:
                self.iterations.append(message["iterations"])
            if message.get("push") == "room" and message["ply"] > ply:
                return message
            assert message.get("ok", True), message


async def load(address, options):
    end = time.perf_counter() + options.seconds
    people = [Person(number, address, options, end) for number in range(options.tables)]
    await asyncio.gather(*(person.play() for person in people))
    return people


def memory(pid):
    """Return the memory of a process in megabytes (Linux)."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--limit", type=float, default=0.05, help="seconds of a bot for a move")
    parser.add_argument("--pause", type=float, default=0.0, help="seconds of a person for a move, on average")
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--game", default="connect_four")
    parser.add_argument("--seats", type=int, default=2)
    options = parser.parse_args()
    command = [sys.executable, "-m", "aiplay", "serve", "--port", "0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        port = re.search(r":(\d+)/", server.stderr.readline())[1]
        empty = memory(server.pid)
        people = asyncio.run(load(f"ws://127.0.0.1:{port}/ws", options))
        full = memory(server.pid)
    finally:
        server.terminate()
        server.wait()
    waits = sorted(wait for person in people for wait in person.waits)
    late = [1000 * (wait - options.limit) for wait in waits]
    iterations = [number for person in people for number in person.iterations]
    print(
        f"{options.tables} tables of {options.game}, {options.limit * 1000:g} ms a move, pause {options.pause:g} s"
    )
    print(
        f"moves of bots {len(waits)}, {len(waits) / options.seconds:.0f} a second, lost {sum(p.lost for p in people)}"
    )
    shares = [statistics.median(late), late[int(0.9 * len(late))], late[int(0.99 * len(late))], late[-1]]
    print("late by: median {:.0f} ms, 90 % {:.0f}, 99 % {:.0f}, longest {:.0f}".format(*shares))
    if iterations:
        print(f"iterations of a move: median {statistics.median(iterations):.0f}")
    print(f"memory of the server: {empty:.0f} MB empty, {full:.0f} MB at the end")


if __name__ == "__main__":
    main()
