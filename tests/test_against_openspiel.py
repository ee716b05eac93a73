"""The reference games, move by move the same as OpenSpiel's. Both number moves and outcomes alike."""

import pytest

import aiplay
from aiplay import RandomStream
from aiplay._core.measure import perft

pyspiel = pytest.importorskip("pyspiel")

# Our game with its options, OpenSpiel's name for it, and how many random games to compare.
PAIRS = [
    ("connect_four", {}, "connect_four", 1500),
    ("leduc_poker", {}, "leduc_poker", 5000),
    ("pig", {}, "pig", 60),
    ("pig", {"target": 20, "horizon": 60}, "pig(winscore=20,horizon=60)", 1500),
    ("pig", {"players": 3, "target": 30}, "pig(players=3,winscore=30)", 300),
    ("pig", {"players": 6, "target": 10, "horizon": 15}, "pig(players=6,winscore=10,horizon=15)", 1500),
]
IDS = [theirs for _, _, theirs, _ in PAIRS]


def compare(ours, theirs):
    """Everything that can be asked of a position."""
    assert ours.to_move == theirs.current_player()
    assert ours.is_over == theirs.is_terminal()
    if ours.is_over:
        assert ours.returns() == pytest.approx(theirs.returns(), abs=0)
    elif ours.to_move == aiplay.CHANCE:
        assert ours.chance_outcomes() == theirs.chance_outcomes()
    else:
        assert ours.legal_moves() == theirs.legal_actions()


@pytest.mark.parametrize(("name", "options", "spec", "games"), PAIRS, ids=IDS)
def test_random_games_are_the_same_move_by_move(name, options, spec, games):
    game, other = aiplay.load_game(name, **options), pyspiel.load_game(spec)
    stream = RandomStream(2024)
    for _ in range(games):
        ours, theirs = game.new_state(), other.new_initial_state()
        compare(ours, theirs)
        while not ours.is_over:
            move = stream.choice(ours.legal_moves())
            ours.play(move)
            theirs.apply_action(move)
            compare(ours, theirs)


@pytest.mark.parametrize(("name", "options", "spec", "games"), PAIRS, ids=IDS)
def test_the_bounds_are_the_same(name, options, spec, games):
    game, other = aiplay.load_game(name, **options), pyspiel.load_game(spec)
    assert game.seats == other.num_players()
    assert (game.min_return, game.max_return) == (other.min_utility(), other.max_utility())
    assert game.max_depth == other.max_game_length() + other.max_chance_nodes_in_history()


def test_the_whole_tree_of_leduc_poker_is_the_same():
    """Every one of its histories; seats that OpenSpiel gives one information state see one view."""
    seen = {}
    count = 0

    def walk(ours, theirs):
        nonlocal count
        count += 1
        compare(ours, theirs)
        if ours.is_over:
            return
        if ours.to_move >= 0:
            key = theirs.information_state_string(ours.to_move)
            view = ours.view(ours.to_move)
            assert seen.setdefault(key, view) == view
        for move in ours.legal_moves():
            child = ours.copy()
            child.play(move)
            walk(child, theirs.child(move))

    walk(aiplay.load_game("leduc_poker").new_state(), pyspiel.load_game("leduc_poker").new_initial_state())
    # A seat knows its card and the bets (6 * 6 decisions in the first round), then also the public card, in
    # each of the five ways to get there (6 * 5 * 5 * 6).
    assert len(seen) == 36 + 900
    assert count == 1 + 6 + 30 * (1 + per_deal())


def per_deal():
    """Positions after both hands are dealt, without the first: counted from the rules of betting.

    A round has a decision after each of these bets; a call (c), or a check (ch) that answers one, closes it;
    then one of four public cards is dealt and the second round is the same.
    """
    moves = {
        "": "ch r", "ch": "ch r", "ch r": "f c r", "ch r r": "f c",
        "r": "f c r", "r r": "f c",
    }  # fmt: skip
    nodes = [f"{line} {move}".strip() for line, choices in moves.items() for move in choices.split()]
    closing = [node for node in nodes if node not in moves and not node.endswith("f")]
    return len(nodes) + len(closing) * 4 * (1 + len(nodes))


def test_sequences_of_connect_four_are_as_many():
    def sequences(state, depth):
        if depth == 0:
            return 1
        return sum(sequences(state.child(move), depth - 1) for move in state.legal_actions())

    for columns in [(), (3, 3, 3), (3, 3, 2, 2, 4), (0, 0, 0, 0, 0), (6, 0, 6, 0, 6)]:
        ours = aiplay.load_game("connect_four").new_state()
        theirs = pyspiel.load_game("connect_four").new_initial_state()
        for column in columns:
            ours.play(column)
            theirs.apply_action(column)
        assert perft(ours, 4) == sequences(theirs, 4)


def test_moves_mean_the_same():
    """The numbers above are the same moves: OpenSpiel's names of them."""
    ours, theirs = aiplay.load_game("pig").new_state(), pyspiel.load_game("pig").new_initial_state()
    assert [ours.move_text(m) for m in (0, 1)] == ["roll", "hold"]
    assert [theirs.action_to_string(0, m) for m in (0, 1)] == ["roll", "stop"]
    ours, theirs = (
        aiplay.load_game("leduc_poker").new_state(),
        pyspiel.load_game("leduc_poker").new_initial_state(),
    )
    for move in (0, 5, 2):
        ours.play(move)
        theirs.apply_action(move)
    assert [ours.move_text(m) for m in (0, 1, 2)] == ["fold", "call", "raise"]
    assert [theirs.action_to_string(1, m) for m in (0, 1, 2)] == ["Fold", "Call", "Raise"]
