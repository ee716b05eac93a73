"""The conformance suite: checks that a game, native or written in Python, keeps the contract."""

from __future__ import annotations

import math
import pickle
from collections.abc import Iterator, Sequence

from aiplay._core.game import Game, Position, State, View
from aiplay._core.measure import perceptions, play_out
from aiplay._core.stream import RandomStream, check_seed, seed_below
from aiplay._core.typedefs import CHANCE
from aiplay.errors import AiplayError
from aiplay.testing.trial import GameCheckError, Trial

__all__ = ["check_game"]

PLIES = 8  # positions of a game that get the slow checks
WORLDS = 4  # worlds for each of their views
WORLD_MOVES = 100  # moves to play on from a world
DRAWS = 500  # equal worlds after which a sampler counts as stuck
ROLLS = 2000  # chance samples per game whose frequencies are compared
REPLAYS = 3  # alternative histories to try, for each seat of a game


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


def _check_game_itself(trial: Trial) -> None:
    game = trial.game
    twin = pickle.loads(pickle.dumps(game))
    trial.require(twin == game and hash(twin) == hash(game), "the game from a pickle is different")
    if game.layout is not None:
        _ = game.observation_layout  # raises TypeError for a field whose values would look alike


def _check_trial(trial: Trial, number: int) -> None:
    """Play one game and check it."""
    _play(trial)
    _check_end(trial)
    _check_same_again(trial)
    chooser = RandomStream(seed_below(trial.seed, 1))
    for ply in _some(range(len(trial.states)), PLIES, chooser):
        trial.at = ply
        _check_position(trial, trial.states[ply], chooser)
        if trial.game.has_hidden:
            for seat in range(trial.game.seats):
                _check_worlds(trial, trial.states[ply], seat, chooser)
    if number < 3:
        _check_frequencies(trial, chooser)
    if trial.game.has_hidden:
        for seat in range(trial.game.seats):
            for _ in range(REPLAYS):
                _check_other_history(trial, seat, chooser)
    for ply, state in enumerate(trial.states):
        trial.at = ply
        trial.require(
            state.to_bytes() == trial.prints[ply], "a state was changed by playing on from a copy of it"
        )


def _some(items: Sequence[int], n: int, chooser: RandomStream) -> list[int]:
    """Return up to n items in order, always with the first and the last."""
    if len(items) <= n:
        return list(items)
    inner: list[int] = chooser.shuffled(items[1:-1])
    return [items[0], *sorted(inner[: n - 2]), items[-1]]


# ---- The course of a game ----------------------------------------------------------------------------------


def _play(trial: Trial) -> None:
    """Play a random game, with the checks that are fast enough for every position."""
    game, stream = trial.game, RandomStream(trial.seed)
    state = game.new_state()
    trial.remember(state)
    while not state.is_over:
        trial.require(
            len(trial.moves) < game.max_depth,
            f"the game is not over after max_depth = {game.max_depth} moves",
        )
        options = check_options(trial, state)
        if state.to_move == CHANCE:
            move = state.play_chance(stream)
            trial.require(
                move in options, f"chance sampled {move}, which is not one of the outcomes {options}"
            )
        else:
            move = stream.choice(options)
            state.play(move)
        trial.moves.append(move)
        trial.remember(state)


def check_options(trial: Trial, state: State) -> list[int]:
    """Check and return the legal moves or chance outcomes of a state that is not over."""
    options: list[int] = state.legal_moves()
    limit = trial.game.max_moves
    kind = "chance outcomes" if state.to_move == CHANCE else "legal moves"
    if not options:
        trial.fail(f"no {kind}, but the game is not over")
    if options != sorted(set(options)):
        trial.fail(f"{kind} {options} are not ascending and unique")
    if options[0] < 0:
        trial.fail(f"{kind} {options} are not all at least 0")
    space = trial.game.chance_space if state.to_move == CHANCE else trial.game.move_space
    if space and options[-1] >= space:
        trial.fail(f"{kind} {options} are not all below {space}, as the game says")
    if len(options) > limit:
        trial.fail(f"{len(options)} {kind}, more than max_moves = {limit}")
    if state.to_move == CHANCE:
        _check_probabilities(trial, state.chance_outcomes(), options)
    return options


def _check_probabilities(trial: Trial, outcomes: list[tuple[int, float]], options: list[int]) -> None:
    trial.require(
        [move for move, _ in outcomes] == options, "chance_outcomes and legal_moves list different moves"
    )
    if not all(p > 0 for _, p in outcomes):
        trial.fail(f"chance probabilities are not all positive: {outcomes}")
    total = math.fsum(p for _, p in outcomes)
    if not abs(total - 1) < 1e-9:
        trial.fail(f"chance probabilities sum to {total}, not to 1")


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
    if state.to_move >= 0:
        _check_text(trial, state.view(state.to_move), chooser)
        _check_priors(trial, state)
        _check_playout_move(trial, state, chooser)
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
    for move in _some(state.legal_moves(), 4, chooser):
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
    for move in _some(moves, 8, chooser):
        text = position.move_text(move)
        trial.require(
            position.parse_move(text) == move, f"the notation {text!r} of move {move} parses as another move"
        )


def check_evaluate(trial: Trial, state: State) -> None:
    """Check that the evaluation of every seat is between 0 and 1."""
    values = state.evaluate()
    if len(values) != trial.game.seats:
        trial.fail(f"{len(values)} evaluations for {trial.game.seats} seats")
    if not all(0 <= value <= 1 for value in values):
        trial.fail(f"evaluations {values} are not within 0 .. 1")


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


def _check_frequencies(trial: Trial, chooser: RandomStream) -> None:
    """Check that chance outcomes are sampled as often as listed: within six standard deviations.

    A correct game fails once in 10**8 checks.
    """
    chances = [ply for ply, state in enumerate(trial.states) if state.to_move == CHANCE]
    plies = _some(chances, 2, chooser)
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


# ---- Hidden information, through the game's own sampler ----------------------------------------------------


def _check_worlds(trial: Trial, state: State, seat: int, chooser: RandomStream) -> None:
    """Check both kinds of worlds: sampled by `determinise`, and by `believe` if the game has it."""
    _check_sampler(trial, state, seat, chooser, believed=False)
    if trial.game.offers("believe"):
        _check_sampler(trial, state, seat, chooser, believed=True)


def _check_sampler(trial: Trial, state: State, seat: int, chooser: RandomStream, believed: bool) -> None:
    """Check that worlds fit the view, are complete, and depend only on the view and the seed."""
    view = state.view(seat)
    before = view.to_bytes()
    for _ in range(WORLDS):
        seed = chooser.bits()
        world = view.sample_world(seed, believed)
        trial.aside = f"view({seat}).sample_world({seed}, {believed})"
        trial.require(view.to_bytes() == before, f"sampling a world changed the view of seat {seat}")
        trial.require(
            view.sample_world(seed, believed) == world, f"the same seed gives seat {seat} a different world"
        )
        _check_fit(trial, state, view, world)
        # A sampler that leaks the truth (through a cache, for example) would now leak this world instead.
        trial.require(
            world.view(seat).sample_world(seed, believed) == world,
            f"the worlds of seat {seat} depend on the truth: the same view and seed give a different one",
        )
    _play_on(trial, world, trial.aside, chooser)


def _check_fit(trial: Trial, state: State, view: View, world: State) -> None:
    seat = view.seat
    again = world.view(seat)
    if again != view or again.to_bytes() != view.to_bytes():
        trial.fail(
            f"a world of seat {seat} does not fit its view: concealed again, it is "
            f"{again.to_json()}, not {view.to_json()}"
        )
    trial.require(world.to_move == view.to_move, f"to_move differs in a world of seat {seat}")
    try:
        trial.game.state_from_bytes(world.to_bytes())
    except AiplayError as problem:
        trial.fail(f"a world of seat {seat} is not a complete state: {problem} {world.to_json()}")
    if view.to_move == seat:
        _check_same_choice(trial, state, world, "in a world")


def _check_same_choice(trial: Trial, state: State, other: State, where: str) -> None:
    """Check that the seat to move has the same choice in two states that look the same to it."""
    seat = state.to_move
    trial.require(
        other.legal_moves() == state.legal_moves(), f"the legal moves of seat {seat} differ {where}"
    )
    here, there = [weight for _, weight in state.priors()], [weight for _, weight in other.priors()]
    same = all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) for a, b in zip(here, there, strict=True))
    trial.require(same, f"the priors of seat {seat} differ {where}: they depend on what the seat cannot see")
    for seed in range(WORLDS):
        moves = [s.playout_move(RandomStream(seed)) for s in (state, other)]
        trial.require(
            moves[0] == moves[1],
            f"playout_move of seat {seat} differs {where}: it depends on what the seat cannot see",
        )


def _play_on(trial: Trial, world: State, origin: str, chooser: RandomStream) -> None:
    """Check that a world can be evaluated and played on like any state."""
    state, moves = world.copy(), list[int]()
    for _ in range(WORLD_MOVES):
        trial.aside = f"{origin}, and in it {moves}"
        if state.is_over:
            break
        options = check_options(trial, state)
        check_evaluate(trial, state)
        moves.append(state.play(chooser.choice(options)))
    trial.aside = ""


def _check_variety(trial: Trial, state: State, other: State, seat: int, chooser: RandomStream) -> None:
    """Check the worlds of a view that two truths share: they vary, and do not depend on which truth it was."""
    seeds = [chooser.bits() for _ in range(WORLDS)]
    theirs = [other.view(seat).sample_world(seed) for seed in seeds]
    ours = [state.view(seat).sample_world(seed) for seed in seeds]
    trial.require(
        ours == theirs,
        f"the worlds of seat {seat} depend on the truth: the same view and seed give a different one",
    )
    view = state.view(seat)
    if any(world != ours[0] for world in ours) or any(
        view.sample_world(chooser.bits()) != ours[0] for _ in range(DRAWS)
    ):
        return
    truth = "the true state" if ours[0] == state else "one of several possible states"
    trial.fail(f"the worlds of seat {seat} never vary: {DRAWS} samples are all {truth}")


# ---- Hidden information, through perceive alone ------------------------------------------------------------


def _check_other_history(trial: Trial, seat: int, chooser: RandomStream) -> None:
    """Replay the game with other moves that look the same to `seat`: it must not see a difference.

    From a random ply on, a move is replaced by another one with the same key. Later moves are kept if they are legal
    and look the same, and replaced otherwise. If neither is possible, the replay ends.
    """
    if not trial.moves:
        return
    start = chooser.below(len(trial.moves))
    eager = chooser.below(2) == 1  # replace every move that can be, or as few as possible
    state, deviated, met = trial.states[start].copy(), False, False
    for ply in range(start, len(trial.moves)):
        trial.at, move = ply + 1, trial.moves[ply]
        truth = trial.states[ply]
        key = dict(perceptions(truth, seat))[move]
        same = [m for m, k in perceptions(state, seat) if k == key]
        if not same:
            return
        other = [m for m in same if m != move]
        if other and (eager or not deviated):
            move, deviated = chooser.choice(other), True
        elif move not in same:
            move = chooser.choice(same)
        _check_forgotten(trial, state, seat, move, key)
        state.play(move)
        if deviated:
            met = _compare_histories(trial, trial.states[ply + 1], state, seat, chooser, met)


def _compare_histories(
    trial: Trial, truth: State, other: State, seat: int, chooser: RandomStream, met: bool
) -> bool:
    """Check that two states look the same to `seat`; return True if worlds have been compared in this replay.

    A view may show everything once the game is over: no decision is left.
    """
    trial.require(
        truth.to_move == other.to_move, f"to_move reveals to seat {seat} what perceive hides from it"
    )
    if truth.is_over:
        return met
    ours, theirs = truth.view(seat), other.view(seat)
    if ours != theirs or ours.to_bytes() != theirs.to_bytes():
        trial.fail(
            f"the view of seat {seat} reveals what perceive hides: it is {ours.to_json()}, "
            f"but after moves that look the same {theirs.to_json()}"
        )
    if truth.to_move == seat:
        _check_same_choice(trial, truth, other, "after a history that looks the same")
    if truth != other and (not met or chooser.below(PLIES) == 0):
        _check_variety(trial, truth, other, seat, chooser)
        return True
    return met


def _check_forgotten(trial: Trial, state: State, seat: int, move: int, key: int) -> None:
    """Check that a view shows what its seat noticed: moves with different keys lead to different views."""
    if state.to_move == seat:
        return
    other = next((m for m, k in perceptions(state, seat) if k != key), None)
    if other is None:
        return
    first, second = state.copy(), state.copy()
    first.play(move)
    second.play(other)
    trial.require(
        first == second or first.is_over or second.is_over or first.view(seat) != second.view(seat),
        f"seat {seat} perceives moves {move} and {other} differently, but its view is the same after both",
    )
