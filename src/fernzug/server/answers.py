"""Answers that are kept for requests that arrive twice."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from typing import Generic, TypeVar

MAX_ANSWERS = 2_000

T = TypeVar("T")


class Answers(Generic[T]):
    """The answers to the latest requests with an ``id``.

    A request is recognised by its address and its whole content, not just by its id: answers
    contain tokens, and many people may share an address.
    """

    def __init__(self) -> None:
        self._answers: OrderedDict[str, T] = OrderedDict()

    def find(self, address: str, request: Mapping[str, object]) -> T | None:
        """Return the answer to the same request, if it arrived before."""
        return self._answers.get(_key(address, request)) if "id" in request else None

    def keep(self, address: str, request: Mapping[str, object], answer: T) -> None:
        """Keep the answer to a request."""
        if "id" not in request:
            return
        self._answers[_key(address, request)] = answer
        if len(self._answers) > MAX_ANSWERS:
            self._answers.popitem(last=False)


def _key(address: str, request: Mapping[str, object]) -> str:
    return f"{address} {json.dumps(request, sort_keys=True)}"
