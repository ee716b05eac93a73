"""Games and players by name, their options and limits, and entry points of other packages."""

import ctypes
import io
import json
import math
import sys
import textwrap

import pytest
from typer.testing import CliRunner

import aiplay
from aiplay import Limit, OptionError, PackageError, PlayerSpecError, UnknownGameError
from aiplay._core.contract import ABI_VERSION
from aiplay.cli.app import app
from aiplay.engine import serve
from aiplay.options import Option, resolve_options
from aiplay.registry import split_spec

runner = CliRunner()

# ---- Games -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", aiplay.game_names())
def test_every_game_can_be_loaded_by_its_name(name):
    assert aiplay.load_game(name).name == name


def test_names_are_sorted():
    assert aiplay.game_names() == sorted(aiplay.game_names())
    assert {"connect_four", "leduc_poker", "pig"} <= set(aiplay.game_names())
    assert "random" in aiplay.player_names() == sorted(aiplay.player_names())


@pytest.mark.parametrize("name", ["chess", "", "aiplay.games.pig", None, 3], ids=repr)
def test_an_unknown_game_lists_the_known_ones(name):
    with pytest.raises(UnknownGameError) as caught:
        aiplay.load_game(name)
    assert isinstance(caught.value, KeyError)
    message = str(caught.value)
    assert message.startswith(f"no game is called {name!r}; the games are ")
    assert message.endswith(", ".join(aiplay.game_names()))


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Pig", "pig"),
        ("pig ", "pig"),
        ("conect_four", "connect_four"),
        ("Connect_Four", "connect_four"),
        ("connect-four", "connect_four"),
        ("three magicians", "three_magicians"),
    ],
)
def test_an_error_about_an_unknown_game_suggests_a_similar_name(name, meant):
    sentence = f"no game is called '{name}' \\(did you mean '{meant}'\\?\\); the games are connect_four, "
    with pytest.raises(UnknownGameError, match=sentence):
        aiplay.load_game(name)


def test_options_have_defaults():
    assert dict(aiplay.load_game("pig").options) == {"players": 2, "target": 100, "horizon": 1000}
    assert aiplay.load_game("pig", target=50).options["target"] == 50


def test_options_may_be_given_as_text():
    assert aiplay.load_game("pig", players="4", target=" 30 ") == aiplay.load_game(
        "pig", players=4, target=30
    )


def test_an_unknown_option_lists_the_known_ones():
    with pytest.raises(OptionError, match="pig has no option 'dice'; its options: players, target, horizon"):
        aiplay.load_game("pig", dice=2)
    with pytest.raises(OptionError, match="connect_four has no option 'name'; its options: none"):
        aiplay.load_game("connect_four", name=3)


@pytest.mark.parametrize(
    "value", [1, 7, 2.5, "two", "", None, True, math.nan, math.inf, 10**400, [2], "1e400"], ids=repr
)
def test_an_error_about_a_wrong_value_says_what_is_allowed(value):
    with pytest.raises(OptionError, match=r"pig: players is .*; allowed: a whole number from 2 to 6"):
        aiplay.load_game("pig", players=value)


# ---- Options in general ------------------------------------------------------------------------------------

OPTIONS = (
    Option("count", 3, "a number", low=1, high=9),
    Option("rate", 0.5, "a share", low=0, high=1),
    Option("fast", False, "a switch"),
    Option("mode", "tree", "a choice", choices=("tree", "flat")),
    Option("label", "x", "a text"),
    Option("time", None, "may be unset", low=0, kind=float),
    Option("any", 0, "no bounds"),
)


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("count", "7", 7),
        ("count", 7.0, 7),
        ("count", 1, 1),
        ("count", 9, 9),
        ("rate", "0.25", 0.25),
        ("rate", 1, 1.0),
        ("fast", "yes", True),
        ("fast", "FALSE", False),
        ("fast", "1", True),
        ("fast", True, True),
        ("mode", "flat", "flat"),
        ("label", 3, "3"),
        ("time", None, None),
        ("time", "1.5", 1.5),
        ("any", -(10**12), -(10**12)),
    ],
)
def test_a_value_is_converted_to_the_right_type(name, given, value):
    resolved = resolve_options("test", OPTIONS, {name: given})[name]
    assert resolved == value
    assert type(resolved) is type(value)


@pytest.mark.parametrize(
    ("name", "given", "allowed"),
    [
        ("count", 0, "a whole number from 1 to 9"),
        ("count", 1.5, "a whole number from 1 to 9"),
        ("count", None, "a whole number from 1 to 9"),
        ("rate", 1.01, "a number from 0 to 1"),
        ("rate", "nan", "a number from 0 to 1"),
        ("fast", 1, "true or false"),
        ("fast", "maybe", "true or false"),
        ("mode", "bush", "tree or flat"),
        ("label", True, "a text"),
        ("label", 1.5, "a text"),
        ("time", -1, "a number of at least 0"),
        ("time", "soon", "a number of at least 0"),
        ("any", "much", "a whole number"),
    ],
)
def test_an_error_about_a_value_is_complete(name, given, allowed):
    with pytest.raises(OptionError) as caught:
        resolve_options("test", OPTIONS, {name: given})
    assert str(caught.value) == f"test: {name} is {given!r}; allowed: {allowed}"


def test_options_keep_their_declared_order():
    assert list(resolve_options("test", OPTIONS, {"any": 1, "count": 2})) == [
        option.name for option in OPTIONS
    ]


# ---- Player specifications ---------------------------------------------------------------------------------


def test_a_specification_is_a_name_and_options():
    assert split_spec("random") == ("random", {})
    assert split_spec("mcts:time=0.2,threads=2") == ("mcts", {"time": "0.2", "threads": "2"})
    assert split_spec("  mcts : time = 0.2 ") == ("mcts", {"time": "0.2"})


@pytest.mark.parametrize(
    "spec", ["mcts:", "mcts:time", "mcts:time=", "mcts:=3", "mcts:time=1,", "mcts:,", "mcts:a=1,,b=2"]
)
def test_an_error_about_a_specification_says_how_to_write_one(spec):
    with pytest.raises(PlayerSpecError, match="is not key=value; write name:key=value,key=value"):
        aiplay.make_player(spec)


def test_an_option_given_twice_is_refused():
    with pytest.raises(PlayerSpecError, match="gives 'time' twice"):
        aiplay.make_player("mcts:time=1,time=2")


@pytest.mark.parametrize("spec", [None, 3, b"random", ["random"]], ids=repr)
def test_a_specification_is_text(spec):
    with pytest.raises(PlayerSpecError, match="a player is given as text like"):
        aiplay.make_player(spec)


@pytest.mark.parametrize("name", ["", "alphazero"])
def test_an_unknown_player_lists_the_known_ones(name):
    with pytest.raises(PlayerSpecError) as caught:
        aiplay.make_player(name)
    assert (
        str(caught.value)
        == f"no player is called {name!r}; the players are {', '.join(aiplay.player_names())}"
    )


@pytest.mark.parametrize(
    ("spec", "wanted"),
    [
        ("mtcs", "no player is called 'mtcs' (did you mean 'mcts'?); the players are expectimax, "),
        ("Random", "no player is called 'Random' (did you mean 'random'?); the players are "),
        ("mcts:tiem=1", "player 'mcts' has no option 'tiem' (did you mean 'time'?); its options: time, "),
        ("mcts:early-stop=no", "has no option 'early-stop' (did you mean 'early_stop'?); its options: "),
    ],
)
def test_an_error_about_a_misspelt_specification_suggests_a_similar_name(spec, wanted):
    with pytest.raises(PlayerSpecError) as caught:
        aiplay.make_player(spec)
    assert wanted in str(caught.value)


def test_an_error_about_a_misspelt_option_suggests_a_similar_name():
    with pytest.raises(
        OptionError, match=r"pig has no option 'Targets' \(did you mean 'target'\?\); its options"
    ):
        aiplay.load_game("pig", Targets=2)


def test_an_unknown_option_of_a_player_lists_the_known_ones():
    with pytest.raises(PlayerSpecError, match="player 'random' has no option 'time'; its options: none"):
        aiplay.make_player("random:time=1")


def test_names_of_arguments_are_not_options():
    for option in ("seed", "self"):
        with pytest.raises(PlayerSpecError, match=f"has no option '{option}'"):
            aiplay.make_player(f"random:{option}=1")


@pytest.mark.parametrize("name", aiplay.player_names())
def test_a_specification_makes_an_equal_player(name):
    player = aiplay.make_player(name, seed=4)
    assert player.name == name
    again = aiplay.make_player(player.spec, seed=player.seed)
    assert again.options == player.options
    assert repr(again) == repr(player)


@pytest.mark.parametrize("seed", [-1, 2**64, 0.5, "1"], ids=repr)
def test_the_seed_of_a_player_is_checked(seed):
    with pytest.raises(ValueError, match="seed is"):
        aiplay.make_player("random", seed=seed)


# ---- Other packages ----------------------------------------------------------------------------------------


@pytest.fixture
def other_package(tmp_path, monkeypatch):
    """Install a distribution with a game, a player, and two games that cannot be loaded."""
    (tmp_path / "other_games.py").write_text(
        textwrap.dedent(
            """
            import aiplay
            from aiplay.players.base import Player

            class Coin(aiplay.PythonGame):
                name = "other_coin"
                seats, max_moves, max_depth = 1, 2, 1
                def setup(self) -> int:
                    return 0
                def to_move(self, state):
                    return 0 if state == 0 else self.TERMINAL
                def legal_moves(self, state):
                    return [1, 2]
                def play(self, state, move):
                    return move
                def returns(self, state):
                    return [state - 1]

            class First(Player):
                name = "other_first"
                def choose(self, view, limit=None):
                    return view.legal_moves()[0]

            nothing = 3
            """
        )
    )
    info = tmp_path / "other_games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other-games\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[aiplay.games]\nother_coin = other_games:Coin\nbroken_game = no_such_module:Game\nold_game = old_games:Game\n"
        "[aiplay.players]\nother_first = other_games:First\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("other_games", None)


@pytest.mark.usefixtures("other_package")
def test_a_package_adds_games_and_players_by_entry_points():
    assert "other_coin" in aiplay.game_names()
    assert "other_first" in aiplay.player_names()
    game = aiplay.load_game("other_coin")
    player = aiplay.make_player("other_first", seed=1)
    table = aiplay.Table(game, seed=1)
    assert aiplay.play_game(table, [player]) == [0.0]
    assert aiplay.replay(table.record.to_json()).state == table.state


@pytest.mark.usefixtures("other_package")
def test_the_error_about_a_broken_package_names_it():
    assert "broken_game" in aiplay.game_names()
    sentence = "'broken_game' of the package other-games cannot be loaded: No module named 'no_such_module'"
    with pytest.raises(PackageError, match=sentence):
        aiplay.load_game("broken_game")


class CompiledForAnotherVersion(type(aiplay.load_game("connect_four"))):
    """A game whose operations say that they were compiled for the last version of the contract."""

    def _prepare(self):
        super()._prepare()
        start = id(self) + object.__basicsize__  # GameOps, the first field of GameFacts
        version = ctypes.cast(start, ctypes.POINTER(ctypes.c_uint32))
        assert version[0] == ABI_VERSION
        version[0] = 1


def test_a_game_compiled_for_another_contract_is_refused():
    sentence = (
        "connect_four was compiled for version 1 of the game contract, "
        f"this is version {ABI_VERSION}: compile it again"
    )
    with pytest.raises(PackageError, match=sentence):
        CompiledForAnotherVersion()


@pytest.mark.usefixtures("other_package")
def test_a_game_compiled_with_another_layout_is_not_imported(tmp_path):
    warning = (
        "aiplay._core.game.Game size changed, may indicate binary incompatibility. Expected 248, got 256"
    )
    (tmp_path / "old_games.py").write_text(f"import warnings\nwarnings.warn({warning!r}, RuntimeWarning)\n")
    with pytest.raises(PackageError, match="Expected 248, got 256: compile it again"):
        aiplay.load_game("old_game")


@pytest.mark.usefixtures("other_package")
def test_a_broken_package_does_not_affect_the_others():
    listed = runner.invoke(app, ["games"])
    assert listed.exit_code == 0
    assert "other_coin" in listed.output
    target = io.BytesIO()
    serve(io.BytesIO(b'{"id": 1, "action": "games"}'), target)
    *warnings, answer = (json.loads(line) for line in target.getvalue().splitlines())
    assert "broken_game" in warnings[0]["warning"]
    assert {"other_coin", "pig"} <= {game["name"] for game in answer["games"]}


def test_a_game_is_unknown_without_its_package():
    with pytest.raises(UnknownGameError, match="no game is called 'other_coin'"):
        aiplay.load_game("other_coin")


# ---- Limits ------------------------------------------------------------------------------------------------


def test_a_limit_has_four_fields():
    assert Limit() == Limit(None, None, None, None)
    limit = Limit(time=0.5, iterations=100, nodes=1000, depth=3)
    assert (limit.time, limit.iterations, limit.nodes, limit.depth) == (0.5, 100, 1000, 3)
    assert Limit(time=1).time == 1.0


@pytest.mark.parametrize(
    ("given", "allowed"),
    [
        ({"time": -0.1}, "time is -0.1; allowed: a number from 0 to"),
        ({"time": math.nan}, "time is nan; allowed"),
        ({"time": math.inf}, "time is inf; allowed"),
        ({"iterations": 0}, "iterations is 0; allowed: a whole number from 1 to"),
        ({"iterations": 1.5}, "iterations is 1.5; allowed"),
        ({"iterations": True}, "iterations is True; allowed"),
        ({"nodes": -5}, "nodes is -5; allowed"),
        ({"depth": 0}, "depth is 0; allowed: a whole number from 1 to"),
    ],
    ids=str,
)
def test_a_limit_is_checked(given, allowed):
    with pytest.raises(OptionError, match=f"a limit: {allowed}"):
        Limit(**given)


def test_a_limit_is_immutable():
    with pytest.raises(AttributeError):
        Limit(time=1.0).time = 2.0
