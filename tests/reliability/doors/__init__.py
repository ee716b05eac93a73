"""Doors: every way by which something from outside comes in.

A door makes a mutated input from a random stream, and enters with it. It may refuse the input with an error of ours,
or accept it: then the input has to be usable like any other.
"""

from aiplay.errors import AiplayError


class Door:
    """One way in. A case is determined by the number that its stream is made from."""

    name = ""
    about = ""  # for the report
    allowed = (AiplayError,)  # errors that refuse an input
    needs = ()  # packages beside those that aiplay needs

    def make(self, stream):
        """Return a mutated input."""
        raise NotImplementedError

    def enter(self, given):
        """Use an input; what it raises is either allowed or a defect."""
        raise NotImplementedError

    def close(self):
        """Clean up."""


def all_doors():
    """Return the class of every door by its name."""
    from reliability.doors import files, lines, positions, texts

    return _by_name(positions, texts, files, lines)


def planted_doors():
    """Return the doors that have a defect on purpose."""
    from reliability.doors import planted

    return _by_name(planted)


def _by_name(*modules):
    return {door.name: door for module in modules for door in module.DOORS}
