"""`aiplay analyse` and `aiplay replay`: positions and records from files."""

import json
import re
import sys

import pytest
from terminal import Terminal, run, run_here

import aiplay
from aiplay.cli.files import write_text
from aiplay.match import Store, Tournament

NEEDS_TERMINAL = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


@pytest.fixture
def poker(tmp_path):
    """The file of a game of Leduc poker: seat 0 has Qh, seat 1 Js, the board is Ks."""
    table = aiplay.Table(aiplay.load_game("leduc_poker"), seed=2)
    for move in ("call", "call", "call", "call"):
        table.play(move)
    path = tmp_path / "poker.json"
    path.write_text(table.record.to_json())
    dealt = json.loads(path.read_text())
    (tmp_path / "dealt.json").write_text(json.dumps({**dealt, "moves": dealt["moves"][:1]}))
    return path


def win_in_one():
    """Return a table of connect four in which seat 0 wins in column 4."""
    table = aiplay.Table(aiplay.load_game("connect_four"), seed=1)
    for column in "414141":
        table.play(column)
    return table


# ---- analyse -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("player", ["mcts:iterations=500", "expectimax:depth=2", "greedy", "random"])
def test_json_has_the_analysis_of_the_player(player, tmp_path):
    table = win_in_one()
    (tmp_path / "view.json").write_text(table.view(0).to_json())
    done = run_here(
        "analyse", "--position", tmp_path / "view.json", "--player", player, "--seed", "3", "--json"
    )
    found = json.loads(done.stdout)
    wanted = aiplay.make_player(player, seed=3).analyse(table.view(0))
    assert (found["game"], found["seat"], found["player"]) == ("connect_four", 0, player)
    assert [(row["move"], row["text"], row["visits"], row["value"]) for row in found["moves"]] == [
        tuple(move) for move in wanted.moves
    ]
    assert (found["line"], found["odds"]) == ([*wanted.line], [*wanted.odds])
    if player != "random":
        assert found["moves"][0]["text"] == "4"


@pytest.mark.parametrize("kind", ["view", "state", "record"])
def test_a_position_is_read_from_a_view_a_state_or_a_record(kind, tmp_path):
    table = win_in_one()
    texts = {
        "view": table.view(0).to_json(),
        "state": table.state.to_json(),
        "record": table.record.to_json(),
    }
    option = "--record" if kind == "record" else "--position"
    done = run_here("analyse", option, "-", "--player", "mcts:iterations=300", text=texts[kind])
    assert re.search(r"^1  4 +█{16} +100\.0 % +proven", done.stdout, re.M)
    assert "odds  seat 0 100.0 %   seat 1 0.0 %" in done.stdout


def test_a_player_sees_only_what_the_seat_to_move_sees(poker):
    """The analysis does not depend on the card of seat 1."""
    record = json.loads(poker.read_text())
    seen = []
    for card in (0, 1, 5):
        text = json.dumps({**record, "moves": [record["moves"][0], card, 1, 1, 4]})
        arguments = ("analyse", "--record", "-", "--player", "mcts:iterations=400", "--seed", "1")
        seen.append(run_here(*arguments, "--json", text=text).stdout)
    assert len({json.dumps({**json.loads(text), "seconds": 0}) for text in seen}) == 1


def test_by_default_the_start_of_a_game_is_analysed_and_top_limits_the_moves():
    done = run_here(
        "analyse", "-g", "magic_rabbit", "--seats", "1", "--player", "greedy", "--top", "3", "--seed", "2"
    )
    assert done.returncode == 0
    assert len(re.findall(r"^\d  (lift|hats|piles) ", done.stdout, re.M)) == 3
    assert re.search(r"and \d+ more", done.stdout)


def test_time_limits_the_search():
    """By default it is 0.5 seconds."""
    found = json.loads(run_here("analyse", "-g", "pig", "--time", "0.7", "--json").stdout)
    assert found["seconds"] >= 0.7


def test_iterations_limit_the_search():
    arguments = ("analyse", "-g", "pig", "--player", "mcts:time=9", "--iterations", "300", "--json")
    assert json.loads(run_here(*arguments).stdout)["iterations"] == 300


def test_the_help_says_the_time_of_a_player_without_a_limit():
    seconds = aiplay.make_player("mcts").limit.time
    assert seconds == aiplay.make_player("expectimax").limit.time
    helped = " ".join(run_here("analyse", "--help").stdout.split())
    assert f"[default: (the player's own limit, else {seconds})]" in helped


def test_a_new_game_is_analysed_at_its_first_choice():
    """The first move of Levitation is forced: there is one city to begin in."""
    table = aiplay.Table(aiplay.load_game("levitation"), seed=3)
    forced = 0
    while len(moves := table.legal_moves()) == 1:
        table.play(moves[0])
        forced += 1
    assert forced == 1
    arguments = ("analyse", "-g", "levitation", "--iterations", "50", "--seed", "3")
    done = run_here(*arguments)
    assert done.stdout.startswith(str(table.view(table.to_move)).splitlines()[0])
    assert f"\nseat {table.to_move} to move after 1 forced move, mcts\n" in done.stdout
    found = json.loads(run_here(*arguments, "--json").stdout)
    assert {row["move"] for row in found["moves"]} == {*moves}
    assert found["ply"] == len(table.moves)
    assert "\nseat 0 to move, mcts\n" in run_here("analyse", "-g", "pig", "--iterations", "9").stdout


def test_a_finished_record_is_analysed_at_its_last_decision(poker):
    done = run_here("analyse", "--record", poker, "--player", "greedy")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\nseat 1 to move after 6 of 7 moves, greedy\n" in done.stdout
    found = run_here("analyse", "--record", poker, "--player", "greedy", "--ply", "6")
    assert "\nseat 1 to move, greedy\n" in found.stdout
    assert json.loads(run_here("analyse", "--record", poker, "--json").stdout)["ply"] == 6


def test_a_record_that_ends_with_chance_to_decide_is_analysed_at_its_last_decision(poker):
    record = json.loads(poker.read_text())
    text = json.dumps({**record, "moves": record["moves"][:4]})  # the public card comes next
    done = run_here("analyse", "--record", "-", "--player", "greedy", text=text)
    assert "\nseat 1 to move after 3 of 4 moves, greedy\n" in done.stdout


@NEEDS_TERMINAL
def test_on_a_terminal_the_analysis_is_updated_and_control_c_shows_it_so_far():
    with Terminal("analyse", "-g", "pig", "--player", "mcts:solver=false", "--time", "500") as terminal:
        terminal.wait_for(r"1  roll .*\n(.*\n)+cost .*in 0\.\d+ s")
        terminal.wait_for(r"1  roll .*\n(.*\n)+cost .*in 0\.\d+ s")
        terminal.interrupt()
        assert terminal.end(30) == 130
    assert "interrupted; this is the analysis so far" in terminal.text
    assert re.search(r"1  roll", terminal.text.rpartition("interrupted")[2])


# ---- replay ------------------------------------------------------------------------------------------------


def test_without_a_terminal_every_position_is_printed(poker):
    done = run_here("replay", poker)
    assert done.returncode == 0
    assert re.findall(r"^(\d)\. (.*)$", done.stdout, re.M) == [
        ("1", "chance: Qh"),
        ("2", "chance: Js"),
        ("3", "seat 0: call"),
        ("4", "seat 1: call"),
        ("5", "chance: Ks"),
        ("6", "seat 0: call"),
        ("7", "seat 1: call"),
    ]
    assert done.stdout.count("seat 1: Js") == 6
    assert done.stdout.endswith("over: seat 0 1, seat 1 -1\n\n")


def test_a_seat_sees_its_own_card_only(poker):
    done = run_here("replay", poker, "--seat", "1")
    assert "2. chance: Js" in done.stdout
    assert "Qh" not in done.stdout


def test_one_ply_is_one_position(poker):
    done = run_here("replay", poker, "--ply", "5")
    assert done.stdout == "5. chance: Ks\nseat 0: Qh 1 chips  seat 1: Js 1 chips  board: Ks\n\n"


@NEEDS_TERMINAL
def test_on_a_terminal_the_user_steps_back_and_forth(poker):
    with Terminal("replay", poker) as terminal:
        for typed, shown in [
            ("", "1. chance: Qh"),
            ("6", "6. seat 0: call"),
            ("b", "5. chance: Ks"),
            ("end", "over: seat 0 1, seat 1 -1"),
            ("", "this is the end"),
            ("99", "'99' is none of these; the plies are 0 to 7"),
            ("x", "'x' is none of these"),
            ("0", "leduc_poker, seed 2, 7 moves"),
        ]:
            terminal.wait_for(r"quit\)> $")
            terminal.type(typed)
            terminal.wait_for(re.escape(shown))
        terminal.type("q")
        assert terminal.end() == 0


@pytest.fixture(scope="module")
def match(tmp_path_factory):
    """A saved tournament of four games."""
    folder = tmp_path_factory.mktemp("match")
    arguments = ("tournament", "-g", "leduc_poker", "-p", "greedy", "random", "-n", "4", "-j", "1", "-s", "1")
    assert run_here(*arguments, "--save", "poker.db", cwd=folder).returncode == 0
    return folder / "poker.db"


def test_a_game_of_a_saved_match_is_replayed(match):
    with Store.read(match) as store:
        games = Tournament.of(store).results
    assert len(games) == 4
    for game in games:
        number = game.scheduled.number
        done = run_here("replay", "poker.db", "--game-number", number, cwd=match.parent)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith(f"leduc_poker, seed {game.scheduled.seed}, {len(game.record)} moves\n")
        first, second = game.scheduled.specs
        last = "over: seat 0 ({}) {:.3g}, seat 1 ({}) {:.3g}"
        assert last.format(first, game.returns[0], second, game.returns[1]) in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [("replay", "poker.db"), ("analyse", "--record", "poker.db"), ("play", "--resume", "poker.db")],
)
def test_a_saved_match_is_not_a_record_and_the_error_names_the_commands_for_it(arguments, match):
    done = run_here(*arguments, cwd=match.parent)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "aiplay: poker.db: this is a saved match (SQLite), not the record of one game; `aiplay report poker.db` shows"
        " its results, `aiplay replay poker.db --game-number N` one of its games, and `aiplay review poker.db"
        " --game-number N` reviews one\n"
    )


def test_a_game_that_is_not_in_the_match_is_answered_with_those_that_are(match):
    done = run_here("replay", "poker.db", "--game-number", "4", cwd=match.parent)
    assert done.returncode == 2
    assert "4; poker.db has finished games 0 to 3" in done.stderr


# ---- Broken files ------------------------------------------------------------------------------------------

PIG = {"game": "pig", "options": {"players": 2, "target": 100, "horizon": 1000}, "seed": 1}
RECORDS = {
    "": "not valid JSON",
    "{": "not valid JSON",
    "[1]": "expected a JSON object with game, options, seed, moves",
    '{"game": "pig"}': "key 'options' is missing",
    json.dumps(
        {**PIG, "moves": [0, 9]}
    ): "move 1 of the record: move 9 is not legal; legal moves: 0 (1), 1 (2)",
    json.dumps(
        {**PIG, "moves": [7]}
    ): "move 0 of the record: move 7 is not legal; legal moves: 0 (roll), 1 (hold)",
    json.dumps({**PIG, "game": "nothing", "moves": []}): "the games are connect_four",
    json.dumps({**PIG, "options": {"x": 1}, "moves": []}): "its options: players, target, horizon",
    json.dumps({**PIG, "seed": -1, "moves": []}): "the seed of the record: seed is -1",
    json.dumps({**PIG, "moves": [0], "players": [1, 2]}): "players has to be a list of texts",
}


@pytest.mark.parametrize("text", RECORDS, ids=lambda text: text[:30] or "empty")
def test_a_broken_record_is_reported_in_one_line(text, tmp_path):
    (tmp_path / "r.json").write_text(text)
    done = run_here("replay", "r.json", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"aiplay: r\.json: .+\n", done.stderr)
    assert RECORDS[text] in done.stderr


POSITIONS = {
    "": "not valid JSON",
    "[]": "expected a view or a state",
    json.dumps({**PIG, "moves": []}): "key 'seed'",
    '{"game": "pig", "options": [], "state": {}}': "expected a view or a state",
    '{"game": "nothing", "options": {}, "state": {}}': "the games are connect_four",
    '{"game": "leduc_poker", "options": {}, "state": {}}': "field 'hands' is missing",
    aiplay.load_game("leduc_poker").new_state().to_json(): "it is the turn of chance",
    aiplay.Table(aiplay.load_game("pig"), seed=1).view(1).to_json(): "it is the turn of seat 0",
}


@pytest.mark.parametrize("text", POSITIONS, ids=lambda text: text[:30] or "empty")
def test_a_broken_position_is_reported_in_one_line(text):
    done = run_here("analyse", "--position", "-", "--json", text=text)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"aiplay: standard input: .+\n", done.stderr)
    assert POSITIONS[text] in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("replay", "nowhere.json"), 1, "nowhere.json: No such file or directory"),
        (("replay", "."), 1, "aiplay: .: "),  # a folder; the message depends on the system
        (("play", "--resume", "nowhere.json"), 1, "nowhere.json: No such file or directory"),
        (("play", "--save", "nowhere/g.json"), 1, "nowhere/g.json: No such file or directory"),
        (("replay", "poker.json", "--ply", "8"), 2, "the record has 0 to 7"),
        (("replay", "poker.json", "--seat", "2"), 2, "seats 0 to 1"),
        (
            ("analyse", "--record", "poker.json", "--ply", "7"),
            1,
            "poker.json: at --ply 7 the game is over; the nearest decision of a seat is at --ply 6",
        ),
        (
            ("analyse", "--record", "poker.json", "--ply", "0"),
            1,
            "at --ply 0 chance decides; the nearest decision of a seat is at --ply 2",
        ),
        (("analyse", "--record", "dealt.json"), 1, "dealt.json: no seat has a decision"),
        (("analyse", "--record", "poker.json", "--ply", "9"), 1, "the record has 0 to 7"),
        (("analyse", "--record", "poker.json", "--ply", "2", "-g", "pig"), 2, "the file is of leduc_poker"),
        (("analyse", "--ply", "2"), 2, "--record"),
        (("analyse", "--record", "a", "--position", "b"), 2, "either --position or --record"),
        (("analyse", "--time", "-1"), 2, "a number from 0"),
        (("analyse", "--iterations", "0"), 2, "a whole number from 1"),
        (("analyse", "--iterations", "9", "--time", "1"), 2, "give either --time or --iterations"),
        (
            ("analyse", "--iterations", "9", "--player", "expectimax"),
            2,
            "no limit 'iterations'; its limits: time, nodes",
        ),
        (("bench", "--seats", "2"), 2, "--game"),
    ],
)
def test_a_mistake_is_one_line_that_says_what_is_allowed(arguments, code, message, poker):
    done = run_here(*arguments, cwd=poker.parent)
    assert (done.returncode, done.stdout) == (code, "")
    assert re.fullmatch(r"aiplay: .+\n", done.stderr)
    assert message in done.stderr


def test_a_file_is_written_completely_or_not_at_all(tmp_path, monkeypatch):
    file = tmp_path / "game.json"
    write_text(file, "first")

    def fail(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="No space left") as caught:
        write_text(file, "second")
    assert caught.value.filename == str(file)
    assert file.read_text() == "first"
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_a_process_reports_an_error_in_one_line(poker):
    done = run("analyse", "--record", "-", text='{"game": "pig", "opt')
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"aiplay: standard input: not valid JSON: .+\n", done.stderr)
