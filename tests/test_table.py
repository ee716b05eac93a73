"""Tables, records, replay, and players at a table."""

import json

import pytest
from toy_games import Bidding, Matches

import aiplay
from aiplay import CHANCE, IllegalMoveError, RandomStream, Record, RecordError, Table, replay

GAMES = [
    aiplay.load_game("connect_four"),
    aiplay.load_game("leduc_poker"),
    aiplay.load_game("pig", players=3, target=20),
    Bidding(),
]
EACH = pytest.mark.parametrize("game", GAMES, ids=repr)


def play_out(table, seed=0):
    stream = RandomStream(seed)
    while not table.over:
        table.play(stream.choice(table.legal_moves()))
    return table


# ---- Tables ------------------------------------------------------------------------------------------------


@EACH
def test_a_table_deals_and_rolls_by_itself(game):
    table, stream = Table(game, seed=3), RandomStream(1)
    while not table.over:
        assert 0 <= table.to_move < game.seats
        table.play(stream.choice(table.legal_moves()))
    assert table.to_move == aiplay.TERMINAL
    assert len(table.returns()) == game.seats


@EACH
def test_the_same_seed_gives_the_same_game(game):
    first, second = (play_out(Table(game, seed=11), 5) for _ in range(2))
    assert first.moves == second.moves
    assert first.state == second.state
    assert first.record == second.record


def test_different_seeds_give_different_games():
    deals = {Table(GAMES[1], seed=seed).moves for seed in range(200)}
    assert len(deals) == 30  # every way to deal two of six cards


def test_tables_without_a_seed_are_different():
    assert len({Table(GAMES[1]).seed for _ in range(20)}) == 20


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "7", True], ids=repr)
def test_a_seed_is_checked(seed):
    with pytest.raises(ValueError, match=r"seed is .*; allowed: a whole number from 0 to 2\*\*64 - 1"):
        Table(GAMES[0], seed=seed)


def test_the_state_of_a_table_is_a_copy():
    table = Table(GAMES[0], seed=1)
    table.state.play("4")
    assert table.state == GAMES[0].new_state()


def test_a_table_shows_each_seat_its_view():
    table = Table(GAMES[1], seed=2)
    for seat in (0, 1):
        assert table.view(seat) == table.state.view(seat)


def test_moves_are_numbers_or_notation_and_are_checked():
    table = Table(GAMES[0], seed=1)
    assert table.play("4") == 3
    assert table.play(3) == 3
    before = table.moves
    for wrong in ("8", 7, None):
        with pytest.raises(IllegalMoveError):
            table.play(wrong)
    assert table.moves == before == (3, 3)


def test_a_table_takes_no_moves_after_the_end():
    with pytest.raises(IllegalMoveError, match="the game is over"):
        play_out(Table(GAMES[0], seed=1)).play(0)
    with pytest.raises(ValueError, match="not over"):
        Table(GAMES[0], seed=1).returns()


def test_a_table_is_drawn_as_its_state():
    table = Table(GAMES[0], seed=1)
    assert str(table) == str(table.state)
    assert repr(table) == "<Table connect_four, seed 1, 0 moves>"


# ---- Undo --------------------------------------------------------------------------------------------------


@EACH
def test_undo_goes_back_to_the_last_decision_of_a_seat(game):
    table, stream, earlier = Table(game, seed=4), RandomStream(2), []
    while not table.over:
        earlier.append((table.moves, table.state))
        table.play(stream.choice(table.legal_moves()))
    for moves, state in reversed(earlier):
        played = table.moves[len(moves)]
        assert table.undo() == played
        assert table.moves == moves
        assert table.state == state
    with pytest.raises(IllegalMoveError, match="nothing to take back"):
        table.undo()
    assert table.moves == earlier[0][0]


@EACH
def test_chance_falls_the_same_way_after_undo(game):
    table = play_out(Table(game, seed=6), 7)
    moves = table.moves
    decisions = []
    while len(decisions) < 2:
        decisions.append(table.undo())
    for move in reversed(decisions):
        table.play(move)
    assert table.moves == moves


def test_undoing_a_roll_does_not_change_the_dice():
    table = Table(GAMES[2], seed=9)
    table.play("roll")
    face = table.moves[-1]
    for _ in range(5):
        table.undo()
        table.play("roll")
        assert table.moves == (0, face)


# ---- Records -----------------------------------------------------------------------------------------------


@EACH
def test_a_record_replays_the_game_exactly(game):
    table = play_out(Table(game, seed=21), 3)
    for again in (
        replay(table.record, game=game),
        replay(table.record.to_json(), game=game),
        replay(table.record.to_json().encode(), game=game),
    ):
        assert again.moves == table.moves
        assert again.state == table.state
        assert again.record == table.record
        assert again.returns() == table.returns()


@EACH
def test_a_replayed_table_goes_on_as_the_original_table_would(game):
    whole = play_out(Table(game, seed=13), 1)
    for ply in range(len(whole.moves) + 1):
        table = replay(whole.record, ply, game=game)
        assert table.moves == whole.moves[:ply]
        while not table.over:
            if table._state.to_move == CHANCE:
                table.deal()
                continue
            table.play(whole.moves[len(table.moves)])
        assert table.moves == whole.moves


def test_a_table_replayed_to_a_ply_of_chance_lets_chance_decide_first():
    whole = play_out(Table(GAMES[2], seed=13), 1)
    rolled = whole.moves.index(0) + 1  # after a roll, before its face is known
    table = replay(whole.record, rolled)
    assert table.to_move == CHANCE
    table.play("hold")
    assert table.moves[: rolled + 1] == whole.moves[: rolled + 1]


def test_the_game_of_a_record_is_loaded_by_name():
    table = play_out(Table(GAMES[2], seed=1))
    assert replay(table.record).game == GAMES[2]


def test_a_record_as_json_is_complete():
    table = Table(GAMES[2], seed=5)
    table.play("hold")
    options = {"players": 3, "target": 20, "horizon": 1000}
    assert json.loads(table.record.to_json()) == {"game": "pig", "options": options, "seed": 5, "moves": [1]}
    assert Record.from_json(table.record.to_json()).to_json() == table.record.to_json()


def record(**changes):
    base = {
        "game": "pig",
        "options": {"players": 2, "target": 100, "horizon": 1000},
        "seed": 5,
        "moves": [1, 0, 3],
    }
    return json.dumps(base | changes)


def test_the_record_before_it_is_damaged_is_valid():
    assert replay(record()).moves == (1, 0, 3)


DAMAGED = {
    "not JSON": ("{", "not valid JSON"),
    "not an object": ("[1]", "expected a JSON object"),
    "empty": ("", "not valid JSON"),
    "a key too many": (record(winner=1), "unknown key 'winner'"),
    "a key missing": ('{"game":"pig","options":{},"seed":1}', "'moves' is missing"),
    "an unknown game": (record(game="chess"), "no game is called 'chess'; the games are connect_four"),
    "a game that is not text": (record(game=3), "game has to be str, not int"),
    "an unknown option": (record(options={"dice": 2}), "pig has no option 'dice'; its options: players"),
    "an option called like an argument": (record(options={"name": 2, "self": 3}), "option|argument"),
    "a wrong option": (record(options={"players": 9}), "players is 9; allowed"),
    "options that are not an object": (record(options=[]), "options has to be dict"),
    "a seed below 0": (record(seed=-1), "seed is -1; allowed"),
    "a seed too large": (record(seed=2**64), "seed"),
    "a seed that is null": (record(seed=None), "seed has to be int"),
    "a seed that is a bool": (record(seed=True), "seed has to be int, not bool"),
    "moves that are not a list": (record(moves={"0": 1}), "moves has to be list"),
    "a move that is text": (record(moves=["hold"]), "list of whole numbers"),
    "a move that is a float": (record(moves=[1.0]), "list of whole numbers"),
    "a move that is a bool": (record(moves=[True]), "list of whole numbers"),
    "an illegal move": (record(moves=[1, 2]), "move 1 of the record: move 2 is not legal"),
    "an illegal face": (record(moves=[1, 0, 6]), "move 2 of the record: move 6 is not legal"),
    "a negative move": (record(moves=[-1]), "move 0 of the record: move -1 is not legal"),
    "a huge move": (record(moves=[2**40]), "move 0 of the record"),
    "a move after the end": (
        record(options={"players": 2, "target": 2, "horizon": 9}, moves=[0, 5, 1, 1]),
        "move 3 of the record: move 1 is not legal; the game is over",
    ),
}


@pytest.mark.parametrize(("text", "problem"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_record_is_refused(text, problem):
    with pytest.raises(RecordError, match=problem):
        replay(text)


@pytest.mark.parametrize("ply", [-1, 4])
def test_a_ply_beyond_the_record_is_refused(ply):
    with pytest.raises(RecordError, match=f"ply is {ply}; the record has 0 to 3"):
        replay(record(), ply)


def test_a_record_of_another_game_or_other_options_is_refused():
    with pytest.raises(RecordError, match="the record is of 'pig' with options"):
        replay(record(), game=GAMES[0])
    with pytest.raises(RecordError, match="the record is of 'pig' with options"):
        replay(record(), game=GAMES[2])


# ---- Players at a table ------------------------------------------------------------------------------------


@EACH
def test_random_players_play_a_game_to_its_end(game):
    players = [aiplay.make_player("random", seed=seat) for seat in range(game.seats)]
    table = Table(game, seed=1)
    assert aiplay.play_game(table, players) == table.returns()
    assert table.over


def test_the_same_seeds_play_the_same_game():
    games = []
    for _ in range(2):
        games.append(Table(GAMES[2], seed=1))
        aiplay.play_game(games[-1], [aiplay.make_player("random", seed=seat) for seat in range(3)])
    assert games[0].record == games[1].record


def test_play_game_needs_a_player_for_each_seat():
    with pytest.raises(ValueError, match="matches has 2 seats, 1 players were given"):
        aiplay.play_game(Table(Matches()), [aiplay.make_player("random")])


@pytest.mark.parametrize(
    ("give", "message"),
    [
        (lambda table, bot: Table("pig"), "game is 'pig'; allowed: a game, as load_game"),
        (lambda table, bot: Table(Matches), "game is <class .*; allowed: a game"),
        (lambda table, bot: replay(table.record, game="pig"), "game is 'pig'; allowed: a game"),
        (
            lambda table, bot: aiplay.play_game(table.game, [bot, bot]),
            "table is load_game.*; allowed: a table",
        ),
        (lambda table, bot: aiplay.play_game(table, ["mcts", bot]), "player is 'mcts'; allowed: a player"),
    ],
)
def test_a_wrong_argument_is_named_with_what_is_allowed(give, message):
    with pytest.raises(TypeError, match=message):
        give(Table(GAMES[0], seed=1), aiplay.make_player("random", seed=1))


@pytest.mark.parametrize("name", [name for name in aiplay.player_names() if name != "human"])
def test_every_player_checks_view_and_limit(name):
    player, table = aiplay.make_player(name, seed=1), Table(GAMES[0], seed=1)
    for wrong in (table, table.state, None):
        for ask in (player.choose, player.analyse):
            with pytest.raises(TypeError, match=r"^view is .*; allowed: a view, as table\.view"):
                ask(wrong)
    with pytest.raises(
        TypeError, match=r"^limit is 1.0; allowed: None, or a limit such as Limit\(time=1.0\)"
    ):
        player.analyse(table.view(0), 1.0)


@pytest.mark.parametrize("n_moves", [1, 2])
def test_a_search_checks_the_limit_even_if_there_is_one_move(n_moves):
    class Few(Matches):
        def legal_moves(self, state):
            return range(1, n_moves + 1)

    with pytest.raises(TypeError, match=r"^limit is {'time': 1}; allowed"):
        aiplay.make_player("mcts", seed=1).choose(Few().new_state().view(0), {"time": 1})


def test_the_random_player_chooses_uniformly():
    player, view, n = aiplay.make_player("random", seed=1), GAMES[0].new_state().view(0), 7000
    counts = [0] * 7
    for _ in range(n):
        counts[player.choose(view)] += 1
    assert sum((count - n / 7) ** 2 / (n / 7) for count in counts) < 38.26  # chi-square, 6 degrees, 1e-6


def test_a_player_without_a_choice_gets_a_clear_error():
    player = aiplay.make_player("random", seed=1)
    with pytest.raises(IllegalMoveError, match="seat 1 has nothing to choose: it is the turn of seat 0"):
        player.choose(GAMES[0].new_state().view(1))
    with pytest.raises(IllegalMoveError, match="seat 1 has nothing to choose: it is the turn of chance"):
        player.choose(GAMES[1].new_state().view(1))
    with pytest.raises(IllegalMoveError, match="the game is over"):
        player.choose(play_out(Table(GAMES[0], seed=1)).view(0))
