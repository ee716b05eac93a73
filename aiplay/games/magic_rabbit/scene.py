"""Scenes of Magic Rabbit: the row of piles, the turns, the log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from msgspec import UNSET, Struct, UnsetType

from aiplay._core.games.magic_rabbit.state import (
    ACTION,
    DOVE,
    MAX_PILES,
    MAX_PLAYERS,
    MAX_TURNS,
    N_LOGGED,
    OVER,
    SWITCH_HATS,
    SWITCH_PILES,
)
from aiplay.errors import InvalidStateError
from aiplay.games.magic_rabbit.moves import PILES, decision_move, decision_parts
from aiplay.games.magic_rabbit.render import PHASES, are_hats_hidden, has_succeeded
from aiplay.scene import Scene

if TYPE_CHECKING:
    from aiplay._core.game import Game, Position

__all__ = ["Lift", "MagicRabbitScene", "Pile", "Seat", "Turn", "fields_of", "scene_of"]

DEAL = "deal"
KINDS = {PHASES[ACTION]: ACTION, PHASES[DOVE]: DOVE, PHASES[OVER]: OVER}


class Part(Struct, forbid_unknown_fields=True):
    """A part of the scene."""


class Lift(Part, kw_only=True):
    """A seat that has seen the rabbit of a pile."""

    seat: int
    turn: int  # in which it first lifted this rabbit


class Pile(Part, kw_only=True):
    """A hat with its rabbit.

    Its memory (`lifted`, `hat_since`, `here_since`) may be left out if the log holds all turns.
    """

    name: str | UnsetType = UNSET  # a letter, A at the Magician's end
    hat: int | None  # None: not dealt yet
    rabbit: int | None  # None: hidden, or not dealt yet
    dove: bool  # True: it cannot be lifted or switched
    lifted: list[Lift] | UnsetType = UNSET  # the seats that have seen its rabbit, wherever that was
    hat_since: int | UnsetType | None = (
        UNSET  # the turn in which a switch of hats gave it its hat; None: the deal
    )
    here_since: int | UnsetType | None = (
        UNSET  # the turn in which a switch of piles brought it here; None: the deal
    )


class Turn(Part, kw_only=True):
    """A turn of the log. Decisions are given by their parts, as those of a move."""

    turn: int | UnsetType = UNSET  # counted from 1
    seat: int | UnsetType = UNSET
    action: dict[str, str]  # {"verb": "lift", "pile": "C"}
    dove: dict[str, str] | None  # {"verb": "stay"}; None: to be decided


class Seat(Part, kw_only=True):
    """The rabbits that a seat has seen."""

    has_seen: list[str]  # the piles whose rabbit it has lifted, where they are now


class MagicRabbitScene(Scene, kw_only=True):
    """Magic Rabbit: the row of piles, the turns, the log."""

    piles: list[Pile]  # from the Magician's end
    phase: Literal["deal", "to act", "to move a dove", "over"]
    first_seat: int | None  # that took the first turn; None: the deal is not finished
    turns_played: int  # finished turns
    log: list[Turn]  # the last 32 turns, oldest first; all turns may be given
    rabbits_dealt: int | UnsetType = UNSET  # all of them after the deal
    to_move: int | UnsetType | None = UNSET  # None: chance, or the game is over
    turns_left: int | UnsetType | None = UNSET  # with the current one; None: there is no hourglass
    seats: list[Seat] | UnsetType = UNSET
    hats_hidden: bool | UnsetType = UNSET  # True: drawings hide the hats under doves
    succeeded: bool | UnsetType | None = UNSET  # None: the game is not over


# ---- From a position ---------------------------------------------------------------------------------------


def scene_of(position: Position) -> MagicRabbitScene:
    """Return the scene of a position."""
    game, values = position.game, position.to_fields()
    n_piles, turns, n_turns = game.options["piles"], game.options["turns"], values["n_turns"]
    is_dealt = values["n_dealt"] > 2 * n_piles
    piles = [_pile(values, pile, game.seats) for pile in range(n_piles)]
    phase = PHASES[OVER] if position.is_over else PHASES[values["phase"]]
    return MagicRabbitScene(
        piles=piles,
        phase=phase if is_dealt else DEAL,  # type: ignore[arg-type]
        first_seat=(values["seat"] - n_turns) % game.seats if is_dealt else None,
        turns_played=n_turns,
        log=_log(values, game.seats),
        rabbits_dealt=min(max(values["n_dealt"] - n_piles, 0), n_piles),
        to_move=position.to_move if position.to_move >= 0 else None,
        turns_left=turns - n_turns if turns else None,
        seats=[
            Seat(has_seen=[PILES[i] for i in range(n_piles) if values["lifted"][i][seat]])
            for seat in range(game.seats)
        ],
        hats_hidden=are_hats_hidden(position),
        succeeded=has_succeeded(position) if position.is_over else None,
    )


def _pile(values: dict[str, Any], pile: int, seats: int) -> Pile:
    lifts = sorted((turn, seat) for seat, turn in enumerate(values["lifted"][pile][:seats]) if turn)
    return Pile(
        name=PILES[pile],
        hat=values["hats"][pile] or None,
        rabbit=values["rabbits"][pile] or None,
        dove=bool(values["doves"] >> pile & 1),
        lifted=[Lift(seat=seat, turn=turn) for turn, seat in lifts],
        hat_since=values["rehatted"][pile] or None,
        here_since=values["switched"][pile] or None,
    )


def _log(values: dict[str, Any], seats: int) -> list[Turn]:
    n_turns = values["n_turns"]
    last = n_turns + (values["phase"] == DOVE)
    log = []
    for turn in range(max(last - N_LOGGED, 0) + 1, last + 1):
        action, dove = (values[name][(turn - 1) % N_LOGGED] for name in ("actions", "dove_moves"))
        log.append(
            Turn(
                turn=turn,
                seat=(values["seat"] + turn - n_turns - 1) % seats,
                action=decision_parts(action),
                dove=decision_parts(dove) if dove else None,
            )
        )
    return log


# ---- To a position -----------------------------------------------------------------------------------------


def fields_of(scene: MagicRabbitScene, game: Game) -> dict[str, Any]:
    """Return the fields of the position with a scene.

    The log and the lifts of the scene are brought into the order of `scene_of`.
    """
    _check_numbers(scene, game)
    last = scene.turns_played + (scene.phase == PHASES[DOVE])
    actions, doves = _logged(scene, last)
    memory = _remembered(scene, actions, game) if len(actions) == last else _given(scene, last)
    scene.log = scene.log[-N_LOGGED:]
    is_dealt = scene.phase != DEAL
    n_piles, limit = len(scene.piles), game.options["turns"] or MAX_TURNS
    is_out_of_turns = scene.phase == PHASES[OVER] and scene.turns_played == limit
    return {
        **memory,
        "hats": _row(pile.hat or 0 for pile in scene.piles),
        "rabbits": _row(pile.rabbit or 0 for pile in scene.piles),
        "doves": sum(pile.dove << i for i, pile in enumerate(scene.piles)),
        "n_dealt": 2 * n_piles + 1 if is_dealt else _n_dealt(scene),
        "n_turns": scene.turns_played,
        "seat": ((scene.first_seat or 0) + scene.turns_played) % game.seats,
        "phase": KINDS[scene.phase] if is_dealt and not is_out_of_turns else ACTION,
        "actions": _ring(actions, last),
        "dove_moves": _ring(doves, last),
    }


def _require(entry: str, value: Any, low: int, high: int) -> None:
    if value is None or not low <= value <= high:
        raise InvalidStateError(f"the scene: {entry} is {value}; allowed: {low} to {high}")


def _check_numbers(scene: MagicRabbitScene, game: Game) -> None:
    """Every number of the scene is one of the game."""
    n_piles, is_dealt = game.options["piles"], scene.phase != DEAL
    if len(scene.piles) != n_piles:
        raise InvalidStateError(f"the scene: piles has {len(scene.piles)} entries; allowed: {n_piles}")
    _require("turns_played", scene.turns_played, 0, (game.options["turns"] or MAX_TURNS) if is_dealt else 0)
    if is_dealt:
        _require("first_seat", scene.first_seat, 0, game.seats - 1)
    elif scene.first_seat is not None:
        raise InvalidStateError(f"the scene: first_seat is {scene.first_seat}; allowed in the deal: None")
    for i, pile in enumerate(scene.piles):
        if is_dealt or pile.hat is not None:
            _require(f"piles[{i}].hat", pile.hat, 1, n_piles)
        if pile.rabbit is not None:
            _require(f"piles[{i}].rabbit", pile.rabbit, 1, n_piles)
        for k, lift in enumerate(pile.lifted or ()):
            _require(f"piles[{i}].lifted[{k}].seat", lift.seat, 0, game.seats - 1)
            _require(f"piles[{i}].lifted[{k}].turn", lift.turn, 1, MAX_TURNS)
        for name in ("hat_since", "here_since"):
            if getattr(pile, name) not in (UNSET, None):
                _require(f"piles[{i}].{name}", getattr(pile, name), 1, MAX_TURNS)
        if pile.lifted is not UNSET:
            pile.lifted.sort(key=lambda lift: lift.turn)


def _n_dealt(scene: MagicRabbitScene) -> int:
    """Hats and rabbits that are dealt, during the deal."""
    n_hats = sum(pile.hat is not None for pile in scene.piles)
    n_rabbits = scene.rabbits_dealt
    if n_rabbits is UNSET:
        n_rabbits = sum(pile.rabbit is not None for pile in scene.piles)
    _require("rabbits_dealt", n_rabbits, 0, len(scene.piles) if n_hats == len(scene.piles) else 0)
    return n_hats + n_rabbits


def _logged(scene: MagicRabbitScene, last: int) -> tuple[list[int], list[int]]:
    """The actions and the decisions about doves of the log, 0 for one that is still to be made."""
    if len(scene.log) not in (last, min(last, N_LOGGED)):
        raise InvalidStateError(
            f"the scene: log has {len(scene.log)} turns; allowed: {min(last, N_LOGGED)}, the last ones, or all {last}"
        )
    actions, doves = [], []
    for i, turn in enumerate(scene.log):
        is_open = i == len(scene.log) - 1 and scene.phase == PHASES[DOVE]
        actions.append(_decision(f"log[{i}].action", turn.action, "lift, hats, piles"))
        turn.action = decision_parts(actions[-1])  # the piles of a switch may have been in the other order
        if is_open and turn.dove is not None:
            raise InvalidStateError(
                f"the scene: log[{i}].dove is {turn.dove}; allowed: None, it is to be decided"
            )
        doves.append(0 if is_open else _decision(f"log[{i}].dove", turn.dove, "dove, stay"))
    return actions, doves


def _decision(entry: str, parts: dict[str, str] | None, verbs: str) -> int:
    move = decision_move(parts or {})
    if move is None or (parts or {})["verb"] not in verbs.split(", "):
        raise InvalidStateError(
            f"the scene: {entry} is {parts}; allowed: the parts of a move with the verb {verbs}"
        )
    return move


def _remembered(scene: MagicRabbitScene, actions: list[int], game: Game) -> dict[str, list[Any]]:
    """The memory of the piles after these actions, from the first turn on."""
    lifted = [[0] * MAX_PLAYERS for _ in range(MAX_PILES)]
    rehatted, switched = [0] * MAX_PILES, [0] * MAX_PILES
    for i, action in enumerate(actions):
        turn, seat = i + 1, ((scene.first_seat or 0) + i) % game.seats
        piles = [PILES.index(pile) for part, pile in decision_parts(action).items() if part != "verb"]
        first, second = piles[0], piles[-1]
        if action < SWITCH_HATS:
            lifted[first][seat] = lifted[first][seat] or turn
        elif action < SWITCH_PILES:
            rehatted[first] = rehatted[second] = turn
        else:
            lifted[first], lifted[second] = lifted[second], lifted[first]
            rehatted[first], rehatted[second] = rehatted[second], rehatted[first]
            switched[first] = switched[second] = turn
    return {"lifted": lifted, "rehatted": rehatted, "switched": switched}


def _given(scene: MagicRabbitScene, last: int) -> dict[str, list[Any]]:
    """The memory of the piles, as the scene gives it."""
    lifted = [[0] * MAX_PLAYERS for _ in range(MAX_PILES)]
    for i, pile in enumerate(scene.piles):
        for name in ("lifted", "hat_since", "here_since"):
            if getattr(pile, name) is UNSET:
                raise InvalidStateError(
                    f"the scene: piles[{i}].{name} is missing; it follows only from a log of all {last} turns"
                )
        for lift in pile.lifted or ():
            lifted[i][lift.seat] = lift.turn
    return {
        "lifted": lifted,
        "rehatted": _row(pile.hat_since or 0 for pile in scene.piles),
        "switched": _row(pile.here_since or 0 for pile in scene.piles),
    }


def _row(values: Any) -> list[int]:
    """A value for every pile, and 0 for piles that do not exist."""
    return ([*values] + [0] * MAX_PILES)[:MAX_PILES]


def _ring(moves: list[int], last: int) -> list[int]:
    """The last moves as the struct holds them: that of turn t at index (t - 1) % N_LOGGED."""
    ring = [0] * N_LOGGED
    for i, move in enumerate(reversed(moves[-N_LOGGED:])):
        ring[(last - 1 - i) % N_LOGGED] = move
    return ring
