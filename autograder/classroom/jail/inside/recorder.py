"""Device arrays without data, and a `cuda` that writes down what host code asks for instead of doing it.

Used inside the jail only. Host code that never looks at results, as CUDA host code should not, leaves a plan behind
that can be carried out elsewhere on other inputs. What it copies back is random, so that a returned value can be told
by its bytes; a value computed on the CPU matches nothing and is written down as the literal it is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import numpy as np

from autograder.classroom.jail.inside.queues import Queues
from simt.cuda_api import DeviceArray, intercept
from simt.host_order.host_arrays import plain

MAX_OPERATIONS = 4000
MAX_LITERAL_BYTES = 1 << 20  # over a whole plan
MAX_LITERALS_BYTES = 2 << 20  # over the plans of all cases


class TooMuch(Exception):
    """The host function does more than a plan may hold."""


class Recorder:
    """The plan of one call. `steps` are JSON-ready; a step's place in the list is how later steps refer to it.

    own_file: that of the function, whose lines are told; literals: bytes that its arrays from nowhere may take; long:
    it asked for more than a plan holds.
    """

    def __init__(
        self,
        names: dict[int, str],
        own_file: str,
        seed: int,
        answers: Iterable[np.ndarray] = (),
        literals: int = MAX_LITERAL_BYTES,
    ):
        self.steps: list[dict[str, Any]] = []
        self.literals, self.long = min(literals, MAX_LITERAL_BYTES), False
        self.answers = iter(answers)  # what the first copies to the host hold; later ones hold noise
        self.random = np.random.default_rng(seed)
        self.own_file = own_file
        self.kernel_names = names  # id of a dispatcher -> its global name
        self.literal_bytes = 0
        # Host memory whose content the replay will know: (array, its bytes when last seen, how to refer to it).
        self.known: list[tuple[np.ndarray, bytes, dict[str, Any]]] = []
        self.queues: Queues | None = None  # where the order of streams is part of the plan

    def add(self, **step: Any) -> int:
        """Write a step down. Returns its place."""
        if len(self.steps) >= MAX_OPERATIONS:
            self.long = True
            raise TooMuch(f"more than {MAX_OPERATIONS} launches, copies and allocations in one call")
        self.steps.append({**step, "line": _line_in(self.own_file)})
        return len(self.steps) - 1

    def device(self, place: int, shape, dtype, order: str = "C") -> RecordedArray:
        """A device array of this geometry. Nobody reads its memory, so that a large one costs only addresses."""
        return RecordedArray(np.zeros(shape, dtype, order=order), self, place)

    def noise(self, shape, dtype) -> np.ndarray:
        """Random bytes that are ordinary numbers, of any dtype."""
        dtype = np.dtype(dtype)
        size = int(np.prod(shape, dtype=np.int64))
        if dtype.kind == "f":
            return self.random.standard_normal(size).astype(dtype).reshape(shape)
        return np.frombuffer(self.random.bytes(size * dtype.itemsize), dtype).reshape(shape).copy()

    def brought_back(self, shape, dtype) -> np.ndarray:
        """What a copy to the host holds: the next answer where there is one that fits, else noise."""
        answer = next(self.answers, None)
        fits = answer is not None and answer.shape == tuple(shape) and answer.dtype == dtype
        return answer if fits else self.noise(shape, dtype)

    def to_device(self, obj, stream=0, copy=True, to=None):
        if isinstance(obj, RecordedArray) and to is None:
            return obj
        if to is not None:
            to.copy_to_device(obj)
            return to
        host = np.asarray(obj)
        place = self.add(do="to_device", of=self.refer(host), **self.queue(stream))
        return self.device(place, host.shape, host.dtype)

    def queue(self, stream: Any) -> dict[str, int]:
        """The stream of a copy, where it is part of the plan."""
        return {} if self.queues is None else {"stream": self.queues.number(stream)}

    def device_array(self, shape, dtype=np.float64, strides=None, order="C", stream=0):
        shape = [int(extent) for extent in (shape if isinstance(shape, tuple | list) else (shape,))]
        place = self.add(do="device_array", shape=shape, dtype=np.dtype(dtype).str, order=order)
        return self.device(place, shape, dtype, order)

    def device_array_like(self, ary, stream=0):
        order = "F" if ary.flags.f_contiguous and not ary.flags.c_contiguous else "C"
        return self.device_array(ary.shape, ary.dtype, order=order)

    def launch(self, kernel, grid, block, *args, dynamic_shared_bytes=0, **_options) -> None:
        """Write a launch down. Host arrays among the arguments come back changed, so they get new content."""
        name = self.kernel_names.get(id(kernel))
        if name is None:
            raise TypeError("a launch of a kernel that no global name stands for")
        step = {"do": "launch", "kernel": name, "grid": [int(n) for n in grid], "block": [int(n) for n in block]}
        step |= {} if self.queues is None else {"stream": self.queues.stream_of_launch}
        place = self.add(**step, shared=int(dynamic_shared_bytes), args=[self.refer(value) for value in args])
        for number, value in enumerate(args):
            if type(value) is np.ndarray and value.flags.writeable:
                value[...] = self.noise(value.shape, value.dtype)
                self.remember(value, {"argument": [place, number]})

    def remember(self, array: np.ndarray, reference: dict[str, Any]) -> None:
        """Host memory whose content comes from a step."""
        self.known = [item for item in self.known if item[0] is not array]
        self.known.append((array, array.tobytes(), reference))

    def refer(self, value: Any) -> dict[str, Any]:
        """How the replay can have this value: a step's result, an input, a part of either, or a literal."""
        if isinstance(value, RecordedArray):
            return {"step": value.place}
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, np.generic):
            return self._element(value.dtype, value, value.dtype.str)
        if isinstance(value, bool | int | float):
            kind = type(value).__name__
            return self._element(np.dtype(type(value)), value, kind) if kind == "float" else {"number": [kind, value]}
        raise TypeError(f"a {type(value).__name__}, which is neither an array nor a number")

    def _array(self, value: np.ndarray) -> dict[str, Any]:
        plain = np.asarray(value)
        for known, content, reference in reversed(self.known):
            if known.tobytes() != content:
                continue  # somebody wrote into it, so it is no longer what the step gave
            if known.shape == plain.shape and known.dtype == plain.dtype and plain.tobytes() == content:
                return reference
            if np.may_share_memory(known, plain) and plain.size and known.dtype == plain.dtype:
                offset = plain.__array_interface__["data"][0] - known.__array_interface__["data"][0]
                part = [offset, list(plain.shape), list(plain.strides)]
                return {"part": [reference, *part]}
        return self._literal(plain)

    def _element(self, dtype: np.dtype, value: Any, kind: str) -> dict[str, Any]:
        """A number: an element of something known where it is one, else itself."""
        for known, content, reference in reversed(self.known):
            if "input" not in reference and known.size and known.dtype.itemsize >= 4 and known.tobytes() == content:
                (found,) = np.nonzero(known.reshape(-1) == value)
                if len(found) == 1:
                    return {"element": [reference, int(found[0]), kind]}
        return {"number": [kind, value.item() if isinstance(value, np.generic) else value]}

    def _literal(self, value: np.ndarray) -> dict[str, Any]:
        """An array that came from nowhere: its fill value, or its bytes."""
        content = np.ascontiguousarray(value)
        described = {"dtype": value.dtype.str, "shape": list(value.shape)}
        if value.dtype.kind not in "biuf":
            raise TypeError(f"an array of {value.dtype}")
        first = content.tobytes()[: content.itemsize]
        if content.tobytes() == first * content.size:
            return {"literal": {**described, "fill": first.hex()}}
        if self.literal_bytes + content.nbytes > self.literals:  # the result is wrong anyway: it stands for no input
            return {"literal": {**described, "fill": bytes(content.itemsize).hex()}}
        self.literal_bytes += content.nbytes
        return {"literal": {**described, "bytes": content.tobytes().hex()}}


def _line_in(file: str) -> int:
    """The innermost line of a file that is being carried out; 0 when there is none on the stack."""
    frame = sys._getframe(2)
    while frame is not None and file not in frame.f_code.co_filename:
        frame = frame.f_back
    return frame.f_lineno if frame is not None else 0


class RecordedArray(DeviceArray):
    """A device array that is only a name for what a step of the plan will give."""

    __slots__ = ("recorder", "place")

    def __init__(self, memory: np.ndarray, recorder: Recorder, place: int):
        super().__init__(memory)
        self.recorder, self.place = recorder, place

    def copy_to_host(self, ary=None, stream=0):
        host = np.empty(self.shape, self.dtype) if ary is None else ary
        if host.shape != self.shape or host.dtype != self.dtype:
            raise ValueError(f"copy_to_host: {host.dtype}{host.shape} is not like {self.dtype}{self.shape}")
        plain(host)[...] = self.recorder.brought_back(self.shape, self.dtype)
        into = self.recorder.queues.place_of(host) if self.recorder.queues is not None else None
        step = self.recorder.queue(stream) | ({"into": into} if into else {})
        place = self.recorder.add(do="copy_to_host", on=self.place, **step)
        self.recorder.remember(plain(host), {"step": place})
        return host

    def copy_to_device(self, ary, stream=0):
        of = self.recorder.refer(ary)
        self.recorder.add(do="copy_to_device", on=self.place, of=of, **self.recorder.queue(stream))

    def __getitem__(self, index):
        part = self.simt_host_array[index]
        place = self.recorder.add(do="getitem", on=self.place, index=index_to_json(index))
        if isinstance(part, np.ndarray) and part.ndim:
            return RecordedArray(part, self.recorder, place)
        number = self.recorder.brought_back((), self.dtype).reshape(1)
        self.recorder.remember(number, {"step": place})
        return number[0]

    def __setitem__(self, index, value):
        step = {"index": index_to_json(index), "value": self.recorder.refer(value)}
        self.recorder.add(do="setitem", on=self.place, **step)

    def _reshaped(self, method: str, memory: np.ndarray, arguments: list) -> RecordedArray:
        place = self.recorder.add(do="method", on=self.place, name=method, args=arguments)
        return RecordedArray(memory, self.recorder, place)

    def reshape(self, *shape, order="C"):
        memory = self.simt_host_array.reshape(*shape, order=order)
        return self._reshaped("reshape", memory, [int(extent) for extent in memory.shape])

    def ravel(self, order="C", stream=0):
        return self._reshaped("ravel", self.simt_host_array.reshape(-1), [])

    def transpose(self, axes=None):
        return self._reshaped("transpose", self.simt_host_array.transpose(axes), [list(axes)] if axes else [])


def index_to_json(index: Any) -> list:
    """An index as JSON: a number, ["slice", start, stop, step], "..." or a list of them under "tuple"."""
    if isinstance(index, tuple):
        return ["tuple", *(index_to_json(part) for part in index)]
    if isinstance(index, slice):
        return ["slice", *(None if part is None else int(part) for part in (index.start, index.stop, index.step))]
    if index is Ellipsis:
        return ["ellipsis"]
    return ["number", int(index)]


def recording(recorder: Recorder):
    """A context in which every launch of host code is written down."""
    return intercept(recorder.launch)
