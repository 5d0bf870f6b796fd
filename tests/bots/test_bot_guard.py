"""Whatever a bot does, its seat answers with a legal action, and the guard says what went wrong."""

import logging
from collections.abc import Callable, Sequence

import pytest

import fernzug
from fernzug import Action, Event, View, bots
from fernzug.bots import Bot, Guard
from fernzug.bots.guard import KINDS
from fernzug.match import Match

BOARD = fernzug.board("paris")


class Script(Bot):
    """Plays the first legal action until its last decision, and then does something else."""

    def __init__(self, end: Callable[[Sequence[Action]], object], after: int = 5) -> None:
        super().__init__(BOARD)
        self.end = end
        self.after = after
        self.closed = 0

    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        self.after -= 1
        return legal[0] if self.after >= 0 else self.end(legal)  # type: ignore[return-value]

    def close(self) -> None:
        self.closed += 1


def play_out(guard: Guard, other: Bot) -> fernzug.Game:
    game = fernzug.Game(BOARD, players=2, seed=5)
    Match(game, {0: guard, 1: other}).play_out()
    return game


def crash(legal: Sequence[Action]) -> object:
    raise ZeroDivisionError("by zero")


def leave(legal: Sequence[Action]) -> object:
    raise SystemExit(3)


@pytest.mark.parametrize(
    ("end", "kind", "words"),
    [
        (crash, "crash", "ZeroDivisionError: by zero"),
        (leave, "crash", "SystemExit: 3"),
        (lambda legal: None, "nonsense", "None, which is not an action"),
        (lambda legal: "draw deck", "nonsense", "'draw deck', which is not an action"),
        (lambda legal: Action(10**6, "fly", "fly"), "illegal", "'fly' is not legal here"),
        (lambda legal: Action(-1, "x" * 9999, "fly"), "illegal", "xxx"),
    ],
)
def test_a_bot_that_fails_is_replaced(
    end: Callable[[Sequence[Action]], object],
    kind: str,
    words: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    bot = Script(end)
    guard = Guard("script", lambda: bot, BOARD, seed=1)
    with caplog.at_level(logging.WARNING):
        game = play_out(guard, bots.make("random", BOARD, seed=2))
    assert game.over
    assert guard.failure is not None
    assert guard.failure.kind == kind
    assert kind in KINDS
    assert words in guard.failure.text
    assert len(guard.failure.text) < 1000
    assert guard.failure.decision == 6
    assert bot.closed == 1
    # It is told once, however long the random player goes on.
    assert len(caplog.records) == 1
    assert "the bot 'script' has failed, a random player takes over" in caplog.text
    assert "decision 6" in caplog.text


def test_a_good_bot_is_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    guard = bots.guarded("planner", BOARD, seed=4)
    alone = bots.make("planner", BOARD, seed=4)
    moves = [play_out(each, bots.make("random", BOARD, 2)).facts for each in (guard, alone)]  # type: ignore[arg-type]
    assert moves[0] == moves[1]
    assert guard.failure is None
    assert not caplog.records


def test_an_action_that_only_looks_like_a_legal_one_is_made_good() -> None:
    # Actions are equal by number; the referee wants the text that belongs to it.
    bot = Script(lambda legal: Action(legal[-1].number, "?", "?"), after=0)
    guard = Guard("script", lambda: bot, BOARD)
    view = fernzug.Game(BOARD, 2, seed=1).view(0)
    assert guard.choose(view, view.legal) is view.legal[-1]


def test_a_bot_that_cannot_be_made_is_replaced_from_the_start() -> None:
    def maker() -> Bot:
        raise OSError("no memory")

    guard = Guard("broken", maker, BOARD)
    assert play_out(guard, bots.make("random", BOARD)).over
    assert guard.failure is not None
    assert (guard.failure.kind, guard.failure.decision) == ("start", 0)
    assert "before its first decision" in str(guard.failure)


def test_a_wrong_name_is_not_a_failure_of_a_bot() -> None:
    with pytest.raises(ValueError, match="there is no bot"):
        bots.guarded("nobody", BOARD)


def test_a_bot_may_fail_while_it_watches_or_closes(caplog: pytest.LogCaptureFixture) -> None:
    class Watcher(Script):
        def watch(self, events: Sequence[Event]) -> None:
            raise KeyError("event")

        def close(self) -> None:
            raise KeyError("close")

    guard = Guard("watcher", lambda: Watcher(crash), BOARD)
    wanted = [guard.watches]
    guard.watch([])
    assert guard.failure is not None
    assert guard.failure.kind == "crash"
    assert [*wanted, guard.watches] == [True, False]
    assert "could not be closed" in caplog.text
    guard.close()


def test_an_interruption_is_not_a_failure_of_the_bot() -> None:
    def interrupted(legal: Sequence[Action]) -> object:
        raise KeyboardInterrupt

    guard = Guard("script", lambda: Script(interrupted, after=0), BOARD)
    view = fernzug.Game(BOARD, 2, seed=1).view(0)
    with pytest.raises(KeyboardInterrupt):
        guard.choose(view, view.legal)
    assert guard.failure is None
