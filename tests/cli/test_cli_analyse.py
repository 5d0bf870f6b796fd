"""``fernzug analyse``: what decided a recorded game, in the terminal, as JSON and as a page."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import fernzug
from fernzug import Game, analysis, cli
from fernzug.cli.analyse import MINUS
from fernzug.cli.progress import Progress
from fernzug.engine import COMPILED
from fernzug.i18n import LANGUAGES, Texts

ITERATIONS = "20" if COMPILED else "2"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A last round in which both players draw cards instead of claiming routes."""
    game = Game.from_position(
        {
            "board": "london",
            "players": 2,
            "turns_left": 2,
            "hands": [{"wild": 6}, {"wild": 1}],
            "tickets": [[], []],
        }
    )
    while game.seat is not None:
        game.play("draw deck")
    file = tmp_path / "game.jsonl"
    file.write_text(str(game.record()), encoding="utf-8")
    return file


def analyse(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[str, str]:
    words = ("analyse", *words, "--iterations", ITERATIONS, "--workers", "1")
    assert cli.main(words) == code
    said = capsys.readouterr()
    return said.out, said.err


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_terminal_shows_graph_luck_and_the_worst_decisions(
    record: Path, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out, _ = analyse(capsys, str(record), "--lang", language)
    texts = Texts(language)
    assert texts("analyse.chance") in out
    assert texts("analyse.luck") in out
    assert len(re.findall("[▁▂▃▄▅▆▇█]{2,}", out)) == 2
    if COMPILED:
        losses = [int(n) for n in re.findall(rf"· \S+ {MINUS}(\d+)$", out, re.MULTILINE)]
        assert losses
        assert losses == sorted(losses, reverse=True)
        assert texts("analyse.better", deed="").rstrip(".") in out


def test_the_json_is_the_review_with_reasons(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, _ = analyse(capsys, str(record), "--json", "-")
    told = json.loads(out)
    found = analysis.review(fernzug.record.load(record), int(ITERATIONS)).to_json()
    assert told.pop("board") == "london"
    for decision in told["decisions"]:
        assert all(reason["code"].startswith("advice.") for reason in decision.pop("reasons"))
    assert told == found


def test_a_seat_limits_the_decisions(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = analyse(capsys, str(record), "--seat", "1", "--json", "-")
    assert {decision["seat"] for decision in json.loads(out)["decisions"]} == {1}


class Page(HTMLParser):
    """Collects what a page consists of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_needs_nothing_else_and_draws_the_board(
    record: Path, language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.html"
    out, _ = analyse(capsys, str(record), "--html", str(file), "--lang", language)
    assert out
    text = file.read_text(encoding="utf-8")
    page = Page()
    page.feed(text)
    assert ("html", {"lang": language}) in page.tags
    assert Texts(language)("analyse.title") in text
    assert not {"script", "link", "img"} & {tag for tag, _ in page.tags}
    assert not any({"src", "href"} & attributes.keys() for _, attributes in page.tags)
    lines = [attributes for tag, attributes in page.tags if tag == "polyline"]
    assert len(lines) == 2
    if COMPILED:
        routes = fernzug.board("london").routes
        drawings = sum(tag == "svg" for tag, _ in page.tags) - 1
        spaces = [attributes for tag, attributes in page.tags if "pathlength" in attributes]
        assert drawings >= 1
        assert len(spaces) == drawings * len(routes)
        assert any(attributes.get("class") == "better" for _, attributes in page.tags)


def interrupted(monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    """Have somebody press Ctrl-C as soon as some steps are done."""

    def show(_progress: Progress, done: int) -> None:
        if done == steps:
            raise KeyboardInterrupt

    monkeypatch.setattr(Progress, "show", show)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_review_that_is_stopped_shows_what_was_done(
    record: Path,
    language: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole, _ = analyse(capsys, str(record), "--json", "-")
    interrupted(monkeypatch, 3)
    files = {kind: tmp_path / f"part.{kind}" for kind in ("json", "html")}
    words = [word for kind, file in files.items() for word in (f"--{kind}", str(file))]
    out, err = analyse(capsys, str(record), *words, "--lang", language, code=130)
    part, all_of_it = json.loads(files["json"].read_text(encoding="utf-8")), json.loads(whole)
    done, total = len(part["win"]), len(all_of_it["win"])
    assert 0 < done < total
    assert not part["complete"]
    assert part["win"] == all_of_it["win"][:done]
    assert part["decisions"] == all_of_it["decisions"][: len(part["decisions"])]
    texts = Texts(language)
    stopped = texts("analyse.stopped", done=done, total=total)
    assert stopped in out
    assert texts("analyse.so_far") in out
    assert stopped in files["html"].read_text(encoding="utf-8")
    assert f"stopped after {done} of {total} events" in err


def test_a_review_that_is_stopped_at_once_writes_nothing(
    record: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    interrupted(monkeypatch, 1)
    file = tmp_path / "part.json"
    out, err = analyse(capsys, str(record), "--json", str(file), code=130)
    assert not out
    assert "stopped after 0 of" in err
    assert sorted(tmp_path.iterdir()) == [record]


def test_what_cannot_be_done_is_said(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, err = analyse(capsys, str(record), "--seat", "2", code=2)
    assert "there is no seat 2 among 2 players" in err
    _, err = analyse(capsys, str(record), "--json", "-", "--html", "-", code=2)
    assert "same file" in err
    _, err = analyse(capsys, str(tmp_path / "none.jsonl"), code=1)
    assert "cannot read" in err
    _, err = analyse(capsys, str(record), "--html", str(tmp_path / "no" / "x.html"), code=1)
    assert "cannot write" in err
    broken = tmp_path / "broken.jsonl"
    broken.write_text("nonsense\n", encoding="utf-8")
    _, err = analyse(capsys, str(broken), code=1)
    assert f"{broken}:1:" in err
