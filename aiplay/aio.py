"""Thinking without blocking an event loop.

The search releases the GIL, so a thread of its own leaves the loop free:

    move = await aiplay.aio.choose(player, table.view(seat))

Cancelling the task (or a timeout around it) stops the search.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from aiplay.players.search import SearchPlayer

if TYPE_CHECKING:
    from aiplay._core.game import View
    from aiplay.analysis import Analysis
    from aiplay.limit import Limit
    from aiplay.players.base import Player

__all__ = ["analyse", "choose"]

T = TypeVar("T")


async def choose(player: Player, view: View, limit: Limit | None = None) -> int:
    """The move that a player chooses, while the event loop goes on."""
    if limit is None:
        return await _in_thread(player, lambda: player.choose(view))
    return (await analyse(player, view, limit)).best


async def analyse(player: Player, view: View, limit: Limit | None = None, **options: Any) -> Analysis:
    """What a player thinks, while the event loop goes on; `options` as for ``player.analyse``."""
    return await _in_thread(player, lambda: player.analyse(view, limit, **options))


async def _in_thread(player: Player, work: Callable[[], T]) -> T:
    thinking = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(thinking)
    except asyncio.CancelledError:
        while not thinking.done():  # a search that is just starting may miss the first call
            if isinstance(player, SearchPlayer):
                player.stop()
            await asyncio.wait({thinking}, timeout=0.02)
        thinking.exception()
        raise
