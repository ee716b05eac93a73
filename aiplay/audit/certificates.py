"""An audit for people and programs: text, plain data, a page."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from aiplay.audit.result import PROMISES, Audit, Part
from aiplay.options import titled
from aiplay.report.elements import escape, grid, whole_page

__all__ = ["document", "page", "text"]

WIDTH = 100  # columns of a certificate
NAME, VERDICT = 23, 11  # columns of its first two parts
SUMMARY = 3  # more audits than this are shown in a grid


def _listed(audits: Audit | Iterable[Audit]) -> list[Audit]:
    return [audits] if isinstance(audits, Audit) else list(audits)


def _verdict(audit: Audit) -> str:
    return "fair" if audit.is_fair else f"NOT FAIR ({', '.join(audit.broken)})"


def _error_rate(audit: Audit) -> str:
    rate = sum(part.error_rate for part in audit.parts)
    return f"A fair player in a fair game fails this audit with a probability of at most {rate:.0e}."


# ---- Text ----------------------------------------------------------------------------------------------------


def text(audits: Audit | Iterable[Audit], width: int = WIDTH) -> str:
    """Return an audit as a certificate; more than a few as a grid, with what was found broken."""
    found = _listed(audits)
    if len(found) <= SUMMARY:
        return "\n".join(_certificate(audit, max(width, 60)) for audit in found)
    return "\n".join([_grid(found), *_breaches(found, width), _closing(found)]) + "\n"


def _certificate(audit: Audit, width: int) -> str:
    head = [f"Audit of {audit.player} in {titled(audit.game, audit.options)}: {_verdict(audit)}"]
    head += textwrap.wrap(f"The player was {audit.note}.", width) if audit.note else []
    parts = [row for part in audit.parts for row in _part_rows(part, width)]
    foot = _wrapped(_error_rate(audit), width)
    facts = f"aiplay {audit.version}, {audit.games} games, seed {audit.seed}, {audit.seconds:.1f} s"
    return "\n".join([*head, "", *parts, "", *_breaches([audit], width), *foot, facts]) + "\n"


def _part_rows(part: Part, width: int) -> list[str]:
    indent = " " * (NAME + VERDICT)
    rows = textwrap.wrap(part.tried.removeprefix("not tried: "), width - len(indent))
    if part.noticed and not part.breaches:
        rows += textwrap.wrap(f"Noticed with 99 %: {part.noticed}.", width - len(indent))
    return [f"{part.name:{NAME}}{part.verdict:{VERDICT}}{rows[0]}", *(indent + row for row in rows[1:])]


def _breaches(audits: Sequence[Audit], width: int) -> list[str]:
    rows = list[str]()
    for audit in audits:
        for breach in audit.breaches:
            rows.append(f"BROKEN by {audit.player} in {audit.game}: {breach.promise}")
            rows += _wrapped(f"promised: {PROMISES[breach.promise]}", width, "  ")
            rows += [
                row for line in breach.evidence.splitlines() for row in _wrapped(line.strip(), width, "  ")
            ]
            rows.append("")
    return rows


def _wrapped(line: str, width: int, indent: str = "") -> list[str]:
    return textwrap.wrap(line, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def _rows(audits: Sequence[Audit]) -> list[list[str]]:
    """Return the headings and the rows of a summary: the numbers of comparisons."""
    names = [part.name for part in audits[0].parts]
    rows = [["game", "player", *names, "verdict"]]
    for audit in audits:
        counts = [f"{part.count:,}" if part.count else "-" for part in audit.parts]
        rows.append([audit.game, audit.player, *counts, _verdict(audit)])
    return rows


def _grid(audits: Sequence[Audit]) -> str:
    """Return the summary as a Markdown table, which is easy to read as text, too."""
    head, *rows = _rows(audits)
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    rule = ["-" * width for width in widths]
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in (head, rule, *rows)
    )


def _closing(audits: Sequence[Audit]) -> str:
    fair, first = sum(audit.is_fair for audit in audits), audits[0]
    seconds = sum(audit.seconds for audit in audits)
    facts = f"aiplay {first.version}, {first.games} games each, seed {first.seed}, {seconds:.0f} s"
    return f"\n{fair} of {len(audits)} audits found no broken promise. {facts}"


# ---- Plain data ----------------------------------------------------------------------------------------------


def document(audits: Audit | Iterable[Audit]) -> dict[str, Any]:
    """Return audits as plain data, ready for `json.dumps`."""
    found = _listed(audits)
    return {"fair": all(audit.is_fair for audit in found), "audits": [_document(audit) for audit in found]}


def _document(audit: Audit) -> dict[str, Any]:
    same = ("game", "player", "note", "games", "seed", "seconds", "version")
    return {
        **{name: getattr(audit, name) for name in same},
        "options": dict(audit.options),
        "fair": audit.is_fair,
        "broken": list(audit.broken),
        "parts": [
            {
                "name": part.name,
                "verdict": part.verdict,
                "tried": part.tried,
                "count": part.count,
                "noticed": part.noticed,
                "error_rate": part.error_rate,
                "breaches": [
                    {"promise": b.promise, "promised": PROMISES[b.promise], "evidence": b.evidence}
                    for b in part.breaches
                ],
            }
            for part in audit.parts
        ],
    }


# ---- Page ----------------------------------------------------------------------------------------------------

STYLE = "<style>td { text-align: left; white-space: normal } th[scope=row] { min-width: 8rem }</style>"


def page(audits: Audit | Iterable[Audit]) -> str:
    """Return an HTML page: one file without links to others, in light or dark colours."""
    found = _listed(audits)
    fair = sum(audit.is_fair for audit in found)
    result = (
        f"{fair} of {len(found)} audits found no broken promise" if len(found) > 1 else _verdict(found[0])
    )
    header = f'<p class="quiet">aiplay {escape(found[0].version)}; seed {found[0].seed}; {escape(result)}</p>{STYLE}'
    sections = [_section(audit) for audit in found]
    if len(found) > 1:
        head, *rows = _rows(found)
        sections.insert(0, f"<section>\n<h2>Comparisons</h2>\n{grid(head, rows)}\n</section>")
    return whole_page("Audit of fairness", header, sections)


def _section(audit: Audit) -> str:
    title = escape(f"{audit.player} in {titled(audit.game, audit.options)}: {_verdict(audit)}")
    note = f"The player was {audit.note}. " if audit.note else ""
    facts = f"{note}{audit.games} games, {audit.seconds:.1f} s. {_error_rate(audit)}"
    rows = [
        [part.name, part.verdict, part.tried.removeprefix("not tried: "), part.noticed]
        for part in audit.parts
    ]
    broken = [f'<p class="note">{escape(str(breach))}</p>' for breach in audit.breaches]
    parts = grid(["part", "verdict", "what was tried", "would have been noticed with 99 %"], rows)
    return "\n".join(
        [
            f"<section>\n<h2>{title}</h2>",
            f'<p class="quiet">{escape(facts)}</p>',
            *broken,
            parts,
            "</section>",
        ]
    )
