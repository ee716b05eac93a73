"""Tokens: a decision is done again in another process, with other threads; damaged and forged tokens are refused."""

from __future__ import annotations

import json
import subprocess
import sys

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from same_to_a_seat import other_truth
from test_engine import ask
from toy_games import Bidding

import aiplay
from aiplay import token
from aiplay.decision import read_decision
from aiplay.games.data_file import own_file
from aiplay.record import Record

SHORT = aiplay.Limit(time=0.02)
PLAYERS = (
    "random",
    "greedy",
    "greedy:worlds=1000000,samples=1000000",  # always cut short
    "mcts",
    "mcts:threads=2",
    "mcts:mode=pimc,worlds=5,threads=2",
    "mcts:mode=several,trees=3,threads=2",
    "mcts:reuse=no,solver=no",
    "expectimax",
    "expectimax:threads=3",
    "mixed",
    "mixed:method=start",
    "mixed:method=here",
    "mixed:method=mcts",
)
GAMES = {
    "illusio": 6,
    "leduc_poker": 2,
    "levitation": 6,
    "connect_four": 6,
}  # plies before the first decision

AGAIN = """
import json, sys
import aiplay
for line in sys.stdin:
    found = aiplay.explain(line, threads=int(sys.argv[1]))
    moves = [[m.move, m.visits, m.value] for m in found.analysis.moves]
    print(json.dumps([found.is_same, found.move, moves, found.analysis.line]))
"""


def table_of(name, plies):
    table, stream = aiplay.Table(aiplay.load_game(name), seed=3), aiplay.RandomStream(1)
    while len(table.moves) < plies or len(table.legal_moves()) == 1:
        table.play(stream.choice(table.legal_moves()))
    return table


def decisions(name, spec):
    """Yield tokens and answers of a player that plays against itself, choosing and analysing in turn."""
    table, player = table_of(name, GAMES[name]), aiplay.make_player(spec, seed=5)
    for number in range(4):
        if table.over:
            return
        view = table.view(table.to_move)
        if number % 2:
            move, moves, line = player.choose(view, SHORT), None, None
        else:
            analysis = player.analyse(view, SHORT)
            assert analysis.token == player.token
            move, line = analysis.best, list(analysis.line)
            moves = [[m.move, m.visits, m.value] for m in analysis.moves]
        yield player.token, [True, move, moves, line]
        table.play(move)


@pytest.mark.parametrize("name", GAMES)
def test_the_same_search_in_another_process_with_other_threads(name):
    known = [pair for spec in PLAYERS for pair in decisions(name, spec)]
    lines = "".join(text + "\n" for text, _ in known)
    for threads in ("1", "3"):
        done = subprocess.run(
            [sys.executable, "-c", AGAIN, threads], input=lines, capture_output=True, text=True, timeout=200
        )
        assert done.returncode == 0, done.stderr
        for (text, expected), line in zip(known, done.stdout.splitlines(), strict=True):
            found = json.loads(line)
            wanted = [new if old is None else old for old, new in zip(expected, found, strict=True)]
            assert found == wanted, read_decision(text).player


def test_a_search_that_went_on_from_others_brings_them_along():
    table, player = table_of("levitation", 6), aiplay.make_player("mcts:trees=2,iterations=300", seed=1)
    seat, lengths = table.to_move, []
    for _ in range(3):
        move = player.choose(table.view(seat))
        lengths.append(len(read_decision(player.token).steps))
        assert aiplay.explain(player.token).is_same
        table.play(move)
        while not table.over and (table.to_move != seat or len(table.legal_moves()) == 1):
            table.play(table.legal_moves()[0])
    assert max(lengths) > 1
    player.forget()
    player.choose(table.view(seat))
    assert len(read_decision(player.token).steps) == 1


@pytest.mark.parametrize("spec", ["mcts:iterations=50", "greedy", "random", "expectimax:depth=1"])
def test_a_forced_move_has_a_token(spec):
    table, stream = aiplay.Table(aiplay.load_game("illusio"), seed=3), aiplay.RandomStream(2)
    while len(table.legal_moves()) > 1:
        table.play(stream.choice(table.legal_moves()))
    view, player = table.view(table.to_move), aiplay.make_player(spec, seed=1)
    for answer in (player.choose, player.analyse):
        answer(view)
        found = aiplay.explain(player.token)
        assert (found.is_same, found.decision.view) == (True, view)


@pytest.mark.parametrize(
    "spec", ["mcts:iterations=200", "greedy", "expectimax:depth=2", "mixed:iterations=50"]
)
@pytest.mark.parametrize(("name", "plies"), [("leduc_poker", 3), ("illusio", 30), ("magic_rabbit", 20)])
def test_a_token_holds_no_more_than_the_view(name, plies, spec):
    """Behind another truth that looks the same to the seat, the token is the same, letter by letter."""
    table = table_of(name, plies)
    seat, tokens = table.to_move, set()
    for moves in (table.moves, other_truth(table.game, table.moves, seat)):
        record = Record(name, dict(table.game.options), 3, moves)
        player = aiplay.make_player(spec, seed=1)
        player.analyse(aiplay.replay(record).view(seat))
        tokens.add(player.token)
    assert len(tokens) == 1


def test_a_game_that_is_not_known_by_name():
    game = Bidding(most=3)
    player = aiplay.make_player("mcts:iterations=50", seed=1)
    view = aiplay.Table(game, seed=1).view(0)
    analysis = player.analyse(view)
    assert aiplay.explain(analysis.token, game=game).analysis.moves == analysis.moves
    with pytest.raises(aiplay.TokenError, match="no game is called 'bidding'"):
        aiplay.explain(analysis.token)
    with pytest.raises(aiplay.TokenError, match="options"):
        aiplay.explain(analysis.token, game=Bidding())


def test_partial_results_have_no_token():
    seen = []
    view = table_of("illusio", 6)
    view = view.view(view.to_move)
    aiplay.make_player("mcts", seed=1).analyse(view, aiplay.Limit(time=0.2), progress=seen.append, every=0.01)
    assert {analysis.token for analysis in seen} == {""}


class NoTokens(aiplay.Player):
    """A player of a third party that does not say how to repeat it."""

    name = "no_tokens"

    def choose(self, view, limit=None):
        return view.legal_moves()[0]


def test_a_player_that_cannot_be_repeated_has_no_token():
    player = NoTokens(seed=1)
    assert player.analyse(table_of("pig", 0).view(0)).token == ""
    assert player.token == ""


# ---- Damage and forgery ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def good():
    player = aiplay.make_player("mcts:iterations=60,trees=2", seed=1)
    return player.analyse(table_of("leduc_poker", 2).view(0)).token


def forged(good, *, past=None, **changes):
    """A token with other content and a right checksum."""
    content = msgspec.structs.replace(token.read_token(good), **changes)
    if past is not None:
        last = msgspec.structs.replace(content.searches[-1], **past)
        content = msgspec.structs.replace(content, searches=(*content.searches[:-1], last))
    return token._packed(msgspec.msgpack.encode(content))


def test_another_version_is_told(good):
    found = aiplay.explain(forged(good, version="0.0.9"))
    assert found.is_same
    assert found.decision.has_other_version
    assert not aiplay.explain(good).decision.has_other_version


def test_another_answer_is_told(good):
    assert not aiplay.explain(forged(good, past={"digest": 7})).is_same
    other = next(m for m in read_decision(good).view.legal_moves() if m != read_decision(good).move)
    assert not aiplay.explain(forged(good, past={"move": other})).is_same


def test_a_wrong_character_anywhere_is_noticed(good):
    for place in range(len(token.PREFIX), len(good) - 1):  # of the last one, some bits are not used
        other = "A" if good[place] != "A" else "B"
        with pytest.raises(aiplay.TokenError, match="damaged"):
            aiplay.explain(good[:place] + other + good[place + 1 :])


@pytest.mark.parametrize("cut", [1, 2, 3, 5, 50])
def test_a_token_that_is_cut_off_is_noticed(good, cut):
    for text in (good[:-cut], good + "A" * cut):
        with pytest.raises(aiplay.TokenError):
            aiplay.explain(text)


def test_space_around_a_token_does_not_matter(good):
    assert aiplay.explain(f"  {good}\n").is_same


@pytest.mark.parametrize(
    "text", ["", "hello", "aiplay2-abc", "aiplay1-", "aiplay1-####", "aiplay1-é", None, 7, b"aiplay1-"]
)
def test_what_is_no_token_is_refused(text):
    with pytest.raises(aiplay.TokenError):
        aiplay.explain(text)


def work(*fields):
    return token.Work(*fields)


@pytest.mark.parametrize(
    "changes",
    [
        {"game": "chess"},
        {"options": {"players": 9}},
        {"options": {"seed": [1]}},
        {"seat": 2},
        {"player": "mcts:trees=x"},
        {"player": "human"},
        {"player": "mcts:trees=1"},
        {"player": "expectimax"},
        {"player": "mixed"},
        {"past": {"view": b""}},
        {"past": {"view": b"\xff" * 12}},
        {"past": {"move": 99}},
        {"past": {"work": work((0, 0))}},
        {"past": {"work": work((1, 2, 3))}},
        {"past": {"work": work(())}},
        {"player": "expectimax", "past": {"work": work((1,), True, (0, 1, 2))}},
        {"player": "expectimax", "past": {"work": work((1,), True, (7,))}},
        {"player": "expectimax", "past": {"work": work((1, 2))}},
        {"player": "mixed", "past": {"work": work((1,), False, (), "nonsense")}},
        {"player": "mixed", "past": {"work": work((1, 2, 3), False, (), "whole")}},
    ],
)
def test_a_forged_token_is_refused(good, changes):
    with pytest.raises(aiplay.TokenError):
        aiplay.explain(forged(good, **changes))


@pytest.mark.parametrize(
    "content", [b"", b"\x90", b"\xc0", b"\xdd\xff\xff\xff\xff", b"\x91" * 5000, b"\xa1\xff" * 9]
)
def test_content_that_is_no_search_is_refused(content):
    with pytest.raises(aiplay.TokenError, match="does not hold a search"):
        aiplay.explain(token._packed(content))


def test_a_bomb_is_not_unpacked():
    with pytest.raises(aiplay.TokenError, match="too large"):
        aiplay.explain(token._packed(bytes(50_000_000)))
    with pytest.raises(aiplay.TokenError, match="characters"):
        aiplay.explain(token.PREFIX + "A" * 10_000_000)


@settings(max_examples=300, deadline=None)
@given(content=st.binary(max_size=200), as_bytes=st.booleans())
def test_any_content_is_a_search_or_an_error(content, as_bytes):
    text = token._packed(content) if as_bytes else token.PREFIX + content.hex()
    with pytest.raises(aiplay.TokenError):
        token.read_token(text)


def test_data_files_are_read_from_a_folder_only(tmp_path):
    with open(own_file("levitation"), encoding="utf-8") as file:
        (tmp_path / "mine.toml").write_text(file.read())
    game = aiplay.load_game("levitation", data=str(tmp_path / "mine.toml"))
    player = aiplay.make_player("greedy", seed=1)
    player.choose(aiplay.Table(game, seed=1).view(0))
    with pytest.raises(aiplay.TokenError, match="files are not read here"):
        aiplay.explain(player.token)
    assert aiplay.explain(player.token, data_dir=str(tmp_path)).is_same
    (tmp_path / "other").mkdir()
    with pytest.raises(aiplay.TokenError, match="not in the folder"):
        aiplay.explain(player.token, data_dir=str(tmp_path / "other"))


# ---- Engine and command ------------------------------------------------------------------------------------------


def test_answers_of_the_engine_have_tokens():
    table = {"id": 0, "action": "new_table", "game": "leduc_poker", "table": "t", "seed": 1}
    query = {"table": "t", "player": "mcts:threads=2", "limit": {"time": 0.02}, "keep": "k"}
    actions = ({"id": 1, "action": "choose"}, {"id": 2, "action": "analyse"}, {"id": 3, "action": "choose"})
    answers = ask(table, *({**action, **query} for action in actions))
    for answer in answers[1:]:
        found = aiplay.explain(answer["token"])
        assert found.is_same
        assert found.move == answer["move"]


def run(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "aiplay", "explain", *arguments],
        capture_output=True,
        text=True,
        timeout=100,
        **options,
    )


def test_the_command_shows_what_the_player_thought(good):
    done = run(good, "--threads", "2")
    assert done.returncode == 0
    assert "mcts:iterations=60,trees=2" in done.stdout
    assert "the same as in the token" in done.stdout
    found = json.loads(run("-", "--json", input=good + "\n").stdout)
    analysis = aiplay.explain(good).analysis
    assert [m["visits"] for m in found["analysis"]["moves"]] == [m.visits for m in analysis.moves]
    assert found["same"] is True


def test_the_command_tells_what_is_wrong(good):
    done = run(forged(good, version="0.0.9"))
    assert (done.returncode, done.stderr.count("made by aiplay 0.0.9")) == (0, 1)
    done = run(forged(good, past={"digest": 7}))
    assert done.returncode == 1
    assert "NOT the same" in done.stdout
    done = run(good[:-3])
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("aiplay: the token is damaged")


def test_a_token_with_a_search_of_depth_0_is_refused():
    view = aiplay.Table(aiplay.load_game("pig"), seed=1).view(0)
    player = aiplay.make_player("expectimax:depth=1", seed=1)
    player.analyse(view)
    (step,) = player._steps
    with pytest.raises(aiplay.TokenError, match="the depth is 0; allowed: at least 1"):
        player.repeat(step._replace(effort=step.effort._replace(counts=(0,))))
