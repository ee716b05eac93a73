"""The conformance suite: checks that a game, native or written in Python, keeps the contract."""

from __future__ import annotations

import math
import pickle
from collections.abc import Iterator

from aiplay._core.game import Game, Position, State, View
from aiplay._core.measure import perceptions, play_by_policy, play_out
from aiplay._core.stream import RandomStream, check_seed, seed_below
from aiplay._core.typedefs import CHANCE
from aiplay.testing.course import check_evaluate, check_features, play_trial, some
from aiplay.testing.hidden import WORLDS, check_hidden
from aiplay.testing.memory import warn_of_forgetful_views
from aiplay.testing.trial import GameCheckError, Trial

__all__ = ["check_game"]

PLIES = 8  # positions of a game that get the slow checks
ROLLS = 2000  # chance samples per game whose frequencies are compared


def check_game(game: Game, games: int = 50, seed: int = 0) -> None:
    """Play random games, and check everything that players, tables and searches rely on.

    ======  ==================================================================================================
    moves   are ascending, unique, at most ``max_moves``, and below ``move_space`` or ``chance_space`` if the
            game gives them; every notation is unique and parses back
    chance  outcomes are ascending; probabilities are positive with sum 1; samples occur as often as listed
    states  copies are equal and independent; playing never changes an older copy; equal states have equal
            hashes; fields, JSON, bytes and pickles give the state back; the same seed gives the same game
    bounds  games end within ``max_depth`` moves; returns and evaluations are in their ranges; returns add up
            to ``returns_sum`` if the game gives it
    views   hide what the seat cannot notice: a history that ``perceive`` cannot tell from the true one gives
            the same view, bytes, legal moves and priors; a seat can tell its own moves apart;
            observations of native games tell all values of a field apart
    worlds  fit their view, can be played on, vary, and depend only on the view and the seed
    ======  ==================================================================================================

    Raises :class:`GameCheckError` (an ``AssertionError``) that states the problem, the game, the seed and the moves.
    A small game with views that forget how a position came about gets a ``ForgetfulViewsWarning``: that is allowed, but
    players then cannot take into account what earlier moves tell.
    """
    seed = check_seed(seed)
    for number in range(games):
        trial = Trial(game, seed_below(seed, number), f"game {number} of check_game(seed={seed})")
        try:
            if number == 0:
                _check_game_itself(trial)
            _check_trial(trial, number)
        except GameCheckError:
            raise
        except Exception as problem:
            raise trial.error(f"{type(problem).__name__}: {problem}") from problem
    warn_of_forgetful_views(game)


def _check_game_itself(trial: Trial) -> None:
    game = trial.game
    twin = pickle.loads(pickle.dumps(game))
    trial.require(twin == game and hash(twin) == hash(game), "the game from a pickle is different")
    if game.layout is not None:
        _ = game.observation_layout  # raises TypeError for a field whose values would look alike


def _check_trial(trial: Trial, number: int) -> None:
    """Play one game and check it."""
    play_trial(trial)
    _check_end(trial)
    _check_same_again(trial)
    chooser = RandomStream(seed_below(trial.seed, 1))
    for ply in some(range(len(trial.states)), PLIES, chooser):
        trial.at = ply
        _check_position(trial, trial.states[ply], chooser)
    if number < 3:
        _check_frequencies(trial, chooser)
    if trial.game.has_hidden:
        check_hidden(trial, chooser)
    for ply, state in enumerate(trial.states):
        trial.at = ply
        trial.require(
            state.to_bytes() == trial.prints[ply], "a state was changed by playing on from a copy of it"
        )


# ---- The course of a game ----------------------------------------------------------------------------------


def _check_end(trial: Trial) -> None:
    game, state = trial.game, trial.states[-1]
    returns = state.returns()
    trial.require(len(returns) == game.seats, f"{len(returns)} returns for {game.seats} seats")
    for value in returns:
        trial.require(
            game.min_return <= value <= game.max_return,
            f"returns {returns} are not within {game.min_return} .. {game.max_return}",
        )
    trial.require(
        game.returns_sum is None or math.isclose(sum(returns), game.returns_sum, abs_tol=1e-9),
        f"returns {returns} do not add up to {game.returns_sum}, as the game says",
    )
    trial.require(
        not game.is_cooperative or len(set(returns)) == 1, f"a cooperative game with returns {returns}"
    )
    trial.require(state.legal_moves() == [], "there are legal moves, but the game is over")


def _check_same_again(trial: Trial) -> None:
    """Check that the same seed gives the same game, and the same moves give the same positions."""
    stream, state = RandomStream(trial.seed), trial.game.new_state()
    for ply, move in enumerate(trial.moves):
        trial.at = ply
        trial.require(
            state.to_bytes() == trial.prints[ply], "the same moves lead to a different state the second time"
        )
        if state.to_move == CHANCE:
            again = state.play_chance(stream)
        else:
            again = stream.choice(state.legal_moves())
            state.play(again)
        trial.require(
            again == move, f"the same seed gives a different game: {again} is played instead of {move}"
        )
    trial.at = len(trial.moves)
    trial.require(
        state.to_bytes() == trial.prints[-1], "the same moves lead to a different state the second time"
    )
    trial.require(hash(state) == hash(trial.states[-1]), "equal states have different hashes")
    trial.at, state = 0, trial.game.new_state()
    n_played = play_out(state, RandomStream(trial.seed))
    trial.require(
        n_played == len(trial.moves) and state == trial.states[-1],
        "random_playout does not play the moves that the same stream gives move by move",
    )


# ---- One position ------------------------------------------------------------------------------------------


def _check_position(trial: Trial, state: State, chooser: RandomStream) -> None:
    game = trial.game
    _check_round_trips(trial, state)
    _check_copy(trial, state, chooser)
    _check_text(trial, state, chooser)
    for seat in range(game.seats):
        view = state.view(seat)
        trial.require(view.to_move == state.to_move, f"to_move differs on the view of seat {seat}")
        wanted = state.legal_moves() if state.to_move == seat else []
        trial.require(view.legal_moves() == wanted, f"the legal moves differ on the view of seat {seat}")
        _check_round_trips(trial, view)
    if not state.is_over:
        check_evaluate(trial, state)
        check_features(trial, state)
    if state.to_move >= 0:
        _check_text(trial, state.view(state.to_move), chooser)
        _check_priors(trial, state)
        _check_playout_move(trial, state, chooser)
        _check_policy_playout(trial, state, chooser)
        keys = [key for _, key in perceptions(state, state.to_move)]
        trial.require(
            len(set(keys)) == len(keys), f"seat {state.to_move} cannot tell its own moves apart: {keys}"
        )


def _check_round_trips(trial: Trial, position: Position) -> None:
    """Check that copies, pickles, fields, JSON and bytes give an equal position back, with equal bytes and hash."""
    trial.require(str(position.copy()) == str(position), "a copy is drawn differently")
    for way, twin in _round_trips(trial.game, position):
        what = f"{type(position).__name__.lower()} after {way}"
        trial.require(
            twin == position, f"the {what} is different (PythonGame: is setup annotated with its type?)"
        )
        trial.require(twin.to_bytes() == position.to_bytes(), f"the {what} has different bytes")
        trial.require(hash(twin) == hash(position), f"the {what} is equal but has a different hash")


def _round_trips(game: Game, position: Position) -> Iterator[tuple[str, Position]]:
    yield "copy", position.copy()
    yield "pickle", pickle.loads(pickle.dumps(position))
    if isinstance(position, View):
        yield "to_fields and view_from_fields", game.view_from_fields(position.to_fields(), position.seat)
        yield "to_json and view_from_json", game.view_from_json(position.to_json())
        yield "to_bytes and view_from_bytes", game.view_from_bytes(position.to_bytes(), position.seat)
    elif isinstance(position, State):
        yield "to_fields and state_from_fields", game.state_from_fields(position.to_fields())
        yield "to_json and state_from_json", game.state_from_json(position.to_json())
        yield "to_bytes and state_from_bytes", game.state_from_bytes(position.to_bytes())


def _check_copy(trial: Trial, state: State, chooser: RandomStream) -> None:
    """Check that playing on a copy does not change the original."""
    before = state.to_bytes()
    for move in some(state.legal_moves(), 4, chooser):
        twin = state.copy()
        twin.play(move)
        trial.require(
            state.to_bytes() == before, f"playing {move} on a copy changed the state it was copied from"
        )


def _check_text(trial: Trial, position: Position, chooser: RandomStream) -> None:
    """Check that every notation is unique and parses back."""
    moves = position.legal_moves()
    owner: dict[str, int] = {}
    for move in moves:
        text = position.move_text(move)
        trial.require(isinstance(text, str) and text != "", f"the notation of move {move} is {text!r}")
        other = owner.setdefault(text.casefold(), move)
        trial.require(other == move, f"moves {other} and {move} have the same notation {text!r}")
    for move in some(moves, 8, chooser):
        text = position.move_text(move)
        trial.require(
            position.parse_move(text) == move, f"the notation {text!r} of move {move} parses as another move"
        )


def _check_priors(trial: Trial, state: State) -> None:
    priors = state.priors()
    weights = [weight for _, weight in priors]
    trial.require(
        [move for move, _ in priors] == state.legal_moves(), "priors and legal_moves list different moves"
    )
    trial.require(
        all(math.isfinite(w) and w >= 0 for w in weights), f"priors {weights} are not all finite and >= 0"
    )
    trial.require(sum(weights) > 0, "priors are all 0")


def _check_playout_move(trial: Trial, state: State, chooser: RandomStream) -> None:
    moves = state.legal_moves()
    for _ in range(WORLDS):
        move = state.playout_move(chooser)
        trial.require(
            move in moves, f"playout_move returned {move}, which is not one of the legal moves {moves}"
        )


def _check_policy_playout(trial: Trial, state: State, chooser: RandomStream) -> None:
    if not trial.game.offers("policy_playout"):
        return
    seed, limit = chooser.bits(), 1 + chooser.below(trial.game.max_depth)
    quick, slow, stream = state.copy(), state.copy(), RandomStream(seed)
    n_quick, n_slow = play_by_policy(quick, RandomStream(seed), limit), 0
    while n_slow < limit and not slow.is_over:
        if slow.to_move == CHANCE:
            slow.play_chance(stream)
        else:
            slow.play(slow.playout_move(stream))
        n_slow += 1
    trial.require(
        n_quick == n_slow and quick == slow,
        "policy_playout does not play the moves that playout_move gives for the same stream",
    )


def _check_frequencies(trial: Trial, chooser: RandomStream) -> None:
    """Check that chance outcomes are sampled as often as listed: within six standard deviations.

    A correct game fails once in 10**8 checks.
    """
    chances = [ply for ply, state in enumerate(trial.states) if state.to_move == CHANCE]
    plies = some(chances, 2, chooser)
    for ply in plies:
        trial.at = ply
        counts: dict[int, int] = {}
        n = ROLLS // len(plies)
        for _ in range(n):
            move = trial.states[ply].copy().play_chance(chooser)
            counts[move] = counts.get(move, 0) + 1
        outcomes = dict(trial.states[ply].chance_outcomes())
        trial.require(
            counts.keys() <= outcomes.keys(),
            f"chance sampled {set(counts) - set(outcomes)}, which is not listed",
        )
        for move, p in outcomes.items():
            count, allowed = counts.get(move, 0), 6 * math.sqrt(n * p * (1 - p)) + 4
            trial.require(
                abs(count - n * p) <= allowed,
                f"chance outcome {move} has probability {p} but was sampled {count} times of {n}",
            )
