"""Invariance: behind every truth that a seat cannot tell from the real one, the same choice for the same reasons."""

from __future__ import annotations

from collections.abc import Sequence

from aiplay._core.game import Game
from aiplay._core.stream import RandomStream, seed_below
from aiplay.audit.cases import Case, ask
from aiplay.audit.power import least_share
from aiplay.audit.result import Breach, Part
from aiplay.audit.subject import Subject
from aiplay.audit.truths import other_truths
from aiplay.errors import AuditError

__all__ = ["check_invariance", "check_repeatable", "same_answers"]

TRUTHS = 3  # for each case
REPEATED = 3  # cases in which the same question is asked twice


def check_repeatable(cases: Sequence[Case], subject: Subject) -> None:
    """Raise AuditError if the same question gets two answers: nothing can be said of such a player."""
    for case in cases[:REPEATED]:
        if ask(case, subject, case.moves, case.seed) != case.answers:
            raise AuditError(
                f"player {subject.name!r} cannot be audited: asked twice, with the same view and seed, it gives two "
                "answers; allowed: a player that uses its seed only, and no limit in time"
            )


def check_invariance(game: Game, cases: Sequence[Case], subject: Subject, seed: int) -> Part:
    """Ask every case again behind other truths."""
    name = "other truths"
    if not game.has_hidden:
        return Part(name, "not tried: nothing is hidden in this game, so there is only one truth")
    count = truths = 0
    breaches: list[Breach] = []
    for number, case in enumerate(cases):
        stream = RandomStream(seed_below(seed, number))
        for moves in other_truths(game, case.moves, case.seat, TRUTHS, stream):
            truths += 1
            count += len(case.answers)
            breaches += same_answers(case, ask(case, subject, moves, case.seed), "choice", "the same view")
    tried = (
        f"{count:,} choices of {len(cases)} games, asked again behind {truths:,} other truths that look the same to "
        "the seat: choice, visits, values and line, of a first search and of one after it"
    )
    if not count:
        return Part(
            name, "not tried: no other truth was found that looks the same to a seat; play more games"
        )
    return Part(name, tried, count, _noticed(count), 0.0, tuple(breaches[:1]))


def _noticed(count: int) -> str:
    return f"a leak that changes {100 * least_share(count):.2g} % of the answers"


def same_answers(case: Case, answers: Sequence[object], promise: str, where: str) -> list[Breach]:
    """Return a breach for the first answer that differs from that of the case."""
    for number, (first, second) in enumerate(zip(case.answers, answers, strict=True)):
        if first != second:
            return [Breach(promise, f"{case.place(number)}: {where}, but {_difference(first, second)}")]
    return []


def _difference(first: Sequence[object], second: object) -> str:
    assert isinstance(second, tuple)
    if first[0] != second[0]:
        return f"move {first[0]} becomes move {second[0]}"
    return f"the analysis differs, while the choice is move {first[0]} both times"
