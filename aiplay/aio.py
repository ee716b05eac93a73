"""Searches that do not block an event loop.

A search releases the GIL, so in another thread it does not block the loop:

    move = await aiplay.aio.choose(player, table.view(seat))
    async for analysis in aiplay.aio.watch(player, table.view(seat), every=0.2):
        show(analysis)

Cancelling the task (or a timeout around it) stops the search.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from aiplay._core.game import View
    from aiplay.analysis import Analysis
    from aiplay.limit import Limit
    from aiplay.players.base import Player

__all__ = ["analyse", "choose", "watch"]

T = TypeVar("T")
STOP_INTERVAL = 0.02  # seconds between two calls of `stop` for a search that has not ended yet


async def choose(player: Player, view: View, limit: Limit | None = None) -> int:
    """Return the move that a player chooses, without blocking the event loop."""
    return await _in_thread(
        player, lambda: player.choose(view) if limit is None else player.choose(view, limit)
    )


async def analyse(player: Player, view: View, limit: Limit | None = None, **options: Any) -> Analysis:
    """Return the analysis of a player, without blocking the event loop; `options` as for ``player.analyse``.

    A `progress` callback runs in the thread of the search; `watch` delivers the same in the loop.
    """
    return await _in_thread(player, lambda: player.analyse(view, limit, **options))


async def watch(
    player: Player, view: View, limit: Limit | None = None, *, every: float = 0.5
) -> AsyncIterator[Analysis]:
    """Yield a partial analysis every `every` seconds, and the final one at the end.

    Leaving the loop early stops the search, at once with ``async with contextlib.aclosing(watch(...)) as analyses``.
    """
    loop = asyncio.get_running_loop()
    analyses: asyncio.Queue[Analysis | None] = asyncio.Queue()

    def progress(now: Analysis) -> None:
        loop.call_soon_threadsafe(analyses.put_nowait, now)

    search = asyncio.create_task(analyse(player, view, limit, progress=progress, every=every))
    search.add_done_callback(lambda _: analyses.put_nowait(None))
    try:
        while (now := await analyses.get()) is not None:
            yield now
        yield await search
    finally:
        search.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait({search})


async def _in_thread(player: Player, work: Callable[[], T]) -> T:
    """Run a call of a player in a thread; cancelling it stops the player."""
    search = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(search)
    except asyncio.CancelledError:
        while not search.done():  # a search that is just starting misses the first call of stop
            player.stop()
            with contextlib.suppress(asyncio.CancelledError):  # cancelled again: it is ending already
                await asyncio.wait({search}, timeout=STOP_INTERVAL)
        search.exception()  # marks it as retrieved
        raise
