"""Pages and charts: complete in one file, true to the figures, and safe against names that contain HTML."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from aiplay import load_game
from aiplay.match import Duel, Store, Tournament
from aiplay.match.ratings import Rating
from aiplay.match.standings import Overall, OverallStanding
from aiplay.report import charts, page
from aiplay.report.drawings import FILE_COLOURS, PAGE_COLOURS, overall_ratings

pytest.importorskip("matplotlib")
VOID = {"meta", "br"}


class Reader(HTMLParser):
    """Reads a page: checks that every element is closed, and collects the texts of grids and charts."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.rows, self.descriptions, self.tags = [], [], [], set()
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
            self.descriptions.append(attrs["aria-label"])

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


def test_the_grids_of_the_page_have_the_figures(played):
    connect_four = played.standings()[0]
    rows = Reader(page(played)).rows
    for player in connect_four.players:
        (row,) = (row for row in rows if row[0] == player.spec and len(row) == 10)
        assert row[1:5] == [
            str(n) for n in (8 + 4, player.total.wins, player.total.draws, player.total.losses)
        ]
        assert row[5] == f"{100 * player.score:.1f} %"
        assert row[6] == f"{player.rating.rating:+.0f}"
    assert [row[-1] for row in rows].count("mean return") == 1  # for the cooperative game
    assert rows[0] == [
        "player",
        "connect_four",
        "magic_rabbit",
        "mean score",
        "Elo to average",
        "95 % interval",
    ]


def test_every_chart_is_described_in_words(played):
    descriptions = Reader(page(played)).descriptions
    assert [text.split(":")[0] for text in descriptions] == ["Ratings with 95 % intervals"] + 2 * [
        "Ratings with 95 % intervals",
        "Cross table",
        "Score against time per move",
    ]
    best, other = played.standings()[0].players[:2]
    score = played.standings()[0].cell(best, other).score
    assert f"{best.spec} against {other.spec} {100 * score:.0f} %" in descriptions[2]


def test_the_same_match_gives_the_same_page(played):
    assert page(played) == page(played)


def test_an_unfinished_match_says_so(played):
    unfinished = Tournament(played.games_played, played.specs, games=6, seed=1)
    for number, _ in enumerate(unfinished.play_games()):
        if number == 10:
            break
    assert "Not finished yet: 11 of 27 games are played." in page(unfinished)
    assert "Not finished yet" not in page(played)
    Reader(page(Tournament(["pig"], ["random", "greedy"], games=2)))  # without a game


def test_before_a_deal_is_complete_no_ratings_are_shown():
    match = Tournament([load_game("pig")], ["greedy", "random"], 2, seed=1)
    next(iter(match.play_games(None)))
    text = page(match)
    assert "no deal is complete" in text
    assert "<table" not in text
    assert "<svg" not in text
    assert charts(match) == []


def test_nothing_in_a_name_acts_as_html_or_formula(played):
    name = "</title><script>alert('$x^2$')</script><!-- \" & $\\frac"
    played = Tournament(["connect_four"], ["random", "greedy"], games=2, seed=1)
    played.play()
    played.specs[0] = name
    text = page(played)
    reader = Reader(text)
    assert "script" not in reader.tags
    assert name in [row[0] for row in reader.rows]
    assert any(name in text for text in reader.descriptions)


def test_dots_and_bars_of_ratings_are_drawn_to_scale():
    ratings = [Rating(100.0, 50.0, 300.0, 0.5, ()), Rating(-100.0, -200.0, 0.0, 0.5, ())]
    players = [OverallStanding(n, f"player {n}", (), 0.5, rating) for n, rating in enumerate(ratings)]
    text = overall_ratings(Overall((), tuple(players))).element
    bars = re.findall(
        r'd="M ([\d.]+) ([\d.]+) \nL ([\d.]+) ([\d.]+) \n" clip-path="[^"]*" style="[^"]*accent', text
    )
    dots = re.findall(r'<use xlink:href="[^"]*" x="([\d.]+)" y="([\d.]+)" style="fill: var\(--accent', text)
    assert len(bars) == len(dots) == 2
    (low0, y0, high0, _), (low1, y1, high1, _) = (tuple(map(float, bar)) for bar in bars)
    (x0, _), (x1, _) = (tuple(map(float, dot)) for dot in dots)
    assert y0 < y1
    scale = (x0 - x1) / 200
    assert (low0 - x0, high0 - x0) == pytest.approx((-50 * scale, 200 * scale), abs=0.01)
    assert (low1 - x1, high1 - x1) == pytest.approx((-100 * scale, 100 * scale), abs=0.01)


def test_charts_of_a_match_are_svg_files(played):
    found = charts(played)
    titles = ["Ratings", "Cross table", "Score against time"]
    assert [(chart.game, chart.title) for chart in found] == [
        ("all games", "Ratings"),
        *(("connect_four", title) for title in titles),
        *(("magic_rabbit", title) for title in titles),
    ]
    for chart in found:
        root = ElementTree.fromstring(chart.svg)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.attrib["aria-label"] == chart.description
        assert "var(" not in chart.svg  # the colours of a page do not exist in a file
        assert not any(placeholder in chart.svg for placeholder in FILE_COLOURS)
        assert not any(placeholder in chart.element for placeholder in PAGE_COLOURS)


def test_a_saved_match_has_the_same_page_and_charts(tmp_path):
    duel = Duel("pig", "greedy", "random", games=4, seed=1)
    with Store.create(tmp_path / "duel.db", duel.description()) as store:
        duel.play(store=store)
    duel.seconds = 1.0
    saved = re.sub(r", \d+\.\d s, ", ", 1.0 s, ", page(tmp_path / "duel.db"))
    assert saved == page(duel)
    assert charts(str(tmp_path / "duel.db")) == charts(duel)
