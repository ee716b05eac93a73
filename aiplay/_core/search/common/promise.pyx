"""The errors about games that break a promise which a search relies on."""

from aiplay._core.game cimport Game, View

from aiplay.errors import ContractError


cdef int raise_broken(View view) except -1:
    view.game.raise_failure()
    raise ContractError(
        f"{view.game.name}: seat {view.seat} has other moves in a sampled world than in its view, or is not to move "
        "there. legal_moves and to_move may depend only on what that seat sees, and determinise has to return a world "
        "that fits the view"
    )


cdef int raise_uneven(Game game) except -1:
    game.raise_failure()
    raise ContractError(
        f"{game.name}: a seat has more moves in one position than in another, although it sees the same in both. "
        "legal_moves may depend only on what that seat sees"
    )


cdef int raise_unsteady(View view) except -1:
    raise ContractError(
        f"{view.game.name}: a move that the search made is not legal when its line is played again. legal_moves, play "
        "and chance_outcomes have to give the same result for the same state"
    )
