"""OpenSpiel: its games here, and ours there."""

import numpy as np
import pytest
from toy_games import Matches

import aiplay
from aiplay import RandomStream
from aiplay.interop.needs import needed
from aiplay.testing import check_game

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import policy  # noqa: E402
from open_spiel.python.algorithms import exploitability, ismcts, mcts  # noqa: E402

from aiplay.interop.openspiel import OpenSpielError, from_openspiel, register, to_openspiel  # noqa: E402
from aiplay.interop.openspiel.theirs import OpenSpielGame  # noqa: E402


def random_moves(game, seed):
    """Return the moves of a random game."""
    state, stream, moves = game.new_state(), RandomStream(seed), []
    while not state.is_over:
        moves.append(state.play(stream.choice(state.legal_moves())))
    return moves


def after(state, *actions):
    for action in actions:
        state.apply_action(action)
    return state


# ---- Our games there ---------------------------------------------------------------------------------------

OURS = [
    ("connect_four", {}, 20),
    ("illusio", {}, 1),
    ("illusio", {"players": 4, "turn_cap": 6}, 1),
    ("leduc_poker", {}, 50),
    ("levitation", {"players": 3}, 1),
    ("magic_rabbit", {"players": 3, "piles": 6}, 3),
    ("pig", {"players": 4, "target": 20}, 5),
    ("three_magicians", {"turn_cap": 20}, 2),
    ("three_magicians", {"players": 2, "turn_cap": 20, "labyrinth_exit": "1or2", "cards_per_place": 1}, 1),
]


def test_every_game_is_in_the_list():
    assert {name for name, _, _ in OURS} == set(aiplay.game_names())
    assert register() == [f"aiplay_{name}" for name in aiplay.game_names()]


@pytest.mark.parametrize(("name", "options", "games"), OURS)
def test_our_games_pass_the_random_simulation_of_openspiel(name, options, games):
    game = to_openspiel(name, **options)
    assert game.game == aiplay.load_game(name, **options)
    pyspiel.random_sim_test(game, num_sims=games, serialize=True, verbose=False)


@pytest.mark.parametrize(("name", "options", "games"), OURS)
def test_the_text_of_a_game_loads_it_again(name, options, games):
    text = str(to_openspiel(name, **options))
    assert pyspiel.load_game(text).game == aiplay.load_game(name, **options)


def test_the_information_states_of_leduc_poker_are_those_of_openspiel():
    """In the whole tree: a seat can tell two states apart there if and only if it can here."""
    found = set()

    def walk(ours, theirs):
        if ours.is_terminal():
            return
        for seat in range(2):
            if theirs.current_player() == seat:
                found.add((seat, theirs.information_state_string(seat), ours.information_state_string(seat)))
        for action in theirs.legal_actions():
            walk(ours.child(action), theirs.child(action))

    walk(
        to_openspiel("leduc_poker").new_initial_state(), pyspiel.load_game("leduc_poker").new_initial_state()
    )
    assert len({(seat, theirs) for seat, theirs, _ in found}) == len(found) == 936
    assert len({(seat, ours) for seat, _, ours in found}) == 936


def test_our_leduc_poker_is_as_exploitable_as_that_of_openspiel():
    values = [
        exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
        for game in (pyspiel.load_game("leduc_poker"), to_openspiel("leduc_poker"))
    ]
    assert values[1] == pytest.approx(values[0], abs=1e-12)


def ismcts_bot(game, simulations, seed=1):
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(seed))
    return ismcts.ISMCTSBot(game, evaluator, 5.0, simulations, random_state=np.random.RandomState(seed))


def test_the_ismcts_bot_of_openspiel_plays_leduc_poker_without_seeing_hidden_cards():
    game = to_openspiel("leduc_poker")
    jack, queen, king, fold, bet = 0, 2, 4, 0, 2
    choices = []
    for hidden in (jack, queen):
        # Seat 0 holds a card that the bot cannot see; with a pair of kings the bot never folds.
        state = after(game.new_initial_state(), hidden, king, 1, 1, king + 1, bet)
        choices.append(dict(ismcts_bot(game, 300).get_policy(state)))
    assert choices[0] == choices[1]
    assert choices[0][fold] == 0


def test_the_ismcts_bot_of_openspiel_plays_illusio():
    game = to_openspiel("illusio", turn_cap=4)
    state, stream, bot = game.new_initial_state(), RandomStream(3), ismcts_bot(game, 3)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(stream.choice(state.legal_actions()))
        else:
            state.apply_action(bot.step(state) if state.current_player() else state.legal_actions()[0])
    assert sum(state.returns()) == pytest.approx(1)


def test_the_mcts_bot_of_openspiel_wins_connect_four():
    game = to_openspiel("connect_four")
    state = after(game.new_initial_state(), 3, 0, 3, 0, 3, 1)
    bot = mcts.MCTSBot(
        game,
        2.0,
        200,
        mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        random_state=np.random.RandomState(2),
    )
    assert bot.step(state) == 3


@pytest.mark.parametrize(
    ("name", "options"), [("leduc_poker", {}), ("illusio", {"turn_cap": 6}), ("magic_rabbit", {})]
)
def test_a_resampled_state_looks_the_same_to_the_player_and_hides_the_rest(name, options):
    game, stream = to_openspiel(name, **options), RandomStream(5)
    state = game.new_initial_state()
    for action in random_moves(game.game, 5)[:60]:
        player = state.current_player()
        if player >= 0:
            world = state.resample_from_infostate(player, stream.random)
            assert world.information_state_string(player) == state.information_state_string(player)
            assert world.observation_tensor(player) == state.observation_tensor(player)
            assert world.legal_actions() == state.legal_actions()
            assert world.history() == []
            again = world.resample_from_infostate(player, lambda: 0.25)
            for seat in range(game.num_players()):  # also to the other seats
                wanted = state.resample_from_infostate(player, lambda: 0.25).observation_string(seat)
                assert again.observation_string(seat) == wanted
        state.apply_action(action)


def test_a_player_observes_its_view():
    game = to_openspiel("leduc_poker")
    state = after(game.new_initial_state(), 0, 5)
    view = state.position.view(1)
    assert state.observation_string(1) == view.to_json()
    assert state.observation_tensor(1) == pytest.approx(view.observation())
    other = after(game.new_initial_state(), 2, 5)
    for ask in ("observation_string", "information_state_string", "observation_tensor"):
        assert getattr(state, ask)(1) == getattr(other, ask)(1)
        assert getattr(state, ask)(0) != getattr(other, ask)(0)


def test_actions_have_our_notation():
    state = after(to_openspiel("leduc_poker").new_initial_state(), 0, 5)
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["call", "raise"]


def test_a_game_needs_a_bound_on_its_move_numbers():
    class Bounded(Matches):
        move_space = 3

    pyspiel.random_sim_test(to_openspiel(Bounded()), num_sims=5, serialize=False, verbose=False)
    with pytest.raises(OpenSpielError, match=r"matches has no bound on .* set move_space"):
        to_openspiel(Matches())


# ---- Their games here --------------------------------------------------------------------------------------

THEIRS = [  # name, random games to check
    ("tic_tac_toe", 5),
    ("backgammon", 1),
    ("go(board_size=4)", 1),
    ("pig(players=3,winscore=15)", 2),
    ("kuhn_poker(players=3)", 10),
    ("leduc_poker", 10),
    ("universal_poker", 5),
    ("bargaining", 1),
    ("matching_pennies_3p", 5),
    ("goofspiel(num_cards=4)", 5),
    ("markov_soccer(horizon=10)", 2),
]


@pytest.mark.parametrize(("spec", "games"), THEIRS)
def test_their_games_keep_the_contract(spec, games):
    check_game(from_openspiel(spec), games=games)


@pytest.mark.parametrize(
    "spec", ["tic_tac_toe", "leduc_poker", "backgammon", "pig(winscore=10)", "bargaining"]
)
def test_their_games_are_played_as_openspiel_plays_them(spec):
    game, theirs = from_openspiel(spec), pyspiel.load_game(spec)
    for seed in range(5):
        state, other = game.new_state(), theirs.new_initial_state()
        for move in random_moves(game, seed):
            assert (state.to_move, state.legal_moves()) == (other.current_player(), other.legal_actions())
            assert state.to_move >= 0 or state.chance_outcomes() == other.chance_outcomes()
            state.play(move)
            other.apply_action(move)
        assert other.is_terminal()
        assert state.returns() == other.returns()


def test_simultaneous_choices_are_hidden_until_all_are_made():
    state = from_openspiel("matrix_rps").new_state()
    state.play("Paper")
    assert state.to_move == 1
    other = state.game.new_state()
    other.play("Rock")
    assert state.view(1) == other.view(1)
    assert state.view(0) != other.view(0)
    state.play("Rock")
    assert state.returns() == [1.0, -1.0]


def test_a_view_of_a_poker_hand_does_not_depend_on_hidden_cards():
    game = from_openspiel("leduc_poker")
    views, worlds = [], set()
    for hidden in (0, 2, 3, 4, 5):
        state = game.new_state()
        for move in (1, hidden, 2):
            state.play(move)
        views.append(state.view(0).to_json())
        worlds.update(state.view(0).sample_world(seed).fields.history[1] for seed in range(40))
    assert len(set(views)) == 1
    assert worlds == {0, 2, 3, 4, 5}


def test_our_players_play_their_games():
    game = from_openspiel("tic_tac_toe")
    score = [0.0, 0.0]
    for seed in range(4):
        players = [
            aiplay.make_player("mcts:iterations=200", seed=seed),
            aiplay.make_player("random", seed=seed),
        ]
        returns = aiplay.play_game(aiplay.Table(game, seed=seed), players)
        score = [a + b for a, b in zip(score, returns, strict=True)]
    assert score[0] >= 2
    table = aiplay.Table(from_openspiel("leduc_poker"), seed=2)
    aiplay.play_game(
        table, [aiplay.make_player(f"{kind}", seed=1) for kind in ("mcts:iterations=50", "greedy")]
    )
    assert aiplay.replay(table.record.to_json(), game=table.game).returns() == table.returns()


REFUSED = [
    ("mfg_crowd_modelling", "mean field game"),
    ("tarok", "chance cannot be listed"),
    ("liars_dice", "hides information, .*not implemented"),
    ("blackjack", "hides information, .*depend on what is hidden"),
    ("oh_hell", "hides information, .*depend on what is hidden"),
    ("gin_rummy", "hides information, .*depend on what is hidden"),
    ("hearts", "hides information, .*not legal games"),
    ("no_such_game", "cannot load 'no_such_game'"),
]


@pytest.mark.parametrize(("name", "reason"), REFUSED)
def test_games_that_cannot_be_played_fairly_are_refused(name, reason):
    with pytest.raises(OpenSpielError, match=reason):
        from_openspiel(name)


def test_hidden_information_is_shown_only_on_request():
    game = from_openspiel("liars_dice", show_all=True)
    assert not game.has_hidden
    check_game(game, games=2)
    assert "show_all=True" in repr(game)


def test_parameters_need_a_name_and_are_kept_by_a_loaded_game():
    assert from_openspiel("leduc_poker", players=3).seats == 3
    assert from_openspiel(pyspiel.load_game("leduc_poker", {"players": 3})) == from_openspiel(
        "leduc_poker(players=3)"
    )
    with pytest.raises(aiplay.OptionError, match=r"parameters \['players'\] need a name"):
        from_openspiel(pyspiel.load_game("leduc_poker"), players=3)
    with pytest.raises(OpenSpielError, match=r"cannot load 'pig' with \{'dice': 2\}"):
        from_openspiel("pig", dice=2)


def test_actions_with_the_same_name_get_their_number():
    state = from_openspiel("backgammon").new_state()
    texts = [state.move_text(move) for move in state.legal_moves()]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    "history", [[9], [0, 0], [0, 1, 2, 3, 4, 5, 6, 7], ["a"], [-1], list(range(7))], ids=str
)
def test_an_impossible_history_is_refused(history):
    game = from_openspiel("tic_tac_toe")
    text = game.new_state().to_json().replace('"history":[]', f'"history":{history}'.replace("'", '"'))
    if history == list(range(7)):
        assert game.state_from_json(text).is_over
    else:
        with pytest.raises(aiplay.InvalidStateError, match="history"):
            game.state_from_json(text)


# ---- There and back ----------------------------------------------------------------------------------------


def test_a_game_that_goes_there_and_back_is_the_same_game():
    game = aiplay.load_game("illusio", players=3)
    assert from_openspiel(to_openspiel(game)) == game
    theirs = from_openspiel("kuhn_poker")
    assert str(to_openspiel(theirs)) == "kuhn_poker()"


@pytest.mark.parametrize("name", ["connect_four", "pig", "levitation"])
def test_a_game_behind_both_adapters_is_played_in_the_same_way(name):
    game = aiplay.load_game(name)
    twice = OpenSpielGame(game=str(to_openspiel(game)))
    ours, theirs = game.new_state(), twice.new_state()
    for move in random_moves(game, 1):
        assert (ours.to_move, ours.legal_moves()) == (theirs.to_move, theirs.legal_moves())
        assert ours.chance_outcomes() == theirs.chance_outcomes()
        assert [ours.move_text(m) for m in ours.legal_moves()[:3]] == [
            theirs.move_text(m) for m in theirs.legal_moves()[:3]
        ]
        ours.play(move)
        theirs.play(move)
    assert theirs.is_over
    assert theirs.returns() == ours.returns()


def test_the_error_about_a_missing_package_names_the_extra():
    with pytest.raises(ModuleNotFoundError, match=r"needs no_such_module: pip install 'aiplay\[openspiel\]'"):
        needed("no_such_module", "openspiel")
