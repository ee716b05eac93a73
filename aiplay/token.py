"""Tokens: a decision of a player as a short text, which repeats the search (`aiplay.explain`).

A token holds the view of the seat, the specification and the random seed of the player, the work that it did (as
numbers that do not depend on time), and its answer. If the search went on from earlier ones of the same player
(``reuse``), it holds those, too. It never holds more than the seat has seen: it is made from views.

The text is ``aiplay1-`` and base64 of compressed MessagePack, after a checksum. It is checked when it is read, and may
come from strangers.
"""

from __future__ import annotations

import base64
import binascii
import sys
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta, Struct

from aiplay.errors import AiplayError, TokenError

if TYPE_CHECKING:
    from aiplay._core.game import View
    from aiplay.analysis import Analysis
    from aiplay.players.base import Step

__all__ = ["MAX_STEPS", "Past", "Token", "digest_of", "read_token", "this_version", "token_of"]

FORMAT = "1"
PREFIX = f"aiplay{FORMAT}-"
MAX_TEXT = 2**18  # characters
MAX_BYTES = 2**22  # of the content
MAX_STEPS = 1000  # searches
MAX_COUNTS = 10_000  # trees or moves
CHECKSUM = 4  # bytes

Count = Annotated[int, Meta(ge=0, le=2**53)]
Bits = Annotated[int, Meta(ge=0)]  # MessagePack has no number beyond 64 bits
Text = Annotated[str, Meta(max_length=1000)]


class Work(Struct, array_like=True, frozen=True):
    """The effort of a search, as in `aiplay.players.base.Effort`."""

    counts: Annotated[tuple[Count, ...], Meta(max_length=MAX_COUNTS)] = ()
    is_cut: bool = False
    tried: Annotated[tuple[Count, ...], Meta(max_length=MAX_COUNTS)] = ()
    method: Text = ""
    seed: Bits = 0


class Past(Struct, array_like=True, frozen=True):
    """A search: the last one is that of the token, those before it are those that it went on from."""

    view: bytes
    seed: Bits
    work: Work | None
    is_choosing: bool
    move: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    digest: Annotated[int, Meta(ge=0, le=2**32 - 1)] = 0


class Token(Struct, array_like=True, frozen=True):
    """The content of a token."""

    version: Text  # of aiplay
    game: Text
    options: dict[Text, Any]
    seat: Annotated[int, Meta(ge=0, le=1000)]
    player: Text
    searches: Annotated[tuple[Past, ...], Meta(min_length=1, max_length=MAX_STEPS)]


def this_version() -> str:
    """Return the version of the package, which is loaded whenever this module is."""
    return str(sys.modules["aiplay"].__version__)


def token_of(spec: str, steps: Sequence[Step]) -> str:
    """Return the token of a search, the last of these; an empty text if its game cannot be written, or it is long."""
    view = steps[-1].view
    try:
        searches = tuple(_past(step) for step in steps[: MAX_STEPS + 1])
        content = Token(this_version(), view.game.name, dict(view.game.options), view.seat, spec, searches)
        text = _packed(msgspec.msgpack.encode(content))
    except (AiplayError, TypeError, ValueError, OverflowError):  # states that are not plain data
        return ""
    return text if len(text) <= MAX_TEXT and len(steps) <= MAX_STEPS else ""


def _past(step: Step) -> Past:
    work = None if step.effort is None else Work(*step.effort)
    return Past(_bytes(step.view), step.seed, work, step.is_choosing, step.move, step.digest)


def _bytes(view: View) -> bytes:
    return bytes(view.to_bytes())


def digest_of(analysis: Analysis) -> int:
    """Return a checksum of the moves of an analysis with their visits and values."""
    rows = [f"{found.move} {found.visits} {found.value:.6f}" for found in analysis.moves]
    return zlib.crc32("\n".join(rows).encode())


# ---- The text --------------------------------------------------------------------------------------------------


def _packed(content: bytes) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packer.compress(content) + packer.flush()
    data = zlib.crc32(data).to_bytes(CHECKSUM, "big") + data
    return PREFIX + base64.urlsafe_b64encode(data).decode().rstrip("=")


def read_token(text: str) -> Token:
    """Return the content of a token; TokenError if it is damaged, or none."""
    if not isinstance(text, str):
        raise TokenError(f"a token is a text that begins with {PREFIX!r}, not {type(text).__name__}")
    text = text.strip()
    if not text.startswith(PREFIX):
        other = text.startswith("aiplay") and text[6:7].isdigit()
        reason = (
            "it has another format: take the aiplay that made it" if other else f"it begins with {text[:8]!r}"
        )
        raise TokenError(f"not a token of this aiplay: {reason}; allowed: {PREFIX!r} and what follows")
    try:
        content: Token = msgspec.msgpack.decode(_unpacked(text.removeprefix(PREFIX)), type=Token)
    except TokenError:
        raise
    except msgspec.MsgspecError as problem:
        raise TokenError(f"the token does not hold a search: {problem}") from None
    except (ValueError, RecursionError):  # a text that is not UTF-8, or options that are nested too deeply
        raise TokenError("the token does not hold a search") from None
    return content


def _unpacked(text: str) -> bytes:
    if len(text) > MAX_TEXT:
        raise TokenError(f"the token has {len(text)} characters; allowed: at most {MAX_TEXT}")
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
        packer = zlib.decompressobj(-15)
        if zlib.crc32(data[CHECKSUM:]) != int.from_bytes(data[:CHECKSUM], "big"):
            raise zlib.error("checksum")
        content = packer.decompress(data[CHECKSUM:], MAX_BYTES)
    except (binascii.Error, UnicodeError, ValueError, zlib.error):
        raise TokenError("the token is damaged: a character is missing or wrong; copy all of it") from None
    if not packer.eof:
        raise TokenError("the token is damaged or too large")
    return content
