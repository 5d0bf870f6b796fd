"""The network as numbers: which route joins which places, and what a seat's routes join."""

from __future__ import annotations

from typing import final

from librt.vecs import vec
from mypy_extensions import i64


@final
class Network:
    """Places and routes of a board as flat vectors."""

    def __init__(self, places: int, a: list[int], b: list[int], spaces: list[int]) -> None:
        self.places: i64 = places
        self.routes: i64 = len(a)
        self.a = vec[i64](a)
        self.b = vec[i64](b)
        self.spaces = vec[i64](spaces)
        # The routes at place p are incident[first[p]] to incident[first[p + 1] - 1].
        at: list[list[int]] = [[] for _ in range(places)]
        for route in range(len(a)):
            at[a[route]].append(route)
            at[b[route]].append(route)
        first = [0]
        incident: list[int] = []
        for routes in at:
            incident += routes
            first.append(len(incident))
        self.first = vec[i64](first)
        self.incident = vec[i64](incident)

    def join(self, owner: vec[i64], seat: i64) -> vec[i64]:
        """Return a label for each place: two places have the same if the seat's routes join them.

        This is the one test of being joined (K3, E5).
        """
        label = vec[i64](range(self.places))
        a = self.a
        b = self.b
        for route in range(self.routes):
            if owner[route] == seat:
                x = root(label, a[route])
                y = root(label, b[route])
                if x != y:
                    label[x] = y
        for place in range(self.places):
            label[place] = root(label, place)
        return label

    def touches(self, owner: vec[i64], seat: i64, place: i64) -> bool:
        """Whether one of the seat's routes touches a place."""
        for i in range(self.first[place], self.first[place + 1]):
            if owner[self.incident[i]] == seat:
                return True
        return False


def root(label: vec[i64], place: i64) -> i64:
    """Follow the labels to the place that stands for all joined to this one."""
    while label[place] != place:
        label[place] = label[label[place]]
        place = label[place]
    return place
