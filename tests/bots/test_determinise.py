"""What a seat cannot know is dealt out in all the ways that agree with what it knows."""

import math
from collections import Counter

from fernzug import Board, Game, bots
from fernzug.engine import COMPILED
from fernzug.engine.chance import BOTS, Stream
from fernzug.engine.knowledge import SPECTATOR, Knowledge, determinise, knowledge_of
from fernzug.engine.playout import play_out
from fernzug.engine.state import NONE, OVER, State
from situations import at_every_table_slowly, on_every_board
from watch import NUMBERS, VECTORS, deck_of, offers_of, ticket_deck_of

ROUNDS = 2000 if COMPILED else 300


def walk(board: Board, players: int, every: int) -> list[Game]:
    """Return a game between planners and random players at some of its steps."""
    seats = [bots.make(("planner", "random")[seat % 2], board, seat) for seat in range(players)]
    game = Game(board, players, seed=21)
    found = []
    step = 0
    while (seat := game.seat) is not None:
        if step % every == 0 or game.phase == "keep":
            found.append(game.copy())
        step += 1
        view = game.view(seat)
        game.play(seats[seat].choose(view, view.legal))
    return [*found, game]


def knowledge(known: Knowledge) -> list[object]:
    """Return everything that a sight says, to be compared."""
    s = known.state
    vectors = (*VECTORS, "offer", "deck", "ticket_deck")
    own = ("hidden", "hand_count", "ticket_count", "offer_count")
    return [
        *(list(getattr(s, name)) for name in vectors),
        *(int(getattr(s, name)) for name in NUMBERS),
        *(list(getattr(known, name)) for name in own),
        int(known.unplaced),
    ]


def all_cards(s: State) -> list[int]:
    size = int(s.tables.colors) + 1
    return [
        sum(list(s.hands)[color::size])
        + int(s.discard[color])
        + deck_of(s).count(color)
        + list(s.faceup).count(color)
        for color in range(size)
    ]


def all_tickets(s: State) -> list[int]:
    held = [ticket for ticket in range(s.tables.tickets) if s.ticket_owner[ticket] != NONE]
    return sorted([*held, *ticket_deck_of(s), *(t for offer in offers_of(s) for t in offer)])


@at_every_table_slowly
def test_a_dealt_state_agrees_with_what_the_seat_knows(board: Board, players: int) -> None:
    stream = Stream(1, BOTS)
    for game in walk(board, players, every=7):
        for viewer in (*range(players), SPECTATOR):
            known = knowledge_of(game.state, viewer)
            for _ in range(3):
                dealt = determinise(known, stream)
                assert knowledge(knowledge_of(dealt, viewer)) == knowledge(known)
                # Flags that lie in front are neither in a hand nor discarded.
                assert all_cards(dealt) == all_cards(game.state)
                assert all_tickets(dealt) == all_tickets(game.state)
                assert min(dealt.hands) >= 0
                assert all(k <= h for k, h in zip(dealt.known, dealt.hands, strict=True))


@at_every_table_slowly
def test_a_dealt_game_can_be_played_to_its_end(board: Board, players: int) -> None:
    stream = Stream(2, BOTS)
    for game in walk(board, players, every=11)[:-1]:
        dealt = determinise(game.view(game.seat).knowledge, stream)
        play_out(dealt, stream)
        assert dealt.phase == OVER


def midgame(board: Board) -> Game:
    """Return a game in which the other seat holds some cards that nobody has seen."""
    game = Game(board, 2, seed=9)
    while game.phase == "setup":
        game.play(game.legal()[0])
    for _ in range(8):
        game.play("draw deck")
    return game


@on_every_board
def test_unseen_cards_are_spread_evenly(board: Board) -> None:
    game = midgame(board)
    known = game.view(0).knowledge
    size = int(known.state.tables.colors) + 1
    hidden = [int(number) for number in known.hidden]
    total = sum(hidden)
    unknown = int(known.hand_count[1]) - sum(list(known.state.known)[size:])
    assert 0 < unknown < total
    stream = Stream(3, BOTS)
    rounds = ROUNDS
    held = [0] * size
    top: Counter[int] = Counter()
    for _ in range(rounds):
        dealt = determinise(known, stream)
        for color in range(size):
            held[color] += int(dealt.hands[size + color] - dealt.known[size + color])
        top[int(dealt.deck[dealt.deck_size - 1])] += 1
    for color in range(size):
        # The number of a colour in the hand is hypergeometric.
        part = hidden[color] / total
        mean = unknown * part
        variance = unknown * part * (1 - part) * (total - unknown) / (total - 1)
        assert abs(held[color] / rounds - mean) <= 4.5 * math.sqrt(variance / rounds)
        # And every unseen card is as likely as any other to be the next of the deck.
        deviation = math.sqrt(part * (1 - part) / rounds)
        assert abs(top[color] / rounds - part) <= 4.5 * deviation


@on_every_board
def test_unseen_tickets_are_spread_evenly(board: Board) -> None:
    game = midgame(board)
    known = game.view(0).knowledge
    own = {i for i in range(len(board.tickets)) if known.state.ticket_owner[i] == 0}
    returned = {i for i in range(len(board.tickets)) if known.state.returned[i]}
    unseen = [i for i in range(len(board.tickets)) if i not in own | returned]
    stream = Stream(4, BOTS)
    rounds = ROUNDS
    held: Counter[int] = Counter()
    for _ in range(rounds):
        dealt = determinise(known, stream)
        held.update(i for i in range(len(board.tickets)) if dealt.ticket_owner[i] == 1)
    # What the seat has given back lies under the deck, and nobody has drawn that far.
    assert not set(held) & (own | returned)
    part = int(known.ticket_count[1]) / len(unseen)
    for ticket in unseen:
        deviation = math.sqrt(part * (1 - part) / rounds)
        assert abs(held[ticket] / rounds - part) <= 4.5 * deviation


@on_every_board
def test_the_same_stream_deals_the_same(board: Board) -> None:
    known = midgame(board).view(0).knowledge
    hands = {tuple(determinise(known, Stream(5, BOTS)).hands) for _ in range(3)}
    decks = {tuple(determinise(known, Stream(seed, BOTS)).deck) for seed in range(5)}
    assert (len(hands), len(decks)) == (1, 5)
