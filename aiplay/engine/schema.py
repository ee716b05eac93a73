"""The JSON Schema of the protocol, made from the types of its messages."""

from __future__ import annotations

import json

import msgspec

from aiplay.engine.answers import ANSWERS, ErrorAnswer, WarningAnswer
from aiplay.engine.messages import PROTOCOL, QUERIES

__all__ = ["schema_text"]


def schema_text() -> str:
    """Return the text of docs/engine_schema.json: a schema of queries.

    `answers` refers to the type of the answer to every action; `$defs` holds all types.
    """
    (query, error, warning, *answers), types = msgspec.json.schema_components(
        [QUERIES, ErrorAnswer, WarningAnswer, *ANSWERS.values()], ref_template="#/$defs/{name}"
    )
    actions = [str(kind.__struct_config__.tag) for kind in ANSWERS]
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"aiplay engine, protocol {PROTOCOL}",
        **query,
        "answers": dict(zip(actions, answers, strict=True)),
        "error": error,
        "warning": warning,
        "$defs": types,
    }
    return json.dumps(schema, indent=2) + "\n"
