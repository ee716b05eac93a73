"""Learned strategies: how good they are by two best responses, their files, and runs that are interrupted."""

import gzip
import json
import math

import pytest
from terminal import run_here
from test_mixed import LEDUC, ForgetfulKuhn, Kuhn, first_choice, theirs

import aiplay
from aiplay._core.search.common.control import StopFlag
from aiplay.exploit import exploitability
from aiplay.learn import learn_equilibrium
from aiplay.learn.checkpoint import checkpoint_of
from aiplay.strategy import Strategy, fingerprint, key_of
from aiplay.testing import ForgetfulViewsWarning, check_game, forgetful_views


@pytest.fixture(scope="module")
def leduc(tmp_path_factory):
    """A learned strategy file of Leduc poker."""
    file = tmp_path_factory.mktemp("learned") / "leduc.json"
    learn_equilibrium(LEDUC, file, minutes=None)
    return file


# ---- How good they are -------------------------------------------------------------------------------------


def test_leduc_is_learned_as_openspiel_confirms(leduc):
    found = exploitability(LEDUC, lambda: aiplay.make_player(f"strategy:file={leduc}", seed=1))
    assert found.value < 0.02
    strategy = Strategy.read(leduc)
    known = strategy.description
    assert found.value == pytest.approx(theirs(lambda view: strategy.policy(view).items()), abs=1e-9)
    assert known["exploitability"] == pytest.approx(found.value, abs=1e-4)  # shares are rounded in the file
    assert (known["information_sets"], known["positions"], known["forgotten"]) == (936, 9457, 0)


def test_kuhn_poker_is_learned_and_worth_a_eighteenth():
    known = learn_equilibrium(Kuhn(), minutes=None).description
    assert known["exploitability"] < 0.005
    assert known["returns"][0] == pytest.approx(-1 / 18, abs=0.005)


def test_sampled_games_teach_the_same(tmp_path):
    strategy = learn_equilibrium(
        Kuhn(), tmp_path / "kuhn.json", minutes=None, target=0.02, sampled=True, iterations=500_000
    )
    assert strategy.description["solver"] == "sampled"
    assert strategy.description["exploitability"] < 0.02


def test_a_game_too_large_for_a_best_response_is_sampled():
    strategy = learn_equilibrium(LEDUC, minutes=None, iterations=2000, positions=1000)
    assert strategy.description["exploitability"] is None
    assert strategy.description["information_sets"] > 500


def test_views_that_forget_are_told():
    assert learn_equilibrium(ForgetfulKuhn(), minutes=None, iterations=20).description["forgotten"] == 3


class ThreeBets(Kuhn):
    """Each game has three bets, and before the third its seat has forgotten the first."""

    name = "three_bets"

    def to_move(self, state):
        return super().to_move(state) if len(state[0]) < 2 else (0, 1, 0, aiplay.TERMINAL)[len(state[1])]

    def returns(self, state):
        won = sum(state[1]) - 1 if state[0][0] > state[0][1] else 0
        return [won, -won]

    def conceal(self, state, seat):
        cards, bets = super().conceal(state, seat)
        return (cards, (0, *bets[1:]) if len(bets) > 1 else bets)


def test_check_game_warns_of_views_that_forget():
    check_game(Kuhn(), games=2)
    with pytest.warns(ForgetfulViewsWarning, match="6 of 15 decisions have views that do not tell"):
        check_game(ThreeBets(), games=2)  # a card of three, and the second bet
    assert forgetful_views(LEDUC) == (0, 936)
    assert forgetful_views(aiplay.load_game("illusio")) is None


# ---- Files -------------------------------------------------------------------------------------------------


def test_the_same_run_gives_the_same_file(tmp_path):
    for sampled in (False, True):
        files = [tmp_path / f"{number}.json" for number in range(2)]
        for file in files:
            learn_equilibrium(Kuhn(), file, minutes=None, iterations=2000, seed=5, sampled=sampled)
        assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.parametrize("sampled", [False, True])
def test_a_killed_run_goes_on_as_if_nothing_had_happened(tmp_path, sampled):
    whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
    settings = {"minutes": None, "target": 1e-9, "sampled": sampled, "seed": 3}
    total = 20_000 if sampled else 60
    learn_equilibrium(LEDUC, whole, iterations=total, **settings)
    stop = StopFlag()
    learn_equilibrium(
        LEDUC,
        parts,
        iterations=total,
        progress=lambda state: stop.set(),
        stop=stop,
        positions=10_000,
        **settings,
    )
    assert checkpoint_of(parts).exists()
    learn_equilibrium(LEDUC, parts, iterations=total, resume=True, **settings)
    assert parts.read_bytes() == whole.read_bytes()
    assert not checkpoint_of(parts).exists()


def test_a_checkpoint_of_another_run_is_refused(tmp_path):
    file, stop = tmp_path / "leduc.json", StopFlag()
    stop.set()
    learn_equilibrium(LEDUC, file, minutes=None, stop=stop)
    with pytest.raises(aiplay.StrategyError, match="belongs to another run: its seed is 0, not 9"):
        learn_equilibrium(LEDUC, file, seed=9, resume=True)
    checkpoint_of(file).write_bytes(b"\x1f\x8b nonsense")
    with pytest.raises(aiplay.StrategyError, match="not a checkpoint"):
        learn_equilibrium(LEDUC, file, resume=True)
    with pytest.raises(aiplay.StrategyError, match="No such file"):
        learn_equilibrium(LEDUC, tmp_path / "none.json", resume=True)


def test_a_checkpoint_that_unpacks_to_far_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("aiplay.learn.checkpoint.MAX_BYTES", 10_000)
    file = tmp_path / "leduc.json"
    checkpoint_of(file).write_bytes(gzip.compress(b'{"sets": "' + bytes(1_000_000)))
    with pytest.raises(aiplay.StrategyError, match="not a checkpoint"):
        learn_equilibrium(LEDUC, file, resume=True)


def test_a_file_of_another_game_or_version_is_refused(leduc, tmp_path):
    player = aiplay.make_player(f"strategy:file={leduc}")
    state = Kuhn().new_state()
    for card in (1, 2):
        state.play(card)
    with pytest.raises(aiplay.StrategyError, match="learned for leduc_poker, not for kuhn"):
        player.choose(state.view(0))
    document = json.loads(leduc.read_text())
    other = tmp_path / "other.json"
    other.write_text(json.dumps({**document, "fingerprint": "00"}))
    with pytest.raises(aiplay.StrategyError, match="other rules than this version has"):
        aiplay.make_player(f"strategy:file={other}").choose(first_choice("Js", "Kh"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 99}, "its format is 99; allowed: 1"),
        ({"strategies": {"00": [0.5, 0.1]}}, "add up to 0.6"),
        ({"strategies": {"00": ["a"]}}, "not a number from 0 to 1"),
        ({"strategies": {"00": [math.nan]}}, "not a number from 0 to 1"),
        ({"game": None}, "the entry 'game' is missing"),
    ],
)
def test_a_damaged_file_is_refused(leduc, tmp_path, change, message):
    file = tmp_path / "damaged.json"
    file.write_text(json.dumps({**json.loads(leduc.read_text()), **change}))
    with pytest.raises(aiplay.StrategyError, match=message):
        Strategy.read(file)


def test_any_other_file_is_refused(tmp_path):
    for content in (b"", b"[]", b"\xff", b"[" * 100_000):
        file = tmp_path / "other"
        file.write_bytes(content)
        with pytest.raises(aiplay.StrategyError, match="not a strategy file"):
            aiplay.make_player(f"strategy:file={file}")
    with pytest.raises(aiplay.StrategyError, match="No such file"):
        aiplay.make_player("strategy:file=nowhere.json")


def test_keys_depend_on_the_seat_and_the_view_only():
    assert key_of(first_choice("Js", "Kh")) == key_of(first_choice("Js", "Qh"))
    assert key_of(first_choice("Js", "Kh")) != key_of(first_choice("Jh", "Kh"))
    assert fingerprint(Kuhn()) != fingerprint(ForgetfulKuhn())


# ---- The player --------------------------------------------------------------------------------------------


def test_the_player_draws_from_the_file(leduc):
    view = first_choice("Js", "Kh")
    player = aiplay.make_player(f"strategy:file={leduc}", seed=1)
    policy = player.policy(view)
    drawn = [player.choose(view) for _ in range(2000)]
    for move, share in policy.items():
        assert drawn.count(move) / 2000 == pytest.approx(share, abs=0.05)
    analysis = player.analyse(view)
    assert [one.visits for one in analysis.moves] == sorted(
        (round(1000 * s) for s in policy.values()), reverse=True
    )


def test_mixed_plays_where_the_file_knows_nothing(leduc, tmp_path):
    view = first_choice("Js", "Kh")
    document = json.loads(leduc.read_text())
    del document["strategies"][key_of(view)]
    file = tmp_path / "hole.json"
    file.write_text(json.dumps(document))
    player = aiplay.make_player(f"strategy:file={file},iterations=50", seed=1)
    player.choose(first_choice("Qs", "Kh"))
    assert player.iterations_spent == 0
    player.choose(view)
    assert player.iterations_spent == 50


def test_the_command_learns_and_says_so(tmp_path):
    done = run_here(
        *("learn", "--method", "equilibrium", "--game", "leduc_poker", "--iterations", "30", "--json"),
        cwd=tmp_path,
    )
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert found["file"] == "leduc_poker.strategy.json"
    assert 0.02 < found["exploitability"] < 0.2
    assert (tmp_path / found["file"]).exists()


def test_wrong_bounds_are_refused():
    with pytest.raises(aiplay.OptionError, match="minutes is -1"):
        learn_equilibrium(LEDUC, minutes=-1)
    with pytest.raises(aiplay.OptionError, match="give `out`"):
        learn_equilibrium(LEDUC, resume=True)
