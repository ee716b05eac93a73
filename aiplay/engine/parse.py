"""Documents become queries: the checks that the engine and the server share, and the answer to a query that failed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from aiplay.engine import answers, messages
from aiplay.engine.answers import shorten
from aiplay.engine.positions import QueryError
from aiplay.errors import AiplayError

__all__ = ["error_answer", "identity_of", "kind_of", "read_query"]

Q = TypeVar("Q")


def identity_of(document: object) -> messages.Id | None:
    """Return the id of a query, even if the rest of it is wrong."""
    identity = document.get("id") if isinstance(document, dict) else None
    try:
        valid: messages.Id | None = msgspec.convert(identity, messages.Id | None)
    except msgspec.ValidationError:
        return None
    return valid


def kind_of(document: object, actions: Mapping[str, type[Q]]) -> tuple[dict[str, object], type[Q]]:
    """Return a document as an object, and the type of the query that its action names."""
    if not isinstance(document, dict):
        raise QueryError("a query is a JSON object with an id and an action")
    action = document.get("action")
    kind = actions.get(action) if isinstance(action, str) else None
    if kind is None:
        raise QueryError(f"action is {shorten(action)}; allowed: {', '.join(actions)}", "action")
    return document, kind


def read_query(document: object, kind: type[Q]) -> Q:
    """Return a document as a query of this type."""
    try:
        return msgspec.convert(document, kind)
    except msgspec.ValidationError as problem:
        raise QueryError(*_wrong_field(problem)) from None


def error_answer(problem: Exception) -> answers.ErrorAnswer:
    """Return the answer to a query that failed."""
    if isinstance(problem, QueryError):
        return answers.ErrorAnswer(error=str(problem), field=problem.field)
    if isinstance(problem, AiplayError):
        return answers.ErrorAnswer(error=str(problem))
    return answers.ErrorAnswer(error=f"{type(problem).__name__}: {problem}")


def _wrong_field(problem: msgspec.ValidationError) -> tuple[str, str | None]:
    """Return the message about a wrong field, and the name of the field."""
    text, _, path = str(problem).partition(" - at `$.")
    path = path.rstrip("`")
    if not path and "field `" in text:
        path = text.split("field `")[1].split("`")[0]
    if path == "limit" and "unknown field" in text:
        text += f"; allowed: {', '.join(messages.LimitFields.__struct_fields__)}"
    return (f"{path}: {text}" if path else text), path.split(".")[0].split("[")[0] or None
