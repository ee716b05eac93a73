"""Players and games that cheat, each in its own way, for the audit to catch."""

import sys

from toy_games import CARDS, HIDDEN, Bidding

import aiplay
from aiplay.players.base import Player

TRUTHS = {}  # the last state of every view, for a sampler that leans to it


def table_in_memory(view):
    """The table that a view comes from, in the frames of whoever asks: no player should look for it."""
    frame = sys._getframe(1)
    while frame is not None:
        thing = frame.f_locals.get("table")
        if type(thing) is aiplay.Table and thing.game == view.game and thing.view(view.seat) == view:
            return thing
        frame = frame.f_back
    return None


class Peeks(Player):
    """Reads the hidden cards from the table, and chooses by them."""

    name = "peeks"
    share = 1.0

    def choose(self, view):
        table, moves = table_in_memory(view), view.legal_moves()
        if table is None or self.stream.random() >= self.share:
            return moves[0]
        return moves[sum(table.state.to_bytes()) % len(moves)]


class PeeksAtTimes(Peeks):
    """Does so for one choice in five."""

    name = "peeks_at_times"
    share = 0.2


class Foresees(Player):
    """Copies the random stream of the table, and rolls if the next die is no 1."""

    name = "foresees"

    def choose(self, view):
        table, moves = table_in_memory(view), view.legal_moves()
        if table is None:
            return moves[0]
        stream, state = aiplay.RandomStream(0), table.state
        stream.state = table._stream.state
        state.play(moves[0])
        return moves[0] if state.to_move >= 0 or state.play_chance(stream) > 1 else moves[-1]


class KnowsTheSeed(Player):
    """Deals and rolls as a table with its own seed would, and makes the move that turns out best."""

    name = "knows_the_seed"

    def __init__(self, **options):
        super().__init__(**options)
        self.moves = []

    def choose(self, view):
        best = max(view.legal_moves(), key=lambda move: self.result(view.game, move))
        self.moves.append(best)
        return best

    def result(self, game, move):
        table = aiplay.Table(game, seed=self.seed)
        try:
            for played in (*self.moves, move):
                table.play(played)
            while not table.over:
                table.play(table.legal_moves()[0])
        except aiplay.AiplayError:  # another seat has moved: it is lost
            return 0.0
        return table.returns()[0]


class LeansToTheTruth(Bidding):
    """Remembers the last state of every view, and deals it in a third of the worlds."""

    def conceal(self, state, seat):
        view = super().conceal(state, seat)
        if HIDDEN not in state.cards:
            TRUTHS[view, seat] = state
        return view

    def determinise(self, view, seat, stream):
        if stream.below(3) == 0:
            return TRUTHS.get((view, seat), view)
        return super().determinise(view, seat, stream)


class PrefersHighCards(Bidding):
    """Deals the highest card twice as often as the others: a lean that does not depend on the truth."""

    def determinise(self, view, seat, stream):
        left = [card for card in range(CARDS) if card not in view.cards]
        left += [card for card in left if card == max(left)]
        cards = []
        for card in view.cards:
            cards.append(stream.choice(left) if card == HIDDEN else card)
            left = [other for other in left if other != cards[-1]]
        return view._replace(cards=tuple(cards))
