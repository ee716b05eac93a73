"""Scenes, parts, events, records, hints and kept players of the engine."""

import json

import msgspec
import pytest
from test_engine import TABLE, ask, by_id

import aiplay

HIDING = [name for name in aiplay.game_names() if aiplay.load_game(name).has_hidden]


def plain(value):
    return json.loads(msgspec.json.encode(value))


def new(game, seed=1, **fields):
    return {"id": "new", "action": "new_table", "game": game, "table": "t", "seed": seed, **fields}


def only(*queries, **options):
    """Return the answer to the last query, whose id is 9."""
    *first, last = queries
    (answer,) = by_id(ask(*first, {"id": 9, **last}, **options), 9)
    return answer


# ---- Positions ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", aiplay.game_names())
def test_a_view_has_the_scene_of_its_seat(game):
    table = aiplay.Table(aiplay.load_game(game), seed=4)
    for seat in range(table.game.seats):
        answer = only(new(game, 4), {"action": "view", "table": "t", "seat": seat})
        assert answer["scene"] == plain(table.view(seat).scene())
        assert answer["ply"] == len(table.moves)


def test_a_position_can_be_sent_as_a_scene():
    table = aiplay.Table(aiplay.load_game("leduc_poker"), seed=3)
    view, choose = table.view(0), {"action": "choose", "player": "mcts:iterations=200", "seed": 1}
    scene = {"game": "leduc_poker", "seat": 0, "scene": plain(view.scene())}
    by_scene, by_fields = (only({**choose, "view": sent}) for sent in (scene, json.loads(view.to_json())))
    assert by_scene["move"] == by_fields["move"]
    moves = only({"action": "legal_moves", "view": scene})["moves"]
    assert [entry["parts"] for entry in moves] == [{"verb": "call"}, {"verb": "raise"}]


def test_a_scene_has_default_options_where_none_are_given():
    scene = {"seats": [{"score": 0}] * 3, "turn": 1, "at_risk": 0, "decisions": 5}
    sent = {"game": "pig", "options": {"players": 3}, "seat": 1, "scene": scene}
    assert only({"action": "choose", "view": sent, "player": "greedy"})["text"] == "roll"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"scene": {"seats": []}}, "the scene: "),
        ({"scene": None}, "the scene: "),
        ({"seat": 2}, "seat is 2; allowed: 0 to 1"),
        ({"view": {}}, "either the fields"),
        ({"game": "nope"}, "no game is called 'nope'"),
    ],
)
def test_a_wrong_scene_is_refused(changes, said):
    table = aiplay.Table(aiplay.load_game("leduc_poker"), seed=3)
    sent = {"game": "leduc_poker", "seat": 0, "scene": plain(table.view(0).scene()), **changes}
    answer = only({"action": "choose", "view": sent})
    assert (answer["ok"], answer["field"]) == (False, "view")
    assert said in answer["error"]


def test_a_view_needs_fields_or_a_scene():
    answer = only({"action": "legal_moves", "view": {"game": "pig", "seat": 0}})
    assert (answer["ok"], answer["field"]) == (False, "view")


def test_the_seat_of_a_query_and_of_its_view_agree():
    view = json.loads(aiplay.Table(aiplay.load_game("leduc_poker"), seed=3).view(0).to_json())
    assert only({"action": "legal_moves", "view": view, "seat": 0})["ok"]
    assert only({"action": "legal_moves", "view": view, "seat": 1})["field"] == "seat"


def test_a_seat_that_is_not_to_move_has_no_legal_moves():
    assert only(TABLE, {"action": "legal_moves", "table": "t", "seat": 1})["moves"] == []
    assert len(only(TABLE, {"action": "legal_moves", "table": "t", "seat": 0})["moves"]) == 7
    refused = only(TABLE, {"action": "choose", "table": "t", "seat": 1})
    assert (refused["ok"], refused["field"]) == (False, "table")


# ---- Moves -------------------------------------------------------------------------------------------------


def test_a_move_can_be_given_by_its_parts():
    answer = only(TABLE, {"action": "play", "table": "t", "move": {"column": 3}})
    assert (answer["move"], answer["text"], answer["parts"]) == (2, "3", {"verb": "drop", "column": 3})
    explained = only(
        TABLE, {"action": "explain", "table": "t", "move": {"column": 3}, "limit": {"iterations": 50}}
    )
    assert explained["move"] == 2


@pytest.mark.parametrize("move", [{"column": 9}, {"verb": "drop"}, {}, {"column": [1]}])
def test_parts_of_no_move_or_of_several_are_refused(move):
    answer = only(TABLE, {"action": "play", "table": "t", "seat": 0, "move": move})
    assert (answer["ok"], answer["field"]) == (False, "move")


def test_a_move_out_of_turn_is_refused():
    answer = only(TABLE, {"action": "play", "table": "t", "seat": 1, "move": "4"})
    assert answer["error"] == "it is not the turn of seat 1: seat 0 is to move"
    assert answer["field"] == "seat"
    own = only(TABLE, {"action": "play", "table": "t", "seat": 0, "move": "9"})
    assert "legal moves: 0 (1), 1 (2)" in own["error"]


@pytest.mark.parametrize("name", HIDING)
@pytest.mark.parametrize("seed", range(8))
def test_errors_for_others_do_not_list_the_movers_moves(name, seed):
    table = aiplay.Table(aiplay.load_game(name), seed=seed)
    player = aiplay.make_player("random", seed=seed)
    for _ in range(4 * seed):
        if not table.over:
            table.play(player.choose(table.view(table.to_move)))
    if table.over:
        return
    record = {"id": "new", "action": "new_table", "record": json.loads(table.record.to_json()), "table": "t"}
    texts = {table.state.move_text(move) for move in table.legal_moves()}
    others = [seat for seat in range(table.game.seats) if seat != table.to_move]
    wrong = [{"move": "dance"}, {"move": 10**6}, {"move": {"verb": "dance"}}]
    wrong += [{"move": {}}] if len(texts) > 1 else []  # all of them
    queries = [{"action": action, "table": "t", **move} for action in ("play", "explain") for move in wrong]
    queries += [{**query, "seat": seat} for query in queries for seat in others]
    answers = ask(record, *({"id": number, **query} for number, query in enumerate(queries)))
    assert len(answers) == 1 + len(queries)
    for answer in answers[1:]:
        assert not answer["ok"]
        assert not any(f"({text})" in answer["error"] or f" {text}," in answer["error"] for text in texts)
        assert "legal moves:" not in answer["error"]


# ---- Events ------------------------------------------------------------------------------------------------


def test_play_tells_an_observer_what_happened():
    table = aiplay.Table(aiplay.load_game("pig"), seed=2)
    table.play("roll")
    for fields in ({"seat": 0}, {"observer": 1}, {"seat": 0, "observer": 1}):
        answer = only(new("pig", 2), {"action": "play", "table": "t", "move": "roll", **fields})
        assert answer["events"] == plain(table.events(seat=1))
        assert [event["parts"]["verb"] for event in answer["events"]] == ["roll", "show"]
        assert answer["ply"] == 2
    assert only(new("pig", 2), {"action": "play", "table": "t", "move": "roll"})["events"] is None
    refused = only(new("pig", 2), {"action": "play", "table": "t", "move": "roll", "observer": 2})
    assert refused["field"] == "observer"


def test_events_are_those_that_a_seat_noticed():
    table = aiplay.Table(aiplay.load_game("leduc_poker"), seed=5)
    for fields, seat in (({"seat": 0}, 0), ({"seat": 1}, 1), ({}, None)):
        answer = only(new("leduc_poker", 5), {"action": "events", "table": "t", **fields})
        assert answer["events"] == plain(table.events(seat))
        assert answer["ply"] == 2
    since = {"action": "events", "table": "t", "seat": 0, "since": 1}
    (hidden,) = only(new("leduc_poker", 5), since)["events"]
    assert hidden["parts"] == {"verb": "deal", "card": None, "to": 1}
    assert only(new("leduc_poker", 5), {"action": "events", "table": "t", "seat": 2})["field"] == "seat"
    assert only(new("leduc_poker", 5), {"action": "events", "table": "t", "since": -1})["field"] == "since"


# ---- Saving and loading ------------------------------------------------------------------------------------


def test_a_record_sets_up_the_same_table_again():
    play = {"action": "play", "table": "t", "move": "roll"}
    save = {"id": "r", "action": "record", "table": "t"}
    answers = ask(new("pig", 3, options={"players": 3}), {"id": 1, **play}, save, {"id": 2, **play})
    record = by_id(answers, "r")[0]["record"]
    table = aiplay.replay(json.dumps(record))
    assert json.loads(table.record.to_json()) == record
    load = {"id": "new", "action": "new_table", "record": record, "table": "t"}
    again = ask(load, {"id": 2, **play}, {"id": "v", "action": "view", "table": "t", "seat": 0})
    assert again[0]["seats"] == 3
    assert (again[0]["game"], again[0]["seed"]) == ("pig", 3)
    assert again[0]["options"] == record["options"]
    assert again[1] == answers[3]  # the same roll
    table.play("roll")
    assert by_id(again, "v")[0]["text"] == str(table.view(0))


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"record": {"game": "pig"}}, "record"),
        ({"record": {"game": "pig", "options": {}, "seed": 1, "moves": [7]}}, "record"),
        ({"record": {"game": "nope", "options": {}, "seed": 1, "moves": []}}, "record"),
        ({"record": {"game": "pig", "options": {"x": 1}, "seed": 1, "moves": []}}, "record"),
        ({"record": {"game": "pig", "options": {}, "seed": 1, "moves": []}, "game": "pig"}, "record"),
        ({"record": {"game": "pig", "options": {}, "seed": 1, "moves": []}, "seed": 1}, "record"),
        ({}, "game"),
    ],
)
def test_a_wrong_record_is_refused(changes, field):
    answer = only({"action": "new_table", **changes})
    assert (answer["ok"], answer["field"]) == (False, field)


def test_a_record_that_ends_before_chance_goes_on_with_what_chance_decides():
    record = {"game": "pig", "options": {}, "seed": 3, "moves": [0]}
    answer = only({"action": "new_table", "record": record})
    assert answer["to_move"] >= 0
    table = aiplay.Table(aiplay.load_game("pig"), seed=3)
    table.play("roll")
    assert answer["ply"] == len(table.moves) == 2


# ---- Games -------------------------------------------------------------------------------------------------


def test_games_have_their_seats_and_bounds_as_numbers():
    games = {game["name"]: game for game in only({"action": "games"})["games"]}
    assert games["pig"]["seats"] == {"low": 2, "high": 6, "now": 2}
    assert games["connect_four"]["seats"] == {"low": 2, "high": 2, "now": 2}
    target = next(option for option in games["pig"]["options"] if option["name"] == "target")
    assert (target["low"], target["high"], target["default"]) == (2, 10_000, 100)
    assert games["leduc_poker"]["labels"]["card"][0] == "Js"
    assert [games["pig"][name] for name in ("catalogue", "rules", "scene_schema")] == [None] * 3


@pytest.mark.parametrize("name", aiplay.game_names())
def test_a_game_is_described_completely_on_request(name):
    query = {"action": "games", "game": name, "catalogue": True, "rules": True, "scene_schema": True}
    (found,) = only(query)["games"]
    game = aiplay.load_game(name)
    assert found["catalogue"] == plain(game.catalogue)
    assert found["rules"] == game.rules
    assert found["scene_schema"] == plain(game.scene_schema)


def test_a_game_can_be_described_with_other_options():
    (found,) = only({"action": "games", "game": "pig", "options": {"players": 4}})["games"]
    assert found["seats"]["now"] == 4
    assert only({"action": "games", "options": {"players": 4}})["field"] == "options"
    assert only({"action": "games", "game": "nope"})["field"] == "game"


# ---- Players -----------------------------------------------------------------------------------------------

MCTS = {"player": "mcts:iterations=300", "seed": 1}


def test_a_hint_is_a_few_good_moves_in_no_order():
    answer = only(TABLE, {"action": "hint", "table": "t", **MCTS})
    moves = [entry["move"] for entry in answer["moves"]]
    assert 1 < len(moves) <= 3
    assert moves == sorted(moves)
    assert 3 in moves
    assert [entry.keys() for entry in answer["moves"]] == [{"move", "text", "parts"}] * len(moves)
    assert len(only(TABLE, {"action": "hint", "table": "t", "count": 1, **MCTS})["moves"]) == 1


def test_a_hint_has_no_bad_moves():
    scene = {"columns": [[], [], [0, 0, 0], [1], [1], [], []]}  # seat 1 has to block
    view = {"game": "connect_four", "seat": 1, "scene": scene}
    assert [entry["text"] for entry in only({"action": "hint", "view": view, **MCTS})["moves"]] == ["3"]


def test_explain_has_a_margin_and_no_field_called_error():
    answer = only(TABLE, {"action": "explain", "table": "t", "move": 3, **MCTS})
    assert answer["ok"]
    assert answer["margin"] > 0
    assert "error" not in answer
    assert answer["best"]["margin"] == answer["margin"]


def test_a_kept_player_goes_on_with_its_tree():
    spec, moves = "mcts:iterations=2000", ["4", "4"]
    analyse = {"action": "analyse", "table": "t", "keep": "bot"}
    plays = [
        {"id": f"p{number}", "action": "play", "table": "t", "move": move}
        for number, move in enumerate(moves)
    ]
    first = {"id": 1, **analyse, "player": spec, "seed": 5}
    again = {"id": 3, "action": "analyse", "table": "t", "player": spec, "seed": 5}
    answers = ask(TABLE, first, *plays, {"id": 2, **analyse}, again, workers=1)
    kept, table = aiplay.make_player(spec, seed=5), aiplay.Table(aiplay.load_game("connect_four"), seed=1)
    wanted = [kept.analyse(table.view(0))]
    for move in moves:
        table.play(move)
    wanted.append(kept.analyse(table.view(0)))
    for number, analysis in enumerate(wanted, 1):
        visits = [(entry["move"], entry["visits"]) for entry in by_id(answers, number)[0]["moves"]]
        assert visits == [(entry.move, entry.visits) for entry in analysis.moves]
    n_visits = {i: sum(entry["visits"] for entry in by_id(answers, i)[0]["moves"]) for i in (2, 3)}
    assert n_visits[2] > n_visits[3] == 2000


def test_a_kept_player_is_not_another_one():
    keep = {"id": 1, "action": "choose", "table": "t", "keep": "bot", "player": "greedy", "seed": 1}
    for fields, ok in (
        ({}, True),
        ({"player": "greedy", "seed": 1}, True),
        ({"player": "random"}, False),
        ({"seed": 2}, False),
    ):
        answer = only(TABLE, keep, {"action": "choose", "table": "t", "keep": "bot", **fields})
        assert answer["ok"] is ok
        assert ok or answer["field"] == "keep"


def test_a_player_can_be_forgotten():
    keep = {"action": "choose", "table": "t", "keep": "bot"}
    forget = {"action": "forget", "keep": "bot"}
    greedy = {"id": 1, **keep, "player": "greedy"}
    assert only(TABLE, greedy, forget)["forgotten"] == "bot"
    assert only(TABLE, greedy, {"id": 2, **forget}, {**keep, "player": "random"})["ok"]
    unknown = only(TABLE, greedy, {"action": "forget", "keep": "somebody"})
    assert unknown["error"] == "no player is kept as 'somebody'; kept are: 'bot'"


def test_the_number_of_kept_players_is_limited():
    keep = [{"id": i, "action": "choose", "table": "t", "player": "random", "keep": str(i)} for i in range(3)]
    answers = ask(TABLE, *keep, max_players=2)
    assert [by_id(answers, i)[0]["ok"] for i in range(3)] == [True, True, False]
    assert by_id(answers, 2)[0]["field"] == "keep"


def test_a_player_that_cannot_be_made_is_not_kept():
    wrong = {"id": 1, "action": "choose", "table": "t", "keep": "bot", "player": "wizard"}
    answers = ask(TABLE, wrong, {**wrong, "id": 2, "player": "random"}, max_players=1)
    assert [by_id(answers, i)[0]["ok"] for i in (1, 2)] == [False, True]


def test_ending_a_waiting_query_leaves_the_search_of_its_player_alone():
    first = {"id": 1, "action": "analyse", "table": "t", "keep": "bot", "limit": {"iterations": 60_000}}
    second = {"id": 2, "action": "analyse", "table": "t", "keep": "bot", "limit": {"time": 600}}
    answers = ask(TABLE, first, second, {"id": 3, "action": "terminate", "query": 2}, workers=2)
    assert by_id(answers, 3)[0]["terminated"] == [2]
    assert by_id(answers, 1)[0]["iterations"] >= 60_000
    assert by_id(answers, 2)[0]["seconds"] < 600


# ---- Protocol ----------------------------------------------------------------------------------------------


def test_every_answer_says_whether_its_query_succeeded():
    view = json.loads(aiplay.Table(aiplay.load_game("pig"), seed=1).view(0).to_json())
    good = [
        {"action": "version"},
        {"action": "games"},
        {"action": "view", "table": "t"},
        {"action": "legal_moves", "view": view},
        {"action": "events", "table": "t"},
        {"action": "record", "table": "t"},
        *(
            {"action": action, "table": "t", "limit": {"iterations": 50}, "keep": "bot"}
            for action in ("choose", "analyse", "hint")
        ),
        {"action": "explain", "table": "t", "move": 3, "limit": {"iterations": 50}},
        {"action": "play", "table": "t", "move": 3},
        {"action": "undo", "table": "t"},
        {"action": "forget", "keep": "bot"},
        {"action": "terminate"},
        {"action": "close", "table": "t"},
    ]
    answers = ask(TABLE, *({"id": number, **query} for number, query in enumerate(good)))
    assert {answer["id"] for answer in answers} == {"new", *range(len(good))}
    assert all(answer["ok"] and "error" not in answer for answer in answers)
    failures = ask(*({"id": number, **query} for number, query in enumerate(good) if "table" in query))
    assert all(answer["ok"] is False and answer["error"] for answer in failures)


def test_queries_of_protocol_1_are_answered():
    view = json.loads(aiplay.Table(aiplay.load_game("leduc_poker"), seed=1).view(0).to_json())
    player = {"player": "mcts", "seed": 1, "limit": {"iterations": 20}}
    queries = [
        {"action": "new_table", "game": "pig", "options": {"players": 3}, "seed": 1, "table": "t"},
        {"action": "view", "table": "t", "seat": 0},
        {"action": "legal_moves", "view": view},
        {"action": "choose", "view": view, **player},
        {"action": "analyse", "table": "t", "every": 10, **player},
        {"action": "explain", "table": "t", "move": "roll", **player},
        {"action": "play", "table": "t", "move": 0},
        {"action": "undo", "table": "t"},
        {"action": "close", "table": "t"},
        {"action": "terminate", "query": 3},
    ]
    answers = ask(*({"id": number, **query} for number, query in enumerate(queries)))
    assert all(answer["ok"] and "warning" not in answer for answer in answers)
    assert len(answers) == len(queries)
