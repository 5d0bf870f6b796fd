"""The parts of a connection that replace larger ones of its libraries."""

from __future__ import annotations

import asyncio

import pytest
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from fernzug.server.wire import Flag, Inbox, SocketProtocol, text_frame


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 65_535, 65_536, 100_000])
def test_a_text_is_framed_as_the_library_does_it(length: int) -> None:
    data = b"x" * length
    assert text_frame(data) == Frame(Opcode.TEXT, data).serialize(mask=False)


def test_everybody_who_waits_for_a_flag_goes_on_when_it_is_set() -> None:
    async def run() -> None:
        flag = Flag(up=False)
        waiting = [asyncio.create_task(flag.wait()) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        assert not flag.is_set()
        flag.set()
        assert await asyncio.gather(*waiting[1:]) == [None, None]
        assert waiting[0].cancelled()
        await flag.wait()
        flag.clear()
        late = asyncio.create_task(flag.wait())
        flag.set()
        flag.clear()
        await asyncio.sleep(0)
        assert not late.done()
        flag.set()
        await late

    asyncio.run(run())


def test_an_inbox_gives_messages_in_the_order_in_which_they_came() -> None:
    async def run() -> None:
        inbox = Inbox()
        first = asyncio.create_task(inbox.get())
        await asyncio.sleep(0)
        assert inbox.empty()
        for message in ("one", "two", "three"):
            inbox.put_nowait(message)
        assert await first == "one"
        assert [await inbox.get(), await inbox.get()] == ["two", "three"]
        assert inbox.empty()

    asyncio.run(run())


class Tap(asyncio.Transport):
    """A transport that remembers whether it is read."""

    flows = True

    def pause_reading(self) -> None:
        self.flows = False

    def resume_reading(self) -> None:
        self.flows = True


async def nothing(scope: object, receive: object, send: object) -> None:
    """An application that does nothing."""


def test_reading_stops_only_while_a_second_message_waits() -> None:
    async def run() -> None:
        config = Config(nothing, log_config=None)
        config.load()
        wire = SocketProtocol(config=config, server_state=ServerState(), app_state={})
        wire.transport = tap = Tap()

        def arrive(text: bytes) -> None:
            wire.handle_text(Frame(Opcode.TEXT, text))

        for text, flows in ((b"one", True), (b"two", False)):
            arrive(text)
            assert tap.flows == flows
        assert [await wire.read(), wire.has_more, tap.flows] == ["one", True, False]
        assert [await wire.read(), wire.has_more, tap.flows] == ["two", False, True]

    asyncio.run(run())
