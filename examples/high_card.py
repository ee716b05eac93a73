"""High card, a game written in Python: two hidden cards and one bet, which the higher card wins."""

from typing import NamedTuple

import aiplay

CARDS, BETS, HIDDEN = range(1, 10), (1, 2, 3), 0


class Round(NamedTuple):
    cards: tuple[int, ...] = ()  # dealt so far, to seat 0 and seat 1; HIDDEN in a view
    moves: tuple[int, ...] = ()  # the bet of seat 0; then seat 1 calls (1) or folds (0)


class HighCard(aiplay.PythonGame):
    name = "high_card"
    seats, max_moves, max_depth, min_return, max_return = 2, len(CARDS), 4, -3.0, 3.0

    def setup(self) -> Round:
        return Round()

    def to_move(self, state):
        return self.CHANCE if len(state.cards) < 2 else (0, 1, self.TERMINAL)[len(state.moves)]

    def legal_moves(self, state):
        return (0, 1) if state.moves else BETS

    def chance_outcomes(self, state):
        left = [card for card in CARDS if card not in state.cards]
        return [(card, 1 / len(left)) for card in left]

    def play(self, state, move):
        if len(state.cards) < 2:
            return state._replace(cards=(*state.cards, move))
        return state._replace(moves=(*state.moves, move))

    def returns(self, state):
        bet, call = state.moves
        won = 1 if not call else bet if state.cards[0] > state.cards[1] else -bet
        return [won, -won]

    def perceive(self, state, move, seat):  # a seat sees every bet and its own card
        return move if len(state.cards) in (seat, 2) else None

    def conceal(self, state, seat):
        return state._replace(cards=tuple(c if s == seat else HIDDEN for s, c in enumerate(state.cards)))

    def determinise(self, view, seat, stream):
        other = stream.choice([card for card in CARDS if card not in view.cards])
        return view._replace(cards=tuple(card or other for card in view.cards))


if __name__ == "__main__":
    table = aiplay.Table(HighCard(), seed=3)
    for player in (aiplay.make_player("mcts:iterations=500", seed=1), aiplay.make_player("random", seed=1)):
        table.play(player.choose(table.view(table.to_move)))
        print(f"{player.name} plays {table.moves[-1]}: {table}")
    print("returns:", table.returns())
