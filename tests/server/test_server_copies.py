"""A table that is in memory twice: it must not come to that, and would do no harm."""

from __future__ import annotations

import asyncio
import json

from server.live import PATIENCE, LiveServer, open_socket, wait_for


def test_whoever_had_to_wait_comes_to_the_table_that_is_in_memory_now(
    own_server: LiveServer,
) -> None:
    made = own_server.make("here", "here")
    lobby = own_server.site.lobby
    loop = lobby._housekeeper.get_loop()
    asyncio.run_coroutine_threadsafe(lobby.arriving.acquire(), loop).result(PATIENCE)
    late = open_socket(own_server, made["table"])
    late.send('{"type":"hello","tokens":[],"seen":null}')
    wait_for(lambda: lobby.arriving._waiters)
    own_server.call(lambda: lobby.rooms.pop(made["table"]))
    own_server.get(f"/api/tables/{made['table']}")
    own_server.call(lobby.arriving.release)
    assert json.loads(late.recv(timeout=PATIENCE))["type"] == "snapshot"
    assert len(lobby.rooms[made["table"]].connections) == 1
    late.close()


def test_two_copies_of_a_table_hear_of_each_other_in_the_store(own_server: LiveServer) -> None:
    made = own_server.make("here", "here")
    one = own_server.visit(made, 0)
    own_server.call(lambda: own_server.site.lobby.rooms.pop(made["table"]))
    other = own_server.visit(made, 1)
    assert one.play(0, "keep 1 2")["type"] == "ack"
    assert other.play(1, "keep 1 2")["type"] == "ack"
    assert one.seq + 1 == other.seq
    one.close()
    other.close()
