"""The JSON Schema of the protocol's queries, made from their types."""

from __future__ import annotations

import json

import msgspec

from aiplay.engine.messages import PROTOCOL, QUERIES

__all__ = ["schema_text"]


def schema_text() -> str:
    """The schema, as it stands in docs/engine_schema.json."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"aiplay engine queries, protocol {PROTOCOL}",
        **msgspec.json.schema(QUERIES),
    }
    return json.dumps(schema, indent=2) + "\n"
