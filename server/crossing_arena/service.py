"""The arena's door: turns a bot's gRPC stream into a guest's link. The only module here that imports grpc."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from crossing_arena.guest import Guest
from crossing_sdk.wire import arena_pb2 as pb
from crossing_sdk.wire import arena_pb2_grpc as rpc

HELLO_SECONDS = 10.0
"""A stream that says nothing is closed after this."""

_NAME = pb.DESCRIPTOR.services_by_name["Arena"].full_name
_OPTIONS = [
    ("grpc.max_receive_message_length", 1 << 20),
    ("grpc.so_reuseport", 0),
]

_Context = grpc.aio.ServicerContext[pb.PlayRequest, pb.PlayResponse]


class StreamLink:
    """The way out to a bot: frames wait here until the stream takes them."""

    def __init__(self) -> None:
        self._frames: asyncio.Queue[pb.PlayResponse | None] = asyncio.Queue()
        self._closed = False

    def send(self, frame: pb.PlayResponse) -> None:
        """Write a frame soon."""
        if not self._closed:
            self._frames.put_nowait(frame)

    def close(self) -> None:
        """End the stream after what was sent."""
        if not self._closed:
            self._closed = True
            self._frames.put_nowait(None)

    async def frames(self) -> AsyncIterator[pb.PlayResponse]:
        """What to write, until closed."""
        while (frame := await self._frames.get()) is not None:
            yield frame


class Tickets:
    """Which secret token admits which guest; kept as hashes, so that a look-up tells nothing by its time."""

    def __init__(self) -> None:
        self._guests: dict[bytes, Guest] = {}
        self._inside: set[bytes] = set()

    def issue(self, token: str, guest: Guest) -> None:
        """From now on the token admits this guest."""
        self._guests[_digest(token)] = guest

    def withdraw(self, token: str) -> None:
        """The token admits nobody any more."""
        self._guests.pop(_digest(token), None)

    def enter(self, token: str) -> Guest:
        """The guest of a token, which is now in use; raises KeyError or, if it is in use already, ValueError."""
        digest = _digest(token)
        guest = self._guests[digest]
        if digest in self._inside:
            raise ValueError("in use")
        self._inside.add(digest)
        return guest

    def leave(self, token: str) -> None:
        """The guest of this token hung up."""
        self._inside.discard(_digest(token))


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


class ArenaService(rpc.ArenaServicer):
    """`Arena.Play`, as proto/arena.proto promises it."""

    def __init__(self, tickets: Tickets) -> None:
        self._tickets = tickets
        self.arrivals: dict[Guest, asyncio.Future[None]] = {}
        """Done when a guest that is expected has said hello."""
        self.departures: dict[Guest, asyncio.Future[None]] = {}
        """Done when a guest has hung up."""

    async def Play(self, _requests: Any, context: _Context) -> None:  # type: ignore[override]  # noqa: N802
        """One bot process, from hello to goodbye."""
        hello = await self._hello(context)
        guest = await self._admit(hello, context)
        link = StreamLink()
        departure = self.departures.get(guest)
        reader = asyncio.create_task(_read(context, guest, link))
        guest.arrive(hello, link)
        _settle(self.arrivals.get(guest))
        try:
            async for frame in link.frames():
                await context.write(frame)
        finally:
            self._tickets.leave(hello.token)
            guest.lose(link)
            _settle(departure)
            reader.cancel()

    def forget(self, guest: Guest) -> None:
        """This guest is not expected any more."""
        self.arrivals.pop(guest, None)
        self.departures.pop(guest, None)

    async def _hello(self, context: _Context) -> pb.Hello:
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                frame: Any = await context.read()
        except TimeoutError:
            await context.abort(grpc.StatusCode.DEADLINE_EXCEEDED, f"no hello within {HELLO_SECONDS:.0f} s")
        if frame is grpc.aio.EOF or not frame.HasField("hello"):
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, "the first frame must carry hello")
        hello: pb.Hello = frame.hello
        return hello

    async def _admit(self, hello: pb.Hello, context: _Context) -> Guest:
        try:
            guest = self._tickets.enter(hello.token)
        except KeyError:
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "this token admits nobody; use the one you were given")
        except ValueError:
            await context.abort(grpc.StatusCode.ALREADY_EXISTS, "this token is in use by another stream")
        if why := guest.greet(hello):
            self._tickets.leave(hello.token)
            arrival = self.arrivals.get(guest)
            if arrival and not arrival.done():
                arrival.set_exception(UnwelcomeError(why))
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, why)
        return guest


class UnwelcomeError(Exception):
    """A bot said hello, but cannot play here; the words say why."""


def _settle(future: "asyncio.Future[None] | None") -> None:
    if future and not future.done():
        future.set_result(None)


async def _read(context: Any, guest: Guest, link: StreamLink) -> None:
    """Read to the end of the stream. Never cancelled while the stream lives: a cancelled read would end it."""
    try:
        while (frame := await context.read()) is not grpc.aio.EOF:
            guest.received(frame)
    finally:
        link.close()


class Door:
    """A running gRPC server for bots, on a Unix socket."""

    def __init__(self, folder: Path) -> None:
        self.tickets = Tickets()
        self.service = ArenaService(self.tickets)
        self.address = f"unix:{folder / 'arena.sock'}"
        self._server = grpc.aio.server(options=_OPTIONS)
        rpc.add_ArenaServicer_to_server(self.service, self._server)
        self._health = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection([_NAME, health.SERVICE_NAME, reflection.SERVICE_NAME], self._server)
        self._server.add_insecure_port(self.address)

    async def open(self) -> None:
        """Listen."""
        await self._server.start()
        for name in ("", _NAME):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)

    async def close(self) -> None:
        """Say goodbye to all, and stop listening."""
        await self._health.enter_graceful_shutdown()
        await self._server.stop(grace=1.0)
