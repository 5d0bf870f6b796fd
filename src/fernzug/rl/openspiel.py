"""The OpenSpiel game, with explicit chance: every card and every ticket is a chance outcome.

Importing this module, or :mod:`fernzug.rl`, registers it, so that
``pyspiel.load_game("python_fernzug(board=...)")`` works too. The first player is seat 0.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import pyspiel

from fernzug.board import files as board_files
from fernzug.board.model import Board
from fernzug.engine import bits, rules
from fernzug.engine.nature import Settling
from fernzug.engine.observation import short_legal
from fernzug.engine.state import NONE, OVER, State, blank
from fernzug.engine.tables import FACE_UP, Tables
from fernzug.notation import card_name
from fernzug.position import position_of
from fernzug.rl.layout import layout
from fernzug.rl.one import Eye
from fernzug.rl.rewards import check_reward, rewards_of
from fernzug.rl.text import text_of
from fernzug.rl.tiny import TINY
from fernzug.view import view_of

NAME = "python_fernzug"

PARAMETERS = {"board": "", "players": 2, "actions": "all", "reward": "rank"}
"""The parameters of the game; a board is named by its id or a path, and the tiny one by nothing."""

Seen = tuple["Seen", int, int, int, int] | None
"""What has happened, latest last: all before it, who may know it (NONE: all), who did it (NONE:
chance), the number of the action or of the chance outcome (NONE for a ticket that comes without
being left to chance), and the number in the board's action table: a claim of the short table does
not say which cards everybody sees being paid."""


def load(
    board: str | os.PathLike[str] | Board, players: int = 2, *, actions: str, reward: str
) -> pyspiel.Game:
    """Return the game on a board."""
    if isinstance(board, Board) and board.id in board_files.boards():
        # By its name it can be serialised, too.
        board = board.id if board_files.load(board.id) == board else board
    if isinstance(board, Board):
        return FernzugGame({"players": players, "actions": actions, "reward": reward}, board)
    named = {"board": os.fspath(board), "players": players, "actions": actions, "reward": reward}
    return pyspiel.load_game(NAME, named)


class Frame:
    """What all states of a game share."""

    def __init__(self, board: Board, players: int, actions: str, reward: str) -> None:
        check_reward(reward)
        self.layout = layout(board, players, actions=actions)
        self.eye = Eye(self.layout)
        self.tables: Tables = self.eye.tables
        self.players = players
        self.reward = reward
        self.decisions, self.chances = bounds(self.tables, players)
        # Every drawing of tickets keeps one.
        self.offered = int(self.tables.tickets * self.tables.draw_tickets)
        self.start = Settling(blank(self.tables, players, 0), self.tables.tickets, NONE, [], [])

    def __deepcopy__(self, memo: dict[int, Any]) -> Frame:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        shape = self.layout
        return frame_of, (shape.board, self.players, shape.action_table, self.reward)

    def begin(self) -> Moment:
        """Return the moment before anything is dealt."""
        return Moment(self, self.start.before, 0, self.start, None)

    def code(self, seat: int, seen: tuple[Any, int, int, int, int]) -> int:
        """Return something that has happened as a seat may know it, as a number from 1; or 0."""
        _, knower, actor, _, number = seen
        actions = int(self.tables.actions)
        if actor == NONE:
            hidden = knower not in (NONE, seat)
            return 0 if hidden else 1 + actions + int(self.tables.offer_size) + 1 + number
        if knower in (NONE, seat):
            return 1 + number
        # Of the tickets that others keep, only the number is known.
        return 1 + actions + int(bits.count(number - self.tables.keep))


class Moment:
    """Where a game is: at a decision, at a question to chance, or over. It never changes."""

    def __init__(
        self, frame: Frame, state: State, fresh: int, settling: Settling | None, seen: Seen
    ) -> None:
        self.frame = frame
        self.state = state  # the last one that is settled
        self.fresh = fresh  # how many tickets of the ticket deck are in no order
        self.settling = settling  # if chance has something to answer
        self.seen = seen

    def __deepcopy__(self, memo: dict[int, Any]) -> Moment:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        actions = []
        seen = self.seen
        while seen is not None:
            if seen[3] != NONE:
                actions.append(seen[3])
            seen = seen[0]
        return replayed, (self.frame, actions[::-1])

    @cached_property
    def legal(self) -> list[int]:
        """The numbers of the actions of the seat to decide; they are asked for again and again."""
        s, eye = self.state, self.frame.eye
        found = short_legal(s, s.seat) if eye.short else rules.legal(s, s.seat)
        numbers: list[int] = np.asarray(found).tolist()
        return numbers

    def settled(self, settling: Settling, seen: Seen) -> Moment:
        """Return the moment after a decision or an answer."""
        after = settling.after
        if after is None:
            return Moment(self.frame, self.state, self.fresh, settling, seen)
        fresh = int(settling.fresh_after)
        if settling.action == self.frame.tables.draw_tickets_action:
            seen = self._offered(after, int(settling.fresh) - fresh, seen)
        return Moment(self.frame, after, fresh, None, seen)

    def _offered(self, after: State, answered: int, seen: Seen) -> Seen:
        """Add the tickets offered that were given back before: chance was not asked for them."""
        seat = int(after.seat)
        first = int(after.offer_start(seat))
        cards = int(self.frame.tables.colors) + 1
        for place in range(answered, int(after.offer[first])):
            seen = (seen, seat, NONE, NONE, cards + int(after.offer[first + 1 + place]))
        return seen

    def after(self, action: int) -> Moment:
        """Return what follows from an action, or from a chance outcome."""
        if self.settling is not None:
            seen = (self.seen, int(self.settling.asker), NONE, action, action)
            return self.settled(self.settling.answered(action), seen)
        s, frame = self.state, self.frame
        seat = int(s.seat)
        keeps = frame.tables.keep <= action < frame.tables.claim
        number = frame.eye.number(s, seat, action)
        return self.settled(
            Settling(s, self.fresh, number, [], []),
            (self.seen, seat if keeps else NONE, seat, action, number),
        )

    def codes(self, seat: int) -> list[int]:
        """Return everything that a seat has seen happen, in order, as numbers."""
        codes = []
        seen = self.seen
        while seen is not None:
            if code := self.frame.code(seat, seen):
                codes.append(code)
            seen = seen[0]
        codes.reverse()
        return codes


@lru_cache(maxsize=32)
def frame_of(board: Board, players: int, actions: str, reward: str) -> Frame:
    """Return what all states of a game share, made once."""
    return Frame(board, players, actions, reward)


def replayed(frame: Frame, actions: Sequence[int]) -> Moment:
    """Return the moment that actions and chance outcomes have led to."""
    moment = frame.begin()
    for action in actions:
        moment = moment.after(action)
    return moment


def bounds(t: Tables, players: int) -> tuple[int, int]:
    """Return how many decisions and chance outcomes a game can have at most."""
    costs = [int(cost) for cost in t.route_cost]
    pieces = [int(number) for number in t.route_pieces]
    stock = players * sum(int(count) for count in t.kind_count)
    dearest = max(cost / number for cost, number in zip(costs, pieces, strict=True))
    played = min(sum(costs), int(stock * dearest))
    claims = min(len(costs), stock // min(pieces))
    # A card comes back only if it was played for a route, and every drawing of tickets keeps one.
    draws = int(t.card_total) + played
    acts = draws + claims + 2 * int(t.tickets) + players
    # Fewer passes in a row than players are between two other decisions.
    decisions = players * (acts + 1)
    display = 4 * int(FACE_UP)  # filled once, and replaced three times at most
    dealt = players * int(t.deal_cards + t.deal_tickets)
    chances = dealt + display + (draws + claims) * (display + 1) + players * int(t.tickets)
    return decisions, chances


def game_type(zero_sum: bool) -> pyspiel.GameType:
    """Return what OpenSpiel wants to know of a game."""
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=NAME,
        long_name="Fernzug",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if zero_sum else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=8,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


class FernzugGame(pyspiel.Game):  # type: ignore[misc]  # it comes without types
    """A board, a number of players, an action table and a reward."""

    def __init__(self, params: dict[str, Any] | None = None, board: Board | None = None) -> None:
        named = {**PARAMETERS, **(params or {})}
        found = board or board_files.load(named["board"] or TINY)
        frame = frame_of(found, named["players"], named["actions"], named["reward"])
        rank = frame.reward == "rank"
        most = 1.0 if rank else 10_000.0
        info = pyspiel.GameInfo(
            num_distinct_actions=frame.layout.actions,
            max_chance_outcomes=int(frame.tables.colors + 1 + frame.tables.tickets),
            num_players=frame.players,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0 if rank else None,
            max_game_length=frame.decisions,
        )
        super().__init__(game_type(zero_sum=rank), info, params or {})
        self.frame = frame

    def new_initial_state(self) -> FernzugState:
        """Return a game that is about to be dealt."""
        return FernzugState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return how many chance outcomes a game can have at most."""
        return self.frame.chances

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> FernzugObserver:
        """Return what makes tensors and strings of states."""
        if params:
            raise ValueError(f"there are no parameters of an observer, but {params}")
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return FernzugObserver(self.frame, recall)


class FernzugState(pyspiel.State):  # type: ignore[misc]
    """A game at one moment."""

    def __init__(self, game: FernzugGame) -> None:
        super().__init__(game)
        self.moment = game.frame.begin()

    def current_player(self) -> int:
        """Return whose decision it is, or that it is chance's, or that the game is over."""
        moment = self.moment
        if moment.settling is not None:
            return int(pyspiel.PlayerId.CHANCE)
        if moment.state.phase == OVER:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(moment.state.seat)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.moment.settling is None and bool(self.moment.state.phase == OVER)

    def _legal_actions(self, player: int) -> list[int]:
        moment = self.moment
        return list(moment.legal) if player == moment.state.seat else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return every card, or ticket, that can come next, and how likely it is."""
        assert self.moment.settling is not None
        chances: list[int] = np.asarray(self.moment.settling.chances).tolist()
        total = sum(chances)
        return [(number, count / total) for number, count in enumerate(chances) if count]

    def _apply_action(self, action: int) -> None:
        settling = self.moment.settling
        if settling is None:
            legal = action in self.moment.legal
        else:
            legal = 0 <= action < len(settling.chances) and bool(settling.chances[action])
        if not legal:
            raise ValueError(f"action {action} is not legal in this state")
        self.moment = self.moment.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        frame = self.moment.frame
        if player != pyspiel.PlayerId.CHANCE:
            return frame.layout.action_text(action)
        cards = int(frame.tables.colors) + 1
        board = frame.layout.board
        return card_name(board, action) if action < cards else board.tickets[action - cards].id

    def returns(self) -> list[float]:
        """Return the rewards, which are given at the end."""
        if not self.is_terminal():
            return [0.0] * self.moment.frame.players
        return rewards_of(self.moment.state, self.moment.frame.reward)

    def __str__(self) -> str:
        position = position_of(self.moment.state, self.moment.frame.layout.board.id)
        # The order of the cards and tickets that are to come is chance's, so it says nothing.
        lines = [
            f"{key}: {json.dumps(value)}"
            for key, value in position.items()
            if key not in ("deck", "ticket_deck", "seed")
        ]
        settling = self.moment.settling
        if settling is not None:
            lines.append(f"settled: {json.dumps(list(settling.answers))}")
        return "\n".join(lines)


class FernzugObserver:
    """What a player knows as a tensor and as a string, with everything seen so far on request."""

    def __init__(self, frame: Frame, recall: bool) -> None:
        self.frame = frame
        self.recall = recall
        size = frame.layout.size
        history = frame.decisions + frame.chances + frame.offered if recall else 0
        self.tensor = np.zeros(size + history, np.float32)
        self.dict = {
            field.name: self.tensor[field.slice].reshape(field.shape)
            for field in frame.layout.fields
        }
        if recall:
            self.dict["history"] = self.tensor[size:]

    def set_from(self, state: FernzugState, player: int) -> None:
        """Write what a player knows into the tensor."""
        size = self.frame.layout.size
        self.tensor[:size] = self.frame.eye.observe(state.moment.state, player)
        if self.recall:
            codes = state.moment.codes(player)
            self.tensor[size : size + len(codes)] = codes
            self.tensor[size + len(codes) :] = 0

    def string_from(self, state: FernzugState, player: int) -> str:
        """Return what a player knows in words, or everything seen so far as numbers."""
        if self.recall:
            # What a player knows follows from what it has seen, so that is left out.
            return f"player {player} " + " ".join(map(str, state.moment.codes(player)))
        return text_of(view_of(state.moment.state, player, self.frame.layout.board.id))


if NAME not in pyspiel.registered_names():
    pyspiel.register_game(game_type(zero_sum=False), FernzugGame)
