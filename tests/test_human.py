"""The player `human`: typed moves, and lists of moves."""

import re

import pytest

import aiplay
from aiplay.players.human import HumanPlayer, find_moves, list_moves, move_labels


def view_of(name, *moves, seed=3, **options):
    table = aiplay.Table(aiplay.load_game(name, **options), seed=seed)
    for move in moves:
        table.play(move)
    return table.view(table.to_move)


class Typist(HumanPlayer):
    """Types the lines that it was given."""

    def __init__(self, *lines):
        super().__init__()
        self.lines, self.shown = [*lines], []

    def ask(self, view):
        return self.lines.pop(0)

    def show(self, view):
        self.say(f"{view}\n\n{list_moves(view)}")

    def say(self, text):
        self.shown.append(text)


# ---- Typed moves -------------------------------------------------------------------------------------------


def test_a_move_is_found_by_number_notation_or_the_beginnings_of_its_words():
    view = view_of("illusio")
    moves = view.legal_moves()
    assert view.move_text(moves[1]) == "back rabbit"
    for typed in ("1", "back rabbit", "BACK  Rabbit", "back r", "b rab"):
        assert find_moves(view, typed) == [moves[1]]


def test_an_exact_notation_wins_over_longer_ones():
    view = view_of("magic_rabbit", "lift B")
    assert view.legal_moves()[0] == view.parse_move("stay")
    assert find_moves(view, "stay") == [view.parse_move("stay")]


def test_an_ambiguous_beginning_finds_all_moves_that_fit():
    view = view_of("illusio")
    assert [view.move_text(move) for move in find_moves(view, "back")] == [
        "back rabbit",
        "back dove",
        "back cage",
    ]


def test_if_moves_are_numbers_a_number_is_the_move_and_not_its_place_in_the_list():
    view = view_of("connect_four", *"111111")
    assert find_moves(view, "1") == []
    assert [view.move_text(move) for move in find_moves(view, "2")] == ["2"]
    assert "1" not in list_moves(view).split()


@pytest.mark.parametrize("typed", ["0", "10", "-1", "nothing", "back rabbit rabbit", "²"])
def test_other_texts_find_nothing(typed):
    assert find_moves(view_of("illusio"), typed) == []


@pytest.mark.parametrize("name", aiplay.game_names())
def test_every_move_of_every_game_can_be_typed_by_notation_and_by_its_label(name):
    table, stream = aiplay.Table(aiplay.load_game(name), seed=8), aiplay.RandomStream(8)
    for _ in range(40):
        if table.over:
            break
        view = table.view(table.to_move)
        labels = move_labels(view)
        for move in view.legal_moves():
            assert find_moves(view, view.move_text(move)) == [move]
            if name != "connect_four":
                assert find_moves(view, labels[move]) == [move]
        table.play(stream.choice(view.legal_moves()))


# ---- The list ----------------------------------------------------------------------------------------------


def position_with(name, verb, *others, seed=1):
    """Return a view with a choice between moves of these verbs, from a random game."""
    stream = aiplay.RandomStream(seed)
    for deal in range(20):
        table = aiplay.Table(aiplay.load_game(name), seed=deal)
        while not table.over:
            view = table.view(table.to_move)
            verbs = [view.move_parts(move)["verb"] for move in view.legal_moves()]
            if {verb, *others} == {*verbs} and verbs.count(verb) > 1:
                return view
            table.play(stream.choice(view.legal_moves()))
    raise AssertionError(f"no choice of {verb} in {name}")


@pytest.mark.parametrize(
    ("name", "verbs"), [("three_magicians", ["keep", "stop"]), ("levitation", ["points"])]
)
def test_labels_are_letters_if_verbs_are_followed_by_numbers(name, verbs):
    view = position_with(name, *verbs)
    labels = move_labels(view)
    assert sorted(labels.values()) == [*"abcdefghijklmn"[: len(labels)]]
    assert find_moves(view, "a")[0] in labels
    assert re.match(rf"  {verbs[0]}  a\) \d", list_moves(view))
    for move in view.legal_moves():
        assert move in find_moves(view, view.move_text(move).split()[-1])  # "1" for "keep 1", and not a label


def test_many_letters_have_the_same_length(monkeypatch):
    monkeypatch.setattr("aiplay.players.human.NUMBERS", re.compile(".*"))
    view = view_of("magic_rabbit", doves=False, players=1)
    labels = [*move_labels(view).values()]
    assert len(labels) == len(view.legal_moves()) > 26
    assert labels[:2] == ["aa", "ab"]
    assert labels[26] == "ba"


@pytest.mark.parametrize("name", aiplay.game_names())
def test_moves_that_end_something_are_listed_last(name):
    table, stream = aiplay.Table(aiplay.load_game(name), seed=8), aiplay.RandomStream(8)
    for _ in range(60):
        if table.over:
            break
        view = table.view(table.to_move)
        ends = [table.game.VERBS[view.move_parts(move)["verb"]].ends for move in move_labels(view)]
        assert ends == sorted(ends)
        assert not all(ends) or len(ends) < 2
        table.play(stream.choice(view.legal_moves()))


def test_a_verb_of_two_words_is_a_group():
    view = position_with("illusio", "give up", *["back", "throw", "play", "end"])
    assert re.search(r"^  give up +\d+\) \w", list_moves(view, rows=1000), re.M)


def test_moves_are_listed_by_their_first_words_with_their_numbers():
    assert list_moves(view_of("illusio"), width=80).splitlines() == [
        "  back   1) rabbit   2) dove     3) cage",
        "  throw  4) rabbit      5) dove        6) cage        7) transform",
        "         8) encore",
        "         9) end",
    ]


def test_a_long_list_is_folded_and_its_groups_can_be_shown():
    view = view_of("magic_rabbit", doves=False, players=1)
    text = list_moves(view, width=80, rows=4)
    assert len(text.splitlines()) == 3
    assert 'hats   10-45) 36 moves like "hats A B"; type hats to see them' in text
    assert len(find_moves(view, "hats")) == 36
    assert "45) H I" in list_moves(view, find_moves(view, "hats"), width=80, rows=1000)


@pytest.mark.parametrize("name", aiplay.game_names())
@pytest.mark.parametrize("width", [80, 120])
def test_lists_keep_to_the_width_and_show_every_move(name, width):
    table, stream = aiplay.Table(aiplay.load_game(name), seed=8), aiplay.RandomStream(8)
    for _ in range(30):
        if table.over:
            break
        view = table.view(table.to_move)
        text = list_moves(view, width=width, rows=1000)
        assert max(map(len, text.splitlines())) <= width
        if name != "connect_four":
            listed = re.findall(r"(?<!\S)([\da-z]+)\) ", text)
            assert listed == [*move_labels(view).values()]
            assert len(listed) == len(view.legal_moves())
        table.play(stream.choice(view.legal_moves()))


# ---- The player --------------------------------------------------------------------------------------------


def test_a_human_is_asked_until_the_move_is_clear():
    view = view_of("illusio")
    human = Typist("", "nothing", "back", "back d")
    assert view.move_text(human.choose(view)) == "back dove"
    position, unknown, choices, echo = human.shown
    assert position.startswith(str(view))
    assert "'nothing'" in unknown
    assert choices == "  back  1) rabbit   2) dove     3) cage"
    assert echo == "  you: back dove"


def test_a_move_that_was_typed_in_full_is_not_repeated():
    human = Typist("Back dove")
    human.choose(view_of("illusio"))
    assert len(human.shown) == 1


def test_a_move_that_is_not_possible_now_is_told_from_nonsense():
    human = Typist("into dove", "intro", "end")
    human.choose(view_of("illusio"))
    assert human.shown[1:] == [
        "'into dove' is not possible now: type a number (1 to 9) or the beginning of a move",
        "no move is 'intro': type a number (1 to 9) or the beginning of a move",
    ]


def test_letters_are_asked_for_if_the_labels_are_letters():
    human = Typist("x", "a")
    human.choose(position_with("three_magicians", "keep", "stop"))
    assert re.fullmatch(
        r"no move is 'x': type a letter \(a to \w\) or the beginning of a move", human.shown[1]
    )


def test_no_number_is_asked_for_if_moves_have_none():
    human = Typist("1", "2")
    human.choose(view_of("connect_four", *"111111"))
    assert human.shown[1:] == ["no move is '1': type the beginning of a move"]


def test_a_human_without_a_terminal_is_refused_with_a_clear_message(monkeypatch, capsys):
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    with pytest.raises(aiplay.PlayerSpecError, match="terminal"):
        aiplay.make_player("human").choose(view_of("pig"))
    assert capsys.readouterr().out == ""


def test_a_human_has_nothing_to_choose_when_it_is_not_its_turn():
    table = aiplay.Table(aiplay.load_game("pig"), seed=1)
    with pytest.raises(aiplay.IllegalMoveError, match="it is the turn of seat 0"):
        Typist().choose(table.view(1))
