"""No foresight: whatever dice and cards are still to come, the same choice for the same reasons."""

from __future__ import annotations

from collections.abc import Sequence

from aiplay._core.game import Game
from aiplay._core.stream import seed_below
from aiplay.audit.cases import Case, ask
from aiplay.audit.invariance import same_answers
from aiplay.audit.power import least_share
from aiplay.audit.result import Breach, Part
from aiplay.audit.subject import Subject

__all__ = ["check_foresight"]

FUTURES = 2  # for each case


def check_foresight(game: Game, cases: Sequence[Case], subject: Subject, seed: int) -> Part:
    """Ask every case again at a table with the same past and another random stream from there on."""
    name = "other futures"
    if not game.has_chance:
        return Part(name, "not tried: nothing is random in this game, so there is nothing to foresee")
    count = 0
    breaches: list[Breach] = []
    for number, case in enumerate(cases):
        for future in range(FUTURES):
            other = seed_below(seed_below(seed, number), future)
            count += len(case.answers)
            breaches += same_answers(
                case, ask(case, subject, case.moves, other), "future", "only the future is another"
            )
    tried = f"{count:,} choices of {len(cases)} games, asked again at tables with other dice and cards from there on"
    noticed = f"foresight that changes {100 * least_share(count):.2g} % of the answers" if count else ""
    return Part(name, tried, count, noticed, 0.0, tuple(breaches[:1]))
