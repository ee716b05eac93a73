"""Reviews: luck, skill and others add up to the result, and decisions are judged by what the seat knew."""

import json
from html.parser import HTMLParser

import pytest
from terminal import run_here
from toys import LookOrGuess

import aiplay
from aiplay import Limit, RandomStream, review
from aiplay._core.measure import play_out
from aiplay._core.search.prospects import play_run, playout_values
from aiplay.errors import PlayerSpecError, RecordError
from aiplay.review.accounts import accounts_of, changes
from aiplay.review.judge import verdict_of
from aiplay.review.values import Referee, by_evaluation

# Random games of each game, fewer of the long ones; bench/review_identity.py plays thousands of each.
GAMES = {
    "connect_four": 400,
    "illusio": 20,
    "leduc_poker": 1000,
    "levitation": 100,
    "magic_rabbit": 100,
    "pig": 100,
    "three_magicians": 6,
}


def random_table(game, seed):
    """A finished game of random moves."""
    table, stream = aiplay.Table(game, seed=seed), RandomStream(seed + 1000)
    while not table.over:
        moves = table.legal_moves()
        table.play(moves[stream.below(len(moves))])
    return table


def seat_counts(name):
    low, high = aiplay.load_game(name).seat_range
    return range(low, high + 1)


def adds_up(one):
    return one.final - one.initial == pytest.approx(one.luck + one.skill + one.others, abs=1e-9)


# ---- The identity ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(GAMES))
def test_luck_skill_and_others_add_up_to_the_result_in_every_game(name):
    """Whatever the best move is: here it is any legal one."""
    counts = seat_counts(name)
    for seats in counts:
        options = {} if len(counts) == 1 else {"players": seats}
        game = aiplay.load_game(name, **options)
        for seed in range(max(1, GAMES[name] // len(counts))):
            table = random_table(game, seed)
            referee = Referee(game, by_evaluation)
            found = changes(game, table.moves, referee, lambda state, move: state.legal_moves()[move % 2])
            accounts = accounts_of(game, found, referee.value(game.new_state()))
            span = game.max_return - game.min_return
            assert all(map(adds_up, accounts))
            for one, got in zip(accounts, table.returns(), strict=True):
                assert one.final == pytest.approx((got - game.min_return) / span)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_account_of_a_whole_review_adds_up(name):
    table = random_table(aiplay.load_game(name), 5)
    record = table.record if len(table.moves) < 150 else aiplay.replay(table.record, 150).record
    found = review.review_game(record, "greedy:worlds=2,samples=4")
    assert all(map(adds_up, found.seats))
    assert len(found.changes) == len(record.moves)


class TwoThrows(aiplay.PythonGame):
    """A coin (heads 1/4) sets the price of stopping: 0.8 after heads, else 0.4. Or throw again: 1 or 0.1 or 0.1.

    Seat 1 gets what seat 0 does not. By hand: going on is worth 0.4, so heads is worth 0.8 and tails 0.4; the game is
    worth 0.8 / 4 + 0.4 * 3 / 4 = 0.5.
    """

    name = "two_throws"
    seats, max_moves, max_depth = 2, 3, 3
    HEADS, TAILS = 0, 1
    STOP, GO_ON = 0, 1

    def setup(self):
        return ()

    def to_move(self, state):
        if len(state) in (0, 2) and state[1:] != (self.STOP,):
            return self.CHANCE
        return 0 if len(state) == 1 else self.TERMINAL

    def legal_moves(self, state):
        return [self.STOP, self.GO_ON]

    def chance_outcomes(self, state):
        return [(0, 0.25), (1, 0.75)] if not state else [(0, 1 / 3), (1, 1 / 3), (2, 1 / 3)]

    def play(self, state, move):
        return (*state, move)

    def returns(self, state):
        got = (0.8 if state[0] == self.HEADS else 0.4) if len(state) == 2 else (1.0, 0.1, 0.1)[state[2]]
        return [got, 1 - got]


def test_luck_and_skill_are_what_a_calculation_by_hand_says():
    """Heads, on, and the best throw: luck 0.3, then a mistake of 0.4, then luck 0.6."""
    game = TwoThrows()
    record = aiplay.Record(game.name, {}, 0, (TwoThrows.HEADS, TwoThrows.GO_ON, 0))
    found = review.review_game(record, "expectimax:depth=3", game=game)
    first, second = found.seats
    assert (first.initial, first.final) == pytest.approx((0.5, 1.0))
    assert [change.luck[0] for change in found.changes] == pytest.approx([0.3, 0.0, 0.6])
    assert (first.luck, first.skill, first.others) == pytest.approx((0.9, -0.4, 0.0))
    assert (second.luck, second.skill, second.others) == pytest.approx((-0.9, 0.0, 0.4))
    assert first.adjusted == pytest.approx(0.1)
    (decision,) = found.decisions
    assert (decision.loss, decision.verdict, decision.best) == (pytest.approx(0.4), "blunder", "0")
    assert [event.luck[0] for event in found.events] == pytest.approx([0.3, 0.6])


def test_the_luck_of_an_event_has_mean_zero():
    game = aiplay.load_game("pig")
    referee = Referee(game, by_evaluation)
    state = game.new_state()
    state.play("roll")
    before = referee.value(state)
    mean = sum(p * referee.after(state, face)[0] for face, p in state.chance_outcomes())
    assert mean == pytest.approx(before[0], abs=1e-15)
    assert referee.after(state, 0) != before


def test_a_run_ends_at_the_next_choice_or_at_the_end():
    game, stream = aiplay.load_game("leduc_poker"), RandomStream(1)
    state = game.new_state()
    play_run(state, stream, 64)  # both cards are dealt
    assert state.to_move == 0
    assert len(state.legal_moves()) > 1
    while not state.is_over:
        before = state.copy()
        play_run(state, stream, 64)
        assert state == before  # a choice is no part of a run
        state.play(state.legal_moves()[0])
        play_run(state, stream, 64)
        assert state.is_over or len(state.legal_moves()) > 1


# ---- What a seat could not know ----------------------------------------------------------------------------


def guessed(card, move):
    """The review of a guess in LookOrGuess, where looking (0.9) is right and a guess is worth 0.5."""
    game = LookOrGuess()
    record = aiplay.Record(game.name, {}, 0, (card, move))

    def value(state):  # looking is always right: 0.9, whatever the card
        return [0.9]

    return review.review_game(record, "mcts:iterations=400", game=game, value=value)


def test_a_decision_is_judged_by_what_the_seat_knew_not_by_how_it_ended():
    lucky, unlucky = guessed(0, 0), guessed(1, 0)
    assert [one.decisions[0].best for one in (lucky, unlucky)] == ["2", "2"]
    assert lucky.decisions[0].verdict == unlucky.decisions[0].verdict == "blunder"
    assert lucky.decisions[0].loss == unlucky.decisions[0].loss == pytest.approx(0.4, abs=0.1)
    assert lucky.seats[0].skill == pytest.approx(0.1)  # by the true card the guess was right
    assert unlucky.seats[0].skill == pytest.approx(-0.9)
    assert lucky.seats[0].luck == unlucky.seats[0].luck == pytest.approx(0.0)


def test_who_plays_right_has_no_skill_booked_where_cards_are_hidden():
    game = aiplay.load_game("leduc_poker")
    for seed in range(5):
        table = aiplay.Table(game, seed=seed)
        while not table.over:
            player = aiplay.make_player("mcts:iterations=2000", seed=0)
            view = table.view(table.to_move)
            table.play(player.analyse(view, Limit(iterations=2000)).best)
        found = review.review_game(table.record)
        assert {one.verdict for one in found.decisions} == {"best"}
        assert all(one.skill == one.others == 0 for one in found.seats)


def test_hidden_cards_are_valued_as_they_are():
    game = aiplay.load_game("leduc_poker")
    state = game.new_state()
    for card in ("Kh", "Js"):
        state.play(card)
    good, bad = playout_values(state, 1, 0)
    assert good > 0.5 > bad


# ---- Verdicts ----------------------------------------------------------------------------------------------


def test_the_thresholds_of_verdicts():
    losses = {"best": 0.0, "fine": 0.019, "doubtful": 0.049, "mistake": 0.099, "blunder": 0.1}
    assert {verdict_of(loss, 0.0, False): loss for loss in losses.values()} == losses
    assert verdict_of(0.3, 0.0, True) == "best"
    assert verdict_of(0.3, 0.295, False) == "fine"  # what may be chance is no mistake


def test_a_move_that_search_hardly_tried_is_searched_for_longer():
    table = random_table(aiplay.load_game("illusio"), 3)
    record = aiplay.replay(table.record, 60).record
    found = review.review_game(record, limit=Limit(iterations=60))
    assert all(one.error < 0.2 for one in found.decisions)


def test_the_same_seed_gives_the_same_review():
    record = random_table(aiplay.load_game("pig", target=30), 2).record
    documents = [review.document(review.review_game(record, limit=Limit(iterations=50))) for _ in range(2)]
    for one in documents:
        del one["seconds"]
    assert documents[0] == documents[1]


def test_playouts_repeat_and_stay_in_range():
    state = random_table(aiplay.load_game("illusio"), 1)
    table = aiplay.replay(state.record, 80)
    values = playout_values(table.state, 20, 10, 7)
    assert values == playout_values(table.state, 20, 10, 7)
    assert values != playout_values(table.state, 20, 10, 8)
    assert all(0 <= value <= 1 for value in values)
    with pytest.raises(ValueError, match="1 or more"):
        playout_values(table.state, 0, 10)


def test_playouts_agree_with_played_games():
    """Without a policy, playouts are random games."""
    game = aiplay.load_game("connect_four")
    wins = 0
    for seed in range(400):
        state = game.new_state()
        play_out(state, RandomStream(seed))
        wins += (state.returns()[0] + 1) / 2 / 400
    assert playout_values(game.new_state(), 400, -1)[0] == pytest.approx(wins, abs=0.09)


def test_players_that_cannot_analyse_are_refused():
    record = random_table(aiplay.load_game("leduc_poker"), 1).record
    with pytest.raises(PlayerSpecError, match=r"cannot review a game; allowed: .*mcts"):
        review.review_game(record, "random")


def test_an_unfinished_game_ends_with_an_estimate():
    record = aiplay.replay(random_table(aiplay.load_game("pig"), 1).record, 9).record
    found = review.review_game(record, limit=Limit(iterations=50))
    assert found.returns is None
    assert all(map(adds_up, found.seats))
    assert "not over" in review.text(found)
    empty = review.review_game(aiplay.Record("connect_four", {}, 0, ()), "greedy")
    assert all(one.initial == one.final for one in empty.seats)


def test_a_record_that_is_none_is_refused():
    with pytest.raises(RecordError):
        review.review_game("{}")


# ---- Output ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("review") / "game.json"
    path.write_text(random_table(aiplay.load_game("connect_four"), 4).record.to_json())
    return path


def test_json_has_the_account_of_every_seat(file):
    done = run_here("review", file, "--iterations", 200, "--json")
    found = json.loads(done.stdout)
    assert done.returncode == 0
    for one in found["seats"]:
        assert {"seat", "initial", "final", "luck", "skill", "others", "adjusted", "loss"} <= set(one)
        assert one["final"] - one["initial"] == pytest.approx(one["luck"] + one["skill"] + one["others"])
        parts = [decision["decided"][one["seat"]] for decision in found["decisions"]]
        assert sum(parts) == pytest.approx(one["skill"] + one["others"])
    assert found["events"] == []
    assert {"ply", "seat", "text", "best", "loss", "verdict", "line"} <= set(found["decisions"][0])
    assert found["retry"] == [
        {"ply": one["ply"], "seat": one["seat"]}
        for one in found["decisions"]
        if one["verdict"] in ("mistake", "blunder")
    ]


def test_the_terminal_shows_accounts_verdicts_and_positions_to_retry(file):
    done = run_here("review", file, "--iterations", 200)
    assert done.returncode == 0
    for text in ("without luck", "per decision", "the worst decisions", f"--position {file} --ply"):
        assert text in done.stdout


def test_a_game_without_mistakes_has_no_position_to_retry(tmp_path):
    table = aiplay.Table(aiplay.load_game("pig"), seed=1)
    table.play("roll")
    (tmp_path / "game.json").write_text(table.record.to_json())
    done = run_here("review", tmp_path / "game.json", "--iterations", 50, "--retry", tmp_path / "retry")
    assert done.returncode == 0
    assert "retry: there are no mistakes, so no position was written" in done.stdout
    assert list((tmp_path / "retry").iterdir()) == []


def test_play_opens_the_positions_to_retry(file, tmp_path):
    done = run_here("review", file, "--iterations", 200, "--retry", tmp_path / "retry")
    commands = [row.split()[2:] for row in done.stdout.splitlines() if row.startswith("retry: ")]
    assert commands
    found = json.loads(run_here("review", file, "--iterations", 200, "--json").stdout)
    for command, position in zip(commands, found["retry"], strict=True):
        played = run_here(*command, "--vs", "random", text="quit\n")
        assert played.returncode == 0
        assert f"You are seat {position['seat']}" in played.stdout
        again = run_here(
            "play", "--position", file, "--ply", position["ply"], "--vs", "random", text="quit\n"
        )
        assert again.stdout == played.stdout


def test_a_position_says_what_is_played(file):
    done = run_here("play", "--position", file, "--game", "pig")
    assert (done.returncode, "leave out --game" in done.stderr) == (2, True)
    assert "it needs a --position" in run_here("play", "--ply", 3).stderr


class Reader(HTMLParser):
    """Collects tags and checks that every element is closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags = [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_is_one_file_with_charts_and_positions(file, tmp_path):
    pytest.importorskip("matplotlib")
    html = tmp_path / "review.html"
    assert run_here("review", file, "--iterations", 200, "--html", html).returncode == 0
    text = html.read_text()
    tags = Reader(text).tags
    assert "http" not in text
    assert tags.count("svg") == 2
    assert "pre" in tags
    assert {"script", "link", "a", "iframe"}.isdisjoint(tags)
    assert f"aiplay play --position {file} --ply" in text


def test_names_in_a_record_cannot_act_as_html():
    pytest.importorskip("matplotlib")
    table = random_table(aiplay.load_game("leduc_poker"), 1)
    record = aiplay.Record("leduc_poker", {}, 1, table.moves, ("<script>", "b"))
    assert "<script>" not in review.page(review.review_game(record, "greedy"), file="<script>")
