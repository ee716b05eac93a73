"""Golden files: what games and searches do with fixed seeds, written down to be compared with.

Unlike other expectations in the tests, these files are the program's own output: they do not say that it is right,
only that it is unchanged. `python tests/signatures.py` writes them again; do so only in a commit that is meant to
change the rules, the notation or the drawing of a game (`tests/golden/<game>.txt`) or what a search does
(`tests/golden/search.txt`), and say in that commit why they differ.
"""

import json
import random
from pathlib import Path

import aiplay

FOLDER = Path(__file__).with_name("golden")
SEED = 2024

# The options of a game that make its playthrough short; every number of seats is played.
SEATS = {
    "connect_four": [{}],
    "illusio": [{"players": n, "turn_cap": 12} for n in range(2, 7)],
    "leduc_poker": [{}],
    "levitation": [{"players": n} for n in range(2, 6)],
    "magic_rabbit": [{"players": n, "turns": 12} for n in range(1, 5)],
    "pig": [{"players": n, "target": 25} for n in range(2, 7)],
    "three_magicians": [{"players": n, "turn_cap": 40} for n in (2, 3)],
}
PICTURES = 6  # positions of a playthrough that are shown, each with the view of another seat

SEARCHES = {
    "open": [
        "mcts:iterations=400",
        "mcts:iterations=400,trees=2",
        "mcts:iterations=400,prior=none,cutoff=-1",
    ],
    "hidden": [
        "mcts:iterations=400,mode=single",
        "mcts:iterations=400,mode=several",
        "mcts:iterations=400,mode=pimc,worlds=8",
    ],
    "all": ["mcts:iterations=400,reuse=no,solver=no", "expectimax:depth=2,worlds=8", "greedy"],
    "team": ["mcts:iterations=100,mode=team"],
    "maxn": ["expectimax:depth=2,worlds=4,opponents=paranoid"],
}


def playthrough(name):
    """The text of the golden file of a game: one game for every number of seats."""
    return "\n".join(_one_game(name, options) for options in SEATS[name])


def _one_game(name, options):
    """A game with random moves: every move in its notation, and some positions as the seats see them."""
    table = _finished(name, options)
    moves = table.moves
    shown = {round(i * len(moves) / (PICTURES - 1)) for i in range(PICTURES)}
    lines = [f"==== {table.game!r}, {len(moves)} moves, returns {table.returns()}"]
    state = table.game.new_state()
    for ply, move in enumerate(moves):
        if ply in shown:
            lines += _position(ply, state)
        seat = "chance" if state.to_move == aiplay.CHANCE else f"seat {state.to_move}"
        lines.append(f"{ply:4} {seat}: {state.move_text(move)}")
        state.play(move)
    return "\n".join([*lines, *_position(len(moves), state)]) + "\n"


def _finished(name, options):
    """A table that was played to its end: chance by the table's seed, seats by a generator that is not ours."""
    table = aiplay.Table(aiplay.load_game(name, **options), seed=SEED)
    dice = random.Random(SEED)
    while not table.over:
        legal = table.view(table.to_move).legal_moves()
        table.play(legal[int(dice.random() * len(legal))])
    return table


def _position(ply, state):
    seat = ply % state.game.seats
    view = state.view(seat)
    fields = json.dumps(json.loads(view.to_json())["view"])
    return [f"---- after {ply} moves", str(state), f"---- seat {seat} sees", str(view), fields, "----"]


def searches(name):
    """The part of the search signature that is about one game."""
    lines = []
    for options in SEATS[name]:
        table = _finished(name, options)
        lines.append(f"==== {table.game!r}")
        for ply in _decisions(table):
            view = _view_at(table, ply)
            lines += [f"{ply:4} {spec}: {_thought(spec, view)}" for spec in _specs(table.game)]
    return "\n".join(lines) + "\n"


def _decisions(table):
    """Two plies of a game, early and late, at which a seat has a choice."""
    choices = [ply for ply in range(len(table.moves)) if _has_choice(_view_at(table, ply))]
    return [choices[len(choices) // 5], choices[len(choices) * 4 // 5]]


def _view_at(table, ply):
    state = table.game.new_state()
    for move in table.moves[:ply]:
        state.play(move)
    return state.view(max(state.to_move, 0))


def _has_choice(view):
    return view.to_move >= 0 and len(view.legal_moves()) > 1


def _specs(game):
    specs = SEARCHES["hidden" if game.has_hidden else "open"] + SEARCHES["all"]
    if game.has_hidden and game.offers("playout_move"):
        specs = specs + SEARCHES["team"]
    if game.seats > 2 and not game.is_cooperative:
        specs = specs + SEARCHES["maxn"]
    return specs


def _thought(spec, view):
    """The visits of every move of mcts; the values, to four places, of players that do not count visits."""
    analysis = aiplay.make_player(spec, seed=SEED).analyse(view)
    moves = sorted(analysis.moves, key=lambda move: move.move)
    if any(move.visits for move in moves):
        counts = ", ".join(f"{move.move}:{move.visits}" for move in moves if move.visits)
        return f"best {analysis.best}, {analysis.nodes} nodes, visits {counts}"
    values = ", ".join(f"{move.move}:{move.value:.4f}" for move in moves)
    return f"best {analysis.best}, {analysis.iterations} positions, values {values}"


def golden_files():
    """Every golden file: its name, and the function that gives its text."""
    yield from ((f"{name}.txt", lambda name=name: playthrough(name)) for name in SEATS)
    yield "search.txt", lambda: "\n".join(searches(name) for name in SEATS)


def main():
    """Write all golden files again."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in golden_files():
        (FOLDER / name).write_text(text(), encoding="utf-8")
        print(FOLDER / name)


if __name__ == "__main__":
    main()
