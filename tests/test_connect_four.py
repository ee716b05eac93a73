"""Connect four, rule by rule; compared with OpenSpiel in test_against_openspiel.py."""

import random
from collections import Counter

import pytest

import aiplay
from aiplay._core.measure import perft, play_by_policy
from aiplay.testing import check_game

GAME = aiplay.load_game("connect_four")


def play(columns):
    """The state after stones in these columns, counted from 1."""
    state = GAME.new_state()
    for column in columns:
        state.play(column)
    return state


def test_the_game_keeps_the_contract():
    check_game(GAME)


def test_seats_take_turns_and_seat_0_begins():
    assert [play("4" * n).to_move for n in range(4)] == [0, 1, 0, 1]


def test_a_stone_falls_to_the_lowest_free_cell():
    assert str(play("414")).splitlines()[-3:] == [". . . x . . .", "o . . x . . .", "1 2 3 4 5 6 7"]


def test_a_full_column_is_not_legal():
    state = play("121212212121")
    assert state.legal_moves() == [2, 3, 4, 5, 6]
    with pytest.raises(aiplay.IllegalMoveError):
        state.play("1")


WINS = {
    "across, from the left edge": "1122334",
    "across, from the right edge": "7766554",
    "across, completed in the middle": "1122443",
    "up": "1212121",
    "up, to the top of a column": "21411717171",
    "diagonal, rising": "12233434464",
    "diagonal, falling": "76655454424",
    "for seat 1": "12324252",
}


@pytest.mark.parametrize("columns", WINS.values(), ids=WINS)
def test_four_in_a_row_win(columns):
    assert not play(columns[:-1]).is_over
    state = play(columns)
    winner = (len(columns) - 1) % 2
    assert state.is_over
    assert state.returns() == ([1.0, -1.0] if winner == 0 else [-1.0, 1.0])
    assert state.legal_moves() == []


@pytest.mark.parametrize("columns", ["1122335", "1212717", "12233446", "4536677"])
def test_three_in_a_row_do_not_win(columns):
    assert not play(columns).is_over


def test_a_row_does_not_continue_in_the_next_column():
    """Three at the top of the first column and one at the bottom of the second."""
    state = play("7171611715132")
    assert str(state).splitlines()[:3] == ["x . . . . . ."] * 3
    assert not state.is_over


# ---- Every four in a row, checked by a second implementation -----------------------------------------------


def fours():
    """The 69 ways to have four in a row, as sets of (column, row)."""
    for column in range(7):
        for row in range(6):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = [(column + i * dx, row + i * dy) for i in range(4)]
                if all(x < 7 and 0 <= y < 6 for x, y in cells):
                    yield frozenset(cells)


FOURS = list(fours())
THROUGH = {(x, y): [four for four in FOURS if (x, y) in four] for x in range(7) for y in range(6)}


def wins(stones, cell):
    """True if the stone on `cell` completes four in a row."""
    return any(four <= stones for four in THROUGH[cell])


def test_there_are_69_ways_to_have_four_in_a_row():
    assert len(set(FOURS)) == 69  # 24 across, 21 up, 12 and 12 diagonal


class Board:
    """A second, simple implementation of connect four."""

    def __init__(self):
        self.heights, self.stones, self.winner, self.seat = [0] * 7, [frozenset(), frozenset()], None, 0

    def would_win(self, column, seat=None, above=0):
        """True if a stone of the seat to move, or of another one, would make four there (or in a cell above)."""
        cell = (column, self.heights[column] + above)
        return cell in THROUGH and wins(self.stones[self.seat if seat is None else seat] | {cell}, cell)

    def drop(self, column):
        if self.would_win(column):
            self.winner = self.seat
        self.stones[self.seat] |= {(column, self.heights[column])}
        self.heights[column] += 1
        self.seat = 1 - self.seat

    def moves(self):
        return [] if self.winner is not None else [column for column in range(7) if self.heights[column] < 6]


def test_random_games_agree_with_a_simple_implementation():
    stream = aiplay.RandomStream(1)
    winning_fours, draws = set(), 0
    for _ in range(1500):
        state, board = GAME.new_state(), Board()
        while not state.is_over:
            assert state.legal_moves() == board.moves()
            # Seats that miss their wins at first play long games, in which every four occurs.
            quiet = [move for move in board.moves() if sum(board.heights) < 36 and not board.would_win(move)]
            move = stream.choice(quiet or board.moves())
            state.play(move)
            board.drop(move)
        assert board.moves() == []
        assert state.returns() == {0: [1, -1], 1: [-1, 1], None: [0, 0]}[board.winner]
        draws += board.winner is None
        winning_fours |= {
            four for four in FOURS if board.winner is not None and four <= board.stones[board.winner]
        }
    assert winning_fours == set(FOURS)
    assert draws > 0


# ---- Counts ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", range(7))
def test_perft_is_a_power_of_seven_until_a_column_can_be_full(depth):
    assert perft(GAME.new_state(), depth) == 7**depth


def test_perft_of_depth_7_lacks_the_seven_sequences_of_one_column():
    # Nobody has four stones before the seventh, so only a full column takes moves away.
    assert perft(GAME.new_state(), 7) == 7**7 - 7


def test_perft_of_depth_8_agrees_with_a_simple_implementation():
    # Sequences of moves that lead to the same position are counted together.
    counts = {((0,) * 7, frozenset(), frozenset()): 1}
    for ply in range(7):
        after = Counter()
        for (heights, mine, theirs), n in counts.items():
            for column in range(7):
                cell = (column, heights[column])
                raised = (*heights[:column], heights[column] + 1, *heights[column + 1 :])
                if heights[column] < 6 and not (ply == 6 and wins(mine | {cell}, cell)):
                    after[raised, theirs, mine | {cell}] += n
        counts = after
    total = sum(n * sum(height < 6 for height in heights) for (heights, _, _), n in counts.items())
    assert perft(GAME.new_state(), 8) == total


def test_the_numbers_of_positions_after_n_stones_are_those_that_tromp_counted():
    # https://oeis.org/A212693: legal positions of 7 x 6 connect four after n plies.
    counted = [1, 7, 49, 238, 1120, 4263, 16422, 54859]
    layer = {GAME.new_state()}
    for wanted in counted:
        assert len(layer) == wanted
        following = set()
        for state in layer:
            for move in state.legal_moves():
                child = state.copy()
                child.play(move)
                following.add(child)
        layer = following
    assert len(layer) == 184275


# ---- Evaluation --------------------------------------------------------------------------------------------


def test_evaluate_is_even_at_the_start_and_favours_threats():
    assert GAME.new_state().evaluate() == [0.5, 0.5]
    assert play("1124").evaluate() == play("7764").evaluate()  # mirrored
    better, worse = play("17273").evaluate()
    assert better > 0.5 > worse
    assert better + worse == pytest.approx(1)


# ---- Impossible positions ----------------------------------------------------------------------------------


def refused(**changes):
    fields = {"stones": [0, 0], "n_stones": 0, "winner": 0} | changes
    document = aiplay.fields.encode_json({"game": "connect_four", "options": {}, "state": fields})
    with pytest.raises(aiplay.InvalidStateError) as caught:
        GAME.state_from_json(document)
    return str(caught.value)


def test_two_stones_on_one_cell_are_refused():
    assert "both seats have a stone on one cell" in refused(stones=[1, 1], n_stones=2)


def test_a_floating_stone_is_refused():
    assert "column 1 has a gap" in refused(stones=[0b10, 0], n_stones=1)


def test_a_column_of_seven_is_refused():
    assert "column 1 has a gap or too many" in refused(stones=[0b1010101, 0b0101010], n_stones=7)


def test_a_seat_with_too_many_stones_is_refused():
    assert "'n_stones' is 2" in refused(stones=[0b11, 0], n_stones=2)


def test_a_wrong_count_is_refused():
    assert "'n_stones' is 3; the seats have 1 and 1 stones" in refused(stones=[1, 1 << 7], n_stones=3)


def test_a_winner_without_four_is_refused():
    assert "'winner' is 1" in refused(stones=[1, 0], n_stones=1, winner=1)


def test_four_in_a_row_without_a_winner_are_refused():
    state = play("1212121")
    stones = state.fields["stones"].tolist()
    assert "'winner' is 0" in refused(stones=stones, n_stones=7)


def test_a_winner_who_was_not_the_last_to_move_is_refused():
    stones = play("1212121").fields["stones"].tolist()
    assert "'winner' is 1" in refused(stones=[stones[0], stones[1] | 1 << 14], n_stones=8, winner=1)


# ---- Evaluation --------------------------------------------------------------------------------------------


def fours():
    """Every four in a row as a bit set."""
    for column in range(7):
        for row in range(6):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if column + 3 * dx < 7 and 0 <= row + 3 * dy < 6:
                    yield sum(1 << (7 * (column + i * dx) + row + i * dy) for i in range(4))


def test_the_evaluation_counts_the_fours_that_one_seat_can_still_complete():
    """One, two and three stones in such a four are worth 1, 8 and 27."""
    rows = list(fours())
    assert len(rows) == 69
    for seed in range(30):
        state, dice = GAME.new_state(), random.Random(seed)
        while not state.is_over:
            first, second = (int(stones) for stones in state.fields["stones"])
            score = 0
            for four in rows:
                mine, theirs = (first & four).bit_count(), (second & four).bit_count()
                score += (mine**3 if not theirs else 0) - (theirs**3 if not mine else 0)
            assert state.evaluate()[0] == 0.5 + 0.5 * score / (60 + abs(score))
            state.play(dice.choice(state.legal_moves()))


# ---- Playouts ----------------------------------------------------------------------------------------------


def sensible(board):
    """The moves that a playout chooses from, by the simple implementation, and the reason."""
    moves, other = board.moves(), 1 - board.seat
    for reason, chosen in (
        ("wins", [move for move in moves if board.would_win(move)]),
        ("stops the other seat", [move for move in moves if board.would_win(move, other)]),
        ("is safe", [move for move in moves if not board.would_win(move, other, above=1)]),
    ):
        if chosen:
            return chosen, reason
    return moves, "loses"


def test_playouts_win_or_stop_a_win_or_do_not_allow_one():
    stream, reasons = aiplay.RandomStream(2), Counter()
    for _ in range(150):
        state, board = GAME.new_state(), Board()
        while not state.is_over:
            wanted, reason = sensible(board)
            assert {state.playout_move(stream) for _ in range(12 * len(wanted))} <= set(wanted)
            reasons[reason] += 1
            # Seats that miss their wins play long games, in which a seat runs out of safe moves.
            quiet = [move for move in board.moves() if not board.would_win(move)]
            move = stream.choice(quiet or board.moves())
            state.play(move)
            board.drop(move)
    assert min(reasons[reason] for reason in ("wins", "stops the other seat", "is safe", "loses")) > 4


def test_playouts_draw_evenly_from_sensible_moves():
    counts = Counter(
        GAME.new_state().playout_move(stream) for stream in [aiplay.RandomStream(3)] for _ in range(7000)
    )
    assert all(abs(counts[move] - 1000) < 6 * 30 for move in range(7))


def test_whole_playouts_make_the_same_moves_one_by_one():
    for seed in range(300):
        quick, slow = GAME.new_state(), GAME.new_state()
        n = play_by_policy(quick, aiplay.RandomStream(seed), 42)
        stream = aiplay.RandomStream(seed)
        for _ in range(n):
            assert not slow.is_over
            slow.play(slow.playout_move(stream))
        assert slow.is_over
        assert quick == slow


def test_a_playout_ends_at_its_limit():
    state = GAME.new_state()
    assert play_by_policy(state, aiplay.RandomStream(1), 5) == 5
    assert state.to_move == 1
