"""The cards of Illusio: read from a data file, checked, and turned into numbers for the core."""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from aiplay._core.games.illusio.state import (
    ANY_GROUP,
    CONTEST_SIZE,
    ILLUSIO_SEATS,
    MAX_BONUS,
    MAX_COUNT,
    MAX_LEVEL,
    N_COMPONENTS,
    N_MAGICIANS,
    N_NEEDS,
    N_OBJECTIVES,
    START_HAND,
    TALENT_BONUS,
    TALENT_MORPH,
    TALENT_RECALL,
    TALENT_REDRAW,
    TALENT_STEAL,
    TALENT_SWAP,
)
from aiplay.errors import GameDataError
from aiplay.games.data_file import read_data

__all__ = [
    "COMPONENTS",
    "DOMAINS",
    "GROUPS",
    "GROUP_OF",
    "KINDS",
    "PHASES",
    "TYPED_GROUPS",
    "TYPES",
    "IllusioData",
    "Magician",
    "Objective",
    "component_name",
    "load_cards",
]

TYPED_GROUPS = {
    "accessories": ("scarf", "rope", "cards", "blades"),
    "animals": ("rabbit", "dove", "tiger"),
    "tricks": ("curtain", "mirrors", "smoke"),
    "boxes": ("case", "cage", "reservoir"),
}
GROUPS = (*TYPED_GROUPS, "audience", "formula")
TYPES = tuple(name for types in TYPED_GROUPS.values() for name in types)
COMPONENTS = (*TYPES, "audience", "formula")
SPECIAL_ACTIONS = ("transform", "take", "encore", "immediate success", "deja vu", "grand")
KINDS = COMPONENTS + SPECIAL_ACTIONS  # in the order of the core
NEEDS = (*COMPONENTS, *TYPED_GROUPS)
DOMAINS = ("close-up", "illusion", "evasion", "mentalism")
TALENTS = {
    "bonus": TALENT_BONUS,
    "morph": TALENT_MORPH,
    "swap": TALENT_SWAP,
    "recall": TALENT_RECALL,
    "redraw": TALENT_REDRAW,
    "steal": TALENT_STEAL,
}
GROUP_OF = {name: group for group, types in TYPED_GROUPS.items() for name in types} | {
    "audience": "audience",
    "formula": "formula",
}
PHASES = (  # in the order of the PHASE_ constants
    "first seat",
    "magicians",
    "contest",
    "deal",
    "validate",
    "draw",
    "act",
    "take",
    "exchange",
    "claim",
    "refill",
    "transform",
    "morph",
    "swap",
    "discard",
    "over",
)
ANY = "any"  # of a morph: the types of every group
MIN_CARDS = START_HAND * ILLUSIO_SEATS  # enough for the first hands
MIN_MAGICIANS = 2
GRAND_POINTS, DEJA_VU_POINTS = 2, -1  # of each card on a trick


def component_name(kind: str, printed: str, transforms: int) -> str:
    """Return the name of a component: its present kind, the printed one if it differs, a star for each Transform.

    >>> component_name("dove", "rabbit", 1)
    'dove~rabbit*'
    """
    return (kind if kind == printed else f"{kind}~{printed}") + "*" * transforms


class Objective(NamedTuple):
    """A trick: its level is its basic points; each of its needs is a type or a group."""

    name: str
    domain: str
    level: int
    needs: tuple[str, ...]

    @property
    def groups(self) -> tuple[str, ...]:
        """The group of each need."""
        return tuple(GROUP_OF.get(need, need) for need in self.needs)


class Magician(NamedTuple):
    """A talent: morph changes components of `group`, bonus pays `points` for tricks with `group`, `domain`, `level`."""

    name: str
    talent: str
    group: str = ""
    domain: str = ""
    level: int = 0
    points: int = 0

    def bonus(self, objective: Objective) -> int:
        """The points that the talent adds to a trick: it must meet every condition that is given."""
        is_met = (
            (not self.group or self.group in objective.groups)
            and (not self.domain or self.domain == objective.domain)
            and (not self.level or self.level == objective.level)
        )
        return self.points if is_met else 0


class IllusioData:
    """All cards: the number of each kind, the objectives and the magicians."""

    def __init__(
        self, counts: tuple[int, ...], objectives: tuple[Objective, ...], magicians: tuple[Magician, ...]
    ) -> None:
        self.counts, self.objectives, self.magicians = counts, objectives, magicians

    @functools.cached_property
    def printed(self) -> tuple[int, ...]:
        """The printed kind of each component."""
        counts = self.counts[: len(COMPONENTS)]
        return tuple(kind for kind, count in enumerate(counts) for _ in range(count))

    def named(self, number: int) -> str:
        """An objective by number and name, for error messages."""
        return f"objective {number} ({self.objectives[number].name})"

    def points(
        self, number: int, magician: int, domains: Collection[str], n_exact: int, deja_vus: int, grands: int
    ) -> int:
        """The prestige that a displayed trick pays; `domains` are those of the tricks that its owner keeps."""
        objective = self.objectives[number]
        points = objective.level + n_exact + (objective.domain in domains)
        points += self.magicians[magician].bonus(objective)
        return max(0, points + DEJA_VU_POINTS * deja_vus + GRAND_POINTS * grands)

    def numbers(self) -> dict[str, Any]:
        """The cards as whole numbers, for the core."""
        return {
            "total": list(self.counts),
            "group_of": [GROUPS.index(GROUP_OF[name]) for name in COMPONENTS],
            "level": [objective.level for objective in self.objectives],
            "domain": [DOMAINS.index(objective.domain) for objective in self.objectives],
            "need": [[NEEDS.index(need) for need in objective.needs] for objective in self.objectives],
            "need_group": [
                [GROUPS.index(group) for group in objective.groups] for objective in self.objectives
            ],
            "talent": [TALENTS[magician.talent] for magician in self.magicians],
            "talent_group": [
                ANY_GROUP if magician.group == ANY else GROUPS.index(magician.group or GROUPS[0])
                for magician in self.magicians
            ],
            "bonus": [
                [magician.bonus(objective) for objective in self.objectives] for magician in self.magicians
            ],
        }


def load_cards(path: str | None) -> IllusioData:
    """Load the cards of the game's own data file, or of the one at `path`; GameDataError names a wrong entry."""
    data = read_data("illusio", path)
    lists = ("components", "special_actions", "objectives", "magicians")
    _keys("the data file", data, lists)
    for name in lists:
        if not isinstance(data[name], list):
            raise GameDataError(f"{name} is {data[name]!r}; expected a list of entries")
    counts = _counts("components", data["components"], COMPONENTS)
    if sum(counts) > N_COMPONENTS:
        raise GameDataError(f"components has {sum(counts)} cards in all; allowed: at most {N_COMPONENTS}")
    counts += _counts("special_actions", data["special_actions"], SPECIAL_ACTIONS)
    if sum(counts) < MIN_CARDS:
        raise GameDataError(
            f"components and special_actions have {sum(counts)} cards in all; allowed: {MIN_CARDS} or more"
        )
    objectives = [_objective(f"objectives[{i}]", entry) for i, entry in enumerate(data["objectives"])]
    magicians = [_magician(f"magicians[{i}]", entry) for i, entry in enumerate(data["magicians"])]
    _names("objectives", [objective.name for objective in objectives], CONTEST_SIZE, N_OBJECTIVES)
    _names("magicians", [magician.name for magician in magicians], MIN_MAGICIANS, N_MAGICIANS)
    return IllusioData(tuple(counts), tuple(objectives), tuple(magicians))


def _keys(where: str, entry: object, required: Sequence[str], optional: Sequence[str] = ()) -> dict[str, Any]:
    """Return the entry, checked: it has all required keys, and no others but the optional ones."""
    if not isinstance(entry, dict):
        raise GameDataError(f"{where} is {entry!r}; expected an entry with {', '.join(required)}")
    for key in entry:
        if key not in (*required, *optional):
            raise GameDataError(
                f"{where} has an unknown key {key!r}; allowed: {', '.join((*required, *optional))}"
            )
    for key in required:
        if key not in entry:
            raise GameDataError(f"{where} has no {key!r}; it needs {', '.join(required)}")
    return entry


def _choice(where: str, key: str, value: object, allowed: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise GameDataError(f"{where}: {key} is {value!r}; allowed: {', '.join(allowed)}")
    return value


def _whole(where: str, key: str, value: object, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise GameDataError(f"{where}: {key} is {value!r}; allowed: {low} to {high}")
    return value


def _counts(name: str, entries: list[object], kinds: Sequence[str]) -> list[int]:
    """The number of cards of each kind, in the fixed order of kinds."""
    found: dict[str, int] = {}
    for i, entry in enumerate(entries):
        where = f"{name}[{i}]"
        values = _keys(
            where, entry, ("name", "group", "count") if name == "components" else ("name", "count")
        )
        kind = _choice(where, "name", values["name"], kinds)
        if kind in found:
            raise GameDataError(f"{where}: {kind} is given twice")
        if name == "components":
            _choice(f"{where} ({kind})", "group", values["group"], (GROUP_OF[kind],))
        found[kind] = _whole(f"{where} ({kind})", "count", values["count"], 0, MAX_COUNT)
    for kind in kinds:
        if kind not in found:
            raise GameDataError(f"{name} has no {kind!r}; it needs {', '.join(kinds)}")
    return [found[kind] for kind in kinds]


def _name(where: str, value: object) -> str:
    if not isinstance(value, str) or not value or value != " ".join(value.split()):
        raise GameDataError(f"{where}: name is {value!r}; expected a text without surplus spaces")
    return value


def _names(what: str, names: list[str], low: int, high: int) -> None:
    """Check the number of cards, and that no name is given twice: moves are written with the names."""
    if not low <= len(names) <= high:
        raise GameDataError(f"{what} has {len(names)} entries; allowed: {low} to {high}")
    seen = set()
    for i, name in enumerate(names):
        if name.casefold() in seen:
            raise GameDataError(f"{what}[{i}]: the name {name!r} is given twice")
        seen.add(name.casefold())


def _objective(where: str, entry: object) -> Objective:
    values = _keys(where, entry, ("name", "domain", "level", "needs"))
    name = _name(where, values["name"])
    where = f"{where} ({name})"
    domain = _choice(where, "domain", values["domain"], DOMAINS)
    level, needs = _whole(where, "level", values["level"], 1, MAX_LEVEL), values["needs"]
    if not isinstance(needs, list) or not 1 <= len(needs) <= N_NEEDS:
        raise GameDataError(
            f"{where}: needs is {needs!r}; allowed: a list of 1 to {N_NEEDS} types and groups"
        )
    needs = sorted((_choice(where, "needs", need, NEEDS) for need in needs), key=NEEDS.index)
    return Objective(name, domain, level, tuple(needs))


def _magician(where: str, entry: object) -> Magician:
    values = _keys(where, entry, ("name", "talent"), ("group", "domain", "level", "points"))
    name = _name(where, values["name"])
    where = f"{where} ({name})"
    talent = _choice(where, "talent", values["talent"], tuple(TALENTS))
    if talent == "bonus":
        return _bonus(where, name, values)
    required = ("name", "talent", "group") if talent == "morph" else ("name", "talent")
    _keys(f"{where}: talent {talent}", values, required)
    if talent != "morph":
        return Magician(name, talent)
    return Magician(name, talent, group=_choice(where, "group", values["group"], (*TYPED_GROUPS, ANY)))


def _bonus(where: str, name: str, values: dict[str, Any]) -> Magician:
    """The talent that adds points to the tricks with a group, of a domain or of a level."""
    if not {"group", "domain", "level"} & values.keys():
        raise GameDataError(f"{where}: talent bonus has no condition; allowed: group, domain, level")
    return Magician(
        name,
        "bonus",
        group=_choice(where, "group", values["group"], GROUPS) if "group" in values else "",
        domain=_choice(where, "domain", values["domain"], DOMAINS) if "domain" in values else "",
        level=_whole(where, "level", values["level"], 1, MAX_LEVEL) if "level" in values else 0,
        points=_whole(where, "points", values.get("points", 1), 1, MAX_BONUS),
    )
