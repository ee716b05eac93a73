"""docs/embedding.md, and the examples in Python."""

import asyncio
import doctest
import importlib.util
import os
import random
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import aiplay
from aiplay.testing import check_game

ROOT = Path(__file__).parents[1]


def example(name):
    """Import a module of the folder examples while a test runs; in sys.modules, so that its classes can be pickled."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    del sys.modules[name]


@pytest.fixture(scope="module")
def high_card():
    yield from example("high_card")


@pytest.fixture(scope="module")
def own_rules():
    yield from example("own_rules")


@pytest.fixture(scope="module")
def chat_server():
    yield from example("chat_server")


def test_the_examples_of_the_page_run():
    results = doctest.testfile(str(ROOT / "docs" / "embedding.md"), module_relative=False)
    assert results.attempted > 60
    assert results.failed == 0


# ---- The page's game in Python -----------------------------------------------------------------------------

SECTION = (
    (ROOT / "docs" / "embedding.md").read_text(encoding="utf-8").split("## A game of your own in Python")[1]
)


@pytest.fixture
def my_games(tmp_path, monkeypatch):
    """Install the game of the page as a package, with the entry points that the page declares."""
    code = [example.source for example in doctest.DocTestParser().get_examples(SECTION)]
    rules = code[: next(i for i, source in enumerate(code) if source.startswith("table ="))]
    (tmp_path / "my_games.py").write_text("".join(["import aiplay\n", *rules]))
    project = tomllib.loads(re.search(r"```toml\n(.*?)```", SECTION, re.S)[1])["project"]
    info = tmp_path / "my_games-1.0.dist-info"
    info.mkdir()
    names = "".join(f"{name} = {place}\n" for name, place in project["entry-points"]["aiplay.games"].items())
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[aiplay.games]\n{names}")
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    sys.modules.pop("my_games", None)


@pytest.mark.usefixtures("my_games")
def test_the_game_of_the_page_keeps_the_contract_with_any_goal():
    for goal in (1, 7, 20):
        game = aiplay.load_game("dice_race", goal=goal)
        assert game.max_depth == 4 * goal
        check_game(game, games=5)
    with pytest.raises(aiplay.OptionError, match="goal"):
        aiplay.load_game("dice_race", goal=0)


def test_the_game_of_the_page_can_be_played_at_the_command_line(my_games):
    command = re.search(r"`aiplay (play --game dice_race [^`]+)`", SECTION)[1].split()
    done = subprocess.run(
        [sys.executable, "-m", "aiplay", *command, "--vs", "random"],
        input="quit\n",
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(my_games)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "seat 0: 0 seat 1: 0" in done.stdout


# ---- A game in Python --------------------------------------------------------------------------------------


def test_the_high_card_example_is_short():
    assert len((ROOT / "examples" / "high_card.py").read_text().splitlines()) < 60


def test_the_high_card_example_keeps_the_contract(high_card):
    check_game(high_card.HighCard())


@pytest.mark.parametrize(
    ("moves", "returns"),
    [
        ((9, 4, 3, 1), [3.0, -3.0]),
        ((2, 4, 2, 1), [-2.0, 2.0]),
        ((2, 4, 3, 0), [1.0, -1.0]),  # folding loses one chip, whatever the cards are
    ],
)
def test_the_high_card_example_pays_the_bet_to_the_higher_card(high_card, moves, returns):
    state = high_card.HighCard().new_state()
    for move in moves:
        state.play(move)
    assert state.returns() == returns


def test_the_high_card_example_plays_a_short_game(capsys):
    runpy.run_path(str(ROOT / "examples" / "high_card.py"), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert lines[-1].startswith("returns: [")


# ---- Rules of your own -------------------------------------------------------------------------------------


def texts(view):
    return [view.move_text(move) for move in view.legal_moves()]


def test_the_connect_four_example_has_the_same_rules_as_ours(own_rules):
    game, chance = aiplay.load_game("connect_four"), random.Random(1)
    winners = set()
    for _ in range(60):
        board, table = own_rules.Board(), aiplay.Table(game)
        while not board.is_over:
            view = game.view_from_scene(own_rules.board_scene(board), board.turn)
            assert view == table.view(board.turn)
            assert texts(view) == board.moves()
            move = chance.choice(board.moves())
            board.drop(move)
            table.play(move)
        assert table.over
        assert game.view_from_scene(own_rules.board_scene(board), 0) == table.view(0)
        winners.add(board.winner)
    assert {"x", "o"} <= winners


def test_the_poker_example_has_the_same_rules_and_views_as_ours(own_rules):
    game, chance = aiplay.load_game("leduc_poker"), random.Random(1)
    n_showdowns = 0
    for _ in range(300):
        deck = chance.sample(own_rules.DECK, 6)
        cards = [own_rules.DECK.index(card) for card in reversed(deck)]
        poker, state = own_rules.Poker(deck), game.new_state()
        state.play(cards.pop(0))
        state.play(cards.pop(0))
        while not poker.is_over:
            for seat in (0, 1):
                view = game.view_from_scene(own_rules.poker_scene(poker.seen_by(seat)), seat)
                assert view == state.view(seat)
                assert view.fields["hands"][1 - seat] == -1
            assert texts(state.view(poker.turn)) == poker.moves()
            move = chance.choice(poker.moves())
            poker.act(move)
            state.play(move)
            if state.to_move == aiplay.CHANCE:
                state.play(cards.pop(0))
        assert state.is_over
        n_showdowns += poker.folded is None
    assert 50 < n_showdowns < 250


def test_the_bot_of_the_example_plays_complete_games(own_rules):
    boards = [own_rules.play_connect_four(seed) for seed in range(5)]
    assert [board.winner for board in boards] == ["o"] * 5
    assert all(own_rules.play_poker(seed).is_over for seed in range(5))


def test_the_bot_of_the_example_names_the_wrong_entry_of_a_scene(own_rules):
    poker = own_rules.Poker(list(own_rules.DECK))
    scene = own_rules.poker_scene(poker.seen_by(0))
    scene["seats"][1]["card"] = "Qh"  # the other seat's card, which a front end must not pass on
    with pytest.raises(aiplay.InvalidStateError, match="field 'hands': the card of seat 1 is 3"):
        own_rules.Bot("leduc_poker").answer(scene, 0)


# ---- The chat ----------------------------------------------------------------------------------------------


def heard(chat, words):
    async def listen():
        return [line async for line in chat.hear(words)]

    return asyncio.run(listen())


def test_the_chat_answers_moves_and_commands(chat_server):
    chat = chat_server.Chat(aiplay.load_game("connect_four"), "mcts:iterations=200", seed=1)
    assert heard(chat, "moves") == ["1, 2, 3, 4, 5, 6, 7"]
    assert heard(chat, "9")[0].startswith("no legal move reads '9'")
    assert heard(chat, "hint")[0].startswith("I would play ")
    bot, board = heard(chat, "4")
    assert bot.startswith("seat 1: ")
    assert board == str(chat.table.view(0))
    assert aiplay.replay(heard(chat, "save")[0]).moves == chat.table.moves


def test_the_chat_tells_what_chance_did_and_no_hidden_card(chat_server):
    async def begin():
        return [line async for line in chat.go_on()]

    chat = chat_server.Chat(aiplay.load_game("leduc_poker"), "random", seed=1)
    mine, theirs, board = asyncio.run(begin())
    assert mine == f"chance: {chat.table.events()[0].text}"
    assert theirs == "chance: ?"
    assert board == str(chat.table.view(0))


def test_ten_people_play_at_once_in_one_event_loop(chat_server):
    async def person(port, seed):
        reader, writer = await asyncio.open_connection("localhost", port)
        chance, lines = random.Random(seed), []
        while line := (await reader.readline()).decode().strip():
            lines.append(line)
            if line.startswith(("1 2 3", "no legal move")):  # below the board: our turn, or the end
                writer.write(f"{chance.randint(1, 7)}\n".encode())
        writer.close()
        return lines[-1]

    async def play_all():
        game = aiplay.load_game("connect_four")
        async with await chat_server.serve(game, "mcts:iterations=100", port=0) as server:
            port = server.sockets[0].getsockname()[1]
            return await asyncio.gather(*(person(port, seed) for seed in range(10)))

    assert [line.startswith("The game is over: [") for line in asyncio.run(play_all())] == [True] * 10


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nope",), "no game is called 'nope'; the games are "),
        (("pig", "nope"), "no player is called 'nope'; the players are "),
        (("pig", "mcts:tme=1"), "'tme'"),
    ],
)
def test_the_chat_reports_a_wrong_argument_before_it_serves(words, message):
    script = ROOT / "examples" / "chat_server.py"
    done = subprocess.run([sys.executable, script, *words], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("chat_server: ")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
