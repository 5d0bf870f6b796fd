"""A small network in whole numbers: what it makes of what a seat knows.

Two hidden layers with rectifiers lead from an observation to a value for each action of the short
action table, and to what the game is worth to the seat. Whole numbers give the same answer on
every machine, compiled or not, and allow three weights to lie in one word, so that one
multiplication and one addition do the work of three. Half of the hidden numbers are 0 and passed
over, and so are all inputs that are the same as when a seat looked last.
"""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i16, i64

from fernzug.engine.knowledge import Knowledge
from fernzug.engine.observation import Observer
from fernzug.engine.state import State, filled

LANES: Final = 3
"""How many numbers lie in a word."""

LANE: Final = 21
"""The bits of each of them: sums must stay below a half of what these can tell apart."""

ONE: Final = 1 << LANE
"""What one is in the lane above."""

HALF: Final = 1 << (LANE - 1)
MASK: Final = (1 << LANE) - 1

INPUT_BITS: Final = 12
"""The weights of the first layer count in units of a 4096th, as do its sums."""

HIDDEN_BITS: Final = 6
"""What hidden layers hand on is rounded to 64ths."""

WEIGHT_BITS: Final = 8
"""The weights of the second layer count in units of a 256th, its sums in 16384ths."""

SCORE_BITS: Final = 6
"""Scores of actions need not be as fine, but may be large: weights in 64ths, sums in 4096ths."""

VALUE_BITS: Final = 16
"""The weights of the value, of which there are few, are finer."""


@final
class Layer:
    """The weights from some inputs to some sums, input by input, and what is added to each sum."""

    def __init__(self, sums: i64, weights: list[int], bias: list[int]) -> None:
        self.sums = sums
        self.words: i64 = (sums + LANES - 1) // LANES
        inputs = i64(len(weights)) // sums
        self.weights = filled(inputs * self.words, 0)
        for row in range(inputs):
            for place in range(sums):
                word = row * self.words + place // LANES
                self.weights[word] += shifted(weights[row * sums + place], place % LANES)
        self.bias = filled(self.words, 0)
        for place in range(sums):
            self.bias[place // LANES] += shifted(bias[place], place % LANES)

    def add_up(
        self, index: vec[i64], amount: vec[i64], count: i64, packed: vec[i64], sums: vec[i64]
    ) -> None:
        """Write the sums for the inputs that are not 0: where they are, and how much.

        ``packed`` is room for the words, and ``sums`` has room for all numbers in them.
        """
        bias = self.bias
        for word in range(self.words):
            packed[word] = bias[word]
        self.add(index, amount, count, packed)
        self.unpack(packed, sums)

    def add(self, index: vec[i64], amount: vec[i64], count: i64, packed: vec[i64]) -> None:
        """Add to the words of some sums what inputs, where they are, have become greater by."""
        words = self.words
        w = self.weights
        i: i64 = 0
        # Six inputs at a time: the words are read and written less often.
        while i + 6 <= count:
            a = amount[i]
            b = amount[i + 1]
            c = amount[i + 2]
            d = amount[i + 3]
            e = amount[i + 4]
            f = amount[i + 5]
            p = index[i] * words
            q = index[i + 1] * words
            r = index[i + 2] * words
            s = index[i + 3] * words
            t = index[i + 4] * words
            u = index[i + 5] * words
            for word in range(words):
                packed[word] += (
                    a * w[p + word]
                    + b * w[q + word]
                    + c * w[r + word]
                    + d * w[s + word]
                    + e * w[t + word]
                    + f * w[u + word]
                )
            i += 6
        while i < count:
            a = amount[i]
            p = index[i] * words
            for word in range(words):
                packed[word] += a * w[p + word]
            i += 1

    def unpack(self, packed: vec[i64], sums: vec[i64]) -> None:
        """Write the sums that lie in words, each in a place of its own."""
        to: i64 = 0
        for word in range(self.words):
            rest = packed[word]
            low = ((rest + HALF) & MASK) - HALF
            rest = (rest - low) >> LANE
            middle = ((rest + HALF) & MASK) - HALF
            sums[to] = low
            sums[to + 1] = middle
            sums[to + 2] = (rest - middle) >> LANE
            to += LANES


def shifted(number: i64, lane: i64) -> i64:
    """Return a number as it lies in a lane of a word."""
    for _ in range(lane):
        number *= ONE
    return number


@final
class Weights:
    """What a network has learned; it never changes, so that many searches can share it."""

    def __init__(
        self, first: Layer, second: Layer, policy: Layer, value: list[int], value_bias: int
    ) -> None:
        self.first = first
        self.second = second
        self.policy = policy
        self.value = vec[i64](value)
        self.value_bias: i64 = value_bias


@final
class Glance:
    """What a seat has seen last, and the sums of the first layer for that.

    From one decision of a seat to its next little changes, so only the changes are added up.
    """

    def __init__(self, size: i64, first: Layer) -> None:
        self.row = vec[i16]([0] * int(size))
        self.packed = filled(first.words, 0)
        for word in range(first.words):
            self.packed[word] = first.bias[word]


@final
class Net:
    """A network at work for one searcher on one board with one number of players."""

    def __init__(self, observer: Observer, weights: Weights) -> None:
        self.observer = observer
        self.weights = weights
        first, second, policy = weights.first, weights.second, weights.policy
        words = max(max(first.words, second.words), policy.words)
        self.scores = filled(policy.words * LANES, 0)  # of the actions, as sums of the last layer
        self._row = vec[i16]([0] * int(observer.size))
        self._glances = [Glance(observer.size, weights.first) for _ in range(observer.players)]
        self._packed = filled(words, 0)
        self._hidden = filled(words * LANES, 0)
        most = max(observer.size, max(first.sums, second.sums))
        self._index = filled(most, 0)
        self._amount = filled(most, 0)
        self._count: i64 = 0

    def look(self, s: State, seat: i64) -> None:
        """Look at a state with the eyes of a seat, which sees what it may know."""
        self._clear()
        self.observer.write(s, seat, self._row, 0)
        self._think(self._glances[seat])

    def look_known(self, known: Knowledge) -> None:
        """Look at what a seat knows."""
        self._clear()
        self.observer.write_known(known, self._row, 0)
        self._think(self._glances[known.seat])

    def _clear(self) -> None:
        row = self._row
        for i in range(self.observer.size):
            row[i] = 0

    def _think(self, glance: Glance) -> None:
        """Work out the second hidden layer from the row, and from what the seat saw before."""
        row = self._row
        seen = glance.row
        index = self._index
        amount = self._amount
        count: i64 = 0
        for i in range(self.observer.size):
            change = i64(row[i]) - i64(seen[i])
            if change != 0:
                seen[i] = row[i]
                index[count] = i
                amount[count] = change
                count += 1
        first, second = self.weights.first, self.weights.second
        first.add(index, amount, count, glance.packed)
        first.unpack(glance.packed, self._hidden)
        self._rectify(first.sums, INPUT_BITS - HIDDEN_BITS)
        second.add_up(index, amount, self._count, self._packed, self._hidden)
        self._rectify(second.sums, WEIGHT_BITS)

    def _rectify(self, sums: i64, shift: i64) -> None:
        """List the hidden numbers above 0, rounded."""
        hidden = self._hidden
        index = self._index
        amount = self._amount
        count: i64 = 0
        half = (1 << shift) // 2
        for i in range(sums):
            number = (hidden[i] + half) >> shift
            if number > 0:
                index[count] = i
                amount[count] = number
                count += 1
        self._count = count

    def score(self) -> None:
        """Write the scores of all actions for what was looked at last."""
        policy = self.weights.policy
        policy.add_up(self._index, self._amount, self._count, self._packed, self.scores)

    def value(self) -> float:
        """Return what the game is worth to the seat that was looked through last."""
        weights = self.weights.value
        index = self._index
        hidden = self._hidden
        total = self.weights.value_bias
        for i in range(self._count):
            total += hidden[index[i]] * weights[index[i]]
        return float(total) / float(1 << (VALUE_BITS + HIDDEN_BITS + WEIGHT_BITS))
