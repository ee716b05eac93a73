"""The rating of a person, and its doors: `aiplay play --level`, the engine, the server."""

import json
import random

import pytest
from serving import opened, serving
from terminal import run_here
from test_engine import ask

import aiplay
from aiplay.errors import OptionError
from aiplay.levels import FIRST, LAST, scale_of
from aiplay.rating import KEPT, score_of

FOUR = aiplay.load_game("connect_four")


def rated(true, games, seed, game=FOUR):
    """The rating of a simulated person of a known strength, who always plays at the next level."""
    rng, rating, scale = random.Random(seed), aiplay.PersonRating(game), scale_of(game.name)
    for _ in range(games):
        level = rating.next_level
        rating.add(level, float(rng.random() < 1 / (1 + 10 ** ((scale[level - FIRST] - true) / 400))))
    return rating


# ---- The model ---------------------------------------------------------------------------------------------


def test_a_new_person_begins_at_level_3():
    rating = aiplay.PersonRating(FOUR)
    assert rating.next_level == 3
    assert rating.rating == pytest.approx(scale_of("connect_four")[2], abs=1e-3)
    assert rating.error == pytest.approx(scale_of("connect_four")[-1] / 3)


def test_one_result_moves_the_rating_to_where_its_slope_is_zero():
    """(1 - p) * ln 10 / 400 = d / s**2 for a win against a level of the same Elo: p = 1 / (1 + 10 ** (-d / 400))."""
    rating = aiplay.PersonRating(FOUR)
    rating.add(3, 1.0)
    gain = rating.rating - scale_of("connect_four")[2]
    chance = 1 / (1 + 10 ** (-gain / 400))
    spread = scale_of("connect_four")[-1] / 3
    assert (1 - chance) * 2.302585 / 400 * spread**2 == pytest.approx(gain, abs=0.01)
    assert rating.chances[2] == pytest.approx(chance, abs=1e-5)


@pytest.mark.parametrize("level", range(FIRST, LAST + 1))
def test_the_rating_finds_the_level_of_a_person(level):
    true = scale_of("connect_four")[level - FIRST]
    found = [rated(true, 60, seed).next_level for seed in range(20)]
    assert abs(sum(found) / len(found) - level) < 0.75
    assert sum(abs(one - level) <= 1 for one in found) >= 16


def test_the_error_says_how_far_the_rating_may_be_off():
    true = scale_of("connect_four")[4]
    off = [(one.rating - true) / one.error for one in (rated(true, 40, seed) for seed in range(60))]
    assert sum(abs(one) < 2 for one in off) >= 52


def test_a_few_hands_of_poker_do_not_move_the_level_far():
    """The scale of Leduc poker is short: chips are mostly luck."""
    poker = aiplay.load_game("leduc_poker")
    rating = aiplay.PersonRating(poker, [{"level": 3, "score": 14 / 26}])
    assert abs(rating.next_level - 3) <= 1


def test_a_person_who_learns_is_followed():
    rating = aiplay.PersonRating(FOUR, [{"level": 1, "score": 0.0}] * 50 + [{"level": 5, "score": 1.0}] * 50)
    assert rating.next_level >= 5


def test_results_are_plain_data_and_go_on_as_before():
    rating = rated(300, 30, 1)
    again = aiplay.PersonRating(FOUR, json.loads(json.dumps(rating.results)))
    assert (again.rating, again.error, again.next_level) == (rating.rating, rating.error, rating.next_level)


def test_old_results_are_dropped():
    assert len(rated(300, KEPT + 20, 1).results) == KEPT


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ([{"level": 0, "score": 1}], "level is 0"),
        ([{"level": 11, "score": 1}], "level is 11"),
        ([{"level": True, "score": 1}], "level is True"),
        ([{"level": 3, "score": 2}], "score is 2"),
        ([{"level": 3, "score": "won"}], "score is 'won'"),
        ([{"level": 3, "score": float("nan")}], "score is nan"),
        ([[3, 1.0]], "a result is"),
        ([{"level": 3}], "a result is"),
        (3, "a result is 3"),
    ],
)
def test_wrong_results_are_refused(results, said):
    with pytest.raises(OptionError, match=said):
        aiplay.PersonRating(FOUR, results)


def test_a_cooperative_game_has_no_rating():
    with pytest.raises(OptionError, match="magic_rabbit is cooperative"):
        aiplay.PersonRating(aiplay.load_game("magic_rabbit"))


def test_scores_count_the_seats_that_were_beaten():
    three = aiplay.load_game("three_magicians")
    assert [score_of(three, [1.0, 0.0, 1.0], seat) for seat in range(3)] == [0.75, 0.0, 0.75]
    assert aiplay.PersonRating(FOUR).score([0.0, 0.0], 1) == 0.5


def test_scores_of_poker_count_chips():
    assert score_of(aiplay.load_game("leduc_poker"), [-13.0, 13.0], 1) == 1.0
    assert score_of(aiplay.load_game("leduc_poker"), [-1.0, 1.0], 1) == 14 / 26


# ---- aiplay play -------------------------------------------------------------------------------------------


def played(*arguments, moves="1\n" * 30, cwd="."):
    return run_here("play", "--game", "connect_four", "--seed", "1", *arguments, text=moves, cwd=cwd)


def test_play_seats_bots_of_a_level():
    done = played("--level", "2", moves="quit\n")
    assert "against seat 1 (mcts:level=2)" in done.stdout


def test_hints_do_not_come_from_a_weak_bot():
    assert "as mcts sees them" in played("--level", "2", moves="help\nquit\n").stdout


def test_play_adapts_to_the_person(tmp_path):
    file = tmp_path / "deep" / "ratings.json"
    done = played("--level", "adapt", "--ratings", str(file), moves="4\n" * 3 + "1\n2\n3\n4\n5\n6\n7\n" * 6)
    assert done.returncode == 0
    assert "against seat 1 (mcts:level=3)" in done.stdout
    (result,) = json.loads(file.read_text())["connect_four"]
    assert result["level"] == 3
    next_level = aiplay.PersonRating(FOUR, [result]).next_level
    assert f"the next game is at level {next_level}" in done.stdout
    again = played("--level", "adapt", "--ratings", str(file), moves="quit\n")
    assert f"(mcts:level={next_level})" in again.stdout
    assert json.loads(file.read_text())["connect_four"] == [result]  # a game that is not over does not count


def test_a_game_with_undo_does_not_count(tmp_path):
    file = tmp_path / "ratings.json"
    moves = "4\nundo\n" + "4\n" * 3 + "1\n2\n3\n4\n5\n6\n7\n" * 6
    assert (
        "a game with undo does not count"
        in played("--level", "adapt", "--ratings", str(file), moves=moves).stdout
    )
    assert not file.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--level", "11"), "'11'; allowed: 1 to 10, or adapt"),
        (("--level", "hard"), "'hard'; allowed: 1 to 10, or adapt"),
        (("--level", "2", "--vs", "random"), "give either --level 2 or --vs"),
        (("--level", "2", "--ratings", "x.json"), "it needs --level adapt"),
    ],
)
def test_wrong_uses_of_levels_are_refused(arguments, said):
    done = played(*arguments)
    assert done.returncode == 2
    assert said in done.stderr


def test_a_file_that_holds_no_ratings_is_refused(tmp_path):
    file = tmp_path / "ratings.json"
    file.write_text("[1]")
    assert "is no file of ratings" in played("--level", "adapt", "--ratings", str(file)).stderr


# ---- The engine and the server -----------------------------------------------------------------------------


def test_the_engine_plays_at_a_level():
    table = {"id": 1, "action": "new_table", "game": "connect_four", "table": "t"}
    think = {
        "id": 2,
        "action": "analyse",
        "table": "t",
        "player": "mcts:level=2",
        "limit": {"iterations": 100_000},
    }
    assert ask(table, think)[-1]["iterations"] == 8


def test_the_engine_finds_the_next_level():
    results = [{"level": 3, "score": 1.0}, {"level": 4, "score": 0.0}]
    (answer,) = ask({"id": 1, "action": "next_level", "game": "pig", "results": results})
    rating = aiplay.PersonRating(aiplay.load_game("pig"), results)
    assert answer["level"] == rating.next_level
    assert answer["rating"] == rating.rating
    assert answer["chances"] == rating.chances
    (refused,) = ask({"id": 1, "action": "next_level", "game": "magic_rabbit"})
    assert refused["field"] == "game"
    (wrong,) = ask({"id": 1, "action": "next_level", "game": "pig", "results": [{"level": 12, "score": 1}]})
    assert wrong["field"] == "results"


@pytest.fixture(scope="module")
def client():
    with serving() as server:
        yield server.client()


def test_the_server_offers_the_levels(client):
    names = [strength["name"] for strength in client.wanted("hello")["strengths"]]
    assert names == [f"level {number}" for number in range(FIRST, LAST + 1)]


def test_the_server_finds_the_next_level(client):
    results = [{"level": 3, "score": 1.0}]
    found = client.wanted("next_level", game="connect_four", results=results)
    assert found["level"] == aiplay.PersonRating(FOUR, results).next_level
    assert "cooperative" in client.refused("next_level", game="magic_rabbit")


def test_a_room_has_bots_of_a_level_and_tells_the_scores_at_the_end(client):
    name, secrets = opened(client, "leduc_poker", ["h", "level 1"], seed=1)
    room = client.wanted("join", room=name, secret=secrets[0])
    assert room["seats"][1]["strength"] == "level 1"
    assert room["scores"] is None
    while not room["over"]:
        if room["to_move"] == 0:
            client.wanted("move", room=name, seat=0, move=room["legal"][0]["move"])
        room = client.wanted("join", room=name, secret=secrets[0])
    assert room["scores"] == [(value + 13) / 26 for value in room["returns"]]
