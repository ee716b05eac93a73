"""The Three Magicians: invariants, impossible positions, notation, drawings and the conformance suite."""

import json
import os
import random
from functools import cache
from itertools import product

import pytest
from three_magicians_positions import (
    TAROT,
    duel,
    everybody,
    from_fields,
    game_of,
    play,
    position,
    texts,
)

import aiplay
from aiplay import CHANCE, TERMINAL
from aiplay._core.games.three_magicians.state import (
    ALL_CARDS,
    DUEL_KEEP,
    DUEL_THROW,
    FIRST,
    LABYRINTH,
    LIFE,
    MAX_PLAYERS,
    MOVE,
    N_TAROT,
    OVER,
    STEAL,
    THROW,
    TIE,
)
from aiplay._core.measure import random_games
from aiplay._core.stream import RandomStream
from aiplay.errors import IllegalMoveError, InvalidStateError
from aiplay.testing import check_game

VARIANTS = [
    {"players": players, "labyrinth_exit": leave, "fate_on_tie": fate, "apprentice_must_move": must}
    for players, leave, fate, must in product((2, 3), ("2", "1or2"), (False, True), (True, False))
]
FUZZ = int(os.environ.get("AIPLAY_FUZZ", "500"))  # mutated states for each set of options
CARDS = [{"cards_per_place": 1}, {"cards_per_place": 3}, {"cards_per_place": 2, "players": 2}]


@pytest.mark.parametrize("options", [*VARIANTS, *CARDS], ids=str)
def test_the_game_keeps_the_contract(options):
    check_game(game_of(turn_cap=50, **options), games=2)


def test_a_game_of_full_length_keeps_the_contract():
    check_game(game_of(), games=1)


# ---- Invariants -------------------------------------------------------------------------------------------


def meet_or_hunt(state, stream):
    """Take a card or start a duel if possible, else move at random; random play rarely does either."""
    moves = state.legal_moves()
    if state.fields["phase"] == MOVE:
        for move in stream.shuffled(moves):
            child = state.copy()
            child.play(move)
            if (
                child.fields["phase"] in (STEAL, DUEL_THROW, OVER)
                or child.fields["cards"].sum() > state.fields["cards"].sum()
            ):
                return move
    return moves[stream.below(len(moves))]


def dealt_out(game):
    """A position in which all cards are taken: seats have to rob each other."""
    cards = [0] * MAX_PLAYERS
    for place in range(N_TAROT):
        for number in range(game.cards_per_place):
            cards[(place + number) % game.seats] |= 1 << place
    spots = [LIFE] * game.seats + [0] * (MAX_PLAYERS - game.seats)
    fields = {"cards": cards, "magicians": spots, "apprentices": spots, "n_turns": 50, "phase": THROW}
    return from_fields(game, fields)


@cache
def eager_states(options):
    """States of games by `meet_or_hunt` in which all outcomes are equally likely, so triplets are more common."""
    game, found = game_of(**dict(options)), []
    for seed in range(10):
        stream = RandomStream(seed)
        state = dealt_out(game) if seed % 2 else game.new_state()
        while state.to_move != TERMINAL and len(found) < 200 * (seed + 1):
            found.append(state.copy())
            if state.to_move == CHANCE:
                state.play(stream.choice(state.legal_moves()))
            else:
                state.play(meet_or_hunt(state, stream))
    return found


OPTIONS = [(), (("players", 2),), (("labyrinth_exit", "1or2"), ("fate_on_tie", True), ("cards_per_place", 1))]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_cards_and_figures_in_every_state(options):
    phases = set()
    for state in eager_states(options):
        fields, game = state.fields, state.game
        phases.add(int(fields["phase"]))
        for place in range(N_TAROT):
            assert sum(mine >> place & 1 for mine in fields["cards"].tolist()) <= game.cards_per_place
        inside = fields["apprentices"] == LABYRINTH
        assert not fields["powers"][inside].any()
        assert 1 <= len(state.legal_moves()) <= game.max_moves
        values = state.evaluate()
        assert sum(values) == pytest.approx(1)
        assert all(0 < value < 1 for value in values)
        game.state_from_bytes(state.to_bytes())  # every state of a game is accepted
    assert phases >= {*range(FIRST, DUEL_KEEP + 1)}


def test_nothing_is_hidden():
    assert not game_of().has_hidden
    state = position("1+0+2")
    assert [state.view(seat).to_bytes() for seat in range(3)] == [state.to_bytes()] * 3
    assert state.view(1).legal_moves() == []
    assert str(state.view(1)) == str(state)


def test_a_state_is_small():
    assert game_of().state_size <= 256


# ---- Impossible positions ---------------------------------------------------------------------------------


def fields_of(state):
    return {name: state.fields[name].tolist() for name in state.fields.dtype.names}


def refuse(state, problem, **changes):
    with pytest.raises(InvalidStateError) as error:
        from_fields(state.game, {**fields_of(state), **changes})
    assert problem in str(error.value)


def test_impossible_figures_are_refused():
    state = position()
    refuse(state, "spots 0 to 38", apprentices=[39, LIFE, LIFE])
    refuse(state, "two stand on Mill", magicians=[5, 5, LIFE])
    refuse(state, "shares Mill with another seat's", magicians=[5, LIFE, LIFE], apprentices=[LIFE, 5, LIFE])
    refuse(state, "lost its Power token", apprentices=[LABYRINTH, LIFE, LIFE], powers=[1, 0, 0])
    two = position(options={"players": 2})
    refuse(two, "do not play", magicians=[LIFE] * 3)
    refuse(two, "do not play", cards=[0, 0, 1])
    refuse(two, "allowed: 0 to 1", seat=2)


def test_impossible_cards_are_refused():
    state = position()
    refuse(state, "Forest has only 2", cards=[1, 1, 1])
    refuse(state, "exactly one seat owns all", cards=[ALL_CARDS, 0, 0])
    refuse(state, "exactly one seat owns all", phase=OVER)
    refuse(state, "exactly one seat owns all", cards=[ALL_CARDS, ALL_CARDS, 0], phase=OVER)
    refuse(state, "too many for 1 turns", cards=[7, 0, 0], n_turns=1)
    assert from_fields(
        state.game, {**fields_of(state), "cards": [3, 0, 0], "n_turns": 1}
    )  # a meeting and a duel


def test_impossible_turns_are_refused():
    state = position()
    refuse(state, "the turn cap is 600", n_turns=601)
    refuse(state, "before the first throw", n_turns=0, phase=MOVE, walk=1)
    refuse(state, "all figures are on Life", n_turns=0, magicians=[1, LIFE, LIFE])
    refuse(state, "has to be 0 before the first throw", n_turns=0, powers=[1, 0, 0])
    refuse(state, "before the first seat is chosen", phase=FIRST)
    refuse(state, "before the first seat is chosen", phase=FIRST, n_turns=0, seat=1)
    for name in ("jump", "walk", "is_again"):
        refuse(state, "between turns", **{name: 1})
    move = position("1+0+2")
    refuse(move, "six notches are a triplet", walk=6)
    refuse(move, "does not fit 2 notches", jump=2, walk=1)
    refuse(move, "does not fit a triplet", is_again=1, walk=4)
    refuse(move, "does not fit a triplet", is_again=1, jump=2, walk=3)
    refuse(move, "the Magician is in the Labyrinth", magicians=[LABYRINTH, LIFE, LIFE])
    refuse(move, "the Apprentice is in the Labyrinth", apprentices=[LABYRINTH, LIFE, LIFE])
    refuse(move, "the Magician is in the Labyrinth", magicians=[LABYRINTH, LIFE, LIFE], is_again=1)
    free = position("1+1+1", magicians=["Labyrinth"], options={"labyrinth_exit": "1or2"})
    assert from_fields(free.game, fields_of(free)) == free


def test_impossible_magic_and_meetings_are_refused():
    state = play(position("1+0+1"), "walk Life-Mill 2")
    refuse(state, "has to stand on magic symbols", apprentices=[LIFE] * 3)
    refuse(state, "after the Apprentice has walked", walk=3)
    refuse(state, "when no symbol is chosen", tied=3)
    refuse(state, "allowed: 3, 5, 6, 7", phase=TIE, tied=4)
    fate = play(position("1+0+1", options={"fate_on_tie": True}), "walk Life-Mill 2")
    refuse(fate, "allowed: 3, 7", phase=TIE, tied=6)
    meeting = play(position("1+0+0", apprentices=["Mill"], cards={1: ["Mill"], 2: ["Mill"]}), "jump Mill")
    refuse(meeting, "have not met", magicians=[LIFE] * 3)
    refuse(meeting, "cannot take Mill from anybody", cards=[0, 32, 0])
    refuse(meeting, "cannot take Mill from anybody", cards=[32, 32, 0])
    refuse(meeting, "one of the figures has already moved", jump=1)


def test_impossible_duels_are_refused():
    state = duel()
    refuse(state, "nobody fights a duel alone", rival=0)
    refuse(state, "have to be on the same place", magicians=[LIFE, 5, LIFE])
    refuse(state, "has to be 0 in a duel", jump=1)
    refuse(state, "only the second thrower has a goal", goal_throws=1)
    refuse(state, "only the second thrower has a goal", is_second=1)
    refuse(state, "only the second thrower has a goal", goal=3)
    refuse(state, "this thrower has 3", n_throws=3)
    refuse(state, "does not fit 0 throws", n_kept=1)
    refuse(state, "does not fit 2 throws", n_throws=2, n_kept=1)
    refuse(state, "1 wands show 0, 1, 2 together", n_throws=1, n_kept=1, kept=3)
    refuse(state, "count the wands just thrown", thrown=[1, 0, 0])
    thrown = play(duel(), "throw 2 1 0")
    refuse(thrown, "count the wands just thrown", thrown=[1, 1, 0])
    refuse(thrown, "this thrower has 3", n_throws=0)
    second = play(duel(), "throw 2 2 2", "stop", "throw 1 1 0")
    refuse(second, "this thrower has 1", n_throws=2, n_kept=1, thrown=[1, 1, 0])
    refuse(position(), "without a duel", rival=1)
    refuse(state, "two stand on Mill", phase=MOVE, rival=0)
    refuse(state, "two stand on Mill", magicians=[5, 5, 5])


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_position_that_is_accepted_can_be_played_to_the_end(options):
    """Fields of valid states are changed at random: most are refused, and the others can be played."""
    chooser = random.Random(7)
    game = game_of(**dict(options))
    states = eager_states(options)
    n_accepted = 0
    for _ in range(FUZZ):
        document = json.loads(chooser.choice(states).to_json())
        values = document["state"]
        for _ in range(chooser.choice((1, 1, 2, 3))):
            name = chooser.choice(list(game.FIELDS))
            field = game.FIELDS[name]
            number = chooser.randint(field.low, min(field.high, field.low + 130))
            if isinstance(values[name], list):
                values[name][chooser.randrange(len(values[name]))] = number
            else:
                values[name] = number
        try:
            state = game.state_from_json(json.dumps(document))
        except InvalidStateError:
            continue
        n_accepted += 1
        play_on(state, chooser)
    assert n_accepted > FUZZ / 20


def play_on(state, chooser):
    str(state)
    for _ in range(12):
        if state.to_move == TERMINAL:
            assert sum(state.returns()) == pytest.approx(1)
            return
        moves = state.legal_moves()
        assert 1 <= len(moves) <= state.game.max_moves
        assert sum(state.evaluate()) == pytest.approx(1)
        move = chooser.choice(moves)
        assert state.move_text(move)
        state.play(move)
    state.game.state_from_bytes(state.to_bytes())  # states that follow are accepted too
    random_games(state, 1)


# ---- Notation and drawing ---------------------------------------------------------------------------------


def test_the_notation_of_moves():
    state = game_of().new_state()
    assert texts(state) == ["seat 0 begins", "seat 1 begins", "seat 2 begins"]
    play(state, "seat 0 begins", "throw 1+0+1")
    assert texts(state) == [
        "end",
        "jump Magician",
        "jump Castle",
        "jump Mill",
        "walk Magician-Life 2",
        "walk Castle-Life 2",
        "walk Life-Labyrinth 2",
        "walk Life-Mill 2",
    ]
    play(state, "WALK  life-mill 2", "Magic")  # blanks and capitals do not matter
    assert texts(state) == [
        "star",
        "arrow",
        "star and arrow",
        "empty",
        "star and empty",
        "arrow and empty",
        "star and arrow and empty",
    ]
    with pytest.raises(IllegalMoveError, match=r"legal moves: 1 .star."):
        play(state, "magic")


def test_the_drawing_of_a_position():
    state = position(
        "2+0+1",
        magicians=["Forest", "Labyrinth", "Life"],
        apprentices=["Life-Mill 2", "Sun-Mill 3", "Sun-Mill 3"],
        cards={0: ["Forest", "Moon"], 1: ["Forest"]},
        power=[1],
    )
    assert (
        str(state)
        == """\
Forest 0 ---o-*-o--- Magician 2 --o-*-o-- Tower 2     M0  Magician of seat 0
M0                                                    A01 Apprentices of 0, 1
 o                    o                               o   stone, * with magic
 *                    *                               1   tarot cards left
 o                    o                               A-B 2  2nd stone from A
Castle 2 ---o-*-o--- Life -----o-*-o----- Labyrinth   1+3    jump 1, walk 4
                     M2                   M1          M and A of a seat meet:
 o                    o                               take a card, all 7 win.
 *                    A0                              To the Labyrinth: 0+0+0,
 o                    o                               a lost duel (M meets M),
Sun 2 ---o-*-A12---- Mill 2 ----o-*-o---- Moon 1      A that meets a rival M.
                                                      Out: 2+2+2.

> seat 0  2 of 7 cards: Forest, Moon
  seat 1  1 of 7 cards: Forest  Power token
  seat 2  0 of 7 cards: none
turn 31 of 600: seat 0 may jump 2 (Magician) and walk 3 (Apprentice)"""
    )


def last_row(state):
    """The current decision, which may be wrapped."""
    rows = str(state).splitlines()
    start = max(i for i, row in enumerate(rows) if row.startswith("turn "))
    return " ".join(row.strip() for row in rows[start:])


def test_the_drawing_ends_with_the_current_decision():
    assert last_row(game_of().new_state()) == "turn 0 of 600: who begins?"
    assert last_row(position()) == "turn 30 of 600: seat 0 throws"
    assert last_row(position("1+1+1")).endswith("then another turn")
    offer = play(position("1+0+1"), "walk Life-Mill 2")
    assert last_row(offer).endswith(
        "seat 0 may throw for magic: star any place, arrow Power token, empty Labyrinth"
    )
    assert last_row(play(offer, "magic")).endswith("seat 0 throws for magic")
    assert last_row(play(offer.copy(), "star and empty")).endswith("seat 0 chooses star or empty")
    assert last_row(play(offer, "star")).endswith("the Apprentice of seat 0 may go to a place")
    meeting = play(position("1+0+0", apprentices=["Mill"], cards={1: ["Mill"], 2: ["Mill"]}), "jump Mill")
    assert last_row(meeting).endswith("seat 0 takes the card of Mill from another seat")
    fight = play(duel(), "throw 2 1 0")
    assert last_row(fight).endswith("duel of seats 0 and 1 on Mill, seat 0 has 2 1 0 in throw 1 of 3")
    play(fight, "keep 2", "throw 1 1", "stop", "throw 2 2 0", "keep 2 2")
    assert last_row(fight).endswith(
        "seat 1 makes throw 2 of 2, kept 4 points on 2 wands, against 4 points in 2 throws"
    )
    assert last_row(play(position("1+1+1"), "jump Mill")).endswith(
        "may walk 3 (Apprentice), then another turn"
    )
    assert last_row(play(position("1+0+0"), "jump Mill", "walk Life-Mill 1")).endswith(
        "seat 0 may only end its turn"
    )
    strong = position("1+0+1", power=[0])
    assert last_row(strong).endswith("seat 0 may jump 1 (Magician) and walk 2 or 4 (Apprentice)")
    assert last_row(position(n_turns=600)) == "turn 600 of 600: over, most cards: seat 0, seat 1, seat 2"
    ahead = position(n_turns=600, cards={1: ["Mill"]})
    assert last_row(ahead) == "turn 600 of 600: over, most cards: seat 1"


def won_by_duel():
    """Seat 0 wins its seventh card by a duel on the Mill, where the loser's Apprentice stands."""
    state = position(
        "1+0+2",
        magicians=["Life", "Mill", "Life"],
        apprentices=["Castle", "Mill", "Life"],
        cards={0: [name for name in TAROT if name != "Mill"]},
    )
    return play(state, "jump Mill", "throw 2 2 2", "stop", "throw 1 1 0", "stop")


def test_a_won_game_is_over_at_once():
    """The winner would send the loser's Apprentice away next, but it stays where it is."""
    state = won_by_duel()
    assert state.is_over
    assert state.returns() == [1.0, 0.0, 0.0]
    assert everybody(state) == ["Mill", "Labyrinth", "Life", "Castle", "Mill", "Life"]
    assert [int(state.fields[name]) for name in ("jump", "walk", "is_again")] == [0, 0, 0]


def test_a_won_game_can_be_loaded_and_drawn():
    for state in (won_by_duel(), duel(apprentices=["Castle", "Mill", "Life"])):
        assert from_fields(state.game, fields_of(state)) == state
    rows = str(won_by_duel()).splitlines()
    assert rows[-1] == "turn 31 of 600: over, seat 0 owns all cards"
    assert not any(row.startswith(">") for row in rows)


def test_a_record_can_be_replayed():
    table = aiplay.Table(game_of(), seed=11)
    for _ in range(60):
        table.play(table.legal_moves()[0])
    assert aiplay.replay(table.record).state == table.state
