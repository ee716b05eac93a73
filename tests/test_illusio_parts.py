"""Illusio for front ends: parts of every verb, the catalogue."""

import pytest
from illusio_positions import load, play, position
from test_illusio_data import PRINTED, as_toml, printed_position

import aiplay
from aiplay.catalogue import find_entries
from aiplay.games.illusio.data import KINDS
from aiplay.parts import find_moves

CONTEST = ["Ambitious Card", "Pepper's Ghost", "Davenport Rope Tie", "Book Test"]

# ---- Moves with parts --------------------------------------------------------------------------------------

SPHINX = (1, "Sphinx", ["mirrors", "case"])
PAN = (0, "Dove Pan", ["dove", None])
RICH = {
    "hands": [["cage", "take", "transform", "encore", "immediate success", "deja vu", "grand"], ["rope"]],
    "backstage": [["case", "dove~rabbit*"], ["rope", "smoke"]],
    "displayed": [SPHINX],
    "realising": [PAN],
    "contest": ["Mail Bag Escape", *CONTEST[:3]],
}
MOVES = [  # words of the position, moves before, the move, its parts
    (RICH, [], "end", {"verb": "end"}),
    (RICH, [], "back cage", {"verb": "back", "card": "cage", "from": "hand"}),
    (RICH, [], "throw take", {"verb": "throw", "card": "take", "from": "hand"}),
    (RICH, ["throw take"], "done", {"verb": "done"}),
    (RICH, ["throw take", "done"], "draw dove", {"verb": "draw", "card": "dove", "seat": 0}),
    (RICH, [], "take from 1", {"verb": "take", "card": "take", "from": "hand", "seat": 1}),
    (RICH, ["take from 1"], "take rope", {"verb": "get", "card": "rope", "seat": 1}),
    (RICH, [], "claim Mail Bag Escape", {"verb": "claim", "objective": "Mail Bag Escape"}),
    (
        RICH, [], "place case on Dove Pan (boxes)",
        {"verb": "place", "card": "case", "from": "backstage", "component": "case", "seat": 0, "on": "Dove Pan",
         "need": "boxes"},
    ),
    (
        RICH | {"realising": [(0, "Dove Pan", [None, "case"])]}, [], "place dove~rabbit* on Dove Pan (dove)",
        {"verb": "place", "card": "dove", "from": "backstage", "component": "dove~rabbit*", "seat": 0, "on": "Dove Pan",
         "need": "dove"},
    ),
    (
        RICH, [], "play cage on Dove Pan (boxes)",
        {"verb": "play", "card": "cage", "from": "hand", "on": "Dove Pan", "need": "boxes"},
    ),
    (RICH, [], "give up Dove Pan", {"verb": "give up", "objective": "Dove Pan"}),
    (RICH, [], "encore Sphinx", {"verb": "encore", "card": "encore", "from": "hand", "on": "Sphinx"}),
    (RICH, [], "success Sphinx", {"verb": "success", "card": "immediate success", "from": "hand", "on": "Sphinx"}),
    (RICH, [], "deja vu Sphinx", {"verb": "deja vu", "card": "deja vu", "from": "hand", "on": "Sphinx"}),
    (RICH, [], "grand Sphinx", {"verb": "grand", "card": "grand", "from": "hand", "on": "Sphinx"}),
    (
        RICH, [], "transform dove~rabbit*",
        {"verb": "transform", "card": "transform", "from": "hand", "component": "dove~rabbit*", "seat": 0},
    ),
    (RICH, ["transform case"], "into audience", {"verb": "into", "kind": "audience"}),
    (RICH | {"talents": ["tricks"]}, [], "morph 1:smoke", {"verb": "morph", "component": "smoke", "seat": 1}),
    (RICH | {"talents": ["swap"]}, [], "swap case", {"verb": "swap", "component": "case", "seat": 0}),
    (RICH | {"talents": ["swap"]}, ["swap case"], "for 1:rope", {"verb": "for", "component": "rope", "seat": 1}),
    (RICH | {"talents": ["recall"]}, [], "recall 1:rope", {"verb": "recall", "component": "rope", "seat": 1}),
    (RICH | {"talents": ["redraw"]}, [], "redraw take", {"verb": "redraw", "card": "take", "from": "hand"}),
    (RICH, ["end"], "validate Sphinx", {"verb": "validate", "objective": "Sphinx"}),
    (
        {"backstage": [["cards", "rope"], []], "contest": ["Card Sword", *CONTEST[1:]]},
        ["claim Card Sword", "place cards on Card Sword (cards)", "place rope on Card Sword (blades)"],
        "stop", {"verb": "stop"},
    ),
    (RICH, ["claim Mail Bag Escape", "place case on Mail Bag Escape (boxes)"], "contest Book Test",
     {"verb": "contest", "objective": "Book Test"}),
    ({"hands": [["dove"] * 4 + ["cage"] * 4 + ["rope"], []]}, ["end"], "discard rope",
     {"verb": "discard", "card": "rope", "from": "hand"}),
]  # fmt: skip


@pytest.mark.parametrize(("words", "before", "text", "parts"), MOVES, ids=lambda value: str(value)[:20])
def test_the_parts_of_a_move(words, before, text, parts):
    state = play(position(**words), *before)
    move = state.parse_move(text)
    assert state.move_parts(move) == parts
    assert next(iter(state.move_parts(move))) == "verb"
    assert state.find_move(parts) == move


def test_the_parts_of_the_deal():
    state = load(2).new_state()
    assert state.move_parts(1) == {"verb": "begin", "seat": 1}
    state.play(1)
    assert state.move_parts(2) == {"verb": "magician", "magician": "The Optician", "seat": 1}


def test_every_verb_has_a_test():
    tested = {parts["verb"] for *_, parts in MOVES} | {"begin", "magician", "steal"}
    assert tested == set(load(2).VERBS)


def test_a_click_on_a_card_and_on_a_target_finds_the_move():
    view = position(**RICH).view(0)
    moves = {move: view.move_parts(move) for move in view.legal_moves()}

    def found(**parts):
        return [view.move_text(move) for move in find_moves(moves, parts)]

    assert found(card="grand") == ["throw grand", "grand Sphinx"]
    assert found(card="grand", on="Sphinx") == ["grand Sphinx"]
    assert found(**{"from": "backstage"}) == ["place case on Dove Pan (boxes)"]
    assert found(seat=0, component="case") == ["transform case", "place case on Dove Pan (boxes)"]


# ---- The catalogue ----------------------------------------------------------------------------------------


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "cards.toml"
    path.write_text(as_toml(PRINTED), encoding="utf-8")
    return aiplay.load_game("illusio", players=3, data=str(path))


def about(game, name):
    ((_, entry),) = [(kind, entry) for kind, entry in find_entries(game.catalogue, name) if kind != "phase"]
    return entry.about


def test_the_catalogue_of_another_data_file_has_its_texts(game):
    assert about(game, "Easy Four") == (
        "A trick of evasion. It needs scarf, cards, dove and cage; others of the same groups will do. It pays 1 "
        "prestige, and 1 more for each of scarf, cards, dove and cage that is exact. Claim it by placing 2 of 4 or "
        "more from your Backstage."
    )
    assert about(game, "Hard One").startswith(
        "A trick of illusion. It needs audience. It pays 4 prestige. Claim it"
    )
    assert about(game, "The Thief").startswith(
        "Once in each of your turns, for free: a component of another Backstage"
    )
    assert "another type of its group" in about(game, "The Shaper")
    assert about(game, "The Star") == "Always: 5 more prestige for each of your tricks of level 4."
    seer = about(game, "The Seer")
    assert seer == "Always: 3 more prestige for each of your tricks of mentalism of level 3."
    facts = {entry.name: entry.facts for entry in game.catalogue["objective"]}
    assert facts["Zoo"]["needs"] == ["rabbit", "dove", "tiger", "animals"]


def test_the_catalogue_of_our_own_cards():
    game = load(2)
    assert about(game, "Dove Pan") == (
        "A trick of close-up. It needs dove and any of boxes; others of the same groups will do. It pays 2 prestige, "
        "and 1 more for exactly dove. Claim it by placing 1 of 2 or more from your Backstage."
    )
    assert about(game, "rabbit") == (
        "A component of animals. It meets a need for rabbit (1 more prestige), dove, tiger or animals."
    )
    assert (
        about(game, "The Crowd-Pleaser")
        == "Always: 1 more prestige for each of your tricks that needs audience."
    )
    sizes = {kind: len(entries) for kind, entries in game.catalogue.items() if kind not in ("verb", "phase")}
    assert sizes == {
        "component": 15, "group": 4, "special action": 6, "objective": 32, "domain": 4, "magician": 10,
        "place": 4,
    }  # fmt: skip
    assert [entry.name for entry in game.catalogue["phase"]] == list(game.labels["phase"])


def test_everything_that_scenes_name_is_in_the_catalogue():
    game = load(2)
    names = {entry.name for entries in game.catalogue.values() for entry in entries}
    assert {*KINDS, *game.labels["objective"], *game.labels["magician"]} <= names


def test_steal_of_another_data_file(game):
    state = printed_position(
        game, ["The Thief", "The Star", "The Host"], backstage=[["dove"], ["tiger~rabbit*"], ["cards"]]
    )
    parts = {"verb": "steal", "component": "tiger~rabbit*", "seat": 1}
    assert state.move_text(state.find_move(parts)) == "steal 1:tiger~rabbit*"
    assert "The Thief (once a turn: steal a Backstage component)" in str(state)
