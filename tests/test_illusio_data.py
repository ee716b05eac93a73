"""Illusio: the data file, its balance, and wrong data files."""

import tomllib

import pytest
from illusio_positions import play, position, texts

import aiplay
from aiplay._core.games.illusio import state as core
from aiplay.errors import GameDataError
from aiplay.games.data_file import own_file
from aiplay.games.illusio.data import COMPONENTS, DOMAINS, GROUPS, KINDS, TYPED_GROUPS, TYPES, load_cards
from aiplay.games.illusio.render import PHASES

TEXT = own_file("illusio").read_text(encoding="utf-8")
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
            "65 cards in all",
        ),
        (
            '"scarf", group = "accessories", count = 4',
            '"scarf", group = "animals", count = 4',
            r"\(scarf\): group",
        ),
        ('"scarf", group = "accessories", count = 4', '"scarf", group = "accessories", count = 0', "1 to 15"),
        (
            '"scarf", group = "accessories", count = 4',
            '"scarf", group = "accessories", count = "4"',
            "1 to 15",
        ),
        ('name = "scarf"', 'name = "silk"', r"components\[0\]: name is 'silk'"),
        ('name = "rope", group', 'name = "scarf", group', "scarf is given twice"),
        ('{ name = "grand", count = 4 },', "", "special_actions has no 'grand'"),
        ('name = "grand", count = 4', 'name = "grand", count = 3', "25 cards in all"),
        ('"Sphinx", domain = "illusion"', '"Sphinx", domain = "magic"', r"\(Sphinx\): domain is 'magic'"),
        ('"illusion", level = 2, needs = ["m', '"illusion", level = 3, needs = ["m', "level 3 needs 3"),
        ('"illusion", level = 2, needs = ["m', '"illusion", level = 5, needs = ["m', "1 to 4"),
        ('needs = ["mirrors", "case"]', 'needs = ["mirrors", "hat"]', r"\(Sphinx\): needs is 'hat'"),
        ('needs = ["mirrors", "case"]', 'needs = "mirrors"', r"\(Sphinx\): needs"),
        ('"tiger", "smoke", "cage", "formula"', '"tiger", "smoke", "cage", "rope"', "more than 3 types"),
        ('name = "Sphinx"', 'name = "book test"', "'Book Test' is given twice"),
        ('name = "Sphinx"', 'name = " Sphinx"', "surplus spaces"),
        (
            '"Sphinx", domain = "illusion", level = 2',
            '"Sphinx", level = 2',
            r"objectives\[10\] has no 'domain'",
        ),
        ('"Sphinx", domain', '"Sphinx", price = 3, domain', "unknown key 'price'"),
        ('talent = "swap"', 'talent = "fly"', r"\(The Barterer\): talent is 'fly'"),
        ('talent = "swap"', 'talent = "swap", group = "boxes"', "neither group nor domain"),
        ('talent = "morph", group = "boxes"', 'talent = "morph"', "it takes group"),
        ('talent = "morph", group = "boxes"', 'talent = "morph", group = "audience"', "group is 'audience'"),
        (
            'domain = "illusion" },\n  { name = "The Gambler"',
            'domain = "x" },\n  { name = "The Gambler"',
            "domain is 'x'",
        ),
        ('  { name = "The Gambler", talent = "redraw" },\n', "", "magicians has 9 entries"),
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
