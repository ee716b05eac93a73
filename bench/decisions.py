"""Where more thinking pays: `python bench/decisions.py --game illusio --player mcts:iterations=1000 --player ...`.

Takes decisions from games of a player against itself, lets a long search judge every move of them, and asks each
player for its choice. The loss of a choice is the judged value of the best move less that of the choice, in per cent
of a win. Times the decisions of a seat in a game, it tells what there is to win at most by choosing as the judge does
(as far as the judge is right). This needs far fewer searches than duels do, because most games between two players are
decided by luck. All searches have fixed iterations and seeds: the same command gives the same figures.

The judge is a search, too, and shares the errors of the others. `--games N` asks games instead: where a player chooses
another move than the judge, N games go on after either of the two moves, from worlds that fit the view, the same worlds
and the same dice for both, between quick players.

The positions and judgements can be kept in a file for the next run (`--judged FILE`).
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev

import aiplay
from aiplay.registry import split_spec

PLAYER = "mcts:iterations=1000"  # whose games the decisions come from
JUDGE = "mcts:iterations=200000,reuse=no,memory=1024"
QUICK = "mcts:iterations=100,reuse=no"  # plays the games that judge
PLAYERS = tuple(f"mcts:iterations={n}" for n in (250, 1000, 4000, 16000, 64000))


@dataclass(frozen=True)
class Decision:
    """A decision with a choice, and the judged values of its moves."""

    view: aiplay.View
    values: dict[int, float]
    best: int  # the move that the judge prefers

    def loss(self, move: int) -> float:
        """Return the loss of a move in per cent of a win."""
        return 100 * (self.values[self.best] - self.values[move])


# ---- Decisions ---------------------------------------------------------------------------------------------------


def views_of(game: aiplay.Game, count: int, every: int, seed: int) -> tuple[list[aiplay.View], float]:
    """Return some views with a choice, one in `every` of each game, and how many a seat has in a game."""
    stream, views, choices, games = aiplay.RandomStream(seed), [], 0, 0
    while len(views) < count:
        table = aiplay.Table(game, seed=stream.bits())
        players = [aiplay.make_player(PLAYER, seed=stream.bits()) for _ in range(game.seats)]
        while not table.over:
            view = table.view(table.to_move)
            if len(view.legal_moves()) > 1:
                choices += 1
                if stream.below(every) == 0:
                    views.append(view)
            table.play(players[table.to_move].choose(view))
        games += 1
    return views[:count], choices / games / game.seats


def judged(views: list[aiplay.View], judge: str, seed: int, file: Path | None) -> list[Decision]:
    """Judge every move of the views, or read the judgements from a file that has them."""
    if file is not None and file.exists():
        found = json.loads(file.read_text(encoding="utf-8"))
    else:
        found = []
        for number, view in enumerate(views):
            analysis = aiplay.make_player(judge, seed=seed + number).analyse(view)
            found.append([(move.move, move.value) for move in analysis.moves])
            if sys.stderr.isatty():
                print(f"\rjudged {number + 1} of {len(views)}", end="", file=sys.stderr, flush=True)
        if file is not None:
            file.write_text(json.dumps(found), encoding="utf-8")
    return [Decision(view, dict(rows), rows[0][0]) for view, rows in zip(views, found, strict=True)]


# ---- Players -------------------------------------------------------------------------------------------------------


def choices(spec: str, decisions: list[Decision], seed: int) -> list[int]:
    """Return the choices of a player, each made with a fresh tree."""
    return [
        aiplay.make_player(spec, seed=seed + number).choose(decision.view)
        for number, decision in enumerate(decisions)
    ]


def error_of(numbers: list[float]) -> float:
    """Return the standard error of a mean."""
    return stdev(numbers) / math.sqrt(len(numbers))


def print_rows(specs: list[str], decisions: list[Decision], per_game: float, seed: int, rounds: int) -> None:
    """Print a row for each player, compared with the one before."""
    print(
        "| player | as the judge | loss, % of a win | in a game | less than the one before | as the one before |"
    )
    print("| --- | --- | --- | --- | --- | --- |")
    last: list[int] = []
    for spec in specs:
        made = [move for i in range(rounds) for move in choices(spec, decisions, seed + 10_000_000 * i)]
        asked = decisions * rounds
        losses = [d.loss(move) for d, move in zip(asked, made, strict=True)]
        of_each = [fmean(losses[i :: len(decisions)]) for i in range(len(decisions))]
        same = fmean(move == d.best for d, move in zip(asked, made, strict=True))
        cells = [f"`{spec}`", f"{same:.0%}", f"{fmean(of_each):.3f} ± {error_of(of_each):.3f}"]
        cells.append(f"{per_game * fmean(of_each):.1f}")
        if last:
            before = [d.loss(move) for d, move in zip(asked, last, strict=True)]
            gains = [fmean(before[i :: len(decisions)]) - of_each[i] for i in range(len(decisions))]
            cells.append(f"{fmean(gains):+.3f} ± {error_of(gains):.3f}")
            cells.append(f"{fmean(a == b for a, b in zip(made, last, strict=True)):.0%}")
        else:
            cells += ["-", "-"]
        print(f"| {' | '.join(cells)} |", flush=True)
        last = made


# ---- Games as a judge --------------------------------------------------------------------------------------------


def result_after(view: aiplay.View, move: int, seed: int) -> float:
    """Return what the seat of a view gets, 0 .. 1, if it makes a move and quick players go on, in a sampled world."""
    state, stream = view.sample_world(seed), aiplay.RandomStream(seed)
    players = [aiplay.make_player(QUICK, seed=stream.bits()) for _ in range(view.game.seats)]
    state.play(move)
    while not state.is_over:
        if state.to_move == aiplay.CHANCE:
            state.play_chance(stream)
        else:
            state.play(players[state.to_move].choose(state.view(state.to_move)))
    low, high = view.game.min_return, view.game.max_return
    return (state.returns()[view.seat] - low) / (high - low)


def print_games(specs: list[str], decisions: list[Decision], seed: int, games: int) -> None:
    """Print, for each player, by how much the judge's moves are better than its own where they differ."""
    print("\n| player | other choices | judge's move better by, % of a win: by the judge | by games |")
    print("| --- | --- | --- | --- |")
    for spec in specs:
        claims, gains = [], []
        for decision, move in zip(decisions, choices(spec, decisions, seed), strict=True):
            if move != decision.best:
                claims.append(decision.loss(move))
                of_each = [
                    result_after(decision.view, decision.best, seed + i)
                    - result_after(decision.view, move, seed + i)
                    for i in range(games)
                ]
                gains.append(100 * fmean(of_each))
        cells = [f"`{spec}`", f"{len(gains)} of {len(decisions)}"]
        if len(gains) > 1:
            cells += [f"{fmean(found):+.2f} ± {error_of(found):.2f}" for found in (claims, gains)]
        print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure what choices lose, as a long search judges them.")
    parser.add_argument("--game", default="illusio", help="like levitation:players=3 (illusio)")
    parser.add_argument("--player", action="append", help="may be repeated (mcts, 250 to 64,000 iterations)")
    parser.add_argument("--judge", default=JUDGE, help=f"({JUDGE})")
    parser.add_argument("--decisions", type=int, default=200, help="(200)")
    parser.add_argument("--every", type=int, default=8, help="decisions of a game of which one is taken (8)")
    parser.add_argument("--rounds", type=int, default=1, help="choices of every player for each decision (1)")
    parser.add_argument("--games", type=int, default=0, help="games for each move that differs (0: none)")
    parser.add_argument("--seed", type=int, default=1, help="(1)")
    parser.add_argument("--judged", type=Path, help="file for the judgements, read if it exists")
    given = parser.parse_args()
    name, options = split_spec(given.game)
    game = aiplay.load_game(name, **options)
    views, per_game = views_of(game, given.decisions, given.every, given.seed)
    decisions = judged(views, given.judge, given.seed + 1_000_000, given.judged)
    print(f"{len(decisions)} decisions of {given.game}; {per_game:.1f} for each seat in a game\n")
    specs = given.player or list(PLAYERS)
    print_rows(specs, decisions, per_game, given.seed, given.rounds)
    if given.games:
        print_games(specs, decisions, given.seed, given.games)


if __name__ == "__main__":
    main()
