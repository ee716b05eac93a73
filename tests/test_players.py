"""Every player takes a limit and can be stopped, and builds no more than it is asked for."""

import pytest

import aiplay
from aiplay.players.base import Player
from aiplay.players.human import HumanPlayer

LIMITS = {"expectimax": aiplay.Limit(nodes=50), "mcts": aiplay.Limit(iterations=50)}


def first_view(name: str = "connect_four") -> aiplay.View:
    table = aiplay.Table(aiplay.load_game(name), seed=1)
    return table.view(table.to_move)


class Typist(HumanPlayer):
    """Types 4."""

    def ask(self, view: aiplay.View) -> str:
        return "4"

    def say(self, text: str) -> None:
        pass

    def show(self, view: aiplay.View) -> None:
        pass


def player_called(name: str) -> Player:
    return Typist(seed=1) if name == "human" else aiplay.make_player(name, seed=1)


@pytest.mark.parametrize("name", aiplay.player_names())
def test_every_player_takes_a_limit_and_can_be_stopped(name):
    player, view = player_called(name), first_view()
    player.stop()  # nothing is going on
    for limit in (LIMITS.get(name, aiplay.Limit(time=0)), None):
        assert player.choose(view, limit) in view.legal_moves()
        assert player.analyse(view, limit).best in view.legal_moves()


@pytest.mark.parametrize("name", aiplay.player_names())
def test_a_limit_that_is_none_is_named(name):
    for call in (player_called(name).choose, player_called(name).analyse):
        with pytest.raises(
            TypeError, match=r"limit is 0.5; allowed: None, or a limit such as Limit\(time=1.0\)"
        ):
            call(first_view(), 0.5)


class First(Player):
    """Written before `choose` had a limit."""

    name = "first"

    def choose(self, view):
        """Return the first move."""
        return view.legal_moves()[0]


class Cautious(Player):
    """Shows the limit that it was given."""

    name = "cautious"

    def choose(self, view, limit=None):
        self.limit = limit
        return view.legal_moves()[0]


def test_a_player_whose_choose_takes_only_a_view_is_called_like_any_other():
    player, view = First(), first_view()
    assert player.choose(view) == player.choose(view, aiplay.Limit(time=1)) == 0
    assert player.analyse(view, aiplay.Limit(time=1)).best == 0
    assert First.choose.__doc__ == "Return the first move."
    table = aiplay.Table(aiplay.load_game("connect_four"), seed=1)
    assert sorted(aiplay.play_game(table, [First(), First()])) == [-1.0, 1.0]


def test_a_player_without_values_of_moves_gets_the_limit_of_an_analysis():
    player, limit = Cautious(), aiplay.Limit(time=1)
    player.analyse(first_view(), limit)
    assert player.limit is limit


@pytest.mark.parametrize("spec", ["mcts:iterations=50", "expectimax:nodes=50", "greedy", "random"])
def test_choose_needs_no_notation(spec, monkeypatch):
    """Texts of all moves and of a line cost more than a quick search."""
    view = first_view("illusio")
    chosen = aiplay.make_player(spec, seed=1).choose(view)
    monkeypatch.setattr(type(view.game), "move_text", lambda *args: pytest.fail("a notation was made"))
    assert aiplay.make_player(spec, seed=1).choose(view) == chosen
