"""The arena's door, knocked at with real gRPC: who is let in, and what the others are told."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from arena.place import Place
from crossing_arena import service
from crossing_arena.guest import Guest
from crossing_arena.hall import Lag, Slots
from crossing_arena.service import Door, UnwelcomeError
from crossing_sdk.wire import arena_pb2 as pb
from crossing_sdk.wire import arena_pb2_grpc as rpc

TOKEN = "fox's own"


class Caller:
    """A bot's side of a stream."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.call: Any = rpc.ArenaStub(channel).Play()

    async def say(self, frame: pb.PlayRequest) -> None:
        await self.call.write(frame)

    async def hear(self) -> Any:
        """The next frame; None at a proper end."""
        frame = await self.call.read()
        return None if frame is grpc.aio.EOF else frame

    async def refusal(self) -> tuple[str, str]:
        """Why the arena ended the stream."""
        with suppress(grpc.aio.AioRpcError):
            while await self.hear() is not None:
                pass
        return (await self.call.code()).name, await self.call.details()


def hello(token: str = TOKEN, protocol: int = 1, games: tuple[str, ...] = ("crossing",)) -> pb.PlayRequest:
    return pb.PlayRequest(hello=pb.Hello(token=token, protocol=protocol, games=games))


def at_door(place: Place, scene: Callable[[Door, Guest, grpc.aio.Channel], Awaitable[None]]) -> None:
    """Play a scene at a door that has a ticket for one guest."""

    async def whole() -> None:
        door = Door(place.folder)
        await door.open()
        lag = Lag()
        lag.start()
        guest = Guest("fox", Slots(1), lag)
        door.tickets.issue(TOKEN, guest)
        try:
            async with asyncio.timeout(20), grpc.aio.insecure_channel(door.address) as channel:
                await scene(door, guest, channel)
        finally:
            lag.stop()
            await door.close()

    asyncio.run(whole())


def test_a_bot_with_its_token_is_welcome(place: Place) -> None:
    async def scene(_door: Door, _guest: Guest, channel: grpc.aio.Channel) -> None:
        fox = Caller(channel)
        await fox.say(hello())
        welcome = (await fox.hear()).welcome
        assert (welcome.protocol, welcome.name) == (1, "fox")

    at_door(place, scene)


@pytest.mark.parametrize("token", ["made up", "", TOKEN[:-1], TOKEN + " "])
def test_a_token_that_nobody_was_given_admits_nobody(place: Place, token: str) -> None:
    async def scene(_door: Door, _guest: Guest, channel: grpc.aio.Channel) -> None:
        stranger = Caller(channel)
        await stranger.say(hello(token))
        assert await stranger.refusal() == (
            "UNAUTHENTICATED",
            "this token admits nobody; use the one you were given",
        )

    at_door(place, scene)


def test_a_withdrawn_token_admits_nobody_but_who_is_inside_stays(place: Place) -> None:
    async def scene(door: Door, guest: Guest, channel: grpc.aio.Channel) -> None:
        fox = Caller(channel)
        await fox.say(hello())
        await fox.hear()
        door.tickets.withdraw(TOKEN)
        late = Caller(channel)
        await late.say(hello())
        assert (await late.refusal())[0] == "UNAUTHENTICATED"
        guest.show_out()
        assert await fox.hear() is None

    at_door(place, scene)


def test_of_two_streams_with_one_token_the_second_is_refused_and_the_first_not_disturbed(place: Place) -> None:
    async def scene(_door: Door, guest: Guest, channel: grpc.aio.Channel) -> None:
        first, second = Caller(channel), Caller(channel)
        await first.say(hello())
        await first.hear()
        await second.say(hello())
        assert await second.refusal() == ("ALREADY_EXISTS", "this token is in use by another stream")
        guest.show_out()
        assert await first.hear() is None
        assert (await first.call.code()).name == "OK"

    at_door(place, scene)


def test_who_hung_up_may_come_again_with_the_same_token(place: Place) -> None:
    async def scene(door: Door, guest: Guest, channel: grpc.aio.Channel) -> None:
        departed = door.service.departures[guest] = asyncio.get_running_loop().create_future()
        first = Caller(channel)
        await first.say(hello())
        await first.hear()
        await first.call.done_writing()
        await departed
        again = Caller(channel)
        await again.say(hello())
        assert (await again.hear()).welcome.name == "fox"

    at_door(place, scene)


def test_the_end_of_an_old_stream_is_not_the_end_of_the_new_one(place: Place) -> None:
    """A process that crashed is started again; the door may notice the end of its old stream only then."""

    async def scene(door: Door, guest: Guest, channel: grpc.aio.Channel) -> None:
        loop = asyncio.get_running_loop()
        door.tickets.issue("its next", guest)
        departures = door.service.departures
        departures[guest] = loop.create_future()
        old, new = Caller(channel), Caller(channel)
        await old.say(hello())
        await old.hear()
        departed = departures[guest] = loop.create_future()
        await old.call.done_writing()
        while await old.hear() is not None:
            pass
        await new.say(hello("its next"))
        assert (await new.hear()).welcome.name == "fox"
        assert not departed.done()

    at_door(place, scene)


def test_who_says_nothing_is_sent_away_after_a_while(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "HELLO_SECONDS", 0.05)

    async def scene(_door: Door, _guest: Guest, channel: grpc.aio.Channel) -> None:
        code, details = await Caller(channel).refusal()
        assert code == "DEADLINE_EXCEEDED"
        assert details.startswith("no hello within")

    at_door(place, scene)


@pytest.mark.parametrize(
    "first",
    [pb.PlayRequest(), pb.PlayRequest(answers=[pb.Answer(token=1)])],
    ids=["empty", "answer"],
)
def test_the_first_frame_must_be_a_hello(place: Place, first: pb.PlayRequest) -> None:
    async def scene(_door: Door, _guest: Guest, channel: grpc.aio.Channel) -> None:
        rude = Caller(channel)
        await rude.say(first)
        assert await rude.refusal() == ("FAILED_PRECONDITION", "the first frame must carry hello")

    at_door(place, scene)


def test_who_ends_the_stream_before_its_hello_is_told_what_was_missing(place: Place) -> None:
    async def scene(_door: Door, _guest: Guest, channel: grpc.aio.Channel) -> None:
        shy = Caller(channel)
        await shy.call.done_writing()
        assert await shy.refusal() == ("FAILED_PRECONDITION", "the first frame must carry hello")

    at_door(place, scene)


def test_who_speaks_another_protocol_is_told_and_so_is_whoever_waits_for_it(place: Place) -> None:
    async def scene(door: Door, guest: Guest, channel: grpc.aio.Channel) -> None:
        arrival = door.service.arrivals[guest] = asyncio.get_running_loop().create_future()
        old = Caller(channel)
        await old.say(hello(protocol=2))
        words = "this arena speaks protocol 1, your bot 2; use a matching SDK"
        assert await old.refusal() == ("FAILED_PRECONDITION", words)
        with pytest.raises(UnwelcomeError, match=words):
            await arrival
        door.service.arrivals[guest] = asyncio.get_running_loop().create_future()
        mended = Caller(channel)
        await mended.say(hello())
        assert (await mended.hear()).welcome.name == "fox", "the token is free again"

    at_door(place, scene)


def test_a_frame_too_large_ends_only_its_own_stream(place: Place) -> None:
    async def scene(door: Door, _guest: Guest, channel: grpc.aio.Channel) -> None:
        door.tickets.issue("owl's own", Guest("owl", Slots(1), Lag()))
        fox, owl = Caller(channel), Caller(channel)
        for caller, token in ((fox, TOKEN), (owl, "owl's own")):
            await caller.say(hello(token))
            await caller.hear()
        await fox.say(pb.PlayRequest(failures=[pb.Failure(text="x" * (2 << 20))]))
        assert (await fox.refusal())[0] == "RESOURCE_EXHAUSTED"
        third = Caller(channel)
        await third.say(hello("owl's own"))
        assert (await third.refusal())[0] == "ALREADY_EXISTS", "owl is still inside"

    at_door(place, scene)


def test_the_arena_is_healthy(place: Place) -> None:
    async def scene(_door: Door, _guest: Guest, channel: grpc.aio.Channel) -> None:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        for name in ("", "crossing_arena.v1.Arena"):
            response = await stub.Check(health_pb2.HealthCheckRequest(service=name))
            assert response.status == health_pb2.HealthCheckResponse.SERVING
        with pytest.raises(grpc.aio.AioRpcError) as unknown:
            await stub.Check(health_pb2.HealthCheckRequest(service="crossing_arena.v2.Arena"))
        assert unknown.value.code() is grpc.StatusCode.NOT_FOUND

    at_door(place, scene)


def test_tools_can_see_what_the_arena_offers(place: Place) -> None:
    async def scene(_door: Door, _guest: Guest, channel: grpc.aio.Channel) -> None:
        stub: Any = reflection_pb2_grpc.ServerReflectionStub(channel)  # type: ignore[arg-type]
        call = stub.ServerReflectionInfo()
        await call.write(reflection_pb2.ServerReflectionRequest(list_services=""))
        services = {one.name for one in (await call.read()).list_services_response.service}
        assert {"crossing_arena.v1.Arena", "grpc.health.v1.Health"} <= services
        await call.write(reflection_pb2.ServerReflectionRequest(file_containing_symbol="crossing_arena.v1.Arena"))
        assert (await call.read()).file_descriptor_response.file_descriptor_proto
        await call.done_writing()

    at_door(place, scene)
