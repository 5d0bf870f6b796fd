"""The one loop: whoever sits at a table is asked with a view and hears what its seat may know."""

from collections.abc import Sequence

from fernzug import Action, Event, Game, View
from fernzug.events import as_seen
from fernzug.match import Match


class Anybody:
    """A player that keeps what it was shown and told."""

    def __init__(self, watches: bool = True) -> None:
        self.watches = watches
        self.views: list[View] = []
        self.heard: list[Event] = []
        self.closed = 0

    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        self.views.append(view)
        return legal[len(self.views) % len(legal)]

    def watch(self, events: Sequence[Event]) -> None:
        self.heard += events

    def close(self) -> None:
        self.closed += 1


def test_a_game_is_played_to_its_end() -> None:
    game = Game("paris", players=3, seed=4)
    players = {seat: Anybody() for seat in range(3)}
    with Match(game, players) as match:
        decisions = match.play_out()
    assert game.over
    assert decisions == sum(len(player.views) for player in players.values())
    for seat, player in players.items():
        assert {view.viewer for view in player.views} == {seat}
        assert player.heard == as_seen(game.events, seat)
        assert player.closed == 1


def test_nothing_is_put_into_words_if_nobody_watches() -> None:
    game = Game("paris", players=2, seed=4)
    players = {seat: Anybody(watches=seat == 1) for seat in range(2)}
    Match(game, players).play_out()
    assert players[0].heard == []
    assert players[1].heard == as_seen(game.events, 1)


def test_a_seat_can_be_played_from_outside() -> None:
    game = Game("london", players=2, seed=1)
    other = Anybody()
    match = Match(game, {1: other})
    before = len(game.events)
    assert match.play(game.legal()[0]) == game.events[before:]
    match.play(match.choose(1), 1)
    assert other.heard == as_seen(game.events, 1)


def test_a_player_who_comes_late_hears_everything_once() -> None:
    referee = Game("london", players=2, seed=1)
    match = Match(Game.resumed(referee.start, referee.start.state(), []))
    match.follow(referee.facts)
    for seat in range(2):
        known = len(referee.facts)
        referee.play(referee.legal()[0])
        match.join(seat, Anybody())
        match.follow(referee.facts[known:])
    assert match.game.position() == referee.position()
    late = match.players[1]
    assert isinstance(late, Anybody)
    assert late.heard == as_seen(referee.events, 1)
    match.leave(1)
    match.leave(1)
    assert late.closed == 1
