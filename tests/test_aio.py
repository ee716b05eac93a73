"""Searches beside an event loop."""

import asyncio
import contextlib
import time

import pytest

import aiplay
from aiplay import aio

LONG = 600  # seconds; a search with this limit that is over sooner was ended by something else


def view_of(name="connect_four"):
    table = aiplay.Table(aiplay.load_game(name), seed=1)
    return table.view(table.to_move)


def test_choose_returns_the_move_of_the_player():
    chosen = asyncio.run(aio.choose(aiplay.make_player("mcts:iterations=300", seed=2), view_of()))
    assert chosen == aiplay.make_player("mcts:iterations=300", seed=2).choose(view_of())


@pytest.mark.parametrize("spec", ["mcts", "random"])
def test_choose_takes_a_limit(spec):
    limit = aiplay.Limit(iterations=50)
    chosen = asyncio.run(aio.choose(aiplay.make_player(spec, seed=2), view_of(), limit))
    assert chosen == aiplay.make_player(spec, seed=2).choose(view_of(), limit)


def test_analyse_takes_a_limit():
    limit = aiplay.Limit(iterations=50)
    analysis = asyncio.run(aio.analyse(aiplay.make_player("mcts", seed=2), view_of(), limit))
    assert analysis.iterations == 50


def test_the_loop_keeps_running_during_a_search():
    async def both():
        player = aiplay.make_player("mcts:time=20")
        search = asyncio.create_task(aio.choose(player, view_of()))
        for _ in range(10):
            await asyncio.sleep(0.01)
        assert not search.done()
        while not search.done():  # a stop that comes before the search has begun is no stop
            player.stop()
            await asyncio.sleep(0.01)
        return await search

    assert asyncio.run(both()) in view_of().legal_moves()


def test_cancelling_stops_the_search():
    async def impatient():
        await asyncio.wait_for(aio.choose(aiplay.make_player(f"mcts:time={LONG}"), view_of()), timeout=0.2)

    started = time.monotonic()
    with pytest.raises(TimeoutError):
        asyncio.run(impatient())
    assert time.monotonic() - started < LONG


def test_cancelling_repeatedly_leaves_no_search_running():
    async def nervous():
        player = aiplay.make_player(f"mcts:time={LONG}")
        search = asyncio.create_task(aio.choose(player, view_of()))
        await asyncio.sleep(0.1)
        while not search.done():
            search.cancel()
            await asyncio.sleep(0)
        assert search.cancelled()

    started = time.monotonic()
    asyncio.run(nervous())  # waits for the threads that are left
    assert time.monotonic() - started < LONG


def test_errors_are_raised_in_the_loop():
    table = aiplay.Table(aiplay.load_game("connect_four"), seed=1)
    with pytest.raises(aiplay.IllegalMoveError, match="turn of seat 0"):
        asyncio.run(aio.choose(aiplay.make_player("mcts"), table.view(1)))


def test_watch_yields_partial_analyses_and_then_the_final_one():
    async def look():
        player, seen = aiplay.make_player("mcts", seed=1), []
        async for now in aio.watch(player, view_of(), aiplay.Limit(time=LONG), every=0.1):
            seen.append(now)
            if len(seen) == 2:
                player.stop()
        return seen

    *partial, last = asyncio.run(look())
    assert len(partial) >= 2
    assert not any(now.is_final for now in partial)
    assert last.is_final
    assert [now.iterations for now in partial] == sorted(now.iterations for now in partial)
    assert last.iterations >= partial[-1].iterations


def test_leaving_watch_stops_the_search():
    async def glance():
        player = aiplay.make_player(f"mcts:time={LONG}", seed=1)
        async with contextlib.aclosing(aio.watch(player, view_of(), every=0.1)) as thoughts:
            async for now in thoughts:
                return now.best
        raise AssertionError("watch yielded nothing")

    started = time.monotonic()
    assert asyncio.run(glance()) in view_of().legal_moves()
    assert time.monotonic() - started < LONG


def test_watch_raises_errors():
    async def look(view):
        return [now async for now in aio.watch(aiplay.make_player("mcts"), view)]

    table = aiplay.Table(aiplay.load_game("connect_four"), seed=1)
    with pytest.raises(aiplay.IllegalMoveError, match="turn of seat 0"):
        asyncio.run(look(table.view(1)))


def test_four_searches_run_at_once():
    async def all_of_them():
        players = [aiplay.make_player("mcts:iterations=2000", seed=seed) for seed in range(4)]
        return await asyncio.gather(*(aio.choose(player, view_of()) for player in players))

    alone = [aiplay.make_player("mcts:iterations=2000", seed=seed).choose(view_of()) for seed in range(4)]
    assert asyncio.run(all_of_them()) == alone
