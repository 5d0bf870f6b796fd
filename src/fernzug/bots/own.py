"""Bots of one's own: a class in a Python file, named as ``mybot.py:Longest``.

The class may be left out if the file has only one, and parameters follow as for any other bot:
``mybot.py:Longest:depth=3``. A name may also say which version of the file is meant, as in
``mybot.py:Longest@1f0c33a9``; see :mod:`fernzug.bots.files`.
"""

from __future__ import annotations

import inspect
import re
import sys
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

from fernzug.bots import files
from fernzug.bots.base import Bot
from fernzug.spelling import did_you_mean

_SPEC = re.compile(
    r"(?P<file>.+?\.py)"
    r"(?::(?P<name>[^\W\d]\w*))?"
    rf"(?:{files.VERSION})?"
    r"(?::(?P<parameters>.*))?"
)

_PROGRAM = "stdio:"
"""How the name of a program begins, whose command line may well end in ``.py``."""

_modules: dict[tuple[str, str], ModuleType] = {}
"""Loaded files, by path and version."""

_given: dict[str, type[Bot]] = {}
"""Classes that were handed over as such, by the name they were given here."""


@dataclass(frozen=True)
class Own:
    """A class in a file, as its name says it."""

    file: str
    name: str | None
    version: str | None
    parameters: str

    def __str__(self) -> str:
        text = self.file if self.name is None else f"{self.file}:{self.name}"
        text = text if self.version is None else f"{text}@{self.version}"
        return f"{text}:{self.parameters}" if self.parameters else text


def read(spec: str) -> Own | None:
    """Return what a name means if it names a file, otherwise None."""
    match = _SPEC.fullmatch(spec.strip())
    if match is None or spec.strip().startswith(_PROGRAM):
        return None
    return Own(match["file"], match["name"], match["version"], match["parameters"] or "")


def maker(spec: str) -> tuple[Callable[..., Bot], str] | None:
    """Return what makes the bot of this name, and its parameters; None if it is not our own.

    ``ValueError`` says what is wrong with the file or the class.
    """
    if spec in _given:
        return _given[spec], ""
    own = read(spec)
    if own is None:
        return None
    given = _given.get(str(Own(own.file, own.name, own.version, "")))
    return given or _class(own), own.parameters


def pinned(spec: str) -> str:
    """Return the name with the version that its file has now; other names stay as they are."""
    own = read(spec)
    if own is None or own.version is not None or spec in _given:
        return spec
    _class(own)
    return str(Own(own.file, own.name, files.version_of(own.file), own.parameters))


def spec_of(kind: type[Bot]) -> str:
    """Return a name for a class, under which it can be made in this process.

    If the class stands at the top of a file, other processes understand the name as well.
    """
    _expect_bot(kind, getattr(kind, "__qualname__", repr(kind)))
    file = _file_of(kind)
    if file is not None and kind.__qualname__.isidentifier():
        version: str | None = files.version_of(file)
    else:
        file = None
        try:
            version = files.version(inspect.getsource(kind).encode())
        except (OSError, TypeError):
            version = None
    if file is not None:
        spec = str(Own(file, kind.__name__, version, ""))
    else:
        spec = kind.__name__ if version is None else f"{kind.__name__}@{version}"
    _given[spec] = kind
    return spec


def only_here(specs: Iterable[str]) -> list[str]:
    """Return those names that mean something in this process only."""
    return [spec for spec in specs if spec in _given and read(spec) is None]


def expect_elsewhere(specs: Iterable[str]) -> None:
    """Refuse bots that other processes cannot make."""
    for spec in only_here(specs):
        raise ValueError(
            f"the bot '{spec}' exists in this process only; define it at the top of a file to play "
            "with several workers"
        )


def told(error: BaseException) -> str:
    """Return an error in words, with the line of the bot's own file at which it happened."""
    text = str(error)
    text = f"{type(error).__name__}: {text}" if text else type(error).__name__
    if isinstance(error, SyntaxError):
        return text
    ours = {str(module.__file__) for module in _modules.values()}
    ours |= {str(_source_of(kind)) for kind in _given.values()}
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename in ours]
    return (
        f"{text} ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else text
    )


# ---------------------------------------------------------------------------- files


def _class(own: Own) -> type[Bot]:
    module = _module(own)
    classes = {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, Bot)
        and value.__module__ == module.__name__
        and not name.startswith("_")
    }
    if own.name is None:
        if len(classes) != 1:
            found = f"has these: {', '.join(classes)}" if classes else "has no class of a bot"
            raise ValueError(f"name the bot's class, as in {own.file}:MyBot; '{own.file}' {found}")
        ((name, only),) = classes.items()
        return _expect_bot(only, f"{own.file}:{name}")
    kind = getattr(module, own.name, None)
    if kind is None:
        raise ValueError(
            f"'{own.file}' has no class '{own.name}'{did_you_mean(own.name, list(classes))}"
        )
    return _expect_bot(kind, f"{own.file}:{own.name}")


def _expect_bot(kind: object, name: str) -> type[Bot]:
    if not (isinstance(kind, type) and issubclass(kind, Bot)):
        raise ValueError(f"'{name}' is not a bot: it must be a subclass of fernzug.bots.Bot")
    if inspect.isabstract(kind):
        missing = ", ".join(sorted(kind.__abstractmethods__))
        raise ValueError(f"the bot '{name}' is not complete: it lacks the method {missing}")
    return kind


def _module(own: Own) -> ModuleType:
    if own.version is not None:
        files.expect(own.file, own.version)
    text = files.read(own.file)
    version = files.version(text)
    path = Path(own.file).expanduser().absolute()
    key = str(path), version
    if key not in _modules:
        try:
            _modules[key] = _load(path, text, version, sent=files.sent(own.file))
        except (Exception, SystemExit) as error:
            place = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == key[0]]
            where = f"line {place[-1].lineno}: " if place else ""
            reason = f"{where}{type(error).__name__}: {error}"
            raise ValueError(f"the bot's file '{own.file}' cannot be loaded: {reason}") from error
    return _modules[key]


def _load(path: Path, text: bytes, version: str, sent: bool) -> ModuleType:
    """Run a file as a module, so that it can import what lies beside it."""
    root, parts = path.parent, [path.stem]
    if not sent:
        while (root / "__init__.py").exists():
            parts.insert(0, root.name)
            root = root.parent
        if str(root) not in sys.path:
            sys.path.append(str(root))
    if len(parts) > 1:
        return import_module(".".join(parts))
    module = ModuleType(f"fernzug_bot_{path.stem}_{version}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    try:
        exec(compile(text, str(path), "exec"), vars(module))
    except BaseException:
        del sys.modules[module.__name__]
        raise
    return module


def _source_of(kind: type[Bot]) -> str | None:
    """Return what the traceback of a class says for its file; None if it was typed in."""
    try:
        return inspect.getsourcefile(kind)
    except (OSError, TypeError):
        return None


def _file_of(kind: type[Bot]) -> str | None:
    found = _source_of(kind)
    if found is None or not found.endswith(".py") or not Path(found).is_file():
        return None
    path = Path(found).absolute()
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
