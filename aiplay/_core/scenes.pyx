"""The half of a game for people and front ends: notation, drawings, scenes, moves with parts, the catalogue, the rules.

`Game` adds what needs positions: `state_from_fields` and `view_from_fields`. What search does not need is imported on
demand.
"""

import sys
from pathlib import Path

from aiplay.errors import IllegalMoveError, InvalidStateError


cdef class GameScenes(GameArrays):
    """The half of :class:`Game` that people and front ends see."""

    VERBS = {}          # the kinds of its moves: verb -> aiplay.parts.Verb

    # ---- Overridden by games -------------------------------------------------------------------------------

    def move_text(self, position, move):
        """The notation of a legal move, unique among the legal moves of a position: made from its parts."""
        if not self.VERBS:
            return str(move)
        from aiplay.parts import noted

        return noted(self.VERBS, self.move_parts(position, move))

    def move_parts(self, position, move):
        """The parts of a legal move: its verb, and what the verb is about, by names.

        Without VERBS the notation is the verb.
        """
        if self.VERBS:
            raise NotImplementedError(f"{type(self).__name__}.move_parts: a game with VERBS needs it")
        return {"verb": self.move_text(position, move)}

    def learned(self, before, move, after):
        """Facts that a move showed to its observer beyond the move, by names: the card under a lifted cup.

        The positions before and after the move are views of one seat, or states for the referee.
        """
        return {}

    def render(self, position):
        """A compact drawing of a state or a view as text."""
        return "\n".join(f"{name}: {value}" for name, value in position.to_fields().items())

    def scene_type(self):
        """The kind of its scenes, a subclass of aiplay.scene.Scene; None: the fields of a position are its scene."""
        return None

    def scene_of(self, position):
        """The scene of a state or a view."""
        return position.to_fields()

    def fields_of_scene(self, scene, seat):
        """The fields of the position with this scene, sorted and packed; `seat` is None for a state.

        InvalidStateError names the entry that cannot be.
        """
        return scene

    def things(self):
        """The entries of the catalogue by kind; the verbs are added to them."""
        return {}

    # ---- Scenes --------------------------------------------------------------------------------------------

    @property
    def scene_schema(self):
        """The JSON Schema of a scene."""
        import msgspec

        return msgspec.json.schema(self.scene_type() or dict)

    def state_from_scene(self, scene):
        """The state with this scene, given as `state.scene()` or as plain data: a dictionary, for instance from JSON.

        Entries may be in any order. InvalidStateError says which entry is wrong.
        """
        return self._from_scene(scene, None)

    def view_from_scene(self, scene, seat):
        """The view of `seat` with this scene, given and checked as in `state_from_scene`."""
        return self._from_scene(scene, self._seat_of_view(seat))

    def _from_scene(self, scene, seat):
        from aiplay.scene import check_same_scene, read_scene

        if self.scene_type() is not None:
            scene = read_scene(self.scene_type(), scene)
        fields = self.fields_of_scene(scene, seat)
        try:
            position = self.state_from_fields(fields) if seat is None else self.view_from_fields(fields, seat)
        except InvalidStateError as problem:
            raise InvalidStateError(f"the scene does not fit together: {problem}") from None
        check_same_scene(scene, position.scene())
        return position

    # ---- Moves ---------------------------------------------------------------------------------------------

    def _find_move(self, position, parts):
        """The one legal move that has these parts."""
        from aiplay.parts import find_moves

        moves = {move: self.move_parts(position, move) for move in position.legal_moves()}
        found = find_moves(moves, parts)
        if len(found) == 1:
            return found[0]
        if not found:
            raise IllegalMoveError(f"no legal move has the parts {dict(parts)}; {position._allowed()}")
        texts = ", ".join(self.move_text(position, move) for move in found[:20])
        raise IllegalMoveError(f"{len(found)} legal moves have the parts {dict(parts)}: {texts}")

    # ---- Words ---------------------------------------------------------------------------------------------

    @property
    def catalogue(self):
        """Everything that scenes and moves name, with its effect in words: kind -> list of aiplay.catalogue.Entry."""
        from aiplay.catalogue import Entry

        verbs = [
            Entry(name=name, about=verb.about, facts={"notation": verb.notation})
            for name, verb in self.VERBS.items()
        ]
        return {**self.things(), "verb": verbs} if verbs else self.things()

    @property
    def rules(self):
        """The rules of the game as Markdown; empty if it has no page.

        The page lies beside the module of the game: `rules.md` in its folder, or the name of the module with `.md`.
        """
        file = getattr(sys.modules[type(self).__module__], "__file__", None)
        if file is None:
            return ""
        module = Path(file)
        page = module.with_name("rules.md") if module.stem == "__init__" else module.with_suffix(".md")
        return page.read_text(encoding="utf-8") if page.is_file() else ""
