"""The player that mixes, solved games, and the best response; the references are OpenSpiel's and Kuhn's."""

import math
from array import array

import pytest
from test_search_docs import grid_of

import aiplay
from aiplay._core.search.common.control import StopFlag
from aiplay._core.search.regret.gametree import GameTree
from aiplay._core.search.regret.probes import estimated_size
from aiplay._core.search.regret.sampled import SampledRegrets
from aiplay.exploit import exploitability
from aiplay.players.mixed import MixedPlayer

LEDUC = aiplay.load_game("leduc_poker")
GAME_VALUE = -0.0856064  # of Leduc poker for seat 0: OpenSpiel, and papers since Southey et al. 2005


def whole(game=LEDUC):
    return GameTree(game, max_nodes=20_000, stop=StopFlag())


def solved(iterations):
    tree = whole()
    tree.solve(StopFlag(), math.inf, math.inf, iterations)
    return tree


def strategy_of(tree):
    return array("d", [share for place in range(tree.n_infosets) for share in tree.average(place)])


def first_choice(*moves):
    state = LEDUC.new_state()
    for move in moves:
        state.play(move)
    return state.view(state.to_move)


class Kuhn(aiplay.PythonGame):
    """Kuhn poker: cards 1 to 3, a bet of one chip. A state is (cards, bets), a hidden card is 0."""

    name = "kuhn"
    seats, max_moves, max_depth, min_return, max_return = 2, 3, 5, -2, 2
    chance_space = 4

    def setup(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return ((), ())

    def to_move(self, state):
        cards, bets = state
        if len(cards) < 2:
            return aiplay.CHANCE
        return aiplay.TERMINAL if bets in {(0, 0), (1, 0), (1, 1), (0, 1, 0), (0, 1, 1)} else len(bets) % 2

    def legal_moves(self, state):
        return [0, 1]

    def chance_outcomes(self, state):
        left = [card for card in (1, 2, 3) if card not in state[0]]
        return [(card, 1 / len(left)) for card in left]

    def play(self, state, move):
        cards, bets = state
        return ((*cards, move), bets) if len(cards) < 2 else (cards, (*bets, move))

    def returns(self, state):
        (first, second), bets = state
        if bets in {(1, 0), (0, 1, 0)}:  # a seat has passed after a bet
            won = 1 if bets == (1, 0) else -1
        else:
            won = (1 if first > second else -1) * (2 if 1 in bets else 1)
        return [won, -won]

    def perceive(self, state, move, seat):
        return move if len(state[0]) in (seat, 2) else 99

    def conceal(self, state, seat):
        cards, bets = state
        return (tuple(card if owner == seat else 0 for owner, card in enumerate(cards)), bets)

    def determinise(self, state, seat, stream):
        cards, bets = state
        free = [card for card in (1, 2, 3) if card not in cards]
        return (tuple(card or stream.choice(free) for card in cards), bets)


# ---- A game as a whole -------------------------------------------------------------------------------------


def test_leduc_has_as_many_decisions_as_in_openspiel_and_no_view_forgets_a_bet():
    tree = whole()
    assert (tree.n_infosets, tree.n_merged) == (936, 0)


def test_the_size_of_a_game_is_estimated():
    assert estimated_size(LEDUC, 1000) == pytest.approx(whole().size, rel=0.1)
    assert estimated_size(aiplay.load_game("illusio"), 4) == math.inf


def test_the_value_of_solved_leduc_is_the_known_one():
    tree = solved(1000)
    assert tree.value(0, strategy_of(tree)) == pytest.approx(GAME_VALUE, abs=2e-4)


def test_random_play_is_as_exploitable_as_openspiel_says():
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game("leduc_poker")
    known = pyspiel.exploitability(theirs, pyspiel.UniformRandomPolicy(theirs))
    assert exploitability(LEDUC, lambda: aiplay.make_player("random")).value == pytest.approx(known)


def theirs(shares_of):
    """The exploitability that OpenSpiel computes for a strategy: `shares_of` gives (move, share) for a view."""
    pyspiel = pytest.importorskip("pyspiel")
    policy, game = {}, pyspiel.load_game("leduc_poker")

    def walk(ours, other):
        if ours.is_over:
            return
        if ours.to_move >= 0:
            policy[other.information_state_string()] = list(shares_of(ours.view(ours.to_move)))
        for move in ours.legal_moves():
            after = ours.copy()
            after.play(move)
            walk(after, other.child(move))

    walk(LEDUC.new_state(), game.new_initial_state())
    return pyspiel.exploitability(game, pyspiel.TabularPolicy(policy))


def test_openspiel_finds_the_same_exploitability_of_a_strategy():
    tree = solved(30)

    def shares_of(view):
        place = tree.find(view)
        return zip(tree.moves_of(place), tree.average(place), strict=True)

    found = sum(tree.best_response(seat, strategy_of(tree)) for seat in (0, 1)) / 2
    assert found == pytest.approx(theirs(shares_of), abs=1e-9)


def test_kuhn_poker_is_worth_a_eighteenth_of_a_chip():
    game = Kuhn()
    tree = whole(game)
    tree.solve(StopFlag(), math.inf, math.inf, 2000)
    strategy = strategy_of(tree)
    assert tree.n_infosets == 12
    assert tree.value(0, strategy) == pytest.approx(-1 / 18, abs=1e-3)
    assert sum(tree.best_response(seat, strategy) for seat in (0, 1)) / 2 < 0.005


class ForgetfulKuhn(Kuhn):
    """Its views do not tell seat 1 whether seat 0 has bet."""

    name = "forgetful_kuhn"

    def conceal(self, state, seat):
        cards, bets = super().conceal(state, seat)
        return (cards, (0,) if len(bets) == 1 else bets)


def test_views_that_forget_how_a_position_came_about_are_counted():
    assert whole(Kuhn()).n_merged == 0
    assert whole(ForgetfulKuhn()).n_merged == 3  # one for each card


def test_a_game_that_is_too_large_is_refused():
    with pytest.raises(OverflowError, match="illusio has more than 1000 positions"):
        GameTree(aiplay.load_game("illusio"), max_nodes=1000, stop=StopFlag())
    with pytest.raises(aiplay.OptionError, match="needs the whole game"):
        exploitability(aiplay.load_game("pig"), lambda: aiplay.make_player("random"), positions=1000)


def test_a_strategy_of_another_size_is_refused():
    with pytest.raises(ValueError, match="the strategy has 3 entries"):
        whole().best_response(0, array("d", [1.0, 0.0, 0.0]))
    with pytest.raises(IndexError, match="information set 936; allowed: 0 to 935"):
        whole().average(936)


# ---- The player --------------------------------------------------------------------------------------------


def test_more_iterations_are_harder_to_exploit():
    found = [
        exploitability(LEDUC, lambda n=n: aiplay.make_player(f"mixed:iterations={n}", seed=1)).value
        for n in (3, 10)
    ]
    assert found[0] > found[1] > 0.35
    for n, most in ((30, 0.1), (100, 0.02), (300, 0.002)):  # the tree that such a player holds
        tree = solved(n)
        assert sum(tree.best_response(seat, strategy_of(tree)) for seat in (0, 1)) / 2 < most


def test_walks_from_the_start_approach_an_equilibrium():
    tree, walks = whole(), SampledRegrets(LEDUC.new_state(), seed=1, memory=2**26)
    found = []
    for iterations in (10_000, 300_000):
        walks.solve(StopFlag(), math.inf, math.inf, iterations)
        strategy = array("d")
        for place in range(tree.n_infosets):
            strategy.extend(walks.average(walks.find(tree.view(place))))
        found.append(sum(tree.best_response(seat, strategy) for seat in (0, 1)) / 2)
    assert found[0] > 0.2 > 0.1 > found[1]


def test_start_keeps_its_walks_for_the_next_move():
    player = aiplay.make_player("mixed:method=start,iterations=2000", seed=1)
    view = first_choice("Js", "Kh")
    assert player.policy(view) != player.policy(view)
    assert player._walks.iterations == 2000
    player.forget()
    player.choose(view)
    assert player._walks.iterations == 1000


def test_a_position_walked_from_here_is_less_exploitable_than_greedy():
    here = exploitability(
        LEDUC, lambda: aiplay.make_player("mixed:method=here,iterations=1000", seed=1)
    ).value
    assert here < 0.6 < exploitability(LEDUC, lambda: aiplay.make_player("greedy", seed=1)).value


def test_moves_are_drawn_as_often_as_the_policy_says():
    player = aiplay.make_player("mixed:iterations=200", seed=3)
    view = first_choice("Js", "Kh")
    policy = player.policy(view)
    assert sum(policy.values()) == pytest.approx(1)
    frozen = aiplay.make_player("mixed:iterations=1", seed=3)
    frozen._tree = player._tree  # hardly changes any more
    drawn = [frozen.choose(view) for _ in range(2000)]
    for move, share in policy.items():
        assert drawn.count(move) / 2000 == pytest.approx(share, abs=0.05)


@pytest.mark.parametrize("method", ["whole", "start", "here"])
def test_the_seed_repeats_the_moves_and_the_truth_changes_nothing(method):
    def moves(card):
        player = aiplay.make_player(f"mixed:method={method},iterations=50", seed=7)
        return [player.choose(first_choice("Js", card, *bets)) for bets in ((), ("call", "raise"))]

    assert moves("Kh") == moves("Qs") == moves("Kh")


def test_an_analysis_lists_every_move_most_frequent_first():
    for method in ("whole", "start", "here"):
        player = aiplay.make_player(f"mixed:method={method},iterations=100", seed=1)
        analysis = player.analyse(first_choice("Ks", "Jh", "raise"))
        assert sorted(one.text for one in analysis.moves) == ["call", "fold", "raise"]
        visits = [one.visits for one in analysis.moves]
        assert visits == sorted(visits, reverse=True)
        assert sum(analysis.odds) == pytest.approx(1, abs=0.2)


def test_long_open_and_cooperative_games_are_left_to_mcts():
    for name in ("illusio", "connect_four", "magic_rabbit"):
        table = aiplay.Table(aiplay.load_game(name), seed=1)
        while len(table.legal_moves()) == 1:
            table.play(table.legal_moves()[0])
        player = aiplay.make_player("mixed:iterations=20", seed=1)
        assert player.choose(table.view(table.to_move)) in table.legal_moves()
        assert player._mcts is not None


def test_in_illusio_it_plays_exactly_as_mcts_does():
    game = aiplay.load_game("illusio")
    mixed = aiplay.make_player("mixed:iterations=60", seed=4)
    seed = aiplay.make_player("mixed", seed=4).stream.bits()  # that mixed gives to its mcts
    mcts = aiplay.make_player("mcts:iterations=60", seed=seed)
    table, other = aiplay.Table(game, seed=2), aiplay.make_player("greedy", seed=1)
    asked = 0
    while not table.over and asked < 12:
        view = table.view(table.to_move)
        if table.to_move == 0:
            asked += len(view.legal_moves()) > 1
            move = mixed.choose(view)
            assert move == mcts.choose(view)
            table.play(move)
        else:
            table.play(other.choose(view))
    assert asked == 12


def test_a_game_in_python_is_solved_too():
    state = Kuhn().new_state()
    for card in (1, 3):
        state.play(card)
    assert (
        aiplay.make_player("mixed:iterations=1000", seed=1).policy(state.view(0))[1] < 0.4
    )  # a jack rarely bets


def test_stop_ends_it_with_a_legal_move():
    player = aiplay.make_player("mixed:time=100", seed=1)
    view = first_choice("Js", "Kh")
    seen = []
    analysis = player.analyse(view, progress=lambda found: (seen.append(found), player.stop()), every=0.01)
    assert seen
    assert analysis.best in view.legal_moves()


def test_the_page_lists_the_declared_options():
    from pathlib import Path

    page = (Path(__file__).parents[1] / "docs" / "bluff.md").read_text(encoding="utf-8")
    assert f"<!-- options of mixed -->\n{grid_of(MixedPlayer)}\n<!-- end -->" in page


def test_mcts_in_its_place_keeps_to_the_memory():
    view = aiplay.load_game("connect_four").new_state().view(0)
    player = aiplay.make_player("mixed:memory=1,iterations=40000", seed=1)
    player.analyse(view)
    assert 0 < player.kept_bytes <= 2**21
