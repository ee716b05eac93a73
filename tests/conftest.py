"""Set-up for all tests."""

import signal

import browser
import pytest

# In the background of a shell, pytest starts with Ctrl-C ignored, and its child processes would inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


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


@pytest.fixture
def person(chromium, served):
    """A function that lets one more person come, each with a browser context of their own."""
    people = []

    def come(port=None, **context):
        people.append(browser.Person(chromium, port or served.port, **context))
        return people[-1]

    yield come
    for one in people:
        one.close()
