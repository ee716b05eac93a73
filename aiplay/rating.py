"""The rating of a person: which level of a game gives an even chance, from the results against levels so far.

Model: a person of rating r scores 1 / (1 + 10 ** ((elo - r) / 400)) against a level of this Elo, on the scale of the
game (`aiplay.levels`). Before the first result the rating is that of level 3, plus or minus a third of the scale. The
estimate is the most probable rating (maximum a posteriori). People learn, so a result counts less with every later one.

>>> import aiplay
>>> rating = PersonRating(aiplay.load_game("connect_four"))
>>> rating.next_level
3
>>> rating.add(level=3, score=1.0)                              # won
>>> rating.next_level > 3
True
>>> rating.results                                              # plain data: keep it as JSON
[{'level': 3, 'score': 1.0}]
>>> PersonRating(aiplay.load_game("connect_four"), rating.results).next_level == rating.next_level
True
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from aiplay.errors import OptionError
from aiplay.levels import FIRST, LAST, counts_returns, scale_of

if TYPE_CHECKING:
    from aiplay._core.game import Game

__all__ = ["PersonRating", "score_of"]

START = 3  # level of the first game
SPREAD = 1 / 3  # standard deviation of people's ratings around it, as a part of the whole scale
FADING = 0.97  # weight of a result, compared with the next one
KEPT = 100  # results that are kept; older ones weigh less than a twentieth
PER_ELO = math.log(10) / 400
BEYOND = 1000.0  # ratings are looked for this far outside the scale
CLOSE = 1e-6  # Elo
EXAMPLE = {"level": 3, "score": 1.0}


class PersonRating:
    """How strong a person is at a game, on the scale of its levels.

    `results` are those of earlier games, oldest first: the level of the bots, and the person's score from 0 (lost) to
    1 (won). A front end keeps them: they are plain data.
    """

    def __init__(self, game: Game, results: Iterable[Mapping[str, Any]] = ()) -> None:
        if game.is_cooperative:
            raise OptionError(
                f"{game.name} is cooperative: bots are partners there, and no level gives an even chance against them"
            )
        self.game, self._scale = game, scale_of(game.name)
        self._spread = SPREAD * (self._scale[-1] - self._scale[0])
        self.results: list[dict[str, Any]] = []
        for result in _listed(results):
            self.add(result["level"], result["score"])

    def score(self, returns: Sequence[float], seat: int) -> float:
        """Return the score of the person at a seat in a game with these returns."""
        return score_of(self.game, returns, seat)

    def add(self, level: int, score: float) -> None:
        """Take the result of another game into account, in which all bots had this level."""
        if isinstance(level, bool) or not isinstance(level, int) or not FIRST <= level <= LAST:
            raise OptionError(f"level is {level!r}; allowed: a whole number from {FIRST} to {LAST}")
        if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
            raise OptionError(f"score is {score!r}; allowed: a number from 0 to 1")
        self.results = [*self.results, {"level": level, "score": float(score)}][-KEPT:]

    @property
    def rating(self) -> float:
        """The most probable rating, on the Elo scale of the game's levels: level 1 has 0."""
        low, high = min(self._scale) - BEYOND, max(self._scale) + BEYOND
        while high - low > CLOSE:  # bisection: the slope falls as the rating grows
            middle = (low + high) / 2
            low, high = (middle, high) if self._slope(middle) > 0 else (low, middle)
        return (low + high) / 2

    @property
    def error(self) -> float:
        """The standard error of the rating, in Elo."""
        rating = self.rating
        chances = [(weight, self._chance(rating, level)) for weight, level, _ in self._weighted()]
        known = sum(weight * chance * (1 - chance) for weight, chance in chances)
        return 1 / math.sqrt(known * PER_ELO**2 + 1 / self._spread**2)

    @property
    def next_level(self) -> int:
        """The level that gives the person the chance nearest to one half."""
        chances = self.chances
        return FIRST + min(range(len(chances)), key=lambda place: abs(chances[place] - 0.5))

    @property
    def chances(self) -> list[float]:
        """The person's expected score against each level."""
        rating = self.rating
        return [self._chance(rating, level) for level in range(FIRST, LAST + 1)]

    def _chance(self, rating: float, level: int) -> float:
        return 1 / (1 + math.exp((self._scale[level - FIRST] - rating) * PER_ELO))

    def _weighted(self) -> list[tuple[float, int, float]]:
        """Return weight, level and score of every result."""
        ages = range(len(self.results) - 1, -1, -1)
        pairs = zip(ages, self.results, strict=True)
        return [(FADING**age, result["level"], result["score"]) for age, result in pairs]

    def _slope(self, rating: float) -> float:
        """Return the derivative of the logarithm of the probability of a rating."""
        surprise = sum(
            weight * (score - self._chance(rating, level)) for weight, level, score in self._weighted()
        )
        return surprise * PER_ELO - (rating - self._scale[START - FIRST]) / self._spread**2


def score_of(game: Game, returns: Sequence[float], seat: int) -> float:
    """Return the score of a seat: the share of the other seats that it beat; a draw counts half.

    In poker not the hand counts but the chips: the score is the return, 0 for the lowest and 1 for the highest.

    >>> import aiplay
    >>> score_of(aiplay.load_game("three_magicians"), [1.0, 0.0, 1.0], seat=0)
    0.75
    """
    if counts_returns(game.name):
        return (returns[seat] - game.min_return) / (game.max_return - game.min_return)
    others = [result for place, result in enumerate(returns) if place != seat]
    points = [1.0 if returns[seat] > result else 0.5 if returns[seat] == result else 0.0 for result in others]
    return sum(points) / len(points) if points else 0.5


def _listed(results: Any) -> list[Mapping[str, Any]]:
    """Return results that may come from a file; OptionError if they are none."""
    found = list(results) if isinstance(results, Iterable) else [results]
    for result in found:
        if not isinstance(result, Mapping) or result.keys() != {"level", "score"}:
            raise OptionError(f"a result is {result!r}; allowed: a level and a score, as {EXAMPLE}")
    return found
