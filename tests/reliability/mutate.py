"""Real inputs with a few things wrong."""

import json

from aiplay.testing.damage import STRANGE, damaged_document

# Pieces of text that parsers trip over.
PIECES = [
    "",
    " ",
    ",",
    ":",
    "=",
    '"',
    "'",
    "\\",
    "{",
    "}",
    "[",
    "]",
    "-",
    "0",
    "1e999",
    "NaN",
    "null",
    "true",
]
PIECES += [
    "\x00",
    "\n",
    "\t",
    "é",
    "\u2028",
    "𝄞",
    "9" * 30,
    "9" * 5000,
    "[" * 2000,
    "../",
    "%s",
    "\ufeff",
    "#",
]
MORE_STRANGE = [
    *STRANGE,
    "\x00",
    "é",
    "x" * 2000,
    "../../etc/passwd",
    10**4000,
    [[]] * 50,
    {"": {}},
    -0.0,
    1e308,
]
BYTES = [0, 1, 2, 5, 7, 13, 127, 128, 255]


def mutated_text(text, stream):
    """Return a text with one to three places cut, repeated, exchanged or replaced by something else."""
    for _ in range(1 + stream.below(3)):
        start = stream.below(len(text) + 1)
        stop = min(len(text), start + stream.choice([0, 1, 1, 2, 5, 20, 200]))
        piece = text[start:stop]
        kind = stream.below(6)
        if kind == 0:
            text = text[:start] + text[stop:]
        elif kind == 1:
            text = text[:stop] + piece * (1 + stream.below(3)) + text[stop:]
        elif kind == 2:
            text = text[:start] if stream.below(2) else text[start:]
        elif kind == 3:
            other = stream.below(len(text) + 1)
            text = text[:start] + text[other : other + 20] + text[stop:]
        else:
            text = text[:start] + stream.choice(PIECES) + text[stop:]
    return text


def mutated_bytes(data, stream, resize=True):
    """Return bytes of which one to three are replaced; now and then also cut or longer."""
    data = bytearray(data)
    for _ in range(1 + stream.below(3)):
        if data:
            data[stream.below(len(data))] = stream.choice([*BYTES, stream.below(256)])
    if resize and stream.below(10) == 0:
        cut = stream.below(len(data) + 1)
        data = data[:cut] if stream.below(2) else data[:cut] + data[max(0, cut - 16) :]
    return bytes(data)


def mutated_data(document, stream, value=None):
    """Return plain data with one to three values replaced, keys renamed or left out.

    `value` gives another value for a place (a path of keys); by default a strange one.
    """
    if isinstance(document, dict) and document and stream.below(6) == 0:
        document = dict(document)
        key = stream.choice(list(document))
        value = document.pop(key)
        if stream.below(2):
            document[mutated_text(key, stream)] = value
        return document
    return damaged_document(document, stream, value or (lambda path: stream.choice(MORE_STRANGE)))


def mutated_json(document, stream, value=None):
    """Return JSON that is wrong in its values, or in its text."""
    if stream.below(4) == 0:
        return mutated_text(json.dumps(document), stream)
    return json.dumps(mutated_data(document, stream, value))


def other_values(document):
    """Return a function that gives values of other places in a document, half of the time."""
    leaves = list(_leaves(document)) or [0]

    def value_from(stream):
        return stream.choice(leaves) if stream.below(2) else stream.choice(MORE_STRANGE)

    return value_from


def _leaves(document):
    """Yield the numbers and texts in a document."""
    if isinstance(document, dict | list):
        for child in document.values() if isinstance(document, dict) else document:
            yield from _leaves(child)
    else:
        yield document
