"""check_game finds and names every kind of fault: one deliberately broken game for each."""

import math
from dataclasses import dataclass

import pytest
from toy_games import CARDS, HIDDEN, Bidding, Matches

import aiplay
from aiplay.testing import GameCheckError, check_game

# ---- Moves and chance --------------------------------------------------------------------------------------


class RepeatsAMove(Bidding):
    def legal_moves(self, state):
        return [0, 1, 1]


class RepeatsAMoveOnce(Bidding):
    """Wrong in one late position only."""

    def legal_moves(self, state):
        return [0, 2, 2] if state.bids == (2,) else [0, 1, 2]


class MoveBelowZero(Bidding):
    def legal_moves(self, state):
        return [-1, 0]


class NoMoves(Bidding):
    def legal_moves(self, state):
        return []


class MoreThanMaxMoves(Bidding):
    max_moves = 2

    def chance_outcomes(self, state):
        return [(0, 1.0)] if not state.cards else [(1, 1.0)]


class MoveBeyondItsSpace(Bidding):
    move_space = 2


class OutcomeBeyondItsSpace(Bidding):
    chance_space = 3


class ReturnsAddUpToMore(Bidding):
    returns_sum = 0.125


class ProbabilitiesTooLarge(Bidding):
    def chance_outcomes(self, state):
        return [(card, 0.3) for card in range(CARDS)]


class ProbabilitiesTooSmall(Bidding):
    def chance_outcomes(self, state):
        return [(card, p * 0.999) for card, p in super().chance_outcomes(state)]


class ProbabilityZero(Bidding):
    def chance_outcomes(self, state):
        return [(0, 0.0), *((card, 1 / 3) for card in (1, 2, 3))]


class ProbabilityNegative(Bidding):
    def chance_outcomes(self, state):
        return [(0, -0.5), (1, 1.5)]


class RepeatsAnOutcome(Bidding):
    def chance_outcomes(self, state):
        return [(3, 0.5), (3, 0.5)]


class NotationCollides(Bidding):
    def move_text(self, position, move):
        return f"bid {move // 2}"


class NotationCollidesInCase(Bidding):
    def move_text(self, position, move):
        return ("pass", "Bid", "bid", "raise")[move]


class NotationEmpty(Matches):
    def move_text(self, position, move):
        return ""


class NotationNotParsed(Matches):
    def move_text(self, position, move):
        return f"take  {move}"  # two spaces, which parse_move reduces to one


# ---- Bounds ------------------------------------------------------------------------------------------------


class Endless(Matches):
    def play(self, state, move):
        return (5, 1 - state[1])


class LongerThanItSays(Matches):
    max_depth = 3


class ReturnsTooLarge(Matches):
    def returns(self, state):
        return [2.0, 0.0]


class ReturnsTooSmall(Matches):
    def returns(self, state):
        return [-0.001, 1.0]


class ReturnsNan(Matches):
    def returns(self, state):
        return [math.nan, 0.0]


class ReturnsForOneSeat(Matches):
    def returns(self, state):
        return [1.0]


class CooperatesUnequally(Matches):
    cooperative = True


class EvaluatesTooHigh(Bidding):
    def evaluate(self, state):
        return [1.5, 0.0]


class EvaluatesNan(Bidding):
    def evaluate(self, state):
        return [math.nan, 0.0]


class Raises(Matches):
    def play(self, state, move):
        raise ZeroDivisionError("cannot divide matches")


# ---- States ------------------------------------------------------------------------------------------------


@dataclass(unsafe_hash=True)
class Pile:
    left: int
    seat: int


class ChangesStates(Matches):
    """Changes states in place, and thereby their copies."""

    def setup(self) -> Pile:
        return Pile(5, 0)

    def to_move(self, state):
        return state.seat if state.left else self.TERMINAL

    def legal_moves(self, state):
        return range(1, min(state.left, 2) + 1)

    def play(self, state, move):
        state.left -= move
        state.seat = 1 - state.seat
        return state

    def returns(self, state):
        return [state.seat, 1 - state.seat]


class ChangesStatesRarely(ChangesStates):
    def play(self, state, move):
        if state.left == 4:
            return super().play(state, move)
        return Pile(state.left - move, 1 - state.seat)


class DependsOnTheClock(Matches):
    """The effect of a move depends on something outside the state."""

    ticks = 0

    def play(self, state, move):
        self.ticks += 1
        return (state[0] - 1 - self.ticks % 2, 1 - state[1]) if state[0] == 5 else super().play(state, move)


class HashOfIdentity(Matches):
    def setup(self) -> "OddPair":
        return OddPair(super().setup())

    def play(self, state, move):
        return OddPair(super().play(state, move))


class OddPair(tuple):
    __slots__ = ()

    def __hash__(self):
        return id(self)


class Unhashable(Matches):
    def setup(self) -> list[int]:
        return [5, 0]

    def play(self, state, move):
        return list(super().play(state, move))


class NotAnnotated(Matches):
    def setup(self):
        return (5, 0)


class DrawsAtRandom(Matches):
    drawn = 0

    def render(self, position):
        self.drawn += 1
        return str(self.drawn)


# ---- Hidden information ------------------------------------------------------------------------------------


class ViewShowsAll(Bidding):
    def conceal(self, state, seat):
        return state


class ViewShowsALittle(Bidding):
    """After the first bid, the blank for a hidden card reveals if it is the highest; the sampler uses that."""

    def conceal(self, state, seat):
        def shown(owner, card):
            if owner == seat or card < 0:
                return card
            return HIDDEN - 1 if state.bids and card == CARDS - 1 else HIDDEN

        return state._replace(cards=tuple(shown(*pair) for pair in enumerate(state.cards)))

    def determinise(self, view, seat, stream):
        highest = CARDS - 1
        cards = [highest if card == HIDDEN - 1 else card for card in view.cards]
        left = [c for c in range(CARDS) if c not in cards and not (view.bids and c == highest)]
        cards = [stream.choice(left) if card == HIDDEN else card for card in cards]
        return view._replace(cards=tuple(cards))


class ViewShowsTheOther(Bidding):
    def conceal(self, state, seat):
        return super().conceal(state, 1 - seat)


class ViewForgets(Bidding):
    """A seat notices its own card, but its view does not show it."""

    def conceal(self, state, seat):
        return state._replace(cards=(HIDDEN,) * len(state.cards))

    def determinise(self, view, seat, stream):
        return super().determinise(view, seat, stream)


class SamplerKnowsTheTruth(Bidding):
    """Remembers the latest state that was concealed."""

    truth = None

    def conceal(self, state, seat):
        self.truth = state
        return super().conceal(state, seat)

    def determinise(self, view, seat, stream):
        return self.truth if self.truth is not None else view


class SamplerKnowsTheTruthByView(Bidding):
    """Remembers the first state of every view, and returns it for that view ever after."""

    def __init__(self, **options):
        super().__init__(**options)
        self.truths = {}

    def conceal(self, state, seat):
        view = super().conceal(state, seat)
        if HIDDEN not in state.cards:
            self.truths.setdefault((view, seat), state)
        return view

    def determinise(self, view, seat, stream):
        return self.truths[view, seat]


class SamplerKnowsTheTruthAtTimes(SamplerKnowsTheTruth):
    def determinise(self, view, seat, stream):
        if stream.below(3) == 0 and super().conceal(self.truth, seat) == view:
            return self.truth
        return Bidding.determinise(self, view, seat, stream)


class SamplerAlwaysTheSame(Bidding):
    def determinise(self, view, seat, stream):
        left = [card for card in range(CARDS) if card not in view.cards]
        return view._replace(cards=tuple(left.pop() if card == HIDDEN else card for card in view.cards))


class SamplerDoesNothing(Bidding):
    def determinise(self, view, seat, stream):
        return view


class SamplerChangesTheView(Bidding):
    def determinise(self, view, seat, stream):
        return view._replace(cards=tuple(stream.shuffled(range(CARDS))[: len(view.cards)]))


class SamplerWithItsOwnDice(Bidding):
    stream = aiplay.RandomStream(3)

    def determinise(self, view, seat, stream):
        return super().determinise(view, seat, self.stream)


class WorldsAreNotStates(Bidding):
    """Samples a card that does not exist, which `check` refuses."""

    def determinise(self, view, seat, stream):
        cards = tuple(CARDS + stream.below(9) if card == HIDDEN else card for card in view.cards)
        return view._replace(cards=cards)

    def check(self, fields, seat):
        if any(card >= CARDS for card in fields.cards):
            raise aiplay.InvalidStateError("no such card")


class MovesByHiddenCards(Bidding):
    def legal_moves(self, state):
        return [0, 1, 2] if state.cards[1 - len(state.bids)] == 3 else [0, 1]


class TurnByHiddenCards(Bidding):
    """The highest card bids first."""

    def to_move(self, state):
        seat = super().to_move(state)
        return seat if seat < 0 else seat ^ (state.cards[0] < state.cards[1])


class EndsByHiddenCards(Bidding):
    """The game ends by cards that a view does not show."""

    def to_move(self, state):
        return self.TERMINAL if state.cards[:2] == (3, 2) else super().to_move(state)

    def returns(self, state):
        return [0.0, 0.0]


class DoesNotSeeItsOwnMoves(Bidding):
    def perceive(self, state, move, seat):
        return (
            None if len(state.cards) == 2 and len(state.bids) == seat else super().perceive(state, move, seat)
        )


class NoticesHiddenMoves(Bidding):
    """perceive reveals the cards of the other seat, the view does not."""

    def perceive(self, state, move, seat):
        return move


class NoticesTooLittle(Bidding):
    """The view shows bids that perceive does not tell apart."""

    def perceive(self, state, move, seat):
        return (
            None if len(state.cards) == 2 and len(state.bids) != seat else super().perceive(state, move, seat)
        )


BROKEN = [
    (RepeatsAMove, "legal_moves returned 1 twice"),
    (RepeatsAMoveOnce, "legal_moves returned 2 twice"),
    (MoveBelowZero, "legal_moves returned -1; allowed: whole numbers from 0"),
    (NoMoves, "legal_moves returned 0 moves"),
    (MoreThanMaxMoves, "3 moves; allowed: 1 to max_moves = 2"),
    (MoveBeyondItsSpace, r"legal moves \[0, 1, 2\] are not all below 2, as the game says"),
    (OutcomeBeyondItsSpace, "chance outcomes .* are not all below 3, as the game says"),
    (ProbabilitiesTooLarge, "probabilities of chance_outcomes have the sum 1.2"),
    (ProbabilitiesTooSmall, "probabilities of chance_outcomes have the sum 0.999"),
    (ProbabilityZero, "outcome 0 the probability 0.0; allowed: above 0"),
    (ProbabilityNegative, "outcome 0 the probability -0.5; allowed: above 0"),
    (RepeatsAnOutcome, "chance_outcomes returned 3 twice"),
    (NotationCollides, "moves 0 and 1 have the same notation 'bid 0'"),
    (NotationCollidesInCase, "moves 1 and 2 have the same notation 'bid'"),
    (NotationEmpty, "notation of move 1 is ''"),
    (NotationNotParsed, "no legal move reads 'take  1'"),
    (Endless, "not over after max_depth = 5 moves"),
    (LongerThanItSays, "not over after max_depth = 3 moves"),
    (ReturnsAddUpToMore, r"returns .* do not add up to 0.125, as the game says"),
    (ReturnsTooLarge, "returns returned 2.0 for seat 0; allowed: 0.0 to 1.0"),
    (ReturnsTooSmall, "returns returned -0.001 for seat 0; allowed: 0.0 to 1.0"),
    (ReturnsNan, "returns returned nan for seat 0"),
    (ReturnsForOneSeat, "returns returned 1 numbers"),
    (CooperatesUnequally, "cooperative game with returns"),
    (EvaluatesTooHigh, "evaluate returned 1.5 for seat 0; allowed: 0.0 to 1.0"),
    (EvaluatesNan, "evaluate returned nan for seat 0"),
    (Raises, "ZeroDivisionError: cannot divide matches"),
    (ChangesStates, "changed"),
    (ChangesStatesRarely, "changed"),
    (DependsOnTheClock, "same moves lead to a different state|same seed gives a different game"),
    (HashOfIdentity, "hash"),
    (Unhashable, "unhashable"),
    (NotAnnotated, "state after to_json and state_from_json is different"),
    (DrawsAtRandom, "drawn differently"),
    (ViewShowsAll, "view of seat . reveals what perceive hides"),
    (ViewShowsALittle, "view of seat . reveals what perceive hides"),
    (ViewShowsTheOther, "but its view is the same after both|reveals what perceive hides"),
    (ViewForgets, "but its view is the same after both"),
    (SamplerKnowsTheTruth, "worlds of seat . depend on the truth|does not fit its view|different world"),
    (SamplerKnowsTheTruthByView, "worlds of seat . never vary|depend on the truth"),
    (SamplerKnowsTheTruthAtTimes, "worlds of seat . depend on the truth"),
    (SamplerAlwaysTheSame, "worlds of seat . never vary"),
    (SamplerDoesNothing, "worlds of seat . never vary"),
    (SamplerChangesTheView, "does not fit its view"),
    (
        SamplerWithItsOwnDice,
        "same seed gives seat . a different world|same view and seed give a different one",
    ),
    (WorldsAreNotStates, "is not a complete state: no such card"),
    (MovesByHiddenCards, "legal moves differ on the view of seat|legal moves of seat . differ"),
    (TurnByHiddenCards, "to_move differs on the view of seat"),
    (EndsByHiddenCards, "to_move"),
    (DoesNotSeeItsOwnMoves, "cannot tell its own moves apart"),
    (NoticesHiddenMoves, "but its view is the same after both"),
    (NoticesTooLittle, "view of seat . reveals what perceive hides"),
]


@pytest.mark.parametrize(("cls", "problem"), BROKEN, ids=[cls.__name__ for cls, _ in BROKEN])
def test_a_broken_game_is_found_and_its_fault_named(cls, problem):
    with pytest.raises(GameCheckError, match=problem):
        check_game(cls())


def test_every_broken_game_of_this_file_is_in_the_list():
    defined = {c for base in (Bidding, Matches) for c in _subclasses(base) if c.__module__ == __name__}
    assert defined == {cls for cls, _ in BROKEN}


def _subclasses(cls):
    for sub in cls.__subclasses__():
        yield sub
        yield from _subclasses(sub)


def test_a_game_that_cannot_be_pickled_is_found():
    class Local(Matches):
        __module__ = "elsewhere"

    with pytest.raises(GameCheckError, match="pickle"):
        check_game(Local())
