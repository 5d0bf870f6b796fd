"""Requests that arrive twice, for instance because an answer got lost, are answered alike."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from fernzug.server.bus import Bus

Plan = dict[str, Any]
"""What chance has decided about a request before it is carried out: ids and tokens."""


class Answers:
    """The plans for the latest requests with an ``id``.

    Whoever carries out a plan a second time finds that it was done, so it does not matter at which
    process a request arrives again, nor whether the first one has lived to answer it.
    """

    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    async def plan(
        self, kind: str, address: str, request: Mapping[str, object], fresh: Plan
    ) -> Plan:
        """Return the plan for a request: the fresh one, or that for the same request before.

        A request is recognised by its address and its whole content, not just by its id: answers
        contain tokens, and many people may share an address.
        """
        if "id" not in request:
            return fresh
        words = f"{kind} {address} {json.dumps(request, sort_keys=True)}"
        key = hashlib.sha256(words.encode()).hexdigest()
        text = json.dumps(fresh)
        found = await self._bus.first(key, text)
        plan: Plan = fresh if found == text else json.loads(found)
        return plan
