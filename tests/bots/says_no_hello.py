"""Connects, opens a stream and says nothing.

Expected: START-UP in turn 1; benched.
"""

import os
from queue import SimpleQueue

import grpc

from crossing_sdk.wire import arena_pb2 as pb
from crossing_sdk.wire import arena_pb2_grpc as rpc

silence: SimpleQueue[pb.PlayRequest] = SimpleQueue()
with grpc.insecure_channel(os.environ["CROSSING_ADDRESS"]) as channel:
    for _frame in rpc.ArenaStub(channel).Play(iter(silence.get, None)):
        pass
