"""Checks the built site: ``python .ci/check_site.py build/site``.

Every link between pages leads to a file and an anchor that exist; no page loads anything from another server, neither
by its own text nor when a browser opens it.
"""

from __future__ import annotations

import functools
import http.server
import shutil
import sys
import threading
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

LOADS = {"script": "src", "img": "src", "iframe": "src", "link": "href", "source": "src", "video": "src"}
OPENED = ("index.html", "search.html", "reference/aiplay.html", "guides/hidden.html")


class Page(HTMLParser):
    """The links, the anchors and the loaded addresses of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = {""}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what one tag has."""
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in LOADS and LOADS[tag] in given:
            self.loads.append(given[LOADS[tag]])


def is_external(address: str) -> bool:
    """True if an address is on another server."""
    return bool(urlsplit(address).netloc)


def problems_of(path: Path, page: Page, pages: dict[Path, Page]) -> list[str]:
    """Return what is wrong with a page."""
    found = [f"loads {address}" for address in page.loads if is_external(address)]
    for address in page.links + page.loads:
        if urlsplit(address).scheme or is_external(address):
            continue
        file, anchor = urldefrag(address)
        target = (path.parent / unquote(file)).resolve() if file else path
        target = target / "index.html" if target.is_dir() else target
        if not target.exists():
            found.append(f"links to {address}, which does not exist")
        elif target in pages and unquote(anchor) not in pages[target].anchors | {"__top"}:
            found.append(f"links to {address}, but that page has no such anchor")
    return found


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files without printing every request."""

    def log_message(self, *_: object) -> None:
        """Print nothing."""


def requested(site: Path) -> list[str]:
    """Return the addresses of other servers that a browser asks for when it opens pages of the site."""
    from playwright.sync_api import sync_playwright

    handler = functools.partial(QuietHandler, directory=str(site))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    here = f"http://127.0.0.1:{server.server_port}/"
    asked: list[str] = []
    with sync_playwright() as playwright:
        chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        for name in OPENED:
            page.goto(here + name, wait_until="networkidle")
        browser.close()
    server.shutdown()
    assert any(address.startswith(here) for address in asked)
    return [address for address in asked if not address.startswith((here, "data:", "blob:"))]


def main() -> None:
    """Check the site that is named on the command line."""
    site = Path(sys.argv[1]).resolve()
    pages = {path: Page(path) for path in site.rglob("*.html") if path.name != "404.html"}
    problems = [
        f"{path.relative_to(site)} {problem}"
        for path, page in sorted(pages.items())
        for problem in problems_of(path, page, pages)
    ]
    problems += [f"a browser asks for {address}" for address in requested(site)]
    if problems:
        sys.exit("\n".join([*problems, f"{len(problems)} problems"]))
    print(f"{len(pages)} pages: all links lead somewhere, and nothing is loaded from elsewhere")


if __name__ == "__main__":
    main()
