"""OpenSpiel: :func:`from_openspiel` brings its games here, :func:`to_openspiel` takes ours there."""

from aiplay.interop.openspiel.ours import register, to_openspiel
from aiplay.interop.openspiel.theirs import OpenSpielError, from_openspiel

__all__ = ["OpenSpielError", "from_openspiel", "register", "to_openspiel"]
