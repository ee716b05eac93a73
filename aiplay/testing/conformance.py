"""The conformance suite: whether a game, native or written in Python, keeps the contract."""

from __future__ import annotations

import math
import pickle
from collections.abc import Iterator, Sequence

from aiplay._core.game import Game, Position, State, View
from aiplay._core.measure import perceptions, play_out
from aiplay._core.stream import RandomStream, check_seed, seed_below
from aiplay._core.typedefs import CHANCE
from aiplay.errors import AiplayError
from aiplay.testing.line import GameCheckError, Line

__all__ = ["check_game"]

PLIES = 8  # positions of a game that get the slow checks
WORLDS = 4  # worlds for each view among them
WORLD_MOVES = 100  # moves to play on from a world
DRAWS = 500  # worlds until a sampler that never varies is called stuck
ROLLS = 2000  # samples of chance decisions whose frequencies are compared, per game
REPLAYS = 3  # other histories to look for, for each seat of a game


def check_game(game: Game, games: int = 50, seed: int = 0) -> None:
    """Play random games and check everything that players, tables and searches rely on.

    ======  ==================================================================================================
    moves   ascending, unique, at most ``max_moves``, below ``move_space`` or ``chance_space`` where
            the game gives them; every notation is unique and parses back
    chance  outcomes ascending, probabilities positive, summing to 1, samples as probable as listed
    states  copies are equal and independent; playing never changes an older copy; equal states have equal
            hashes; JSON, bytes and pickle round trips; the same seed gives the same game
    bounds  games end within ``max_depth`` moves; returns and evaluations lie in their ranges,
            returns add up to ``returns_sum`` where the game gives it
    views   hide what the seat cannot notice: another history that ``perceive`` cannot tell from the true one
            gives the same view, bytes, legal moves and priors; a seat tells its own moves apart
    worlds  fit their view, can be played on, vary, and depend on nothing but the view and the seed
    ======  ==================================================================================================

    Raises :class:`GameCheckError` (an ``AssertionError``) that names the problem with game, seed and moves.
    """
    seed = check_seed(seed)
    for number in range(games):
        line = Line(game, seed_below(seed, number), f"game {number} of check_game(seed={seed})")
        try:
            if number == 0:
                _check_game_itself(line)
            _check_line(line, number)
        except GameCheckError:
            raise
        except Exception as problem:
            raise line.error(f"{type(problem).__name__}: {problem}") from problem


def _check_game_itself(line: Line) -> None:
    game = line.game
    twin = pickle.loads(pickle.dumps(game))
    line.require(twin == game and hash(twin) == hash(game), "the pickled game is another game")


def _check_line(line: Line, number: int) -> None:
    """Play one game and check it, each kind of check in a function of its own."""
    _play(line)
    _check_end(line)
    _check_same_again(line)
    chooser = RandomStream(seed_below(line.seed, 1))
    for ply in _some(range(len(line.states)), PLIES, chooser):
        line.at = ply
        _check_position(line, line.states[ply], chooser)
        if line.game.has_hidden:
            for seat in range(line.game.seats):
                _check_worlds(line, line.states[ply], seat, chooser)
    if number < 3:
        _check_frequencies(line, chooser)
    if line.game.has_hidden:
        for seat in range(line.game.seats):
            for _ in range(REPLAYS):
                _check_other_history(line, seat, chooser)
    for ply, state in enumerate(line.states):
        line.at = ply
        line.require(
            state.to_bytes() == line.prints[ply], "a state was changed by playing on from a copy of it"
        )


def _some(items: Sequence[int], n: int, chooser: RandomStream) -> list[int]:
    """Up to n items in order, the first and the last among them."""
    if len(items) <= n:
        return list(items)
    inner: list[int] = chooser.shuffled(items[1:-1])
    return [items[0], *sorted(inner[: n - 2]), items[-1]]


# ---- The course of a game ----------------------------------------------------------------------------------


def _play(line: Line) -> None:
    """A random game, with the checks that are quick enough for every position."""
    game, stream = line.game, RandomStream(line.seed)
    state = game.new_state()
    line.remember(state)
    while not state.is_over:
        line.require(
            len(line.moves) < game.max_depth, f"the game is not over after max_depth = {game.max_depth} moves"
        )
        options = check_options(line, state)
        if state.to_move == CHANCE:
            move = state.play_chance(stream)
            line.require(move in options, f"chance sampled {move}, which is not among the outcomes {options}")
        else:
            move = stream.choice(options)
            state.play(move)
        line.moves.append(move)
        line.remember(state)


def check_options(line: Line, state: State) -> list[int]:
    """The legal moves or chance outcomes of a state that is not over, checked."""
    options: list[int] = state.legal_moves()
    limit = line.game.max_moves
    kind = "chance outcomes" if state.to_move == CHANCE else "legal moves"
    if not options:
        line.fail(f"no {kind}, but the game is not over")
    if options != sorted(set(options)):
        line.fail(f"{kind} {options} are not ascending and unique")
    if options[0] < 0:
        line.fail(f"{kind} {options} are not all at least 0")
    space = line.game.chance_space if state.to_move == CHANCE else line.game.move_space
    if space and options[-1] >= space:
        line.fail(f"{kind} {options} are not all below {space}, as the game says")
    if len(options) > limit:
        line.fail(f"{len(options)} {kind}, more than max_moves = {limit}")
    if state.to_move == CHANCE:
        _check_probabilities(line, state.chance_outcomes(), options)
    return options


def _check_probabilities(line: Line, outcomes: list[tuple[int, float]], options: list[int]) -> None:
    line.require(
        [move for move, _ in outcomes] == options, "chance_outcomes and legal_moves list different moves"
    )
    if not all(p > 0 for _, p in outcomes):
        line.fail(f"chance probabilities are not all positive: {outcomes}")
    total = math.fsum(p for _, p in outcomes)
    if not abs(total - 1) < 1e-9:
        line.fail(f"chance probabilities sum to {total}, not to 1")


def _check_end(line: Line) -> None:
    game, state = line.game, line.states[-1]
    returns = state.returns()
    line.require(len(returns) == game.seats, f"{len(returns)} returns for {game.seats} seats")
    for value in returns:
        line.require(
            game.min_return <= value <= game.max_return,
            f"returns {returns} are not within {game.min_return} .. {game.max_return}",
        )
    line.require(
        game.returns_sum is None or math.isclose(sum(returns), game.returns_sum, abs_tol=1e-9),
        f"returns {returns} do not add up to {game.returns_sum}, as the game says",
    )
    line.require(
        not game.is_cooperative or len(set(returns)) == 1, f"a cooperative game with returns {returns}"
    )
    line.require(state.legal_moves() == [], "there are legal moves, but the game is over")


def _check_same_again(line: Line) -> None:
    """The same seed gives the same game, and the moves alone give the same positions."""
    stream, state = RandomStream(line.seed), line.game.new_state()
    for ply, move in enumerate(line.moves):
        line.at = ply
        line.require(
            state.to_bytes() == line.prints[ply], "the same moves lead to another state the second time"
        )
        if state.to_move == CHANCE:
            again = state.play_chance(stream)
        else:
            again = stream.choice(state.legal_moves())
            state.play(again)
        line.require(again == move, f"the same seed gives another game: {again} is played instead of {move}")
    line.at = len(line.moves)
    line.require(state.to_bytes() == line.prints[-1], "the same moves lead to another state the second time")
    line.require(hash(state) == hash(line.states[-1]), "equal states have different hashes")
    line.at, state = 0, line.game.new_state()
    n_played = play_out(state, RandomStream(line.seed))
    line.require(
        n_played == len(line.moves) and state == line.states[-1],
        "random_playout plays other moves than the same stream gives move by move",
    )


# ---- One position ------------------------------------------------------------------------------------------


def _check_position(line: Line, state: State, chooser: RandomStream) -> None:
    game = line.game
    _check_round_trips(line, state)
    _check_copy(line, state, chooser)
    _check_text(line, state, chooser)
    for seat in range(game.seats):
        view = state.view(seat)
        line.require(view.to_move == state.to_move, f"to_move differs on the view of seat {seat}")
        wanted = state.legal_moves() if state.to_move == seat else []
        line.require(view.legal_moves() == wanted, f"the legal moves differ on the view of seat {seat}")
        _check_round_trips(line, view)
    if not state.is_over:
        check_evaluate(line, state)
    if state.to_move >= 0:
        _check_text(line, state.view(state.to_move), chooser)
        _check_priors(line, state)
        _check_playout_move(line, state, chooser)
        keys = [key for _, key in perceptions(state, state.to_move)]
        line.require(
            len(set(keys)) == len(keys), f"seat {state.to_move} cannot tell its own moves apart: {keys}"
        )


def _check_round_trips(line: Line, position: Position) -> None:
    """JSON, bytes and pickle give an equal position back, and equal positions look the same from outside."""
    line.require(str(position.copy()) == str(position), "a copy is drawn in another way")
    for way, twin in _round_trips(line.game, position):
        what = f"{type(position).__name__.lower()} after {way}"
        line.require(
            twin == position, f"the {what} is another one (PythonGame: is setup annotated with its type?)"
        )
        line.require(twin.to_bytes() == position.to_bytes(), f"the {what} has other bytes")
        line.require(hash(twin) == hash(position), f"the {what} is equal but has another hash")


def _round_trips(game: Game, position: Position) -> Iterator[tuple[str, Position]]:
    yield "copy", position.copy()
    yield "pickle", pickle.loads(pickle.dumps(position))
    if isinstance(position, View):
        yield "to_json and view_from_json", game.view_from_json(position.to_json())
        yield "to_bytes and view_from_bytes", game.view_from_bytes(position.to_bytes(), position.seat)
    elif isinstance(position, State):
        yield "to_json and state_from_json", game.state_from_json(position.to_json())
        yield "to_bytes and state_from_bytes", game.state_from_bytes(position.to_bytes())


def _check_copy(line: Line, state: State, chooser: RandomStream) -> None:
    """Playing changes the copy and not its origin."""
    before = state.to_bytes()
    for move in _some(state.legal_moves(), 4, chooser):
        twin = state.copy()
        twin.play(move)
        line.require(
            state.to_bytes() == before, f"playing {move} on a copy changed the state it was copied from"
        )


def _check_text(line: Line, position: Position, chooser: RandomStream) -> None:
    """Every notation is a text of its own, and parses back."""
    moves = position.legal_moves()
    owner: dict[str, int] = {}
    for move in moves:
        text = position.move_text(move)
        line.require(isinstance(text, str) and text != "", f"the notation of move {move} is {text!r}")
        other = owner.setdefault(text.casefold(), move)
        line.require(other == move, f"moves {other} and {move} have the same notation {text!r}")
    for move in _some(moves, 8, chooser):
        text = position.move_text(move)
        line.require(
            position.parse_move(text) == move, f"the notation {text!r} of move {move} parses as another move"
        )


def check_evaluate(line: Line, state: State) -> None:
    """The heuristic value of every seat lies between 0 and 1."""
    values = state.evaluate()
    if len(values) != line.game.seats:
        line.fail(f"{len(values)} evaluations for {line.game.seats} seats")
    if not all(0 <= value <= 1 for value in values):
        line.fail(f"evaluations {values} are not within 0 .. 1")


def _check_priors(line: Line, state: State) -> None:
    priors = state.priors()
    weights = [weight for _, weight in priors]
    line.require(
        [move for move, _ in priors] == state.legal_moves(), "priors lists other moves than legal_moves"
    )
    line.require(
        all(math.isfinite(w) and w >= 0 for w in weights), f"priors {weights} are not all finite and >= 0"
    )
    line.require(sum(weights) > 0, "priors are all 0")


def _check_playout_move(line: Line, state: State, chooser: RandomStream) -> None:
    moves = state.legal_moves()
    for _ in range(WORLDS):
        move = state.playout_move(chooser)
        line.require(move in moves, f"playout_move gives {move}, which is not among the legal moves {moves}")


def _check_frequencies(line: Line, chooser: RandomStream) -> None:
    """Sampled chance is as probable as listed: within six standard deviations (one false alarm in 10**8)."""
    chances = [ply for ply, state in enumerate(line.states) if state.to_move == CHANCE]
    plies = _some(chances, 2, chooser)
    for ply in plies:
        line.at = ply
        counts: dict[int, int] = {}
        n = ROLLS // len(plies)
        for _ in range(n):
            move = line.states[ply].copy().play_chance(chooser)
            counts[move] = counts.get(move, 0) + 1
        outcomes = dict(line.states[ply].chance_outcomes())
        line.require(
            counts.keys() <= outcomes.keys(),
            f"chance sampled {set(counts) - set(outcomes)}, which is not listed",
        )
        for move, p in outcomes.items():
            count, allowed = counts.get(move, 0), 6 * math.sqrt(n * p * (1 - p)) + 4
            line.require(
                abs(count - n * p) <= allowed,
                f"chance outcome {move} has probability {p} but was sampled {count} times of {n}",
            )


# ---- Hidden information, through the game's own sampler ----------------------------------------------------


def _check_worlds(line: Line, state: State, seat: int, chooser: RandomStream) -> None:
    """Worlds of both kinds: sampled by what a seat knows, and believed by what the moves of the others tell."""
    _check_sampler(line, state, seat, chooser, believed=False)
    if line.game.offers("believe"):
        _check_sampler(line, state, seat, chooser, believed=True)


def _check_sampler(line: Line, state: State, seat: int, chooser: RandomStream, believed: bool) -> None:
    """Worlds fit the view, are complete, come again with the same seed, and show the mover nothing else."""
    view = state.view(seat)
    before = view.to_bytes()
    for _ in range(WORLDS):
        seed = chooser.bits()
        world = view.sample_world(seed, believed)
        line.aside = f"view({seat}).sample_world({seed}, {believed})"
        line.require(view.to_bytes() == before, f"sampling a world changed the view of seat {seat}")
        line.require(
            view.sample_world(seed, believed) == world, f"the same seed gives seat {seat} another world"
        )
        _check_fit(line, state, view, world)
        # A sampler that remembers the truth, for example by the view, now has another truth to remember.
        line.require(
            world.view(seat).sample_world(seed, believed) == world,
            f"the worlds of seat {seat} depend on the truth: the same view and seed give another one",
        )
    _play_on(line, world, line.aside, chooser)


def _check_fit(line: Line, state: State, view: View, world: State) -> None:
    seat = view.seat
    again = world.view(seat)
    if again != view or again.to_bytes() != view.to_bytes():
        line.fail(
            f"a world of seat {seat} does not fit its view: concealed again, it is "
            f"{again.to_json()}, not {view.to_json()}"
        )
    line.require(world.to_move == view.to_move, f"to_move differs in a world of seat {seat}")
    try:
        line.game.state_from_bytes(world.to_bytes())
    except AiplayError as problem:
        line.fail(f"a world of seat {seat} is not a complete state: {problem} {world.to_json()}")
    if view.to_move == seat:
        _check_same_choice(line, state, world, "in a world")


def _check_same_choice(line: Line, state: State, other: State, where: str) -> None:
    """The seat to move sees the same in both states, so whatever it chooses from is the same."""
    seat = state.to_move
    line.require(other.legal_moves() == state.legal_moves(), f"the legal moves of seat {seat} differ {where}")
    here, there = [weight for _, weight in state.priors()], [weight for _, weight in other.priors()]
    same = all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) for a, b in zip(here, there, strict=True))
    line.require(same, f"the priors of seat {seat} differ {where}: they use what the seat cannot see")
    for seed in range(WORLDS):
        moves = [s.playout_move(RandomStream(seed)) for s in (state, other)]
        line.require(
            moves[0] == moves[1], f"playout_move of seat {seat} differs {where}: it uses what it cannot see"
        )


def _play_on(line: Line, world: State, origin: str, chooser: RandomStream) -> None:
    """A world is a state like any other: it can be evaluated and played on."""
    state, moves = world.copy(), list[int]()
    for _ in range(WORLD_MOVES):
        line.aside = f"{origin}, and in it {moves}"
        if state.is_over:
            break
        options = check_options(line, state)
        check_evaluate(line, state)
        moves.append(state.play(chooser.choice(options)))
    line.aside = ""


def _check_variety(line: Line, state: State, other: State, seat: int, chooser: RandomStream) -> None:
    """Two different truths give one view: its worlds vary, and do not depend on which of them was true."""
    seeds = [chooser.bits() for _ in range(WORLDS)]
    theirs = [other.view(seat).sample_world(seed) for seed in seeds]
    ours = [state.view(seat).sample_world(seed) for seed in seeds]
    line.require(
        ours == theirs,
        f"the worlds of seat {seat} depend on the truth: the same view and seed give another one",
    )
    view = state.view(seat)
    if any(world != ours[0] for world in ours) or any(
        view.sample_world(chooser.bits()) != ours[0] for _ in range(DRAWS)
    ):
        return
    truth = "the true state" if ours[0] == state else "one of several possible states"
    line.fail(f"the worlds of seat {seat} never vary: {DRAWS} samples are all {truth}")


# ---- Hidden information, through perceive alone ------------------------------------------------------------


def _check_other_history(line: Line, seat: int, chooser: RandomStream) -> None:
    """Play the game again with other moves that look the same to `seat`: it must not see a difference.

    From a random ply on, a move is replaced by another one with the same key; later moves are kept where they
    are legal and look the same, and replaced where not. Where neither is possible, that history ends.
    """
    if not line.moves:
        return
    start = chooser.below(len(line.moves))
    eager = chooser.below(2) == 1  # replace everything, or as little as possible
    state, deviated, met = line.states[start].copy(), False, False
    for ply in range(start, len(line.moves)):
        line.at, move = ply + 1, line.moves[ply]
        truth = line.states[ply]
        key = dict(perceptions(truth, seat))[move]
        same = [m for m, k in perceptions(state, seat) if k == key]
        if not same:
            return
        other = [m for m in same if m != move]
        if other and (eager or not deviated):
            move, deviated = chooser.choice(other), True
        elif move not in same:
            move = chooser.choice(same)
        _check_forgotten(line, state, seat, move, key)
        state.play(move)
        if deviated:
            met = _compare_histories(line, line.states[ply + 1], state, seat, chooser, met)


def _compare_histories(
    line: Line, truth: State, other: State, seat: int, chooser: RandomStream, met: bool
) -> bool:
    """Both states look the same to `seat`; returns whether the worlds of this line have been compared.

    When the game is over, a view may show everything: nobody has to decide any more.
    """
    line.require(truth.to_move == other.to_move, f"to_move tells seat {seat} what perceive hides from it")
    if truth.is_over:
        return met
    ours, theirs = truth.view(seat), other.view(seat)
    if ours != theirs or ours.to_bytes() != theirs.to_bytes():
        line.fail(
            f"the view of seat {seat} tells apart what perceive does not: "
            f"{ours.to_json()} and, after moves that look the same, {theirs.to_json()}"
        )
    if truth.to_move == seat:
        _check_same_choice(line, truth, other, "after a history that looks the same")
    if truth != other and (not met or chooser.below(PLIES) == 0):
        _check_variety(line, truth, other, seat, chooser)
        return True
    return met


def _check_forgotten(line: Line, state: State, seat: int, move: int, key: int) -> None:
    """What a seat notices, its view shows: different keys that lead to different states look different."""
    if state.to_move == seat:
        return
    other = next((m for m, k in perceptions(state, seat) if k != key), None)
    if other is None:
        return
    first, second = state.copy(), state.copy()
    first.play(move)
    second.play(other)
    line.require(
        first == second or first.is_over or second.is_over or first.view(seat) != second.view(seat),
        f"perceive tells seat {seat} moves {move} and {other} apart, but its view is the same after both",
    )
