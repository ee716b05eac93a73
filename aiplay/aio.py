"""Thinking without blocking an event loop.

The search releases the GIL, so a thread of its own leaves the loop free:

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

from aiplay.players.search import SearchPlayer

if TYPE_CHECKING:
    from aiplay._core.game import View
    from aiplay.analysis import Analysis
    from aiplay.limit import Limit
    from aiplay.players.base import Player

__all__ = ["analyse", "choose", "watch"]

T = TypeVar("T")


async def choose(player: Player, view: View, limit: Limit | None = None) -> int:
    """The move that a player chooses, while the event loop goes on."""
    if limit is None:
        return await _in_thread(player, lambda: player.choose(view))
    return (await analyse(player, view, limit)).best


async def analyse(player: Player, view: View, limit: Limit | None = None, **options: Any) -> Analysis:
    """What a player thinks, while the event loop goes on; `options` as for ``player.analyse``.

    A callback `progress` is called in the thread of the search; `watch` brings what it would get to the loop.
    """
    return await _in_thread(player, lambda: player.analyse(view, limit, **options))


async def watch(
    player: Player, view: View, limit: Limit | None = None, *, every: float = 0.5
) -> AsyncIterator[Analysis]:
    """What a player thinks so far, `every` so many seconds, and at last what it thinks in the end.

    Leaving early stops the search: ``async with contextlib.aclosing(watch(...)) as thoughts`` makes sure at once.
    """
    loop = asyncio.get_running_loop()
    thoughts: asyncio.Queue[Analysis | None] = asyncio.Queue()

    def progress(now: Analysis) -> None:
        loop.call_soon_threadsafe(thoughts.put_nowait, now)

    thinking = asyncio.create_task(analyse(player, view, limit, progress=progress, every=every))
    thinking.add_done_callback(lambda _: thoughts.put_nowait(None))
    try:
        while (now := await thoughts.get()) is not None:
            yield now
        yield await thinking
    finally:
        thinking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait({thinking})


async def _in_thread(player: Player, work: Callable[[], T]) -> T:
    thinking = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(thinking)
    except asyncio.CancelledError:
        while not thinking.done():  # a search that is just starting may miss the first call
            if isinstance(player, SearchPlayer):
                player.stop()
            with contextlib.suppress(asyncio.CancelledError):  # once is enough: it ends in a moment
                await asyncio.wait({thinking}, timeout=0.02)
        thinking.exception()
        raise
