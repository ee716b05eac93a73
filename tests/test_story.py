"""The story of a game for a seat: all that it sees, and nothing hidden."""

import pytest
from same_to_a_seat import other_truth

import aiplay
from aiplay.story import story

HIDING = [name for name in aiplay.game_names() if aiplay.load_game(name).has_hidden]


def texts(game, moves, seat=None):
    return [event.text for event in story(game, moves, seat)]


def played(name, seed, n_moves):
    """Return a table after at most n random decisions."""
    table, stream = aiplay.Table(aiplay.load_game(name), seed=seed), aiplay.RandomStream(seed)
    for _ in range(n_moves):
        if not table.over:
            table.play(stream.choice(table.legal_moves()))
    return table


@pytest.mark.parametrize("name", aiplay.game_names())
def test_the_referee_reads_every_move_in_its_notation(name):
    table = played(name, 5, 30)
    state, wanted = table.game.new_state(), []
    for move in table.moves:
        wanted.append((state.to_move, state.move_text(move)))
        state.play(move)
    assert [(event.seat, event.text) for event in story(table.game, table.moves)] == wanted
    assert [event.ply for event in story(table.game, table.moves, start=4)] == [*range(4, len(table.moves))]


@pytest.mark.parametrize("name", HIDING)
@pytest.mark.parametrize("seed", range(6))
def test_games_that_look_the_same_to_a_seat_have_the_same_story(name, seed):
    table = played(name, seed, 3 * seed)
    for seat in range(table.game.seats):
        other = other_truth(table.game, table.moves, seat, seed)
        assert other != table.moves
        assert texts(table.game, other, seat) == texts(table.game, table.moves, seat)
        assert texts(table.game, other) != texts(table.game, table.moves)


def test_only_its_owner_reads_which_card_was_drawn():
    table = aiplay.Table(aiplay.load_game("illusio"), seed=3)
    truth = [text for text in texts(table.game, table.moves) if text.startswith("draw ")]
    told = [
        [text for text in texts(table.game, table.moves, seat) if text.startswith("draw ")] for seat in (0, 1)
    ]
    for card, *as_told in zip(truth, *told, strict=True):
        assert sorted(as_told) == sorted([card, "draw ?"])


def test_a_seat_reads_its_own_moves_in_their_notation():
    table = aiplay.Table(aiplay.load_game("magic_rabbit"), seed=3)
    mover = table.to_move
    table.play("lift 2")
    assert [texts(table.game, table.moves, seat)[-1] for seat in (mover, 1 - mover)] == ["lift 2", "lift 2"]


class FaceDown(aiplay.PythonGame):
    """Each of two seats lays one of its cards face down; seat 0 always holds card 2 only."""

    name = "face_down"
    seats, max_moves, max_depth = 2, 3, 3

    def setup(self) -> tuple[int, int, int]:  # card of seat 0, card of seat 1, moves so far
        return (2, -1, 0)

    def to_move(self, state):
        return (self.CHANCE, 0, 1, self.TERMINAL)[state[2]]

    def legal_moves(self, state):
        return [state[state[2] - 1]]

    def chance_outcomes(self, state):
        return [(card, 1 / 3) for card in range(3)]

    def play(self, state, move):
        return (state[0], move, 1) if state[2] == 0 else (*state[:2], state[2] + 1)

    def returns(self, state):
        return [0.0, 1.0]

    def perceive(self, state, move, seat):
        return move if seat == (state[2] - 1 if state[2] else 1) else None

    def conceal(self, state, seat):
        return state if seat == 1 else (state[0], -1, state[2])

    def determinise(self, view, seat, stream):
        return view if seat == 1 or view[2] == 0 else (view[0], stream.below(3), view[2])

    def move_text(self, position, move):
        return f"lay card {move}"


def test_a_hidden_move_stays_hidden_even_if_it_was_forced():
    game = FaceDown()
    for card in range(3):
        told = texts(game, [card, 2, card], seat=0)
        assert told == ["lay card ?", "lay card 2", "lay card ?"]
    # Seat 1 knows that seat 0 holds only card 2, but has not seen the move.
    assert texts(game, [0, 2, 0], seat=1)[1] == "something hidden"
