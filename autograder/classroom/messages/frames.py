"""Messages over a socket between the judge and a jail: a JSON document and arrays as bytes, each of bounded size."""

from __future__ import annotations

import json
import math
import re
import socket
import struct
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.classroom.messages.travel import number_as_json, number_of

HEADER = struct.Struct(">QQ")  # bytes of the document, bytes of the arrays behind it
MAX_DOCUMENT_BYTES = 8 << 20
MAX_ARRAY_BYTES = 1 << 30
KINDS = "biufc"  # of the dtypes that travel
TURN_S = 0.25
HALF_CHARACTER = re.compile(rb"\\u[dD][89a-fA-F]")  # or a whole one of two halves


class FrameError(ValueError):
    """What came is no message of ours."""


class Closed(Exception):
    """The other side has gone."""


class TooLate(Exception):
    """No whole message came, or was read, in time."""


def send(
    channel: socket.socket,
    document: dict[str, Any],
    arrays: dict[str, np.ndarray] | None = None,
    seconds: float = math.inf,
    meanwhile: Callable[[], None] = lambda: None,
) -> None:
    """Write one message. seconds: that the other side may take to read it; meanwhile: as in `receive`.

    Raises: Closed when nobody listens, TooLate when nobody reads.
    """
    arrays = arrays or {}
    geometry = [[name, array.dtype.str, list(array.shape), _order(array)] for name, array in arrays.items()]
    text = json.dumps({"document": document, "arrays": geometry}, default=_plain).encode()
    deadline, meanwhile = time.monotonic() + seconds, _every_turn(meanwhile)
    header = HEADER.pack(len(text), sum(array.nbytes for array in arrays.values()))
    _all_of(channel, header + text, deadline, meanwhile)
    for array in arrays.values():
        _all_of(channel, array.tobytes(order="A") if array.size else b"", deadline, meanwhile)


def receive(
    channel: socket.socket,
    seconds: float = math.inf,
    meanwhile: Callable[[], None] = lambda: None,
    most_bytes: int = MAX_ARRAY_BYTES,
    from_a_jail: bool = False,
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Read one message. meanwhile: called a few times a second until it is here, and may raise; most_bytes: of arrays;
    from_a_jail: half characters, which JSON can say and no file can hold, come as they would be typed.

    Raises: Closed, TooLate, and FrameError for anything that `send` does not write.
    """
    deadline, meanwhile = time.monotonic() + seconds, _every_turn(meanwhile)
    n_text, n_arrays = HEADER.unpack(_exactly(channel, HEADER.size, deadline, meanwhile))
    if n_text > MAX_DOCUMENT_BYTES or n_arrays > min(most_bytes, MAX_ARRAY_BYTES):
        raise FrameError("a message is too long")
    text = _exactly(channel, n_text, deadline, meanwhile)
    content = _exactly(channel, n_arrays, deadline, meanwhile)
    try:
        message = json.loads(bytes(text))
        if from_a_jail and HALF_CHARACTER.search(text):
            message = _whole_text(message)
        document, geometry = message["document"], message["arrays"]
        if not isinstance(document, dict):
            raise FrameError("a message is no document")
        return document, _arrays(geometry, content)
    except FrameError:
        raise
    except (ValueError, TypeError, KeyError, RecursionError, OverflowError) as error:
        raise FrameError(f"a message is not as it should be ({type(error).__name__})") from None


def _every_turn(meanwhile: Callable[[], None]) -> Callable[[], None]:
    """The same, but no more often than once per iteration, so that it can be called after every byte."""
    last = -math.inf

    def now_and_then() -> None:
        nonlocal last
        if time.monotonic() - last >= TURN_S:
            meanwhile()
            last = time.monotonic()

    return now_and_then


def _whole_text(value: Any) -> Any:
    """A document whose texts can be written down: half a character becomes ``\\udcff``."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, list):
        return [_whole_text(part) for part in value]
    if isinstance(value, dict):
        return {_whole_text(key): _whole_text(part) for key, part in value.items()}
    return value


def values_out(values: dict[str, Any]) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Arguments as what `send` takes: numbers and the order of all names, and arrays."""
    arrays = {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
    numbers = {name: number_as_json(value) for name, value in values.items() if name not in arrays}
    return {"names": list(values), "numbers": numbers}, arrays


def values_in(document: dict[str, Any], arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    """What `values_out` sent, in its order."""
    numbers = document["numbers"]
    return {name: arrays[name] if name in arrays else number_of(numbers[name]) for name in document["names"]}


def _arrays(geometry: list, content: bytearray) -> dict[str, np.ndarray]:
    """The arrays of a message, as writable copies of their own."""
    arrays, offset = {}, 0
    for name, kind, shape, order in geometry:
        dtype = np.dtype(str(kind))
        if dtype.kind not in KINDS or order not in ("C", "F") or not all(type(extent) is int for extent in shape):
            raise FrameError("a message holds something other than numbers")
        n_bytes = math.prod(shape) * dtype.itemsize
        if min(shape, default=0) < 0 or offset + n_bytes > len(content):
            raise FrameError("a message is shorter than its arrays")
        flat = np.frombuffer(content, dtype, math.prod(shape), offset) if n_bytes else np.empty(0, dtype)
        arrays[str(name)] = flat.reshape(shape, order=order).copy(order="K")
        offset += n_bytes
    return arrays


def _all_of(channel: socket.socket, content: bytes, deadline: float, meanwhile: Callable[[], None]) -> None:
    """Write all bytes, however slowly they are read: `sendall` would keep to the timeout that the last read left."""
    view = memoryview(content)
    while view:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TooLate
        channel.settimeout(min(left, TURN_S))
        try:
            view = view[channel.send(view) :]
        except TimeoutError:
            pass
        except OSError:
            raise Closed from None
        meanwhile()  # though bytes are moving: who moves one at a time may do anything beside


def _exactly(channel: socket.socket, n_bytes: int, deadline: float, meanwhile: Callable[[], None]) -> bytearray:
    """So many bytes, in time."""
    content = bytearray(n_bytes)
    view, at = memoryview(content), 0
    while at < n_bytes:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TooLate
        channel.settimeout(min(left, TURN_S))
        try:
            got = channel.recv_into(view[at:])
        except TimeoutError:
            meanwhile()
            continue
        except OSError:
            raise Closed from None
        meanwhile()
        if not got:
            raise Closed
        at += got
    return content


def _order(array: np.ndarray) -> str:
    return "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"


def _plain(value: Any) -> Any:
    """NumPy's scalars in a document as numbers, sets as lists, anything else as text."""
    if isinstance(value, np.generic):
        return value.item()
    return sorted(value) if isinstance(value, set | frozenset) else str(value)
