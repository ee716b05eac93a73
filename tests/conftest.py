"""Set-up for all tests."""

import signal
from pathlib import Path

import browser
import pytest

# In the background of a shell, pytest starts with Ctrl-C ignored, and its child processes would inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# ---- All cores -------------------------------------------------------------------------------------------------------


MOST_PROCESSES = 8  # more would wait for the longest file


@pytest.hookimpl(tryfirst=True)  # before xdist reads its options
def pytest_cmdline_main(config):
    """Run the complete suite on all cores, each file in one process; a part of it, or with -n 0, in this process."""
    option = config.option
    is_complete = [Path(path).resolve() for path in config.args] == [Path(__file__).parent]
    is_free = getattr(option, "numprocesses", 0) is None  # xdist is installed, and no -n was given
    is_watched = option.usepdb or option.capture == "no" or option.collectonly
    if is_complete and is_free and not is_watched and not hasattr(config, "workerinput"):
        option.numprocesses, option.maxprocesses = "logical", option.maxprocesses or MOST_PROCESSES
        option.dist, option.loadscopereorder = "loadfile", False


def pytest_collection_modifyitems(config, items):
    """Start with the files that have slow tests, so that no process waits long for the last file of another."""
    if hasattr(config, "workerinput"):
        slow = {item.path for item in items if item.get_closest_marker("slow")}
        items.sort(key=lambda item: item.path not in slow)


# ---- Browsers and servers --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def chromium():
    """A browser; without one, the tests of the page are skipped."""
    with browser.chromium() as found:
        yield found


@pytest.fixture(scope="module")
def served():
    """A server in a thread."""
    from serving import Limits, Server  # needs the extra serve

    server = Server(Limits(time=1.0))  # longer analyses show nothing else
    yield server
    server.stop()


@pytest.fixture(scope="module")
def contexts(chromium, served):
    """Browser contexts for the people of a file."""
    return browser.Contexts(chromium, served.port)


@pytest.fixture
def person(contexts, served):
    """A function that lets one more person come, each with a browser context of their own."""
    people = []

    def come(port=None, **context):
        people.append(browser.Person(contexts, port or served.port, **context))
        return people[-1]

    yield come
    for one in people:
        one.close()
