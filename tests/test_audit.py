"""The audit: cheaters are caught by name, every built-in player is fair in every game."""

import dataclasses

import cheaters
import pytest
from test_testing_broken import MovesByHiddenCards, NoticesHiddenMoves, ViewShowsALittle
from toy_games import Bidding

import aiplay
from aiplay import audit
from aiplay.audit import power
from aiplay.registry import GAMES, PLAYERS

GAMES_OF_A_CATCH = 90  # a cheater has to be caught in fewer than 100

CHEATERS = [
    ("leduc_poker", cheaters.Peeks, "choice"),
    ("leduc_poker", cheaters.PeeksAtTimes, "choice"),
    ("pig", cheaters.Foresees, "future"),
    ("pig", cheaters.KnowsTheSeed, "dice"),
    ("pig", cheaters.KnowsTheSeed, "cards"),
    (cheaters.LeansToTheTruth, "greedy", "worlds"),
    (cheaters.PrefersHighCards, "greedy", "worlds"),
    (NoticesHiddenMoves, "mcts", "perceive"),
    (MovesByHiddenCards, "mcts", "legal_moves"),
    (ViewShowsALittle, "greedy", "conceal"),
]


@pytest.mark.parametrize(("game", "player", "promise"), CHEATERS)
def test_a_cheater_is_caught_by_name(game, player, promise):
    made = aiplay.load_game(game) if isinstance(game, str) else game()
    found = audit.audit_player(made, player, games=GAMES_OF_A_CATCH)
    assert not found.is_fair
    assert promise in found.broken
    assert audit.PROMISES[promise] in " ".join(audit.text(found).split())


@pytest.fixture(scope="module")
def short_audits():
    """Every built-in player in every game; what concerns a player alone is done once."""
    specs = [spec for spec in aiplay.player_names() if spec != "human"]
    games = [aiplay.load_game(name) for name in GAMES]
    return list(audit.audit_players(games, specs, games=8))


@pytest.mark.parametrize("name", GAMES)
def test_every_built_in_player_is_fair(name, short_audits):
    audits = [found for found in short_audits if found.game == name]
    assert {found.player for found in audits} == {*PLAYERS} - {"human"}
    for found in audits:
        assert found.is_fair, audit.text(found)


class Cautious:
    """A player of a third party: any object that can choose."""

    def choose(self, view):
        return view.legal_moves()[0]


@pytest.mark.parametrize("player", [Cautious(), Cautious, lambda seed: Cautious(), "mcts:iterations=20"])
@pytest.mark.parametrize("game", [Bidding, lambda: aiplay.load_game("leduc_poker")])
def test_games_and_players_of_third_parties(game, player):
    found = audit.audit_player(game(), player, games=5)
    assert found.is_fair
    assert found.parts[0].count > 0  # other truths


def test_a_first_search_and_one_after_it_are_compared_in_full():
    """A player whose choice is always the same, and whose analysis tells what lies on the table."""

    class Whispers(cheaters.Peeks):
        def choose(self, view):
            return view.legal_moves()[0]

        def analyse(self, view, limit=None, **more):
            found = super().analyse(view, limit)
            table = cheaters.table_in_memory(view)
            return dataclasses.replace(found, worlds=sum(table.state.to_bytes()))

    found = audit.audit_player(aiplay.load_game("leduc_poker"), Whispers, games=20)
    assert "choice" in found.broken
    assert "the analysis differs" in found.breaches[0].evidence


def test_a_fair_game_in_python_is_fair():
    found = audit.audit_player(Bidding(), "mcts", games=20)
    assert found.is_fair
    assert all(part.count for part in found.parts)
    assert audit.document(found)["fair"] is True
    assert "<h1>Audit of fairness</h1>" in audit.page(found)


def test_players_that_cannot_be_audited_are_refused():
    game = aiplay.load_game("pig")
    with pytest.raises(aiplay.AuditError, match="person"):
        audit.audit_player(game, "human", games=2)
    with pytest.raises(aiplay.AuditError, match="allowed: a specification"):
        audit.audit_player(game, 7, games=2)


def test_powers_and_error_rates():
    assert power.chi_square_tail(3.841, 1) == pytest.approx(0.05, abs=1e-4)
    assert power.chi_square_tail(23.209, 10) == pytest.approx(0.01, abs=1e-5)
    assert power.binomial_tail(3, 0.5, 2) == pytest.approx(0.5)
    p = power.least_share(100)
    assert 1 - (1 - p) ** 100 == pytest.approx(0.99)
