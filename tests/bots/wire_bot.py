"""The wire by hand, for bots that do what the SDK would not let them do."""

import os
import sys
from collections.abc import Iterator
from queue import SimpleQueue

import grpc

from crossing_sdk.wire import arena_pb2 as pb
from crossing_sdk.wire import arena_pb2_grpc as rpc


class Wire:
    """A stream to the arena that has said hello."""

    def __init__(self, token: str = "", *, talks: bool = False) -> None:
        self.token = token or sys.stdin.readline().strip()
        self._frames: SimpleQueue[pb.PlayRequest | None] = SimpleQueue()
        self.channel = grpc.insecure_channel(os.environ["CROSSING_ADDRESS"])
        self.hello = pb.Hello(token=self.token, protocol=1, sdk="by hand", games=["crossing"], talks=talks)
        self.send(pb.PlayRequest(hello=self.hello))
        self._call = rpc.ArenaStub(self.channel).Play(iter(self._frames.get, None))

    def send(self, frame: pb.PlayRequest) -> None:
        """Send any frame."""
        self._frames.put(frame)

    def point(self, token: int, move: int) -> None:
        """Answer with a move, as the wire numbers it, and with any token."""
        self.send(pb.PlayRequest(answers=[pb.Answer(token=token, crossing=move)]))  # type: ignore[arg-type]

    def asks(self) -> Iterator[pb.Ask]:
        """What the arena asks, until it ends the stream."""
        for frame in self._call:
            yield from frame.asks
