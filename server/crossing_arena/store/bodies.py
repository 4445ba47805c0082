"""Replays and logs as they are kept: compressed, and a log no longer than it may be."""

from collections.abc import Iterable

import zstandard

LOG_HEAD, LOG_TAIL = 68 * 1024, 4 * 1024
"""How many bytes of a bot's log are kept from its beginning and its end."""
_LEVEL = 3
_LARGEST = 1 << 30


class Damaged(ValueError):
    """A body is not what was kept."""


def squeeze(bodies: Iterable[bytes]) -> list[bytes]:
    """Each body, compressed by itself."""
    squeezer = zstandard.ZstdCompressor(level=_LEVEL)  # costly to make, and not for two threads at once
    return [squeezer.compress(body) for body in bodies]


def unsqueeze(squeezed: bytes) -> bytes:
    """The body that was compressed."""
    try:
        if zstandard.frame_content_size(squeezed) > _LARGEST:  # damage, or a bomb: do not even try
            raise Damaged("it claims an impossible size")
        return zstandard.ZstdDecompressor().decompress(squeezed)
    except zstandard.ZstdError as error:
        raise Damaged(str(error)) from error


def squeeze_log(text: str) -> bytes:
    """A log, compressed; of one that is too long, the first and the last words."""
    whole = text.encode(errors="surrogatepass")
    dropped = len(whole) - LOG_HEAD - LOG_TAIL
    if dropped > 0:
        head, tail = whole[:LOG_HEAD].decode(errors="ignore"), whole[-LOG_TAIL:].decode(errors="ignore")
        whole = f"{head}\n... {dropped} bytes dropped ...\n{tail}".encode()
    [squeezed] = squeeze([whole])
    return squeezed


def unsqueeze_log(squeezed: bytes) -> str:
    """The log that was compressed."""
    return unsqueeze(squeezed).decode(errors="surrogatepass")
