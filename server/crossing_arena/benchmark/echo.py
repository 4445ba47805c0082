"""The yardstick: a raw gRPC stream that carries one answer a message, with nothing behind it.

`python -m crossing_arena.benchmark.echo ADDRESS` is its client.
"""

import asyncio
import sys
import time
from pathlib import Path
from typing import Any

import grpc

from crossing_sdk.codec import CODECS
from crossing_sdk.games import seed_from
from crossing_sdk.wire import arena_pb2 as pb
from crossing_sdk.wire import arena_pb2_grpc as rpc


class _Echo(rpc.ArenaServicer):
    """Asks without end, and counts the answers."""

    def __init__(self) -> None:
        self.answers = 0
        self.clients = 0
        self.changed = asyncio.Event()

    async def Play(self, _requests: Any, context: Any) -> None:  # type: ignore[override]  # noqa: N802
        await context.read()
        self.clients += 1
        self.changed.set()
        ask = _typical_ask()
        while True:
            await context.write(ask)
            if await context.read() is grpc.aio.EOF:
                return
            self.answers += 1


def _typical_ask() -> pb.PlayResponse:
    """A frame like one of the arena's."""
    codec = CODECS["crossing"]
    position = codec.game.start(4, seed_from("echo"))
    frame = pb.PlayResponse()
    ask = frame.asks.add(table=1, token=1, seat=1, turn=1, beat=3, limit_ms=1000)
    codec.put_view(ask, codec.table(position), position.legal(1))
    return frame


async def measure(folder: Path, clients: int, seconds: float) -> float:
    """Decisions a second of so many echo clients, each in a process of its own."""
    echo = _Echo()
    server = grpc.aio.server()
    rpc.add_ArenaServicer_to_server(echo, server)
    address = f"unix:{folder / 'echo.sock'}"
    server.add_insecure_port(address)
    await server.start()
    command = (sys.executable, "-m", "crossing_arena.benchmark.echo", address)
    processes = [await asyncio.create_subprocess_exec(*command) for _ in range(clients)]
    try:
        while echo.clients < clients:
            echo.changed.clear()
            await echo.changed.wait()
        before, started = echo.answers, time.perf_counter()
        await asyncio.sleep(seconds)
        return (echo.answers - before) / (time.perf_counter() - started)
    finally:
        for process in processes:
            process.kill()
        await asyncio.gather(*(process.wait() for process in processes))
        await server.stop(grace=0)


async def answer(address: str) -> None:
    """Answer every ask at once."""
    async with grpc.aio.insecure_channel(address) as channel:
        call: Any = rpc.ArenaStub(channel).Play()
        await call.write(pb.PlayRequest(hello=pb.Hello(protocol=1)))
        while (frame := await call.read()) is not grpc.aio.EOF:
            ask = frame.asks[0]
            await call.write(pb.PlayRequest(answers=[pb.Answer(token=ask.token, crossing=ask.crossing.legal[0])]))


if __name__ == "__main__":
    asyncio.run(answer(sys.argv[1]))
