"""Illusio: the data file, its balance, and wrong data files."""

import tomllib
from pathlib import Path

import pytest
from illusio_positions import backstage, fields_of, play, position, state_of, texts

import aiplay
from aiplay._core.games.illusio import state as core
from aiplay._core.games.illusio.audit import audit_games
from aiplay.errors import GameDataError
from aiplay.games.data_file import own_file
from aiplay.games.illusio.data import (
    COMPONENTS,
    DOMAINS,
    GROUP_OF,
    GROUPS,
    KINDS,
    PHASES,
    TYPED_GROUPS,
    TYPES,
    load_cards,
)
from aiplay.testing import check_game

TEXT = Path(own_file("illusio")).read_text(encoding="utf-8")
CARDS = load_cards(None)
NEEDS = [need for objective in CARDS.objectives for need in objective.needs]


def test_names_have_the_numbers_of_the_core():
    """Fields and moves hold the numbers; notation, drawings and data files use the names."""
    sizes = (core.N_TYPES, core.N_COMPONENT_KINDS, core.N_KINDS, core.N_GROUPS, core.PHASE_OVER + 1)
    assert tuple(map(len, (TYPES, COMPONENTS, KINDS, GROUPS, PHASES))) == sizes
    special = {"transform": core.TRANSFORM, "take": core.TAKE, "encore": core.ENCORE, "grand": core.GRAND}
    special |= {"immediate success": core.SUCCESS, "deja vu": core.DEJA_VU}
    assert {KINDS[number]: number for number in range(core.TRANSFORM, core.N_KINDS)} == special
    for number, name in enumerate(PHASES):
        prefix = {"first seat": "FIRST", "magicians": "MAGICIAN"}.get(name, name.upper())
        assert getattr(core, f"PHASE_{prefix}") == number


def test_64_components_of_15_kinds():
    assert sum(CARDS.counts[:15]) == 64
    assert CARDS.counts[:13] == (4,) * 13
    assert CARDS.counts[13:15] == (6, 6)  # audience, formula


def test_26_special_actions():
    assert CARDS.counts[15:] == (5, 5, 4, 4, 4, 4)


def test_32_objectives_two_of_each_level_in_each_domain():
    found = sorted((DOMAINS.index(o.domain), o.level) for o in CARDS.objectives)
    assert found == sorted(2 * [(domain, level) for domain in range(4) for level in range(1, 5)])


def test_a_trick_of_level_l_needs_l_components_at_most_three_exact():
    for objective in CARDS.objectives:
        assert len(objective.needs) == objective.level
        assert sum(need in TYPES for need in objective.needs) <= 3


def test_iroquois_handcuffs():
    found = next(o for o in CARDS.objectives if o.name == "Iroquois Handcuffs")
    assert (found.domain, found.level, sorted(found.needs)) == ("evasion", 3, ["case", "mirrors", "rope"])


def test_each_type_is_needed_3_to_6_times():
    for kind in TYPES:
        assert 3 <= NEEDS.count(kind) <= 6, kind


@pytest.mark.parametrize(
    ("group", "wanted"),
    [("accessories", 19), ("animals", 15), ("tricks", 15), ("boxes", 14), ("audience", 8), ("formula", 8)],
)
def test_each_group_is_needed_as_often_as_its_share_of_the_cards(group, wanted):
    found = [group for objective in CARDS.objectives for group in objective.groups]
    assert len(found) == 80
    assert abs(found.count(group) - wanted) <= 1


def test_10_magicians_with_the_talents_of_the_rules():
    talents = sorted((m.talent, m.group, m.domain) for m in CARDS.magicians)
    morphs = [("morph", group, "") for group in TYPED_GROUPS]
    bonuses = [("bonus", "audience", ""), ("bonus", "formula", ""), ("bonus", "", "illusion")]
    others = [("swap", "", ""), ("recall", "", ""), ("redraw", "", "")]
    assert talents == sorted(morphs + bonuses + others)


# ---- Other data files --------------------------------------------------------------------------------------


@pytest.fixture
def write(tmp_path):
    def write(old="", new="", text=TEXT):
        assert old in text
        path = tmp_path / "cards.toml"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return str(path)

    return write


def test_a_game_can_be_loaded_with_other_cards(write):
    path = write('{ name = "Sphinx", domain = "illusion"', '{ name = "Table of Mirrors", domain = "evasion"')
    game = aiplay.load_game("illusio", data=path)
    assert "Table of Mirrors" in [objective.name for objective in game.cards.objectives]
    assert game.options["data"] == path


def test_needs_may_be_written_in_any_order(write):
    path = write('needs = ["mirrors", "case"]', 'needs = ["case", "mirrors"]')
    found = aiplay.load_game("illusio", data=path).cards.objectives
    assert found == CARDS.objectives


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            '"scarf", group = "accessories", count = 4',
            '"scarf", group = "accessories", count = 5',
            "65 cards in all; allowed: at most 64",
        ),
        (
            '"scarf", group = "accessories", count = 4',
            '"scarf", group = "animals", count = 4',
            r"\(scarf\): group",
        ),
        (
            '"scarf", group = "accessories", count = 4',
            '"scarf", group = "accessories", count = -1',
            "allowed: 0 to 15",
        ),
        (
            '"scarf", group = "accessories", count = 4',
            '"scarf", group = "accessories", count = "4"',
            r"\(scarf\): count is '4'; allowed: 0 to 15",
        ),
        ('name = "scarf"', 'name = "silk"', r"components\[0\]: name is 'silk'"),
        ('name = "rope", group', 'name = "scarf", group', "scarf is given twice"),
        ('{ name = "grand", count = 4 },', "", "special_actions has no 'grand'"),
        (
            'name = "grand", count = 4',
            'name = "grand", count = 16',
            r"\(grand\): count is 16; allowed: 0 to 15",
        ),
        (
            'name = "grand", count = 4',
            f'name = "grand", count = {"9" * 5000}',
            r"\(grand\): count is a number of more than 64 bits; allowed: 0 to 15",
        ),
        (
            'name = "grand", count = 4',
            f'name = "grand", count = -{"9" * 5000}',
            r"\(grand\): count is a number of more than 64 bits; allowed: 0 to 15",
        ),
        (
            'name = "grand", count = 4',
            f'name = "grand", count = 0x{"f" * 5000}',
            r"\(grand\): count is a number of more than 64 bits; allowed: 0 to 15",
        ),
        ('"Sphinx", domain = "illusion"', '"Sphinx", domain = "magic"', r"\(Sphinx\): domain is 'magic'"),
        (
            'needs = ["mirrors", "case"]',
            "needs = []",
            r"\(Sphinx\): needs is \[\]; allowed: a list of 1 to 4",
        ),
        (
            'needs = ["mirrors", "case"]',
            f"needs = {['rope'] * 5}",
            r"\(Sphinx\): needs .* allowed: a list of 1 to 4",
        ),
        ('"illusion", level = 2, needs = ["m', '"illusion", level = 5, needs = ["m', "allowed: 1 to 4"),
        ('needs = ["mirrors", "case"]', 'needs = ["mirrors", "hat"]', r"\(Sphinx\): needs is 'hat'"),
        ('needs = ["mirrors", "case"]', 'needs = "mirrors"', r"\(Sphinx\): needs"),
        ('name = "Sphinx"', 'name = "book test"', "'Book Test' is given twice"),
        ('name = "Sphinx"', 'name = " Sphinx"', "surplus spaces"),
        (
            '"Sphinx", domain = "illusion", level = 2',
            '"Sphinx", level = 2',
            r"objectives\[10\] has no 'domain'",
        ),
        ('"Sphinx", domain', '"Sphinx", price = 3, domain', "unknown key 'price'"),
        ('talent = "swap"', 'talent = "fly"', r"\(The Barterer\): talent is 'fly'"),
        ('talent = "swap"', 'talent = "swap", group = "boxes"', "talent swap has an unknown key 'group'"),
        ('talent = "morph", group = "boxes"', 'talent = "morph"', "talent morph has no 'group'"),
        ('group = "formula" },\n', "points = 2 },\n", "has no condition; allowed: group, domain, level"),
        ('group = "formula" },\n', 'group = "x" },\n', "group is 'x'; allowed: accessories"),
        ('group = "formula" },\n', "level = 5 },\n", "level is 5; allowed: 1 to 4"),
        ('group = "formula" },\n', "level = 4, points = 0 },\n", "points is 0; allowed: 1 to 100"),
        ('group = "formula" },\n', "level = 4, points = 101 },\n", "points is 101; allowed: 1 to 100"),
        ('talent = "morph", group = "boxes"', 'talent = "morph", group = "audience"', "group is 'audience'"),
        (
            'domain = "illusion" },\n  { name = "The Gambler"',
            'domain = "x" },\n  { name = "The Gambler"',
            "domain is 'x'",
        ),
        (
            '{ name = "The Gambler", talent = "redraw" },',
            '{ name = "The Gambler", talent = "redraw" },\n{ name = "Eleventh", talent = "steal" }',
            "magicians has 11 entries; allowed: 2 to 10",
        ),
        (
            '{ name = "Ambitious Card",',
            '{ name = "More", domain = "close-up", level = 1, needs = ["rope"] },\n{ name = "Ambitious Card",',
            "objectives has 33 entries; allowed: 4 to 32",
        ),
    ],
)
def test_a_wrong_entry_is_named(write, old, new, message):
    with pytest.raises(GameDataError, match=message):
        aiplay.load_game("illusio", data=write(old, new))


def test_missing_and_wrong_lists_are_named(write):
    data = tomllib.loads(TEXT)
    assert set(data) == {"components", "special_actions", "objectives", "magicians"}
    with pytest.raises(GameDataError, match="has no 'components'"):
        aiplay.load_game("illusio", data=write(text="objectives = []"))
    with pytest.raises(GameDataError, match="magicians is 3"):
        aiplay.load_game(
            "illusio",
            data=write(text="components = []\nspecial_actions = []\nobjectives = []\nmagicians = 3"),
        )
    with pytest.raises(GameDataError, match="cannot read"):
        aiplay.load_game("illusio", data="no/such/file.toml")


# ---- A data file that uses everything the format allows --------------------------------------------------------

PRINTED = {
    "components": [
        {"name": name, "group": GROUP_OF[name], "count": count}
        for name, count in zip(COMPONENTS, (5, 0, 2, 1, 4, 3, 3, 2, 2, 2, 1, 1, 1, 9, 4), strict=True)
    ],
    "special_actions": [
        {"name": name, "count": count}
        for name, count in zip(KINDS[len(COMPONENTS) :], (15, 9, 0, 8, 2, 15), strict=True)
    ],
    "objectives": [
        {"name": "Easy Four", "domain": "evasion", "level": 1, "needs": ["scarf", "cards", "dove", "cage"]},
        {"name": "Hard One", "domain": "illusion", "level": 4, "needs": ["audience"]},
        {"name": "Pair", "domain": "illusion", "level": 3, "needs": ["rabbit", "rabbit"]},
        {"name": "Crowd", "domain": "mentalism", "level": 2, "needs": ["audience", "audience", "animals"]},
        {"name": "Card Trick", "domain": "close-up", "level": 2, "needs": ["cards"]},
        {"name": "Smoke", "domain": "close-up", "level": 4, "needs": ["smoke", "tricks"]},
        {"name": "Zoo", "domain": "mentalism", "level": 3, "needs": ["rabbit", "dove", "tiger", "animals"]},
    ],
    "magicians": [
        {"name": "The Thief", "talent": "steal"},
        {"name": "The Shaper", "talent": "morph", "group": "any"},
        {"name": "The Star", "talent": "bonus", "level": 4, "points": 5},
        {"name": "The Host", "talent": "bonus", "group": "audience", "points": 2},
        {"name": "The Seer", "talent": "bonus", "domain": "mentalism", "level": 3, "points": 3},
        {"name": "The Caller", "talent": "recall"},
        {"name": "The Second Caller", "talent": "recall"},
    ],
}


def as_toml(data):
    """The text of a data file: lists of inline entries."""
    lines = []
    for name, entries in data.items():
        rows = (", ".join(f"{key} = {value!r}" for key, value in entry.items()) for entry in entries)
        lines += [f"{name} = [", *(f"  {{ {row} }}," for row in rows), "]"]
    return "\n".join(lines)


@pytest.fixture
def printed(write):
    def load(players=2, **changes):
        return aiplay.load_game("illusio", players=players, data=write(text=as_toml(PRINTED | changes)))

    return load


@pytest.mark.parametrize("players", [2, 4, 6])
def test_other_cards_keep_the_contract(printed, players):
    game = printed(players)
    check_game(game, games=1, seed=players)
    assert audit_games(game.new_state(), 60, 8, seed=players) > 60 * 100
    assert game.state_size <= 512


def test_the_smallest_data_file_plays(printed):
    game = printed(
        6,
        components=[
            {"name": name, "group": GROUP_OF[name], "count": 9 if name == "audience" else 0}
            for name in COMPONENTS
        ],
        special_actions=[
            {"name": name, "count": 15 if name == "take" else 0} for name in KINDS[len(COMPONENTS) :]
        ],
        objectives=PRINTED["objectives"][:4],
        magicians=PRINTED["magicians"][:6],
    )
    check_game(game, games=1, seed=1)


def test_too_few_cards_or_magicians_are_refused(printed):
    few = [{"name": name, "count": 0} for name in KINDS[len(COMPONENTS) :]]
    with pytest.raises(GameDataError, match="have 23 cards in all; allowed: 24 or more"):
        printed(
            components=[
                {
                    "name": name,
                    "group": GROUP_OF[name],
                    "count": 15 if name == "rope" else 8 * (name == "dove"),
                }
                for name in COMPONENTS
            ],
            special_actions=few,
        )
    with pytest.raises(GameDataError, match="magicians has 2 entries; 3 players need 3 to 10"):
        printed(3, magicians=PRINTED["magicians"][:2])
    with pytest.raises(GameDataError, match="objectives has 3 entries; allowed: 4 to 32"):
        printed(objectives=PRINTED["objectives"][:3])


NAMES = [entry["name"] for entry in PRINTED["objectives"]]


def printed_position(game, talents, **words):
    """A position of the printed game; `talents` are names of magicians."""
    names = [magician.name for magician in game.cards.magicians]
    fields = fields_of(game, contest=words.pop("contest", NAMES[:4]), **words)
    rest = [core.NO_MAGICIAN] * (core.ILLUSIO_SEATS - len(talents))
    return state_of(game, fields | {"magicians": [names.index(name) for name in talents] + rest})


def test_steal_moves_a_component_of_another_backstage_to_the_own(printed):
    state = printed_position(
        printed(3),
        ["The Thief", "The Star", "The Host"],
        backstage=[["dove"], ["tiger~rabbit*"], ["cards", "cards"]],
    )
    assert [text for text in texts(state) if text.startswith("steal")] == [
        "steal 2:cards",
        "steal 1:tiger~rabbit*",
    ]
    later = play(state, "steal 1:tiger~rabbit*")
    assert [backstage(later, seat) for seat in range(3)] == [
        ["dove", "tiger~rabbit*"],
        [],
        ["cards", "cards"],
    ]
    assert later.fields["actions"] == state.fields["actions"]
    assert not any(text.startswith("steal") for text in texts(later))


def test_placed_components_cannot_be_stolen(printed):
    state = printed_position(
        printed(), ["The Thief", "The Star"], realising=[(1, "Zoo", ["rabbit", "dove", None, None])]
    )
    assert not any(text.startswith("steal") for text in texts(state))


def test_a_morph_of_any_group_stays_within_the_group_of_the_component(printed):
    state = printed_position(
        printed(), ["The Shaper", "The Star"], backstage=[["dove", "audience"], ["smoke"]]
    )
    assert [text for text in texts(state) if text.startswith("morph")] == ["morph 0:dove", "morph 1:smoke"]
    assert texts(play(state, "morph 0:dove")) == ["into rabbit", "into tiger"]
    assert texts(play(state, "morph 1:smoke")) == ["into curtain", "into mirrors"]
    assert backstage(play(state, "morph 1:smoke", "into mirrors"), 1) == ["mirrors~smoke"]


SCORES = [
    # magician, trick, its components, points: level + exact components + bonus
    ("The Star", "Hard One", ["audience"], 4 + 0 + 5),
    ("The Host", "Hard One", ["audience"], 4 + 0 + 2),
    ("The Seer", "Hard One", ["audience"], 4),
    ("The Host", "Crowd", ["audience", "audience", "dove"], 2 + 0 + 2),
    ("The Seer", "Crowd", ["audience", "audience", "dove"], 2),  # mentalism, but of another level
    ("The Seer", "Zoo", ["rabbit", "dove", "tiger", "dove"], 3 + 3 + 3),
    ("The Star", "Easy Four", ["scarf", "cards", "dove", "cage"], 1 + 4),  # four exact components
    ("The Star", "Easy Four", ["scarf", "scarf", "dove", "case"], 1 + 2),
]


@pytest.mark.parametrize(("magician", "trick", "components", "points"), SCORES)
def test_a_trick_pays_level_exact_components_and_bonus(printed, magician, trick, components, points):
    assert points < 12
    state = printed_position(
        printed(),
        [magician, "The Thief"],
        displayed=[(0, trick, components)],
        contest=[name for name in NAMES if name != trick][:4],
        hands=[["immediate success"], []],
    )
    assert play(state, f"success {trick}").fields["scores"][0] == points


def test_half_of_the_needs_claims_an_objective_whatever_its_level(printed):
    state = printed_position(printed(), ["The Star", "The Thief"], backstage=[["scarf"], ["audience"]])
    assert "claim Easy Four" not in texts(state)  # two of four are needed, though it is of level 1
    state = printed_position(printed(), ["The Star", "The Thief"], backstage=[["audience"], []])
    assert "claim Hard One" in texts(state)  # one component makes a trick of level 4
    state = printed_position(printed(), ["The Star", "The Thief"], backstage=[["scarf", "cage"], []])
    assert "claim Easy Four" in texts(state)


# ---- Equal needs, which our own objectives do not have -----------------------------------------------------


@pytest.fixture
def twins(write):
    """A game in which Mesmerised Tiger needs three animals and a formula, and Sphinx two mirrors."""
    text = TEXT.replace(
        '["tiger", "accessories", "animals", "tricks"]', '["animals", "animals", "animals", "formula"]'
    )
    text = text.replace(
        '"Sphinx", domain = "illusion", level = 2, needs = ["mirrors", "case"]',
        '"Sphinx", domain = "illusion", level = 2, needs = ["mirrors", "mirrors"]',
    )
    return aiplay.load_game("illusio", data=write(text=text))


def test_equal_open_needs_are_offered_once(twins):
    state = position(
        game=twins,
        hands=[["rabbit"], []],
        realising=[(0, "Mesmerised Tiger", ["formula", "dove", None, None])],
    )
    assert [text for text in texts(state) if text.startswith("play")] == [
        "play rabbit on Mesmerised Tiger (animals)"
    ]


def test_the_order_of_placing_makes_no_difference_to_the_state(twins):
    state = position(
        game=twins,
        hands=[["rabbit", "tiger"], []],
        realising=[(0, "Mesmerised Tiger", ["formula", "dove", None, None])],
    )
    first = play(
        state, "play rabbit on Mesmerised Tiger (animals)", "play tiger on Mesmerised Tiger (animals)"
    )
    second = play(
        state, "play tiger on Mesmerised Tiger (animals)", "play rabbit on Mesmerised Tiger (animals)"
    )
    assert first == second
    one = position(game=twins, hands=[["mirrors", "smoke"], []], realising=[(0, "Sphinx", ["smoke", None])])
    filled = 0b0001_0011  # both needs have a component; mirrors come first and are exact
    assert int(play(one, "play mirrors on Sphinx (mirrors)").fields["filled"][10]) == filled
    other = position(
        game=twins, hands=[["mirrors", "smoke"], []], realising=[(0, "Sphinx", ["mirrors", None])]
    )
    assert int(play(other, "play smoke on Sphinx (mirrors)").fields["filled"][10]) == filled


def test_a_claim_with_equal_needs_offers_every_result_once_and_never_gets_stuck(twins):
    found = []

    def visit(state):
        assert texts(state)
        for text in texts(state):
            later = play(state, text)
            if text == "stop" or later.to_move == aiplay.CHANCE:
                found.append((later.fields["place"].tobytes(), later.fields["now"].tobytes()))
            else:
                visit(later)

    state = position(
        game=twins,
        backstage=[["rabbit", "dove", "dove", "tiger"], []],
        contest=("Mesmerised Tiger", "Book Test", "Dove Pan", "Muscle Reading"),
    )
    visit(play(state, "claim Mesmerised Tiger"))
    assert len(found) == len(set(found))
    # Two or three of {rabbit, dove, dove, tiger}: rd rt dd dt, or rdd rdt ddt.
    assert len(found) == 4 + 3
