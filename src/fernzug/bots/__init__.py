"""Bots by name: ``make("planner", board)`` or, with parameters, ``make("search:iterations=2000")``.

Other packages add bots through entry points in the group ``fernzug.bots``. The name of the entry is
the name of the bot; its value is a callable that takes ``board``, ``seed`` and the parameters as
keyword arguments and returns a :class:`Bot`.

A class in a Python file plays as ``mybot.py:Longest``, see :mod:`fernzug.bots.own`; a class at
hand can be given instead of a name. Programs in any language play as ``stdio:COMMAND``, see
:mod:`fernzug.bots.stdio`. A parameter called ``file`` names a file that the bot reads, see
:mod:`fernzug.bots.files`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType

from fernzug.board.model import Board
from fernzug.bots import files, own
from fernzug.bots.base import Bot, Budget
from fernzug.bots.builtin import Greedy, Planner, Racer, Random, Searcher
from fernzug.bots.guard import Failure, Guard
from fernzug.engine import batch
from fernzug.engine.chance import BOTS
from fernzug.players.styles import STYLES
from fernzug.spelling import did_you_mean

Maker = Callable[..., Bot]

PROGRAM = "stdio"
"""The name of the bot that runs a program; it needs a command."""

FILE = "file"
"""The parameter that names a file."""

BUILTIN: Mapping[str, Maker] = MappingProxyType(
    {"random": Random, "greedy": Greedy, "racer": Racer, "planner": Planner, "search": Searcher}
)
"""The bots that come with the package."""


@dataclass(frozen=True, slots=True)
class Level:
    """An opponent that people choose by name; its words are in the catalogs, under its id."""

    id: str
    bot: str
    quick: bool = True
    """Whether it decides at once, without taking its time."""


LEVELS: Mapping[str, Level] = MappingProxyType(
    {
        level.id: level
        for level in (
            Level("novice", "greedy"),
            Level("casual", "planner:slips=25"),
            Level("regular", "planner:slips=16"),
            Level("expert", "planner"),
            Level("master", "search:seconds=0.8", quick=False),
        )
    }
)
"""The levels for people, weakest first."""

PERSONALITIES: Mapping[str, Level] = MappingProxyType(
    {style: Level(style, f"planner:style={style}") for style in STYLES}
)
"""Opponents with a way of their own, who are about as strong as each other."""

OPPONENTS: Mapping[str, Level] = MappingProxyType({**LEVELS, **PERSONALITIES})
"""All whom people can choose to play against."""

DEFAULT_LEVEL = "regular"
"""Who plays if nobody is named: an opponent that is worth beating and can be beaten."""


@cache
def ratings() -> Mapping[str, Mapping[str, int]]:
    """Return the measured strength of each level and personality, in points above random play.

    By board, then by name; boards that were not measured are left out.
    """
    import tomllib
    from importlib import resources

    text = resources.files("fernzug.bots").joinpath("ratings.toml").read_text(encoding="utf-8")
    measured: dict[str, dict[str, int]] = tomllib.loads(text)
    return MappingProxyType(measured)


@cache
def _others() -> Mapping[str, Maker]:
    """Return the bots of other packages, which cannot replace our own."""
    from importlib.metadata import entry_points  # takes as long as everything else here together

    return {entry.name: entry.load() for entry in entry_points(group="fernzug.bots")}


def names() -> list[str]:
    """Return the names of all bots that can be made."""
    return sorted({*BUILTIN, *_others()})


def parse(spec: str) -> tuple[str, dict[str, str]]:
    """Split ``name:key=value,key=value`` into the name and the parameters."""
    name, _, text = spec.partition(":")
    if name.strip() == PROGRAM:
        # A command line is one parameter: commas and equals signs in it belong to the program.
        return PROGRAM, {"command": text.strip()}
    return name.strip(), _parameters(text, spec)


def _parameters(text: str, spec: str) -> dict[str, str]:
    parameters: dict[str, str] = {}
    for item in filter(None, text.split(",")):
        key, equals, value = item.partition("=")
        if not equals or not key:
            raise ValueError(f"'{item}' in '{spec}' is not a parameter; write key=value")
        parameters[key.strip()] = value.strip()
    return parameters


def make(spec: str | type[Bot], board: Board, seed: int = 0, budget: Budget | None = None) -> Bot:
    """Return a new bot for one seat of one game on a board.

    ``spec`` is the id of a level or personality, a name from :func:`names` or a class in a file,
    which parameters may follow, or a class. ``budget`` is for bots that can think for longer or
    shorter; others ignore it.
    """
    spec = name_of(spec)
    maker, name, texts = _maker(spec)
    accepted = inspect.signature(maker).parameters
    parameters: dict[str, object] = {}
    for key, text in texts.items():
        if key not in accepted or key in ("board", "seed"):
            raise ValueError(
                f"the bot '{name}' has no parameter '{key}'{did_you_mean(key, accepted)}"
            )
        parameters[key] = files.unpinned(text) if key == FILE else _value(text)
    if budget is not None:
        for key, limit in (("iterations", budget.iterations), ("seconds", budget.seconds)):
            if limit is not None and key in accepted:
                parameters[key] = limit
    return maker(board=board, seed=seed, **parameters)


def check(
    spec: str | type[Bot], board: Board, players: int | None = None, budget: Budget | None = None
) -> None:
    """Make a bot once, so that a mistake is noticed before any game is played.

    ``ValueError`` says what is wrong, whatever it is; with ``players``, also that the bot cannot
    play at a table for so many.
    """
    try:
        bot = make(spec, board, budget=budget)
        if players is not None:
            bot.expect_players(players)
        bot.close()
    except ValueError:
        raise
    except Exception as error:
        raise ValueError(f"the bot '{name_of(spec)}' cannot be made: {own.told(error)}") from error


def expect(spec: str) -> None:
    """Raise ``ValueError`` if there is no bot of this name, on whatever board."""
    _maker(spec)


def name_of(spec: str | type[Bot]) -> str:
    """Return the name of a bot, also of one that is given as a class."""
    return spec if isinstance(spec, str) else own.spec_of(spec)


def pinned(spec: str) -> str:
    """Return the name of a bot with the versions that its files have now."""
    spec = own.pinned(spec)
    name, texts = _split(spec)
    if FILE not in texts:
        return spec
    texts[FILE] = files.pinned(texts[FILE])
    return f"{name}:{','.join(f'{key}={text}' for key, text in texts.items())}"


def sources(specs: Iterable[str]) -> dict[str, bytes]:
    """Return the files that these bots need, for machines that do not have them."""
    needed: set[str] = set()
    for spec in specs:
        found = own.read(spec)
        if found is not None:
            needed.add(found.file)
        _, texts = _split(spec)
        if FILE in texts:
            needed.add(files.unpinned(texts[FILE]))
    return {file: files.read(file) for file in sorted(needed)}


def _split(spec: str) -> tuple[str, dict[str, str]]:
    """Split a name into what comes before the parameters, and these, as they are written."""
    found = own.read(spec)
    if found is not None:
        return str(replace(found, parameters="")), _parameters(found.parameters, spec)
    return parse(spec)


def _maker(spec: str) -> tuple[Maker, str, dict[str, str]]:
    """Return what makes a bot, its name without parameters, and the parameters."""
    if spec.partition(":")[0].strip() != PROGRAM:
        found = own.maker(spec)
        if found is not None:
            return found[0], spec, _parameters(found[1], spec)
    name, texts = parse(OPPONENTS[spec].bot if spec in OPPONENTS else spec)
    maker = _program() if name == PROGRAM else BUILTIN.get(name) or _others().get(name)
    if maker is None:
        known = [*names(), *OPPONENTS]
        raise ValueError(
            f"there is no bot '{name}'{did_you_mean(name, known)} (bots: {', '.join(known)})"
        )
    return maker, name, texts


def guarded(spec: str, board: Board, seed: int = 0, budget: Budget | None = None) -> Guard:
    """Return a bot as :func:`make` does, with a guard that replaces it if it fails."""
    return Guard(spec, lambda: make(spec, board, seed, budget), board, seed)


def seated(
    specs: Mapping[int, str], board: Board, seed: int, budget: Budget | None = None
) -> dict[int, Guard]:
    """Return guarded bots by seat; their seeds are derived from the seed of the game."""
    found: dict[int, Guard] = {}
    try:
        for seat, spec in specs.items():
            found[seat] = guarded(spec, board, seed_of(seed, seat), budget)
    except ValueError:
        for guard in found.values():
            guard.close()
        raise
    return found


def seed_of(game_seed: int, seat: int) -> int:
    """Return the seed of the bot on a seat of a game."""
    return int(batch.game_seed(game_seed, BOTS + seat))


def _program() -> Maker:
    from fernzug.bots.stdio import StdioBot  # rarely needed

    return StdioBot


def _value(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


__all__ = [
    "BUILTIN",
    "DEFAULT_LEVEL",
    "FILE",
    "LEVELS",
    "OPPONENTS",
    "PERSONALITIES",
    "PROGRAM",
    "Bot",
    "Budget",
    "Failure",
    "Guard",
    "Level",
    "Maker",
    "check",
    "expect",
    "guarded",
    "make",
    "name_of",
    "names",
    "parse",
    "pinned",
    "ratings",
    "seated",
    "seed_of",
    "sources",
]
