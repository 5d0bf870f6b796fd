"""No control character reaches the terminal, and no board file keeps the reader busy for long."""

from __future__ import annotations

from pathlib import Path

import pytest

from fernzug.cli import main

ESCAPES = ["\x1b[31mred", "\x1b]0;title\x07", "\x9b2J", "\x00", "\x7f", "\u202eright"]


@pytest.mark.parametrize("text", ESCAPES)
def test_escape_codes_in_arguments_and_files_are_spelled_out(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    text: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    coded = "".join(f"\\u{ord(letter):04x}" for letter in text)
    board = tmp_path / "board.toml"
    for line in (f'name = "{coded}"', f'"{coded}" = 1', f'id = "{coded}"', f"{text} = 1"):
        board.write_text(line + "\n", encoding="utf-8")
        assert main(["boards", "check", str(board)]) == 1
        assert main(["boards", "show", str(board)]) == 1
    named = text.replace("\x00", "\x01").replace("/", "")
    assert main(["boards", "check", str(tmp_path / f"{named}.toml")]) == 1
    assert main(["boards", "show", named]) == 2
    assert main(["replay", str(tmp_path / named)]) != 0
    assert main(["arena", named, "random", "--board", "london"]) != 0
    with pytest.raises(SystemExit):
        main([named])
    told = capfd.readouterr()
    for letter in (told.out + told.err).replace("\n", ""):
        assert letter.isprintable(), repr(letter)


@pytest.mark.parametrize(
    "text",
    [
        ".".join(["a"] * 20_000) + " = 1",
        "[[" + ".".join(["a"] * 20_000) + "]]",
        ' "a" . ' * 20_000 + "b = 1",
        "x = {" + ".".join(["a"] * 20_000) + " = 1}",
        "a = " + "[" * 50_000,
        "a = " + "{b=" * 3_000 + "1" + "}" * 3_000,
        "a = " + "9" * 150_000,
        'a = "' + "x" * 5_000_000 + '"',
        "\n".join(f"[a{number}]" for number in range(1_000_000)),
    ],
    ids=lambda text: text[:12],
)
def test_pathological_board_files_are_refused_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    """Each took from ten seconds to minutes, or died, before it was refused."""
    board = tmp_path / "board.toml"
    board.write_text(text)
    assert main(["boards", "check", str(board)]) == 1
    told = capsys.readouterr().out
    assert "this is not a board file" in told
    assert len(told) < 1_000
