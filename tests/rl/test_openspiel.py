"""The OpenSpiel game: chance is explicit, states copy and pickle, OpenSpiel's own tests pass."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

np = pytest.importorskip("numpy")
pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import (  # noqa: E402
    external_sampling_mccfr,
    generate_playthrough,
)

import fernzug  # noqa: E402
from fernzug import Board, rl  # noqa: E402
from fernzug.engine.chance import PLAYERS, Stream  # noqa: E402
from fernzug.engine.state import NONE  # noqa: E402
from fernzug.rl.openspiel import NAME, FernzugState  # noqa: E402
from fernzug.rl.tiny import MICRO, TINY  # noqa: E402
from paths import DATA  # noqa: E402
from situations import at_every_table_slowly, on_every_board  # noqa: E402
from watch import offers_of  # noqa: E402

PLAYTHROUGH = DATA / "openspiel_playthrough.txt"


def sample(chances: dict[int, float], luck: random.Random) -> int:
    return luck.choices(list(chances), list(chances.values()))[0]


def walk(game: Any, seed: int) -> Any:
    """Play at random; yield every state."""
    luck = random.Random(seed)
    state = game.new_initial_state()
    while True:
        yield state
        if state.is_terminal():
            return
        if state.is_chance_node():
            state.apply_action(sample(dict(state.chance_outcomes()), luck))
        else:
            state.apply_action(luck.choice(state.legal_actions()))


@at_every_table_slowly
def test_the_random_simulation_of_openspiel(board: Board, players: int) -> None:
    game = rl.openspiel_game(board.id, players)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("board", [TINY, MICRO])
@pytest.mark.parametrize("actions", ["all", "canonical"])
def test_the_random_simulation_on_the_small_boards(board: str, actions: str) -> None:
    game = rl.openspiel_game(board, actions=actions)
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)


@on_every_board
def test_chance_is_the_composition_of_the_deck(board: Board) -> None:
    """Whatever is drawn, cards and tickets are conserved and the chances sum to 1."""
    cards = sum(board.color_counts) + board.wild_count
    counts = dict(enumerate([*board.color_counts, board.wild_count]))
    game = rl.openspiel_game(board.id)
    for state in walk(game, seed=3):
        if not state.is_chance_node():
            continue
        outcomes = dict(state.chance_outcomes())
        assert sum(outcomes.values()) == pytest.approx(1)
        settling = state.moment.settling
        chances = Counter(dict(enumerate(np.asarray(settling.chances).tolist())))
        if max(outcomes) >= len(counts):
            assert set(chances.values()) <= {0, 1}
            continue
        assert all(chances[color] <= counts[color] for color in counts)
        assert chances.total() <= cards


@on_every_board
def test_the_whole_game_follows_from_its_chance_outcomes(board: Board) -> None:
    """Two games with the same history are the same, and so is a copy."""
    game = rl.openspiel_game(board.id)
    *_, last = walk(game, seed=4)
    again = game.new_initial_state()
    for action in last.history():
        again.apply_action(action)
    assert str(again) == str(last)
    assert again.returns() == last.returns()
    assert str(last.clone()) == str(last)
    assert sum(last.returns()) == pytest.approx(0)


def test_the_first_cards_are_as_likely_as_the_box_says() -> None:
    game = rl.openspiel_game(TINY)
    state = game.new_initial_state()
    assert dict(state.chance_outcomes()) == {0: 6 / 14, 1: 6 / 14, 2: 2 / 14}
    state.apply_action(2)
    assert dict(state.chance_outcomes()) == {0: 6 / 13, 1: 6 / 13, 2: 1 / 13}
    texts = [state.action_to_string(action) for action in range(4)]
    assert texts == ["red", "blue", "wild", "a-c"]


def test_tickets_that_come_back_have_an_order() -> None:
    """Only tickets that nobody has seen since the shuffle are a matter of chance."""
    for seed in range(20):
        for state in walk(rl.openspiel_game(fernzug.boards()[0]), seed):
            moment = state.moment
            assert 0 <= moment.fresh <= max(int(moment.state.ticket_count), moment.fresh)
            if moment.settling is None:
                assert moment.fresh <= moment.state.ticket_count


def test_information_states_remember_and_tell_nothing_secret() -> None:
    """Seats that have seen the same have the same strings, however the others' cards lie."""
    game = rl.openspiel_game(TINY)
    told: dict[str, tuple[int, ...]] = {}
    for seed in range(60):
        for state in walk(game, seed):
            if state.is_chance_node() or state.is_terminal():
                continue
            player = state.current_player()
            text = state.information_state_string(player)
            legal = tuple(state.legal_actions())
            assert told.setdefault(text, legal) == legal
            tensor = np.array(state.information_state_tensor(player))
            assert len(tensor) == game.information_state_tensor_size()
            codes = state.moment.codes(player)
            size = len(state.observation_tensor(player))
            assert tensor[size : size + len(codes)].tolist() == codes
            assert not tensor[size + len(codes) :].any()
            assert len(state.full_history()) <= game.max_history_length()


@pytest.mark.parametrize("actions", ["all", "canonical"])
def test_who_remembers_everything_knows_what_is_seen_now(actions: str) -> None:
    """Equal information states have equal observations: nothing is seen and then forgotten."""
    game = rl.openspiel_game(MICRO, actions=actions)
    told: dict[str, str] = {}
    tensors: dict[bytes, str] = {}
    for seed in range(300):
        for state in walk(game, seed):
            if state.is_chance_node() or state.is_terminal():
                continue
            for player in range(2):
                text = state.information_state_string(player)
                seen = state.observation_string(player)
                assert told.setdefault(text, seen) == seen
                tensor = np.array(state.information_state_tensor(player), np.float32).tobytes()
                assert tensors.setdefault(tensor, text) == text
    assert len(tensors) == len(told) > 1000


@at_every_table_slowly
def test_what_a_player_has_not_seen_tells_it_nothing(board: Board, players: int) -> None:
    """Two games that look the same to a player, with other cards and tickets for the others."""
    for viewer in (0, players - 1):
        secrets = 0
        for mine, its in pairs(rl.openspiel_game(board.id, players), viewer):
            if offer_of(mine, viewer) != offer_of(its, viewer):
                break  # see the next test
            secrets += mine.history() != its.history()
            assert seen_by(mine, viewer) == seen_by(its, viewer)
            if mine.current_player() == its.current_player() == viewer:
                assert mine.legal_actions() == its.legal_actions()
        assert secrets > 10


@at_every_table_slowly
def test_tickets_that_others_gave_back_are_news_when_they_come_up(
    board: Board, players: int
) -> None:
    """They come without chance being asked, and who is offered them has seen them."""
    game = rl.openspiel_game(board.id, players)
    for number in range(20):
        viewer = number % players
        for mine, its in pairs(game, viewer, only_kept=True, seed=number):
            if offer_of(mine, viewer) != offer_of(its, viewer):
                for one, other in zip(seen_by(mine, viewer), seen_by(its, viewer), strict=True):
                    assert one != other
                copy = pickle.loads(pickle.dumps(mine.moment))
                assert copy.codes(viewer) == mine.moment.codes(viewer)
                return
    pytest.fail("no ticket that was given back has come up")


def seen_by(state: Any, viewer: int) -> list[Any]:
    """Everything that OpenSpiel is told of what a player knows."""
    return [
        state.information_state_string(viewer),
        state.information_state_tensor(viewer),
        state.observation_string(viewer),
        state.observation_tensor(viewer),
    ]


def offer_of(state: Any, viewer: int) -> list[int]:
    s = state.moment.state
    return offers_of(s)[viewer]


def pairs(
    game: Any, viewer: int, only_kept: bool = False, seed: int = 0
) -> Iterator[tuple[Any, Any]]:
    """Play two games in which the viewer sees the same, as far as they can be played alike.

    The others are dealt other cards and tickets. With ``only_kept`` they are dealt the same, but
    keep other tickets, and everybody draws tickets whenever possible.
    """
    luck = random.Random(seed)
    mine, its = game.new_initial_state(), game.new_initial_state()
    tables = mine.moment.frame.tables
    while not mine.is_terminal() and not its.is_terminal():
        yield mine, its
        if mine.is_chance_node():
            one, other = (dict(state.chance_outcomes()) for state in (mine, its))
            hidden = not only_kept and mine.moment.settling.asker not in (NONE, viewer)
        else:
            one, other = (dict.fromkeys(state.legal_actions(), 1.0) for state in (mine, its))
            hidden = False
        common = {number: chance for number, chance in one.items() if number in other}
        if not common:
            return
        action = sample(common, luck)
        if only_kept and not mine.is_chance_node() and int(tables.draw_tickets_action) in common:
            action = int(tables.draw_tickets_action)
        mine.apply_action(sample(one, luck) if hidden else action)
        if hidden:
            action = sample(other, luck)
        elif only_kept and tables.keep <= action < tables.claim and its.current_player() != viewer:
            action = another_keep(action, other, int(tables.keep))
        its.apply_action(action)


def another_keep(action: int, legal: Iterable[int], first: int) -> int:
    """Return an action that keeps as many tickets, but others, if there is one."""
    number = (action - first).bit_count()
    others = [a for a in legal if a != action and (a - first).bit_count() == number]
    return others[0] if others else action


@at_every_table_slowly
def test_nobody_forgets_anything(board: Board, players: int) -> None:
    """What a player has seen only ever grows, so whoever tells states apart can do so later."""
    seen: list[list[int]] = [[]] * players
    for state in walk(rl.openspiel_game(board.id, players), seed=5):
        for player in range(players):
            codes = state.moment.codes(player)
            assert codes[: len(seen[player])] == seen[player]
            seen[player] = codes
    assert min(map(len, seen)) > 50


def test_what_others_draw_and_keep_is_hidden() -> None:
    game = rl.openspiel_game(TINY)
    texts: list[list[str]] = []
    for cards in ((0, 0), (0, 1)):
        state = game.new_initial_state()
        for card in (*cards, 0, 0, 1, 1):
            state.apply_action(card)
        while state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        texts.append([state.information_state_string(player) for player in range(2)])
    assert texts[0][1] != texts[1][1]
    assert texts[0][0] == texts[1][0]


def test_the_game_is_registered_under_its_name() -> None:
    game = pyspiel.load_game(f"{NAME}(board={fernzug.boards()[0]},players=3)")
    assert game.num_players() == 3
    assert isinstance(game.new_initial_state(), FernzugState)
    assert pyspiel.load_game(NAME).num_distinct_actions() == rl.layout(TINY).actions
    board = fernzug.board(TINY)
    assert rl.openspiel_game(board).num_distinct_actions() == rl.layout(TINY).actions


def test_a_playthrough_is_as_it_was() -> None:
    """A stored game with every state and every player's view; ``renew`` writes it again."""
    assert PLAYTHROUGH.read_text(encoding="utf-8") == playthrough()


def playthrough() -> str:
    game = pyspiel.load_game(NAME)
    stream = Stream(1, PLAYERS)
    lines = []
    state = game.new_initial_state()
    while True:
        lines.append(f"# state {len(state.history())}\n{state}")
        if state.is_terminal():
            lines.append(f"returns: {state.returns()}")
            return "\n".join(lines) + "\n"
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            lines.append(f"chance: {[(n, round(p, 6)) for n, p in outcomes]}")
            actions = [number for number, _ in outcomes]
        else:
            for player in range(2):
                lines.append(f"player {player} sees\n{state.observation_string(player)}")
                lines.append(f"and has seen: {state.information_state_string(player)}")
            actions = state.legal_actions()
            lines.append(f"legal: {[state.action_to_string(action) for action in actions]}")
        action = actions[int(stream.below(len(actions)))]
        lines.append(f"-> {state.action_to_string(action)}")
        state.apply_action(action)


def test_openspiel_can_print_a_playthrough_itself() -> None:
    text = generate_playthrough.playthrough(NAME, action_sequence=None, seed=3)
    assert "python_fernzug" in text


def test_an_algorithm_of_openspiel_runs_on_the_small_board() -> None:
    game = rl.openspiel_game(MICRO)
    solver = external_sampling_mccfr.ExternalSamplingSolver(
        game, external_sampling_mccfr.AverageType.SIMPLE
    )
    np.random.seed(1)
    for _ in range(3):
        solver.iteration()
    policy = solver.average_policy()
    for state in walk(game, seed=1):
        if not state.is_chance_node() and not state.is_terminal():
            chances = policy.action_probabilities(state)
            assert sum(chances.values()) == pytest.approx(1)


@pytest.mark.parametrize("actions", ["all", "canonical"])
def test_what_is_not_legal_is_refused_and_changes_nothing(actions: str) -> None:
    for state in walk(rl.openspiel_game(TINY, actions=actions), seed=2):
        if state.is_terminal():
            break
        if state.is_chance_node():
            legal = {number for number, _ in state.chance_outcomes()}
        else:
            legal = set(state.legal_actions())
        before = str(state), state.history()
        for wrong in {0, 1, 5, 99} - legal:
            with pytest.raises(ValueError, match=f"action {wrong} is not legal"):
                state.apply_action(wrong)
        assert (str(state), state.history()) == before


def test_a_game_of_a_board_at_hand_can_be_read_back() -> None:
    name = fernzug.boards()[0]
    game = rl.openspiel_game(fernzug.board(name))
    text = pyspiel.serialize_game_and_state(game, game.new_initial_state())
    again, _ = pyspiel.deserialize_game_and_state(text)
    assert again.num_distinct_actions() == rl.layout(name).actions


def renew() -> None:
    """Write the stored playthrough again."""
    PLAYTHROUGH.write_text(playthrough(), encoding="utf-8")


if __name__ == "__main__":
    renew()
