"""Trained values: what a network sees, what it computes, its files, and the players that use it."""

import base64
import json
import subprocess
import sys
from array import array
from pathlib import Path

import pytest
from test_engine import ask
from toy_games import Bidding, Matches
from value_files import expected_values, random_value

import aiplay
from aiplay._core.search.common.value import active_of
from aiplay.features import Feature, field_tables
from aiplay.files import FileRefusedError, files_from
from aiplay.options import Option
from aiplay.registry import GAMES
from aiplay.value import MAX_BYTES, Value, bound_features, kept_inputs, kept_text, shipped_value

FOUR, PIG = aiplay.load_game("connect_four"), aiplay.load_game("pig", players=3)
SMALL = (
    "connect_four",
    "leduc_poker",
    "magic_rabbit",
    "pig",
    "three_magicians",
)  # fit into a file with every value


def states_of(game, seed=1, most=60):
    """The states of a random game in which somebody decides."""
    stream, state = aiplay.RandomStream(seed), game.new_state()
    for _ in range(most):
        if state.is_over:
            break
        yield state.copy()
        if state.to_move == aiplay.CHANCE:
            state.play_chance(stream)
        else:
            state.play(stream.choice(state.legal_moves()))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A value file for connect four and one for pig with three seats."""
    folder = tmp_path_factory.mktemp("values")
    for game in (FOUR, PIG):
        random_value(game).write(folder / f"{game.name}.json")
    return folder


# ---- What a network sees -----------------------------------------------------------------------------------


def seen(game, **fields):
    """The active inputs of a position with these fields, as (input, amount), without who comes first."""
    network = random_value(game).bind(game)
    state = game.state_from_fields({**game.new_state().to_fields(), **fields})
    pairs, first = network.active(state)
    assert (first, 256) in pairs
    return {pair for pair in pairs if pair[0] > game.seats}


def test_the_seat_that_decides_comes_first():
    scores = [10, 20, 30, 0, 0, 0]
    turned = [20, 30, 10, 0, 0, 0]
    assert seen(PIG, scores=scores, seat=1, n_decisions=60) == seen(
        PIG, scores=turned, seat=0, n_decisions=60
    )
    assert seen(PIG, scores=scores, seat=0, n_decisions=60) != seen(
        PIG, scores=turned, seat=0, n_decisions=60
    )


def test_stones_are_seen_by_whose_they_are():
    first = FOUR.new_state()
    first.play("4")
    network = random_value(FOUR).bind(FOUR)
    pairs, seat = network.active(first)
    stones = [number for number, amount in pairs if 3 <= number < 3 + 96]  # after who comes first and chance
    assert seat == 1
    assert stones == [3 + 48 + 21]  # the other seat's block, bit 7 * 3 + 0


def test_a_number_is_scaled_from_the_range_that_occurs():
    size, tables = field_tables(PIG.layout, PIG.FIELDS, 3, [Feature("turn_total", "number", 0, 64)])
    assert size == 3 + 1 + 1
    rows = tables[0].rows
    assert [rows[2 * points + 1] for points in (0, 1, 16, 64)] == [0, 4, 64, 256]


def test_a_number_with_many_values_is_scaled_without_a_table():
    rows = [["scores", "number", 0, 8192]]
    features = bound_features(PIG, {"kind": "fields", "fields": rows})
    _, (table,) = field_tables(PIG.layout, PIG.FIELDS, 3, [Feature(*row) for row in rows])
    assert len(table.rows) == 0
    state = PIG.state_from_fields(
        {**PIG.new_state().to_fields(), "scores": [96, 0, 47, 0, 0, 0], "n_decisions": 60}
    )
    assert active_of(features, state)[0] == [(0, 256), (4, 3), (6, 1)]  # 96 * 256 / 8192, 47 * 256 / 8192


def test_a_category_with_seats_is_turned():
    fields = {"winner": PIG.FIELDS["winner"]}
    _, (table,) = field_tables(PIG.layout, fields, 3, [Feature("winner", "category", 0, 6)])
    rows = [list(table.rows[i : i + 2]) for i in range(0, len(table.rows), 2)]
    assert rows[0] == rows[7] == rows[14] == [0, 256]  # nobody is nobody for all seats
    assert rows[7 + 1] == [3, 256]  # for seat 1, seat 0 is the last of three
    assert rows[7 + 2] == [1, 256]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (("nothing", "number", 0, 5), "no field is called 'nothing'"),
        (("scores", "bits", 0, 5), "not seen as 'bits'"),
        (("scores", "wish", 0, 5), "not seen as 'wish'"),
        (("scores", "number", 5, 5), "not 5 .. 5"),
        (("scores", "number", -1, 5), "not -1 .. 5"),
    ],
)
def test_a_feature_that_does_not_fit_the_game_is_refused(row, problem):
    with pytest.raises(ValueError, match=problem):
        field_tables(PIG.layout, PIG.FIELDS, 3, [Feature(*row)])


def test_the_inputs_that_are_used_are_kept_as_bits():
    assert kept_inputs(20, {"kept": kept_text(20, [0, 7, 8, 19])}) == [0, 7, 8, 19]


# ---- What it computes --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_the_network_computes_exactly_the_formula(name):
    """With whole numbers, so every machine gets the same bits."""
    game = aiplay.load_game(name)
    value = random_value(game, share=0.5 if name in SMALL else 0.1)
    network = value.bind(game)
    for state in states_of(game):
        assert network.values(state) == expected_values(value, network, state)


@pytest.mark.parametrize("game", [Matches(), Bidding()], ids=lambda game: game.name)
def test_a_game_in_python_is_seen_as_plain_data(game):
    states = [state for seed in range(20) for state in states_of(game, seed)]
    value = random_value(game, states=states)
    network = value.bind(game)
    for state in states:
        found = network.values(state)
        assert found == expected_values(value, network, state)
        assert all(0 < one < 1 for one in found)


class Knowing(Matches):
    """A game with features of its own: the matches that are left, modulo 3."""

    OPTIONS = (Option("matches", 9, "at the start", low=1, high=20),)
    max_depth = 20

    def setup(self) -> tuple[int, int]:
        return (self.options["matches"], 0)

    def features(self, state, seat):
        return [float(state[0] % 3 == k) for k in range(3)]


class Failing(Knowing):
    def features(self, state, seat):
        raise RuntimeError("no features today")


def test_a_game_in_python_may_have_features_of_its_own():
    game = Knowing()
    value = random_value(game)
    network = value.bind(game)
    assert value.description["features"]["kind"] == "function"
    for state in states_of(game):
        assert network.values(state) == expected_values(value, network, state)


def test_an_error_in_the_features_of_a_game_is_raised(tmp_path):
    file = tmp_path / "value.json"
    knowing = random_value(Knowing())
    knowing.write(file)
    player = aiplay.make_player(f"mcts:iterations=20,value={file}", seed=1)
    with pytest.raises(RuntimeError, match="no features today"):
        player.choose(aiplay.Table(Failing(), seed=1).view(0))


# ---- Players -----------------------------------------------------------------------------------------------


def after(state, move):
    state = state.copy()
    state.play(move)
    return state


def test_greedy_values_the_positions_after_its_moves(files):
    network, state = Value.read(files / "connect_four.json").bind(FOUR), FOUR.new_state()
    player = aiplay.make_player(f"greedy:value={files / 'connect_four.json'}", seed=1)
    for move in player.analyse(state.view(0)).moves:
        assert move.value == pytest.approx(network.values(after(state, move.move))[0], abs=1e-12)


def test_expectimax_values_its_leaves(files):
    """At depth 1 the value of a move is the lead of the seat, from 0 to 1."""
    network, state = Value.read(files / "connect_four.json").bind(FOUR), FOUR.new_state()
    player = aiplay.make_player(f"expectimax:depth=1,value={files / 'connect_four.json'}", seed=1)
    for move in player.analyse(state.view(0)).moves:
        own, other = network.values(after(state, move.move))
        assert move.value == pytest.approx((1 + own - other) / 2, abs=1e-12)


def test_mcts_values_its_leaves_instead_of_playing_on(files):
    """A move that was visited once has the value of the position after it."""
    network, state = Value.read(files / "connect_four.json").bind(FOUR), FOUR.new_state()
    spec = f"mcts:iterations=7,prior=none,early_stop=false,value={files / 'connect_four.json'}"
    moves = aiplay.make_player(spec, seed=1).analyse(state.view(0)).moves
    once = [move for move in moves if move.visits == 1]
    assert len(once) >= 5
    for move in once:
        assert move.value == pytest.approx(network.values(after(state, move.move))[0], abs=1e-6)


@pytest.mark.parametrize("more", ["", ",threads=2,trees=2", ",prior=evaluate", ",playout=greedy,cutoff=2"])
def test_a_seed_repeats_a_search_with_a_value(files, more):
    spec = f"mcts:iterations=400,value={files / 'pig.json'}{more}"
    view = aiplay.Table(PIG, seed=1).view(0)
    found = [aiplay.make_player(spec, seed=3).analyse(view) for _ in range(2)]
    assert found[0].moves == found[1].moves
    assert found[0].moves != aiplay.make_player(spec, seed=4).analyse(view).moves


def test_a_file_may_say_how_much_its_priors_weigh(tmp_path):
    """A search with the file is the one with the option; an option that is given wins."""
    value, view = random_value(PIG), aiplay.Table(PIG, seed=1).view(0)
    value.write(tmp_path / "plain.json")
    value.description["prior_weight"] = 30
    value.write(tmp_path / "heavy.json")

    def moves(file, more=""):
        return (
            aiplay.make_player(f"mcts:iterations=50,value={tmp_path / file}{more}", seed=3)
            .analyse(view)
            .moves
        )

    assert moves("heavy.json") == moves("plain.json", ",prior_weight=30")
    assert moves("heavy.json") != moves("plain.json")
    assert moves("heavy.json", ",prior_weight=2") == moves("plain.json")


@pytest.mark.parametrize("mode", ["single", "several", "pimc"])
def test_worlds_are_valued_where_information_is_hidden(tmp_path, mode):
    game = aiplay.load_game("leduc_poker")
    random_value(game).write(tmp_path / "value.json")
    table = aiplay.Table(game, seed=1)
    spec = f"mcts:iterations=100,mode={mode},value={tmp_path / 'value.json'}"
    assert aiplay.make_player(spec, seed=1).choose(table.view(0)) in table.legal_moves()


def test_a_game_without_evaluation_gets_priors_from_a_value(tmp_path):
    game = Knowing()
    assert not game.offers("evaluate")
    random_value(game).write(tmp_path / "value.json")
    view = aiplay.Table(game, seed=1).view(0)
    with pytest.raises(aiplay.PlayerSpecError, match="has no evaluate"):
        aiplay.make_player("mcts:iterations=50,prior=evaluate").choose(view)
    spec = f"mcts:iterations=50,prior=evaluate,value={tmp_path / 'value.json'}"
    assert aiplay.make_player(spec).choose(view) in view.legal_moves()


def test_own_priors_come_from_the_game_and_the_file_advises_them(tmp_path):
    """Two values agree on priors of the game, and a file that advises them is used like that."""
    plain = random_value(PIG)
    plain.write(tmp_path / "plain.json")
    advising = Value({**plain.description, "prior": "own"}, plain.layers)
    advising.write(tmp_path / "advising.json")
    view = aiplay.Table(PIG, seed=1).view(0)

    def moves(file, more=""):
        spec = f"mcts:iterations=200,value={tmp_path / file}{more}"
        return aiplay.make_player(spec, seed=1).analyse(view).moves

    assert Value.read(tmp_path / "advising.json").prior == "own"
    by_value = moves("plain.json", ",prior=evaluate")
    assert moves("advising.json") == moves("plain.json", ",prior=own") != by_value
    assert moves("advising.json", ",prior=evaluate") == by_value


def test_own_priors_need_an_evaluation_of_the_game(tmp_path):
    random_value(Knowing()).write(tmp_path / "value.json")
    view = aiplay.Table(Knowing(), seed=1).view(0)
    with pytest.raises(aiplay.PlayerSpecError, match="has no evaluate"):
        aiplay.make_player(f"mcts:iterations=50,prior=own,value={tmp_path / 'value.json'}").choose(view)


def test_value_game_and_auto_are_the_same_without_a_file():
    view = aiplay.Table(FOUR, seed=1).view(0)
    specs = ("mcts:iterations=300", "mcts:iterations=300,value=game", "mcts:iterations=300,value=auto")
    found = [aiplay.make_player(spec, seed=1).analyse(view).moves for spec in specs]
    assert found[0] == found[1] == found[2]


def test_auto_uses_the_file_that_comes_with_a_game_for_its_options(tmp_path):
    class Shipped(Knowing):
        VALUE_FILES = (str(tmp_path / "other.json"), str(tmp_path / "own.json"))

    random_value(Shipped(matches=5), seed=7).write(tmp_path / "other.json")
    random_value(Shipped(matches=9), seed=8).write(tmp_path / "own.json")

    def odds(spec, matches):
        return aiplay.make_player(spec, seed=1).analyse(aiplay.Table(Shipped(matches=matches)).view(0)).odds

    assert odds("greedy", 9) == odds(f"greedy:value={tmp_path / 'own.json'}", 9)
    assert odds("greedy", 5) == odds(f"greedy:value={tmp_path / 'other.json'}", 5)
    assert odds("greedy", 7) == odds("greedy:value=game", 7)
    assert odds("greedy", 9) != odds("greedy:value=game", 9)


SHIPPED = [
    (name, path)
    for name in aiplay.game_names()
    for path in getattr(aiplay.load_game(name), "VALUE_FILES", ())
]


@pytest.mark.parametrize(
    ("name", "path"), SHIPPED, ids=[f"{name} {Path(path).stem}" for name, path in SHIPPED]
)
def test_a_file_that_comes_with_a_game_is_for_the_seats_in_its_name_and_has_won(name, path):
    value = Value.read(path)
    seats = int(Path(path).stem.removeprefix("value_"))
    game = aiplay.load_game(name, players=seats)
    assert value.fits(game)
    assert shipped_value(game).layers == value.layers
    gain = value.description["made"]["gain"]
    assert gain["against"] == "value=game"
    assert gain["games"] >= 200
    assert gain["low"] > 0.5


def test_other_options_than_those_of_a_file_get_the_evaluation_of_the_game():
    assert shipped_value(aiplay.load_game("illusio", players=3)) is not None
    assert shipped_value(aiplay.load_game("illusio", players=3, goal=8)) is None
    assert shipped_value(aiplay.load_game("illusio", players=6)) is None


WITHOUT_NUMPY = """
import sys
sys.modules["numpy"] = None
import aiplay
player = aiplay.make_player("mcts:iterations=50,value=" + sys.argv[1], seed=1)
print(player.choose(aiplay.Table(aiplay.load_game("connect_four"), seed=1).view(0)))
"""


def test_a_value_is_used_without_numpy(files):
    file = str(files / "connect_four.json")
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMPY, file], capture_output=True, text=True, check=True
    )
    player = aiplay.make_player(f"mcts:iterations=50,value={file}", seed=1)
    assert int(done.stdout) == player.choose(aiplay.Table(FOUR, seed=1).view(0))


# ---- Files -------------------------------------------------------------------------------------------------


def test_a_file_is_read_as_it_was_written(files, tmp_path):
    value = Value.read(files / "pig.json")
    value.write(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (files / "pig.json").read_bytes()
    assert value.description["game"] == "pig"
    assert value.description["options"]["players"] == 3


def test_a_value_of_another_game_or_other_options_is_refused(files):
    player = aiplay.make_player(f"mcts:iterations=10,value={files / 'pig.json'}")
    with pytest.raises(aiplay.ValueFileError, match=r"learned for pig .*, not for connect_four"):
        player.choose(aiplay.Table(FOUR).view(0))
    with pytest.raises(aiplay.ValueFileError, match=r"players=3.*, not for pig .*players=2"):
        player.choose(aiplay.Table(aiplay.load_game("pig")).view(0))


def changed(files, tmp_path, **entries):
    """The file of connect four with other entries; None removes one."""
    document = {**json.loads((files / "connect_four.json").read_text()), **entries}
    document = {key: entry for key, entry in document.items() if entry is not None}
    (tmp_path / "changed.json").write_text(json.dumps(document))
    return tmp_path / "changed.json"


def packed(code, numbers):
    return base64.b64encode(array(code, numbers).tobytes()).decode()


@pytest.mark.parametrize(
    ("entries", "problem"),
    [
        ({"format": "other"}, "an object of the format 'aiplay value' is expected"),
        ({"version": 2}, "its version is not 1"),
        ({"game": None}, "the entry 'game' is missing"),
        ({"hidden": "8"}, "the entry 'hidden' is missing or of another type"),
        ({"cutoff": -7}, "cutoff"),
        ({"prior": "strange"}, "prior"),
        ({"prior_weight": -1}, "prior_weight"),
        ({"prior_weight": "8"}, "prior_weight"),
        ({"weights": {}}, "the layer 'first' is missing or damaged"),
        ({"weights": {"first": "!"}}, "the layer 'first' is missing or damaged"),
        ({"weights": {"first": "AAA="}}, "the layer 'first_bias' is missing"),
    ],
)
def test_a_damaged_file_is_refused_when_the_player_is_made(files, tmp_path, entries, problem):
    file = changed(files, tmp_path, **entries)
    with pytest.raises(aiplay.ValueFileError, match=problem):
        aiplay.make_player(f"greedy:value={file}")


@pytest.mark.parametrize(
    ("entries", "problem"),
    [
        ({"layout": "0123"}, "other fields than this version has"),
        ({"hidden": 16}, "the layers have"),
        ({"hidden": 12}, "12 hidden units; allowed: 8 to 128, a multiple of 8"),
        ({"hidden": 8000}, "8000 hidden units"),
        ({"features": {}}, "does not fit connect_four"),
        ({"features": {"kind": "fields", "fields": [["stones"]], "kept": ""}}, "does not fit connect_four"),
        ({"features": {"kind": "plain", "paths": {}, "kept": ""}}, "does not have"),
        ({"features": {"kind": "fields", "fields": [], "kept": "//8="}}, "it knows 16 inputs, not 3"),
    ],
)
def test_a_value_that_does_not_fit_its_game_is_refused(files, tmp_path, entries, problem):
    player = aiplay.make_player(f"greedy:value={changed(files, tmp_path, **entries)}")
    with pytest.raises(aiplay.ValueFileError, match=problem):
        player.choose(FOUR.new_state().view(0))


def test_weights_whose_sums_could_overflow_are_refused(files, tmp_path):
    document = json.loads((files / "connect_four.json").read_text())
    n = len(Value.read(files / "connect_four.json").layers["first"])
    weights = {**document["weights"], "first": packed("h", [32767] * n)}
    player = aiplay.make_player(f"greedy:value={changed(files, tmp_path, weights=weights)}")
    assert player.choose(FOUR.new_state().view(0)) in range(7)  # about a hundred inputs cannot overflow
    bias = {**weights, "first_bias": packed("i", [2**31 - 1] * 8)}
    player = aiplay.make_player(f"greedy:value={changed(files, tmp_path, weights=bias)}")
    with pytest.raises(aiplay.ValueFileError, match="too large"):
        player.choose(FOUR.new_state().view(0))


def test_only_a_small_regular_file_of_json_is_read(tmp_path):
    (tmp_path / "large").write_bytes(b" " * (MAX_BYTES + 1))
    (tmp_path / "text").write_text("hello")
    (tmp_path / "deep").write_text("[" * 50_000)
    for name in ("large", "text", "deep", "nothing", "."):
        with pytest.raises(aiplay.ValueFileError):
            aiplay.make_player(f"mcts:value={tmp_path / name}")


def test_a_value_with_too_many_weights_is_not_written(tmp_path):
    with pytest.raises(aiplay.ValueFileError, match="Use fewer hidden units"):
        random_value(aiplay.load_game("illusio", players=6), hidden=64).write(tmp_path / "value.json")


def test_programs_that_take_specifications_from_strangers_read_only_from_their_folder(files, tmp_path):
    with files_from(None), pytest.raises(FileRefusedError, match="--data-dir"):
        aiplay.make_player(f"mcts:value={files / 'pig.json'}")
    with files_from(tmp_path), pytest.raises(FileRefusedError, match="--data-dir"):
        aiplay.make_player(f"mcts:value={files / 'pig.json'}")
    with files_from(files):
        assert aiplay.make_player("mcts:value=pig.json").spec == "mcts:value=pig.json"


def test_the_engine_reads_values_from_its_folder_only(files):
    view = {"game": "connect_four", "options": {}, "seat": 0, "view": FOUR.new_state().to_fields()}
    query = {"id": 1, "action": "choose", "view": view}
    (answer,) = ask({**query, "player": f"greedy:value={files / 'connect_four.json'}"})
    assert answer["ok"] is False
    assert "--data-dir" in answer["error"]
    (answer,) = ask({**query, "player": "greedy:value=connect_four.json"}, data_dir=str(files))
    assert answer["ok"] is True
