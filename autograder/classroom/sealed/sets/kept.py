"""Drawn sets in memory that other processes can map: inputs in one piece, what the oracle says of them in another.

Such a piece has no name in any file system. It is sealed, so nobody can change it, and it is gone with the last process
that has it, however that ends. A launcher is sent the piece of the inputs, and nobody the other.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.classroom.sealed.region import ALIGNED, Unchanging
from autograder.classroom.sealed.sets.drawing import Drawn
from autograder.contract import Exercise

try:
    import fcntl
except ImportError:  # Windows, which has no jail, and so no sets
    fcntl = None

AT_ONCE = 1 << 30  # bytes of one call that writes
LENGTH = 8  # bytes of the number that says how long the index is
KEY = 64  # characters behind each piece, so that none is taken for another


class Kept:
    """Sets that lie in two pieces, whose descriptors are this object's from now on. drawn: one a set; inputs: what a
    launcher is sent, where `at` says what lies in it.

    Raises: ValueError where the pieces are not sealed, or not those of the key.
    """

    def __init__(self, key: str, inputs: int, oracle: int):
        self.inputs, self.oracle = (_mapped(key, descriptor) for descriptor in (inputs, oracle))
        end = self.oracle.n_bytes - KEY - LENGTH
        n_bytes = int.from_bytes(self.oracle.part(end, LENGTH).tobytes(), "little")
        self._index = json.loads(self.oracle.part(end - n_bytes, n_bytes).tobytes())
        self.drawn = [Drawn(*({n: self._restored(v) for n, v in part.items()} for part in one)) for one in self._index]

    @property
    def n_bytes(self) -> int:
        return self.inputs.n_bytes + self.oracle.n_bytes

    def at(self, number: int) -> dict[str, int]:
        """Where among the inputs the arrays of one set begin, by name."""
        values, *_ = self._index[number]
        return {name: said["inputs"] for name, said in values.items() if "inputs" in said}

    def close(self) -> None:
        """Let go of it; arrays that are still in use keep their memory until they go."""
        self.inputs.close()
        self.oracle.close()

    def _restored(self, said: dict[str, Any]) -> Any:
        if "number" in said:
            number = np.frombuffer(bytes.fromhex(said["number"]), said["dtype"])[0]
            return number.item() if said["plain"] else number
        if "inputs" not in said and "oracle" not in said:
            return np.zeros(said["shape"], said["dtype"])
        piece, at = (self.inputs, said["inputs"]) if "inputs" in said else (self.oracle, said["oracle"])
        n_bytes = int(np.prod(said["shape"], dtype=np.int64)) * np.dtype(said["dtype"]).itemsize
        return piece.part(at, n_bytes).view(said["dtype"]).reshape(said["shape"])


def keep(key: str, exercise: Exercise, drawn: Iterable[Drawn]) -> Kept:
    """Copy sets, in their order, into memory of their own. What is overwritten before each launch is not copied."""
    inputs, oracle = _Writer(), _Writer()
    roles = {argument.name: argument.role for argument in exercise.arguments}
    index = []
    for one in drawn:
        values = {
            name: _said(value, "inputs", inputs if roles.get(name) in ("in", "inout") else None)
            for name, value in one.values.items()
        }
        index.append([values, *(_all_said(part, oracle) for part in (one.expected, one.bounds))])
    text = json.dumps(index).encode()
    oracle.add(np.frombuffer(text + len(text).to_bytes(LENGTH, "little"), np.uint8), padded=False)
    return Kept(key, inputs.sealed(key), oracle.sealed(key))


def _all_said(values: Mapping[str, Any], oracle: _Writer) -> dict[str, Any]:
    return {name: _said(value, "oracle", oracle) for name, value in values.items()}


def _said(value: Any, piece: str, writer: _Writer | None) -> dict[str, Any]:
    """What the index says of a value. writer: of the piece that it is copied to; None for an array of which only the
    geometry counts.
    """
    array = np.asarray(value)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"a {type(value).__name__} among the values of a timed set")
    if not isinstance(value, np.ndarray):
        plain = not isinstance(value, np.generic)
        return {"number": array.tobytes().hex(), "dtype": array.dtype.str, "plain": plain}
    said: dict[str, Any] = {"dtype": array.dtype.str, "shape": list(array.shape)}
    return said if writer is None else {**said, piece: writer.add(array)}


class _Writer:
    """A piece that is being written, one array after the other."""

    def __init__(self) -> None:
        self.descriptor = os.memfd_create("warpbook-timed", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        self.n_bytes = 0

    def add(self, array: np.ndarray, padded: bool = True) -> int:
        """Returns: where it lies."""
        begun = self.n_bytes
        flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        for at in range(0, flat.size, AT_ONCE):
            self._write(flat[at : at + AT_ONCE], begun + at)
        self.n_bytes = -(-(begun + flat.size) // ALIGNED) * ALIGNED if padded else begun + flat.size
        return begun

    def _write(self, part: np.ndarray, at: int) -> None:
        while part.size:
            written = os.pwrite(self.descriptor, part.data, at)
            part, at = part[written:], at + written

    def sealed(self, key: str) -> int:
        """The descriptor of the whole piece, for reading only."""
        os.pwrite(self.descriptor, key.encode(), self.n_bytes)
        fcntl.fcntl(self.descriptor, fcntl.F_ADD_SEALS, _seals())
        try:
            return os.open(f"/proc/self/fd/{self.descriptor}", os.O_RDONLY | os.O_CLOEXEC)
        finally:
            os.close(self.descriptor)


def opened(key: str, process: int, descriptors: Sequence[int]) -> Kept:
    """What another process keeps. Raises: OSError or ValueError where it does not keep that any more."""
    paths = [f"/proc/{process}/fd/{descriptor}" for descriptor in descriptors]
    mine: list[int] = []
    try:
        for path in paths:
            mine.append(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK))
        return Kept(key, *mine)
    except BaseException:
        for descriptor in mine:
            os.close(descriptor)
        raise


def _mapped(key: str, descriptor: int) -> Unchanging:
    if fcntl.fcntl(descriptor, fcntl.F_GET_SEALS) & _seals() != _seals():
        raise ValueError("a piece of timed sets that somebody could change")
    n_bytes = os.fstat(descriptor).st_size
    piece = Unchanging(n_bytes, descriptor)
    if n_bytes < KEY or piece.part(n_bytes - KEY, KEY).tobytes() != key.encode():
        raise ValueError("a piece of other timed sets")
    piece.descriptor = descriptor
    return piece


def _seals() -> int:
    return fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
