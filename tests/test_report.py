"""Reports: the page stands alone, its pictures show the figures, and nothing that a user wrote acts as HTML."""

import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest

from aiplay import load_game
from aiplay.match import Tournament
from aiplay.match.ratings import Rating
from aiplay.report import charts
from aiplay.report.page import page

pytest.importorskip("matplotlib")
VOID = {"meta", "br"}


class Reader(HTMLParser):
    """Reads a page: every element has an end, and what tables and pictures say."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.rows, self.told, self.ids, self.tags = [], [], [], [], set()
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.add(tag)
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag == "svg":
            assert attrs["role"] == "img"
            self.told.append(attrs["aria-label"])

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1].append(data)


@pytest.fixture(scope="module")
def played():
    games = ["connect_four", load_game("magic_rabbit")]
    tournament = Tournament(games, ["random", "greedy", "mcts:iterations=5"], games=6, seed=1)
    tournament.play()
    return tournament


def test_the_page_is_one_file_without_links_or_scripts(played):
    text = page(played)
    assert "http" not in text
    assert not re.search(r"(src|href)=\"(?!#|data:)", text.replace("xlink:", ""))
    assert Reader(text).tags.isdisjoint({"script", "link", "iframe", "a"})
    assert "prefers-color-scheme: dark" in text


def test_the_tables_of_the_page_have_the_figures(played):
    connect_four = played.standings()[0]
    rows = Reader(page(played)).rows
    for player in connect_four.players:
        (row,) = (row for row in rows if row[0] == player.spec and len(row) == 10)
        assert row[1:5] == [
            str(n) for n in (8 + 4, player.total.wins, player.total.draws, player.total.losses)
        ]
        assert row[5] == f"{100 * player.score:.1f} %"
        assert row[6] == f"{player.rating.rating:+.0f}"
    assert [row[-1] for row in rows].count("mean return") == 1  # of the cooperative game
    assert rows[0] == ["player", "connect_four", "magic_rabbit", "mean score", "Elo", "95 % interval"]


def test_every_picture_is_told_in_words(played):
    told = Reader(page(played)).told
    assert [text.split(":")[0] for text in told] == ["Ratings with 95 % intervals"] + 2 * [
        "Ratings with 95 % intervals",
        "Cross table",
        "Score against time per move",
    ]
    best, other = played.standings()[0].players[:2]
    score = played.standings()[0].cell(best, other).score
    assert f"{best.spec} against {other.spec} {100 * score:.0f} %" in told[2]


def test_the_same_match_gives_the_same_page(played):
    assert page(played) == page(played)


def test_an_unfinished_match_says_so(played):
    unfinished = Tournament(played.games_played, played.specs, games=6, seed=1)
    for number, _ in enumerate(unfinished.play_games()):
        if number == 10:
            break
    assert "Not finished yet: 11 of 27 games are played." in page(unfinished)
    assert "Not finished yet" not in page(played)
    Reader(page(Tournament(["pig"], ["random", "greedy"], games=2)))  # not even begun


def test_before_a_deal_is_complete_no_ratings_are_shown():
    match = Tournament([load_game("pig")], ["greedy", "random"], 2, seed=1)
    next(iter(match.play_games(None)))
    text = page(match)
    assert "no deal is complete" in text
    assert "<table" not in text
    assert "<svg" not in text


def test_nothing_in_a_name_acts_as_html_or_formula(played):
    name = "</title><script>alert('$x^2$')</script><!-- \" & $\\frac"
    played = Tournament(["connect_four"], ["random", "greedy"], games=2, seed=1)
    played.play()
    played.specs[0] = name
    text = page(played)
    reader = Reader(text)
    assert "script" not in reader.tags
    assert name in [row[0] for row in reader.rows]
    assert any(name in told for told in reader.told)


def test_the_dots_of_the_ratings_stand_where_the_figures_say():
    """The place of a dot grows with its rating in proportion; so do the ends of its line."""
    ratings = [Rating(100.0, 50.0, 300.0, 0.5, ()), Rating(-100.0, -200.0, 0.0, 0.5, ())]
    text = charts.rating_intervals([("first", ratings[0]), ("second", ratings[1])])
    lines = re.findall(
        r'd="M ([\d.]+) ([\d.]+) \nL ([\d.]+) ([\d.]+) \n" clip-path="[^"]*" style="[^"]*accent', text
    )
    dots = re.findall(r'<use xlink:href="[^"]*" x="([\d.]+)" y="([\d.]+)" style="fill: var\(--accent', text)
    assert len(lines) == len(dots) == 2
    (low0, y0, high0, _), (low1, y1, high1, _) = (tuple(map(float, line)) for line in lines)
    (x0, _), (x1, _) = (tuple(map(float, dot)) for dot in dots)
    assert y0 < y1
    scale = (x0 - x1) / 200
    assert (low0 - x0, high0 - x0) == pytest.approx((-50 * scale, 200 * scale), abs=0.01)
    assert (low1 - x1, high1 - x1) == pytest.approx((-100 * scale, 100 * scale), abs=0.01)


def test_without_matplotlib_one_line_names_the_extra():
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from aiplay.report.page import page\n"
        "from aiplay.match import Tournament\n"
        "try: page(Tournament(['pig'], ['random', 'greedy']))\n"
        "except Exception as problem: print(type(problem).__name__, problem)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert re.fullmatch(r"PackageError .*aiplay\[report\].*\n", done.stdout)
