"""A server on loopback, one browser for all tests, and pages that report every fault."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browser.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from browser.games import Games

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
NEEDED = ("playwright", "starlette", "uvicorn")

# Where the browser or what drives it is missing, the rest of the tests still runs; that they are
# there is asked by a test of its own.
if CHROMIUM is None or any(find_spec(name) is None for name in NEEDED):
    collect_ignore_glob = ["test_*.py"]

Open = Callable[..., "Page"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything that needs a browser as slow, and try it again if it fails.

    Its games are dealt at random and played against the clock, so on a busy machine one goes wrong
    by chance now and then. What fails three times in a row has failed.
    """
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.flaky(reruns=2))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that serves the built client; its bots do not wait for anybody."""
    with Site(tmp_path_factory.mktemp("site")) as running:
        yield running


@pytest.fixture(scope="session")
def games(site: Site) -> Games:
    """Games in progress on the site."""
    from browser.games import Games

    return Games(site)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser, site: Site) -> Iterator[Open]:
    """Open pages, each in a browser of its own; whatever a page complains about fails the test."""
    complaints: list[str] = []
    contexts = []

    def open_one(path: str = "", *, settings: dict[str, Any] | None = None, **more: Any) -> Page:
        options: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}, "locale": "en-GB"}
        context = browser.new_context(**(options | more))
        contexts.append(context)
        kept = {"speed": "off", "sound": False, "lang": "en"} | (settings or {})
        context.add_init_script(
            f"location.protocol === 'about:' || localStorage.getItem('fernzug.settings') || "
            f"localStorage.setItem('fernzug.settings', JSON.stringify({json.dumps(kept)}))"
        )
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda line: _note(complaints, line.type, line.text))
        page.goto(path if "://" in path else site.url + path)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert complaints == []


def _note(complaints: list[str], kind: str, text: str) -> None:
    # A connection that a test cuts on purpose is no fault of the page.
    wanted = ("WebSocket", "ERR_CONNECTION", "ERR_INTERNET", "net::", "404")
    if kind == "error" and not any(word in text for word in wanted):
        complaints.append(text)


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots go: the folder that FERNZUG_SCREENS names, or one that is thrown away."""
    named = os.environ.get("FERNZUG_SCREENS")
    folder = Path(named) if named else tmp_path_factory.mktemp("screens")
    folder.mkdir(parents=True, exist_ok=True)
    return folder
