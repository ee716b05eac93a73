"""Hard input: every door refuses what it cannot use with an error of ours. tests/hard_input.py tries far more."""

import sys

import hard_input
import pytest
from reliability import report
from reliability.children import run_door
from reliability.doors import all_doors, planted_doors

CASES = 250
SLOW = {"tokens": 150, "engine": 100, "stores": 100, "specs": 150, "data": 150}


@pytest.mark.parametrize("name", all_doors())
def test_only_our_own_errors_come_out_of(name):
    count = SLOW.get(name, CASES)
    result = run_door(name, 1, count)
    assert result["failures"] == []
    assert sum(result["outcomes"].values()) == count
    assert result["outcomes"]["accepted"] > 0  # mutations that change everything would test nothing


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other signals and limits")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("planted-error", "FAILED KeyError"),
        ("planted-crash", "FAILED SIGSEGV"),
        ("planted-hang", "FAILED SIGKILL (no progress: a hang)"),
        ("planted-memory", "FAILED MemoryError"),
    ],
)
def test_every_kind_of_defect_is_found(name, message):
    assert name in planted_doors()
    result = run_door(name, 1, 6, patience=3)
    number, outcome = result["failures"][0]
    assert (number, outcome.splitlines()[0]) == (3, message)
    assert result["failures"][1:] == []


def test_a_case_depends_on_nothing_but_its_number(capsys):
    arguments = ["--door", "json", "--case", "17", "--seed", "5"]
    first = hard_input.main(arguments), capsys.readouterr().out
    assert (hard_input.main(arguments), capsys.readouterr().out) == first
    assert hard_input.main([*arguments[:3], "18", *arguments[4:]]) == 0
    assert capsys.readouterr().out != first[1]


def test_a_report_keeps_the_rows_of_other_doors():
    section = "| door |\n| `json`: a | 7 |\n| `bytes`: b | 8 |\n"
    assert hard_input.rows_of(section) == {"json": "| `json`: a | 7 |", "bytes": "| `bytes`: b | 8 |"}


def test_a_section_of_the_page_is_replaced_and_the_rest_kept(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- soak: written by a command -->\nold\n<!-- end of soak -->\nz\n")
    monkeypatch.setattr(report, "PAGE", page)
    report.write_section("soak", "new")
    assert page.read_text() == "a\n<!-- soak: written by a command -->\n\nnew\n\n<!-- end of soak -->\nz\n"
    with pytest.raises(ValueError, match="0 sections called 'other'"):
        report.write_section("other", "new")
