"""A learned policy as a bot: ``policy:file=agent.npz`` wherever a bot is named.

The file holds the layers of a small network, so that a trained agent plays with numpy alone. Any
other policy becomes a bot by subclassing :class:`LearnedBot`.
"""

from __future__ import annotations

import io
import os
import zipfile
from abc import abstractmethod
from functools import lru_cache
from typing import IO, TYPE_CHECKING, Any

from fernzug.board.model import Board
from fernzug.bots import files
from fernzug.bots.base import EngineBot
from fernzug.engine.knowledge import Knowledge
from fernzug.rl.layout import layout

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class LearnedBot(EngineBot):
    """A bot that sees observations and masks and answers with the number of an action.

    ``actions`` is the action table that the policy was trained with.
    """

    actions = "all"

    def __init__(self, board: Board, seed: int = 0) -> None:
        super().__init__(board, seed)
        self._eye: Any = None

    @abstractmethod
    def act(self, observation: NDArray[np.int16], mask: NDArray[np.int8]) -> int:
        """Return the number of a legal action in the policy's action table."""

    def decide(self, known: Knowledge) -> int:
        """Return what the policy chooses, as a number of the board's action table."""
        if self._eye is None:
            from fernzug.rl.one import Eye  # needs numpy

            self._eye = Eye(layout(self.board, int(known.state.players), actions=self.actions))
        observation = self._eye.observe_known(known)
        mask = self._eye.mask(known.state, int(known.seat))
        action = self.act(observation, mask)
        number: int = self._eye.number(known.state, int(known.seat), action)
        return number


class Network:
    """Layers with rectifiers between them, from scaled observations to a value for each action."""

    def __init__(
        self,
        board: str,
        players: int,
        actions: str,
        scale: NDArray[np.float32],
        layers: list[tuple[NDArray[np.float32], NDArray[np.float32]]],
    ) -> None:
        self.board = board
        self.players = players
        self.actions = actions
        self.scale = scale
        self.layers = layers

    def values(self, observation: NDArray[np.int16]) -> NDArray[np.float32]:
        """Return the value of each action for one observation, or for rows of them."""
        x: NDArray[np.float32] = observation * self.scale
        for number, (weight, bias) in enumerate(self.layers, start=1):
            x = x @ weight + bias
            if number < len(self.layers):
                x[x < 0] = 0
        return x

    def save(
        self,
        file: str | os.PathLike[str],
        value: tuple[NDArray[np.float32], NDArray[np.float32]] | None = None,
    ) -> None:
        """Write the network to a file, with the layer of a value of positions if it has one."""
        import numpy as np

        arrays: dict[str, Any] = {
            "board": self.board,
            "players": self.players,
            "actions": self.actions,
            "scale": self.scale,
        }
        for number, (weight, bias) in enumerate(self.layers):
            arrays[f"weight{number}"] = weight.astype(np.float16)
            arrays[f"bias{number}"] = bias.astype(np.float32)
        if value is not None:
            arrays["value_weight"] = value[0].astype(np.float16)
            arrays["value_bias"] = value[1].astype(np.float32)
        np.savez_compressed(file, **arrays)

    @classmethod
    def load(cls, file: str | os.PathLike[str]) -> Network:
        """Read a network from a file; ``ValueError`` if it is not the file of one."""
        data = io.BytesIO(files.read(os.fspath(file)))
        try:
            return cls._read(data)
        except (ValueError, KeyError, EOFError, zipfile.BadZipFile):
            raise ValueError(f"'{os.fspath(file)}' is not the file of a policy") from None

    @classmethod
    def _read(cls, data: IO[bytes]) -> Network:
        import numpy as np

        with np.load(data) as arrays:
            count = sum(name.startswith("weight") for name in arrays.files)
            layers = [
                (arrays[f"weight{n}"].astype(np.float32), arrays[f"bias{n}"]) for n in range(count)
            ]
            return cls(
                str(arrays["board"]),
                int(arrays["players"]),
                str(arrays["actions"]),
                arrays["scale"],
                layers,
            )


@lru_cache(maxsize=8)
def _loaded(file: str, version: str) -> Network:
    return Network.load(file)


class PolicyBot(LearnedBot):
    """Plays the action that a network values most."""

    def __init__(self, board: Board, seed: int = 0, file: str = "") -> None:
        super().__init__(board, seed)
        if not file:
            raise ValueError("a policy needs its file: policy:file=agent.npz")
        # Trained further, the same file holds another network.
        self.network = _loaded(file, files.version_of(file))
        if self.network.board != board.id:
            raise ValueError(f"{file} was trained on {self.network.board}, not on {board.id}")
        self.actions = self.network.actions

    def decide(self, known: Knowledge) -> int:
        """Return what the network values most; it knows one number of players only."""
        if self._eye is None:
            self.expect_players(int(known.state.players))
        return super().decide(known)

    def expect_players(self, players: int) -> None:
        """Raise ``ValueError`` unless the network knows the observations of such a table."""
        network = self.network
        if players != network.players:
            raise ValueError(
                f"the policy was trained for {network.players} players, not for {players}"
            )
        now = layout(self.board, players, actions=network.actions)
        if (len(network.scale), len(network.layers[-1][1])) != (now.size, now.actions):
            raise ValueError("the policy was trained with another layout of observations")

    def act(self, observation: NDArray[np.int16], mask: NDArray[np.int8]) -> int:
        """Return the legal action with the highest value."""
        values = self.network.values(observation)
        values[mask == 0] = -float("inf")
        return int(values.argmax())
