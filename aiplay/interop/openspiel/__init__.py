"""OpenSpiel both ways: :func:`from_openspiel` makes its games ours, :func:`to_openspiel` ours its."""

from aiplay.interop.openspiel.ours import register, to_openspiel
from aiplay.interop.openspiel.theirs import OpenSpielError, from_openspiel

__all__ = ["OpenSpielError", "from_openspiel", "register", "to_openspiel"]
