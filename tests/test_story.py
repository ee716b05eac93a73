"""The story of a game for a seat: all that it sees, and nothing hidden."""

import pytest
from same_to_a_seat import other_truth

import aiplay
from aiplay._core.measure import perceptions
from aiplay.story import noticed, positions, story

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
        assert [*story(table.game, other, seat)] == [*story(table.game, table.moves, seat)]
        assert texts(table.game, other) != texts(table.game, table.moves)


@pytest.mark.parametrize("name", HIDING)
def test_moves_with_the_same_view_and_key_are_the_same_event(name):
    table, n_hidden = played(name, 4, 25), 0
    for state in positions(table.game, table.moves):
        for seat in {*range(table.game.seats)} - {state.to_move}:
            view, events = state.view(seat), {}
            for truth in (state, *(view.sample_world(100 + number) for number in range(4))):
                for move, key in perceptions(truth, seat):
                    event = noticed(truth, move, seat)
                    assert events.setdefault(key, event) == event
                    n_hidden += not event.is_seen
    assert n_hidden


@pytest.mark.parametrize("name", aiplay.game_names())
@pytest.mark.parametrize("seed", range(3))
def test_events_have_the_parts_of_moves_and_no_wrong_ones(name, seed):
    table = played(name, seed, 20)
    truth = table.events()
    assert [event.parts["verb"] is not None and event.is_seen for event in truth] == [True] * len(truth)
    for seat in range(table.game.seats):
        for event, whole in zip(table.events(seat), truth, strict=True):
            assert (event.ply, event.seat) == (whole.ply, whole.seat)
            known = {name: part for name, part in event.parts.items() if part is not None}
            assert known.items() <= whole.parts.items()
            if event.is_seen:
                assert (event.text, event.parts) == (whole.text, whole.parts)
            else:
                assert "?" in event.text


def test_events_since_a_ply_include_what_chance_decided():
    table = aiplay.Table(aiplay.load_game("pig"), seed=2)
    ply = len(table.moves)
    table.play("roll")
    rolled, shown = table.events(seat=1, since=ply)
    assert (rolled.seat, rolled.text, rolled.parts) == (0, "roll", {"verb": "roll"})
    assert (shown.seat, shown.text) == (aiplay.CHANCE, str(shown.parts["die"]))
    assert table.events(seat=0, since=ply + 1) == [shown]
    assert table.events(seat=0, since=ply + 2) == []


def test_a_hidden_card_is_a_part_that_is_none():
    table = aiplay.Table(aiplay.load_game("leduc_poker"), seed=3)
    mine, theirs = table.events(seat=0)
    assert mine.parts["card"] is not None
    assert mine.is_seen
    assert theirs.parts == {"verb": "deal", "card": None, "to": 1}
    assert (theirs.text, theirs.is_seen) == ("?", False)
    assert [event.is_seen for event in table.events()] == [True, True]


def test_events_of_a_seat_or_ply_that_cannot_be_are_refused():
    table = aiplay.Table(aiplay.load_game("pig"), seed=2)
    with pytest.raises(ValueError, match="seat is 2; allowed: 0 to 1"):
        table.events(seat=2)
    with pytest.raises(ValueError, match="since is -1; allowed: 0 or more"):
        table.events(since=-1)


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
    table.play("lift B")
    assert [texts(table.game, table.moves, seat)[-1] for seat in (mover, 1 - mover)] == ["lift B", "lift B"]


def test_only_the_seat_that_lifts_a_hat_learns_the_rabbit():
    table = aiplay.Table(aiplay.load_game("magic_rabbit"), seed=3)
    mover = table.to_move
    table.play("lift B")
    rabbit = int(table.state.fields["rabbits"][1])
    assert table.events(mover)[-1].learned == table.events()[-1].learned == {"rabbit": rabbit}
    assert table.events(1 - mover)[-1].learned == {}


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


class OpenBox(FaceDown):
    """Seat 0 opens one of two boxes for everybody; its key tells seat 1 also what was in the box."""

    name = "open_box"

    def setup(self) -> tuple[int, int, int]:  # unused, number of the box with the prize, moves so far
        return (0, -1, 0)

    def to_move(self, state):
        return (self.CHANCE, 0, self.TERMINAL)[state[2]]

    def legal_moves(self, state):
        return [0, 1]

    def perceive(self, state, move, seat):
        return 100 * (1 + move) + (move == state[1]) if state[2] else None

    def conceal(self, state, seat):
        return (0, -1, state[2]) if state[2] < 2 else state

    def determinise(self, view, seat, stream):
        return (0, stream.below(3), 1) if view[2] == 1 else view

    def move_text(self, position, move):
        return f"open box {move}" if position.to_move == 0 else f"prize {move}"

    def learned(self, before, move, after):
        return {"prize": after.fields[1]} if before.to_move == 0 else {}


@pytest.mark.parametrize("prize", range(3))
@pytest.mark.parametrize("box", range(2))
def test_a_public_move_whose_key_tells_an_outcome_is_seen(prize, box):
    for seat in (0, 1):
        hidden, opened = story(OpenBox(), [prize, box], seat)
        assert (hidden.text, hidden.is_seen) == ("prize ?", False)
        assert (opened.text, opened.is_seen, opened.parts) == (
            f"open box {box}",
            True,
            {"verb": f"open box {box}"},
        )


def test_an_event_tells_what_the_move_showed():
    for seat in (0, 1, None):
        assert [event.learned for event in story(OpenBox(), [2, 0], seat)] == [{}, {"prize": 2}]
    assert [event.learned for event in story(FaceDown(), [2, 2, 2], 0)] == [{}] * 3


def test_public_moves_of_games_of_openspiel_are_seen():
    pytest.importorskip("pyspiel")
    from aiplay.interop.openspiel import from_openspiel

    game = from_openspiel("leduc_poker")
    table = aiplay.Table(game, seed=1)
    while not table.over:
        table.play(table.legal_moves()[-1])
    bets = [event for event in table.events(seat=0) if event.seat >= 0]
    assert bets == [event for event in table.events() if event.seat >= 0]
