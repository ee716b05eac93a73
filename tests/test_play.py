"""`aiplay play`: games of people against bots, through pipes and in a pseudo-terminal."""

import json
import re
import sys

import pytest
from same_to_a_seat import other_truth
from terminal import Terminal, run, run_here

import aiplay

NEEDS_TERMINAL = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
PROMPT = r"your move> $"
END_OR_PROMPT = r"your move> $|(You win|You lose|A draw)\."


def saved(path):
    return aiplay.Record.from_json(path.read_text())


# ---- Whole games -------------------------------------------------------------------------------------------


@NEEDS_TERMINAL
def test_a_whole_game_of_connect_four_in_a_terminal():
    with Terminal("play", "--game", "connect_four", "--vs", "mcts:iterations=500", "--seed", "4") as terminal:
        for column in "4444441111112":
            if terminal.wait_for(END_OR_PROMPT)[1]:
                break
            terminal.type(column)
        terminal.wait_for(r"results, from -1 to 1: seat 0 \(you\) -1   seat 1 \(mcts:iterations=500\) 1\n")
        assert terminal.end() == 0
    assert "\x1b[" in terminal.raw
    assert "You lose." in terminal.text


@NEEDS_TERMINAL
def test_a_whole_game_of_illusio_in_a_terminal():
    arguments = ("play", "--seat", "1", "--seats", "3", "--vs", "greedy:worlds=2", "--vs", "random")
    stream = aiplay.RandomStream(5)
    with Terminal(*arguments, "--option", "turn_cap=3", "--seed", "4", rows=40, columns=120) as terminal:
        decisions = 0
        while not terminal.wait_for(END_OR_PROMPT)[1]:
            numbers = re.findall(r"\b(\d+)\) ", terminal.text.rpartition("\n\n")[2])
            terminal.type(stream.choice(numbers))
            decisions += 1
        assert terminal.end() == 0
    assert decisions > 3
    assert re.search(r"seat 0 \(greedy:worlds=2\): (back|throw|claim|end)", terminal.text)
    assert re.search(r"chance: draw \?", terminal.text)
    shown = re.search(r"^results, from 0 to 1: (.*)$", terminal.text, re.M)[1]
    results = [part.rsplit(" ", 1) for part in shown.split("   ")]
    assert [who for who, _ in results] == ["seat 0 (greedy:worlds=2)", "seat 1 (you)", "seat 2 (random)"]
    assert sum(float(result) for _, result in results) == pytest.approx(1, abs=0.01)


def test_in_a_cooperative_game_the_bots_are_team_mates():
    done = run(
        "play", "-g", "magic_rabbit", "-o", "turns=2", "--vs", "greedy", "--seed", "3", text="1\n1\n1\n"
    )
    assert done.returncode == 0
    assert "You are seat 0, together with seat 1 (greedy)." in done.stdout
    assert "The team loses.\nresults, from 0 to 1: seat 0 (you) 0   seat 1 (greedy) 0\n" in done.stdout


def test_the_end_shows_what_was_hidden():
    done = run_here(
        "play", "-g", "magic_rabbit", "-o", "turns=2", "--vs", "greedy", "--seed", "3", text="1\n1\n1\n"
    )
    rabbits = re.findall(r"^rabbit (.*)$", done.stdout, re.M)
    assert all("?" in shown for shown in rabbits[:-1])
    assert sorted(rabbits[-1].split()) == [*"123456789"]


def test_forced_moves_are_made_at_once_and_shown():
    done = run_here(
        "play", "-g", "three_magicians", "--vs", "greedy", "--seed", "3", text="jump F\nwalk Castle\n"
    )
    assert "\n  seat 0 (you, forced): end\n  chance: throw" in done.stdout


# ---- Input -------------------------------------------------------------------------------------------------


def test_help_moves_and_wrong_words():
    done = run_here("play", "-g", "pig", "--vs", "random", text="help\nmoves\nnonsense\n\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")
    for word in ("moves", "hint", "undo", "save", "quit"):
        assert re.search(rf"^  {word} ", done.stdout, re.M)
    assert done.stdout.count("1) roll   2) hold") == 2
    assert "no move is 'nonsense': type a number (1 to 2)" in done.stdout


def test_help_explains_the_verbs_of_the_moves_and_no_others():
    done = run_here("play", "--vs", "random", "--seed", "3", text="help\nquit\n")
    helped = done.stdout.partition("your moves now:\n")[2].partition("what you can type:\n")[0]
    verbs = aiplay.load_game("illusio").VERBS
    assert re.findall(r"^  (\w+)", helped, re.M) == ["back", "throw", "end"]
    for name in ("back", "throw", "end"):
        assert verbs[name].about in " ".join(helped.split())


def test_board_shows_the_position_again():
    done = run_here("play", "-g", "leduc_poker", "--vs", "random", "--seed", "2", text="help\nboard\nquit\n")
    first, again = done.stdout.split("─" * 80)[1:]
    assert first.partition("your move>")[0] == again.partition("your move>")[0]


def test_card_tells_what_things_do():
    text = "card sphinx\nwhat LION\ncard transform\ncard Spinx\ncard gorilla\nquit\n"
    done = run_here("play", "--vs", "random", "--seed", "3", text=text)
    sphinx, lions, both, near, nothing = (
        " ".join(answer.split()) for answer in re.split(r"your move> .*\n", done.stdout)[1:6]
    )
    assert sphinx.startswith("Sphinx (objective): A trick of illusion.")
    assert "needs: mirrors, case;" in sphinx
    assert "Lion's Bride (objective)" in lions
    assert "Lion Cage Escape (objective)" in lions
    assert "transform (special action): " in both
    assert "transform (verb): " in both
    assert near == "there is no 'Spinx'; near it: Sphinx"
    assert nothing == "there is no 'gorilla': type card for all names"


def test_card_tells_facts_in_words():
    text = "card turn token\ncard The Egg Bag\nquit\n"
    done = run_here("play", "-g", "levitation", "--vs", "random", "--seed", "3", text=text)
    token, bag = (" ".join(answer.split()) for answer in re.split(r"your move> .*\n", done.stdout)[1:3])
    assert "small numbers of the seats: 1 = 1/2/3/4/5, 2 = 5/4/3/2/1," in token
    assert bag.endswith("effect: gain ticket")  # no colours


def test_a_thing_is_near_if_one_of_its_words_is():
    done = run_here("play", "--vs", "random", text="card escpae\nquit\n")
    assert re.search(r"there is no 'escpae'; near it: \w.* Escape", done.stdout)


@pytest.mark.parametrize("name", aiplay.game_names())
def test_everything_in_the_catalogue_can_be_looked_up_by_the_listed_name(name):
    game = aiplay.load_game(name)
    entries = [entry for entries in game.catalogue.values() for entry in entries]
    some = entries[:: len(entries) // 12 + 1]
    text = "".join(f"card {entry.name}\n" for entry in some)
    done = run_here("play", "-g", name, "--vs", "random", text=f"card\n{text}quit\n")
    names, *answers = (
        " ".join(answer.split()) for answer in re.split(r"your move> .*\n", done.stdout)[1 : len(some) + 2]
    )
    assert all(entry.name in names for entry in entries)
    for entry, answer in zip(some, answers, strict=True):
        assert f"{entry.name} (" in answer
        assert entry.about in answer
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_rules_are_plain_text_without_a_terminal():
    done = run_here("play", "-g", "pig", "--vs", "random", text="rules\nquit\n")
    assert aiplay.load_game("pig").rules.rstrip() in done.stdout


@NEEDS_TERMINAL
def test_rules_are_shown_by_a_pager_in_a_terminal(monkeypatch):
    monkeypatch.setenv("PAGER", "sed 's/^/page: /'")
    with Terminal("play", "-g", "pig", "--vs", "random", "--seed", "5") as terminal:
        terminal.wait_for(PROMPT)
        terminal.type("rules")
        terminal.wait_for(r"page: .*(.*\n)*your move> $")
        terminal.type("quit")
        assert terminal.end() == 0
    assert "# " not in terminal.text  # no Markdown


def test_a_game_without_rules_and_catalogue_says_so(monkeypatch):
    monkeypatch.setattr("aiplay.games.pig.Pig.rules", "")
    monkeypatch.setattr("aiplay.games.pig.Pig.catalogue", {})
    monkeypatch.setattr("aiplay.games.pig.Pig.VERBS", {})
    monkeypatch.setattr("aiplay.games.pig.Pig.move_text", lambda self, position, move: f"move {move}")
    done = run_here("play", "-g", "pig", "--vs", "random", text="rules\ncard x\nhelp\nquit\n")
    assert "Type help.\n" in done.stdout
    assert "this game has no page of rules\n" in done.stdout
    assert "this game has no catalogue\n" in done.stdout
    assert not re.search(r"^  (rules|card) ", done.stdout, re.M)


@pytest.mark.parametrize("name", aiplay.game_names())
def test_drawings_of_two_seats_fit_a_terminal(name):
    game = aiplay.load_game(name)
    if "players" in game.options:
        game = aiplay.load_game(name, players=2)
    table, bot = aiplay.Table(game, seed=4), aiplay.make_player("greedy:worlds=1", seed=4)
    for _ in range(60):
        if table.over:
            break
        rows = str(table.view(table.to_move)).splitlines()
        assert len(rows) <= 24
        assert max(map(len, rows)) <= 80
        table.play(bot.choose(table.view(table.to_move)))


def test_a_hint_is_the_analysis_of_the_bot_from_the_seat_of_the_human():
    done = run_here(
        "play",
        "-g",
        "connect_four",
        "--vs",
        "mcts:iterations=3000",
        "--seed",
        "1",
        text="4\nundo\nhint\nquit\n",
    )
    rows = re.findall(r"^  (\d) +[█░]{16} +([\d.]+) %", done.stdout, re.M)
    assert rows[0][0] == "4"
    assert len(rows) == 5
    assert "odds: seat 0 (you)" in done.stdout


def test_another_player_can_give_the_hints():
    done = run_here(
        "play", "-g", "pig", "--vs", "random", "--hint", "expectimax:depth=3", text="hint\nquit\n"
    )
    assert re.search(r"^1\)  roll +█+░+ +\d\d\.\d %", done.stdout, re.M)


@pytest.mark.parametrize(("player", "is_default"), [("random", False), ("greedy", True)])
def test_hints_come_by_default_from_the_first_bot_that_can_give_them(player, is_default):
    done = run_here("play", "-g", "pig", "--vs", player, text="help\nquit\n")
    assert f"as {player if is_default else 'mcts'} sees them" in done.stdout


@pytest.mark.parametrize("player", ["human", "random"])
def test_players_that_cannot_advise_are_refused_before_the_game(player):
    done = run_here("play", "-g", "pig", "--hint", player)
    assert (done.returncode, done.stdout) == (2, "")
    allowed = "expectimax, greedy, mcts, mixed, strategy"
    assert done.stderr == f"aiplay: player {player!r} cannot give hints; allowed: {allowed}\n"


def test_the_numbers_of_a_hint_can_be_typed():
    arguments = ("play", "--vs", "greedy", "--seed", "3")
    done = run_here(*arguments, text="hint\nquit\n")
    hints = re.findall(r"^(\d+)\)  (\w+ \w+|end) +█", done.stdout, re.M)
    assert len(hints) == 5
    assert [number for number, _ in hints] != [*"12345"]
    for number, move in hints:
        assert f"\n  you: {move}\n" in run_here(*arguments, text=f"{number}\nquit\n").stdout


def test_a_move_is_shown_if_its_number_or_beginning_was_typed():
    done = run_here("play", "-g", "leduc_poker", "--vs", "random", "--seed", "2", text="1\nca\n")
    assert "your move> 1\n  you: call\n" in done.stdout
    assert "your move> ca\n  you: call\n" in done.stdout
    done = run_here("play", "-g", "leduc_poker", "--vs", "random", "--seed", "2", text="call\n")
    assert "you: call" not in done.stdout


@pytest.mark.parametrize("name", aiplay.game_names())
def test_help_says_what_the_game_is_about(name):
    done = run_here("play", "-g", name, "--vs", "random", text="help\nquit\n")
    about = type(aiplay.load_game(name)).__doc__.splitlines()[0]
    assert about in " ".join(done.stdout.split())


def test_undo_goes_back_to_the_last_decision_and_the_dice_show_the_same_again():
    arguments = ("play", "-g", "pig", "--vs", "greedy", "--seed", "11")
    done = run_here(*arguments, text="roll\nundo\nroll\nundo\nundo\nquit\n")
    rolls = re.findall(r"^  chance: show (\d)$", done.stdout, re.M)
    assert len(rolls) == 2
    assert rolls[0] == rolls[1]
    assert done.stdout.count("back to your last decision") == 2
    assert "there is nothing to take back" in done.stdout


def test_undo_takes_back_moves_of_bots_and_forced_moves_as_well(tmp_path):
    text = "jump Forest\nwalk Castle\nundo\nundo\nquit\n"
    done = run_here(
        "play", "-g", "three_magicians", "--vs", "random", "--seed", "3", "--save", tmp_path / "g", text=text
    )
    assert done.stdout.count("back to your last decision") == 2
    start = aiplay.Table(aiplay.load_game("three_magicians"), seed=3)
    assert tuple(saved(tmp_path / "g").moves) == start.moves


def test_after_undo_the_same_move_gets_the_same_answers():
    text = "hold\nundo\n" * 20 + "hold\nhold\nundo\nundo\nhold\nhold\nquit\n"
    done = run_here("play", "-g", "pig", "--vs", "random", "--seed", "7", text=text)
    screens = [screen.strip("\n").partition("\n\n")[0] for screen in done.stdout.split("─" * 80)]
    answers = [screen for screen in screens if "seat 1 (random):" in screen]
    first, second = answers[0], answers[-1]
    assert first != second
    assert answers == [first] * 21 + [second, first, first, second]


# ---- Saving ------------------------------------------------------------------------------------------------


def test_a_saved_game_goes_on_where_it_was_with_the_same_seats(tmp_path):
    file = tmp_path / "game.json"
    first = run("play", "--seat", "1", "--vs", "greedy", "--seed", "5", "--save", file, text="1\n1\nquit\n")
    assert f"saved; go on with: aiplay play --resume {file}" in first.stdout
    before = saved(file)
    assert before.players == ["greedy", "human"]
    second = run("play", "--resume", file, text="quit\n")
    assert "You are seat 1, against seat 0 (greedy)." in second.stdout
    position = first.stdout.rpartition("\nturn ")[2].partition("your move>")[0]
    assert second.stdout.rpartition("\nturn ")[2].partition("your move>")[0] == position
    assert saved(file) == before
    run("play", "--resume", file, text="1\n")
    assert saved(file).moves[: len(before.moves)] == before.moves
    assert len(saved(file).moves) > len(before.moves)


def test_save_during_the_game_saves_every_later_move(tmp_path):
    done = run_here(
        "play", "-g", "pig", "--vs", "random", cwd=tmp_path, text="save\nsave a b.json\nroll\nquit\n"
    )
    assert "say where: save FILE" in done.stdout
    assert "saved in a b.json" in done.stdout
    assert len(saved(tmp_path / "a b.json").moves) >= 2
    assert [path.name for path in tmp_path.iterdir()] == ["a b.json"]


def test_a_file_that_exists_is_not_overwritten(tmp_path):
    file = tmp_path / "game.json"
    file.write_text("precious")
    done = run_here("play", "-g", "pig", "--save", file)
    assert done.returncode == 2
    assert re.fullmatch(r"aiplay: .*exists.*--resume.*\n", done.stderr)
    done = run_here("play", "-g", "pig", text=f"save {file}\nquit\n")
    assert "exists: give a new name" in done.stdout
    assert file.read_text() == "precious"


@pytest.mark.parametrize("more", ["--seats=3", "--option=target=20", "--seed=1", "--game=leduc_poker"])
def test_a_resumed_game_is_played_as_its_file_says(tmp_path, more):
    run_here("play", "-g", "pig", "--save", "g.json", text="quit\n", cwd=tmp_path)
    done = run_here("play", "--resume", "g.json", more, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"g.json says what is played; leave out {more.partition('=')[0]}\n" in done.stderr
    assert run_here("play", "--resume", "g.json", "-g", "pig", text="quit\n", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("more", [(), ("--seat", "1"), ("--vs", "mcts:time=9")])
def test_a_game_that_is_over_is_not_resumed(tmp_path, more):
    arguments = ("play", "-g", "connect_four", "--vs", "human", "--save", "g.json")
    done = run_here(*arguments, text="1\n2\n" * 3 + "1\n", cwd=tmp_path)
    assert "saved; to see it again: aiplay replay g.json" in done.stdout
    before = (tmp_path / "g.json").read_text()
    done = run_here("play", "--resume", "g.json", *more, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(
        r"aiplay: .*the game in g.json is over; look at it with: aiplay replay g.json\n", done.stderr
    )
    assert (tmp_path / "g.json").read_text() == before


@pytest.mark.parametrize(
    "more", ["--seat=0", "--vs=greedy:worlds=3", "--vs=human", "--save=other.json --vs=mcts"]
)
def test_a_resumed_game_keeps_its_players(tmp_path, more):
    arguments = ("play", "-g", "pig", "--seat", "1", "--vs", "greedy")
    run_here(*arguments, "--save", "g.json", text="roll\nquit\n", cwd=tmp_path)
    before = (tmp_path / "g.json").read_text()
    done = run_here("play", "--resume", "g.json", *more.split(), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    option = more.split()[-1].partition("=")[0]
    assert done.stderr.endswith(f"g.json says who plays (greedy, human); leave out {option}\n")
    assert (tmp_path / "g.json").read_text() == before
    assert len([*tmp_path.iterdir()]) == 1
    same = ("--seat", "1", "--vs", "greedy")
    assert run_here("play", "--resume", "g.json", *same, text="quit\n", cwd=tmp_path).returncode == 0


def test_a_record_without_players_is_resumed_by_any_and_stays_without(tmp_path):
    table = aiplay.Table(aiplay.load_game("pig"), seed=1)
    table.play("hold")
    (tmp_path / "g").write_text(table.record.to_json())
    go_on = "aiplay play --resume g --seat 1 --vs greedy"
    for _ in range(2):
        done = run_here(*go_on.split()[1:], text="roll\nquit\n", cwd=tmp_path)
        assert "You are seat 1, against seat 0 (greedy)." in done.stdout
        assert f"saved; go on with: {go_on}\n" in done.stdout
        assert saved(tmp_path / "g").players == ()
    assert len(saved(tmp_path / "g").moves) > 4


def test_a_game_of_bots_is_not_resumed(tmp_path):
    table = aiplay.Table(aiplay.load_game("pig"), seed=1)
    record = {**json.loads(table.record.to_json()), "players": ["greedy", "mcts"]}
    (tmp_path / "g").write_text(json.dumps(record))
    done = run_here("play", "--resume", "g", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "aiplay: g is a game of bots (greedy, mcts); look at it with: aiplay replay g\n"
    assert json.loads((tmp_path / "g").read_text()) == record


def test_a_resumed_game_does_not_overwrite_another_file(tmp_path):
    run_here("play", "-g", "pig", "--save", "g.json", text="quit\n", cwd=tmp_path)
    (tmp_path / "other").write_text("precious")
    done = run_here("play", "--resume", "g.json", "--save", "other", text="quit\n", cwd=tmp_path)
    assert done.returncode == 2
    assert "other exists" in done.stderr
    assert (tmp_path / "other").read_text() == "precious"


def test_the_game_goes_on_if_it_cannot_be_saved(tmp_path):
    done = run_here("play", "-g", "pig", text=f"save {tmp_path}/nowhere/x\nroll\nquit\n")
    assert done.returncode == 0
    assert f"not saved: {tmp_path}/nowhere/x: No such file or directory" in done.stdout


def test_the_game_goes_on_if_its_file_is_lost(tmp_path, monkeypatch):
    written = []

    def fail_later(path, text):
        written.append(text)
        if len(written) > 3:
            raise OSError(28, "No space left on device", path)

    monkeypatch.setattr("aiplay.cli.session.write_text", fail_later)
    done = run_here(
        "play",
        "-g",
        "pig",
        "-o",
        "target=30",
        "--vs",
        "random",
        "--save",
        "g",
        cwd=tmp_path,
        text="roll\nhold\n" * 40,
    )
    assert done.returncode == 0
    assert done.stdout.count("no longer saved: g: No space left on device; the game goes on") == 1
    assert re.search(r"You (win|lose)\.", done.stdout)


# ---- Several people ----------------------------------------------------------------------------------------


def test_several_people_share_the_screen_and_each_sees_their_own_seat(tmp_path):
    text = "call\nhelp\nmoves\nhint\nsave g.json\nundo\nraise\nquit\n"
    arguments = ("play", "-g", "leduc_poker", "--vs", "human", "--seed", "2", "--hint", "greedy")
    done = run_here(*arguments, text=text, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "You are seats 0 and 1. Type help or rules." in done.stdout
    first, second = (screen for screen in done.stdout.split("─" * 80)[1:3])
    assert "seat 0: Qh 1 chips  seat 1: ??" in first
    assert first.endswith("seat 0> call\n")
    assert "  seat 0 (human): call\n" in second
    assert "seat 0: ?? 1 chips  seat 1: " in second
    for shown in ("  undo ", "seat 1> moves\n  1) call", "odds: seat 0 (human)", "saved in g.json"):
        assert shown in second
    assert re.search(r"   seat 1 \(you\) \d", second)
    assert second.endswith("seat 1> undo\nback to the last decision, of seat 0\n")
    assert "saved; go on with: aiplay play --resume g.json" in done.stdout
    table = aiplay.Table(aiplay.load_game("leduc_poker"), seed=2)
    table.play("raise")
    assert (tuple(saved(tmp_path / "g.json").moves), saved(tmp_path / "g.json").players) == (
        table.moves,
        ["human", "human"],
    )


def test_a_game_of_several_people_is_resumed_with_all_of_them(tmp_path):
    arguments = ("play", "-g", "pig", "--seats", "3", "--seat", "2", "--vs", "human", "--vs", "greedy")
    run_here(*arguments, "--save", "g.json", text="hold\nhold\nquit\n", cwd=tmp_path)
    done = run_here("play", "--resume", "g.json", text="quit\n", cwd=tmp_path)
    assert "You are seats 0 and 2, against seat 1 (greedy)." in done.stdout
    assert saved(tmp_path / "g.json").players == ["human", "greedy", "human"]


@pytest.mark.parametrize(
    ("columns", "verdict"),
    [
        ("1212121", "Seat 0 wins.\nresults, from -1 to 1: seat 0 (human) 1   seat 1 (human) -1\n"),
        ("121212343434565656212121434343656565777777", "A draw of seats 0 and 1.\n"),
    ],
)
def test_the_end_of_a_game_of_several_people_names_the_winner(columns, verdict):
    done = run_here("play", "-g", "connect_four", "--vs", "human", text="\n".join(columns) + "\n")
    assert verdict in done.stdout


@NEEDS_TERMINAL
def test_two_people_in_a_terminal():
    with Terminal("play", "-g", "pig", "--vs", "human", "--seed", "5") as terminal:
        terminal.wait_for(r"seat 0> $")
        terminal.type("hold")
        terminal.wait_for(r"seat 1> $")
        terminal.type("quit")
        assert terminal.end() == 0
    assert terminal.text.endswith("the game is not saved (it began with --seed 5)\n")


# ---- Leaving -----------------------------------------------------------------------------------------------


@NEEDS_TERMINAL
def test_control_c_saves_the_game_and_says_how_to_go_on(tmp_path):
    with Terminal("play", "-g", "pig", "--vs", "random", "--save", "g.json", cwd=tmp_path) as terminal:
        terminal.wait_for(PROMPT)
        terminal.type("roll")
        terminal.wait_for(PROMPT)
        terminal.interrupt()
        assert terminal.end() == 130
    assert terminal.text.endswith("saved; go on with: aiplay play --resume g.json\n")
    assert len(saved(tmp_path / "g.json").moves) >= 2


@NEEDS_TERMINAL
def test_control_c_ends_a_bot_that_is_thinking():
    with Terminal("play", "-g", "connect_four", "--seat", "1", "--vs", "mcts:time=500") as terminal:
        terminal.wait_for("is thinking")
        terminal.interrupt()
        assert terminal.end(20) == 130
    assert "Traceback" not in terminal.text


@NEEDS_TERMINAL
def test_control_d_leaves_like_quit():
    with Terminal("play", "-g", "pig", "--vs", "random", "--seed", "5") as terminal:
        terminal.wait_for(PROMPT)
        terminal.press(b"\x04")
        assert terminal.end() == 0
    assert "the game is not saved (it began with --seed 5)" in terminal.text


# ---- Nothing leaks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "n_moves"), [("illusio", 9), ("illusio", 25), ("leduc_poker", 0), ("magic_rabbit", 4)]
)
def test_the_screen_is_the_same_for_states_that_the_seat_cannot_tell_apart(name, n_moves, tmp_path):
    """Position, news, moves and hints of two games that seat 0 cannot tell apart."""
    table = aiplay.Table(aiplay.load_game(name), seed=6)
    bot = aiplay.make_player("greedy", seed=1)
    while n_moves > 0 or table.to_move != 0 or len(table.legal_moves()) < 2:
        table.play(bot.choose(table.view(table.to_move)))
        n_moves -= 1
    screens, films = [], []
    for number, moves in enumerate((table.moves, other_truth(table.game, table.moves, 0))):
        folder = tmp_path / str(number)
        folder.mkdir()
        record = {**json.loads(table.record.to_json()), "moves": moves, "players": ["human", "greedy"]}
        (folder / "g").write_text(json.dumps(record))
        done = run_here(
            "play", "--resume", "g", "--hint", "mcts:iterations=200", cwd=folder, text="moves\nhint\nquit\n"
        )
        screens.append((done.returncode, done.stdout, done.stderr))
        films.append(run_here("replay", "g", "--seat", "0", cwd=folder).stdout)
    assert screens[0][0] == 0
    assert "your move>" in screens[0][1]
    assert screens[0] == screens[1]
    assert len(films[0].splitlines()) > len(table.moves)
    assert films[0] == films[1]


# ---- Wrong usage -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        (("--game", "nothing"), "connect_four"),
        (("--game", "pig", "--seat", "2"), "seats 0 to 1"),
        (
            ("--game", "pig", "--seats", "4", "--vs", "random", "--vs", "random"),
            "1 for all other seats, or 3",
        ),
        (("--vs", "nobody"), "random"),
        (("--hint", "mcts:x=1"), "iterations"),
        (("--seat", "-1"), "0"),
    ],
)
def test_wrong_usage_is_one_line_that_says_what_is_allowed(arguments, allowed):
    done = run_here("play", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"aiplay: .+\n", done.stderr)
    assert allowed in done.stderr


def test_bots_are_seated_in_order_around_the_human():
    done = run_here(
        "play", "-g", "pig", "--seats", "3", "--seat", "1", "--vs", "random", "--vs", "greedy", text="quit\n"
    )
    assert "You are seat 1, against seat 0 (random), seat 2 (greedy)." in done.stdout
