"""Write messages.d.ts, the types of the engine's messages, from their schema. `python js/make_types.py [--check]`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SCHEMA = HERE.parent / "docs" / "engine_schema.json"
TARGET = HERE / "messages.d.ts"
HEAD = "// Written by js/make_types.py from docs/engine_schema.json. Do not edit.\n"
SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}

Schema = dict[str, Any]


def type_of(schema: Schema) -> str:
    """Return the TypeScript type of a value."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(type_of(each) for each in schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "const" in schema:
        return json.dumps(schema["const"])
    if schema.get("type") == "array":
        return f"Array<{type_of(schema.get('items', {}))}>"
    if schema.get("type") == "object":
        inner = schema.get("additionalProperties", {})
        return f"{{ [name: string]: {type_of(inner) if isinstance(inner, dict) else 'unknown'} }}"
    return SIMPLE.get(str(schema.get("type")), "unknown")


def note(schema: Schema, indent: str = "") -> str:
    """Return the description of a schema as a comment."""
    about = " ".join(str(schema.get("description", "")).split())
    return f"{indent}/** {about} */\n" if about else ""


def interface(name: str, schema: Schema, *, is_answer: bool) -> str:
    """Return the interface of an object; what an answer has by default, it has always."""
    required = set(schema.get("required", ()))
    lines = []
    for field, inner in schema.get("properties", {}).items():
        sign = ":" if is_answer or field in required else "?:"
        lines.append(f"{note(inner, '  ')}  {field}{sign} {type_of(inner)};\n")
    return f"{note(schema)}export interface {name} {{\n{''.join(lines)}}}\n"


def text_of(document: Schema) -> str:
    """Return the whole file."""
    queries = [type_of(each) for each in document["anyOf"]]
    sent = {*queries, *_inside(document, queries)}
    parts = [HEAD, "/** The name of a query, chosen by the client. */\nexport type Id = string | number;\n"]
    parts += [interface(name, each, is_answer=name not in sent) for name, each in document["$defs"].items()]
    parts.append(f"/** Everything that can be asked. */\nexport type Query = {' | '.join(queries)};\n")
    answers = "".join(f"  {action}: {type_of(each)};\n" for action, each in document["answers"].items())
    parts.append(f"/** The answer to every action. */\nexport interface Answers {{\n{answers}}}\n")
    return "\n".join(parts)


def _inside(document: Schema, names: list[str]) -> set[str]:
    """Return the types that these types hold."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        text = json.dumps(document["$defs"][waiting.pop()])
        inner = {part.split('"')[0] for part in text.split("#/$defs/")[1:]} - found
        found |= inner
        waiting += inner
    return found


def main() -> None:
    """Write the file, or say that it is not up to date."""
    text = text_of(json.loads(SCHEMA.read_text(encoding="utf-8")))
    if "--check" not in sys.argv:
        TARGET.write_text(text, encoding="utf-8")
    elif TARGET.read_text(encoding="utf-8") != text:
        sys.exit(f"{TARGET} is not up to date: python js/make_types.py")


if __name__ == "__main__":
    main()
