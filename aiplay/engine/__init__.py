"""Bots for front ends in any language: JSON lines in, JSON lines out. See docs/engine.md."""

from aiplay.engine.engine import Engine
from aiplay.engine.serve import serve

__all__ = ["Engine", "serve"]
