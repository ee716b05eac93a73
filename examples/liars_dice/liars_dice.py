"""Liar's Dice, a game of bluffing written in Python. The rules are in liars_dice.md."""

from typing import NamedTuple

import aiplay
from aiplay.options import Option

HIDDEN = 0


class Round(NamedTuple):
    dice: tuple[tuple[int, ...], ...]  # of every seat, ascending; HIDDEN in the views of others
    bids: tuple[int, ...] = ()  # so far, ascending
    is_called: bool = False  # the last bid was called a lie


class LiarsDice(aiplay.PythonGame):
    """Liar's Dice: bid on the dice of all seats, or call the last bid a lie."""

    name = "liars_dice"
    OPTIONS = (
        Option("players", 2, "seats", low=2, high=4),
        Option("dice", 2, "dice of each seat", low=1, high=5),
        Option("faces", 6, "faces of a die", low=2, high=6),
        Option("wild", True, "the highest face counts as any other"),
    )
    min_return, max_return, returns_sum = -1.0, 1.0, 0.0
    playout_depth = aiplay.PythonGame.PLAY_TO_THE_END

    def configure(self):
        self.seats, self.n_dice, self.faces = (self.options[name] for name in ("players", "dice", "faces"))
        self.liar = self.seats * self.n_dice * self.faces  # the move; bids are numbered below it
        self.max_moves = self.move_space = self.liar + 1
        self.chance_space = self.faces + 1
        self.max_depth = self.seats * self.n_dice + self.liar + 1

    # ---- The course of a game ------------------------------------------------------------------------------

    def setup(self) -> Round:
        return Round(((),) * self.seats)

    def to_move(self, state):
        if state.is_called:
            return self.TERMINAL
        return self.CHANCE if len(state.dice[-1]) < self.n_dice else len(state.bids) % self.seats

    def chance_outcomes(self, state):
        return [(face, 1 / self.faces) for face in range(1, self.faces + 1)]

    def legal_moves(self, state):
        return range(state.bids[-1] + 1, self.liar + 1) if state.bids else range(self.liar)

    def play(self, state, move):
        if len(state.dice[-1]) < self.n_dice:
            return state._replace(dice=self._rolled(state.dice, move))
        return (
            state._replace(is_called=True) if move == self.liar else state._replace(bids=(*state.bids, move))
        )

    def _rolled(self, dice, face):
        seat = self._roller(dice)
        return (*dice[:seat], tuple(sorted((*dice[seat], face))), *dice[seat + 1 :])

    def _roller(self, dice):
        """The seat that rolls the next die."""
        return next(seat for seat, own in enumerate(dice) if len(own) < self.n_dice)

    def claim(self, bid):
        """The number of dice and the face of a bid."""
        return bid // self.faces + 1, bid % self.faces + 1

    def is_true(self, dice, bid):
        wanted, face = self.claim(bid)
        fitting = {face, self.faces} if self.options["wild"] else {face}
        return sum(die in fitting for own in dice for die in own) >= wanted

    def returns(self, state):
        caller, bidder = len(state.bids) % self.seats, (len(state.bids) - 1) % self.seats
        loser = caller if self.is_true(state.dice, state.bids[-1]) else bidder
        return [-1.0 if seat == loser else 1 / (self.seats - 1) for seat in range(self.seats)]

    # ---- What a seat knows ---------------------------------------------------------------------------------

    def perceive(self, state, move, seat):
        is_hidden = len(state.dice[-1]) < self.n_dice and self._roller(state.dice) != seat
        return None if is_hidden else move

    def conceal(self, state, seat):
        hidden = (own if owner == seat else (HIDDEN,) * len(own) for owner, own in enumerate(state.dice))
        return state._replace(dice=tuple(hidden))

    def determinise(self, view, seat, stream):
        faces = range(1, self.faces + 1)
        dice = (tuple(sorted(die or stream.choice(faces) for die in own)) for own in view.dice)
        return view._replace(dice=tuple(dice))

    # ---- For people ----------------------------------------------------------------------------------------

    def move_text(self, position, move):
        if position.to_move == self.CHANCE:
            return f"roll {move}"
        return "liar" if move == self.liar else "{}x{}".format(*self.claim(move))

    def render(self, position):
        state = position.fields
        dice = " | ".join("".join(str(die or "?") for die in own) or "-" for own in state.dice)
        bids = " ".join("{}x{}".format(*self.claim(bid)) for bid in state.bids)
        return f"dice {dice}  bids {bids or '-'}{' liar' if state.is_called else ''}"


if __name__ == "__main__":
    table = aiplay.Table(LiarsDice(dice=1, faces=4), seed=5)
    players = [
        aiplay.make_player("mixed:iterations=500", seed=1),
        aiplay.make_player("mcts:iterations=500", seed=1),
    ]
    while not table.over:
        seat = table.to_move
        table.play(players[seat].choose(table.view(seat)))
        print(f"{players[seat].name}: {table}")
    print("returns:", table.returns())
