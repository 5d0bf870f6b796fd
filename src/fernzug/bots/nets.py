"""The networks that come with the package, each for one board and number of players.

A network is found by the hash of what affects play on a board, so no board is named here, and one
whose rules or routes are changed has none. Its file is a line of JSON and the compressed whole
numbers of :mod:`fernzug.players.net`; ``benchmarks/train_net.py`` trains networks, and
``benchmarks/pack_net.py`` writes the files.
"""

from __future__ import annotations

import itertools
import json
import sys
import zlib
from array import array
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from fernzug.board.model import Board
from fernzug.engine.observation import Observer, short_count
from fernzug.players.guide import Guide
from fernzug.players.net import Layer, Net, Weights
from fernzug.tables import tables_of

FOLDER = Path(__file__).parent / "data"

FORM = 1
"""The form of the files."""

FEW, MANY = "i", "h"
"""The types of the numbers: what is added to sums and the value's weights; all other weights."""


def file_name(board: Board, players: int) -> str:
    """Return the name of the file that holds the network of a board and number of players."""
    return f"{board.hash}-{players}.net"


def guide_of(board: Board, players: int) -> Guide | None:
    """Return a guide for a search on a board with so many players, if there is a network."""
    weights = _weights_of(board, players)
    if weights is None:
        return None
    return Guide(Net(Observer(tables_of(board), players), weights))


@lru_cache(maxsize=16)
def _weights_of(board: Board, players: int) -> Weights | None:
    file = FOLDER / file_name(board, players)
    if not file.is_file():
        return None
    sizes, few, many = numbers_of(file.read_bytes())
    tables = tables_of(board)
    if (sizes[0], sizes[-1]) != (Observer(tables, players).size, short_count(tables)):
        raise ValueError(f"{file.name} was trained on other observations of {board.id}")
    return weights_of(sizes, few, many)


def weights_of(sizes: Sequence[int], few: Sequence[int], many: Sequence[int]) -> Weights:
    """Return the weights of a network of these sizes, from the numbers of its file."""
    layers = []
    at = start = 0
    for width, height in itertools.pairwise(sizes):
        weights = many[start : start + width * height]
        layers.append(Layer(height, list(weights), list(few[at : at + height])))
        at += height
        start += width * height
    first, second, policy = layers
    return Weights(first, second, policy, list(few[at:-1]), few[-1])


def numbers_of(data: bytes) -> tuple[list[int], list[int], list[int]]:
    """Return the sizes of the layers and the numbers in the file of a network.

    First come what is added to each sum, layer by layer, and the weights and the constant of the
    value; then all other weights.
    """
    line, _, body = data.partition(b"\n")
    header = json.loads(line)
    if header["form"] != FORM:
        raise ValueError(f"a network of form {header['form']}, not {FORM}")
    sizes: list[int] = header["sizes"]
    numbers = zlib.decompress(body)
    few, many = array(FEW), array(MANY)
    border = (sum(sizes[1:]) + sizes[2] + 1) * few.itemsize
    for items, part in ((few, numbers[:border]), (many, numbers[border:])):
        items.frombytes(part)
        if sys.byteorder == "big":
            items.byteswap()
    return sizes, few.tolist(), many.tolist()


def packed(sizes: Sequence[int], few: Sequence[int], many: Sequence[int], about: str) -> bytes:
    """Return the file of a network; ``about`` says where it comes from."""
    header = {"form": FORM, "sizes": list(sizes), "about": about}
    body = b""
    for kind, numbers in ((FEW, few), (MANY, many)):
        items = array(kind, numbers)
        if sys.byteorder == "big":
            items.byteswap()
        body += items.tobytes()
    return json.dumps(header).encode() + b"\n" + zlib.compress(body, 9)
