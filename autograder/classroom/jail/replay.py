"""Carry out the plan of a host function: its copies and launches, on the real inputs, with kernels read from source.

A plan is data from a jail. Each step is checked before it is done, and the only thing a step can do is move arrays
of this call and launch kernels of this program.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from autograder import backend
from autograder.classroom.jail.plan_values import PlanError, dtype_of, index_of, key_of, number_of, raise_again
from simt.cuda_api import host_events

MAX_BYTES = 4 << 30  # that one call may allocate
MAX_LINE = 100_000
MAX_QUEUES = 4000  # streams and events
EVENTS, IN_A_STREAM = ("record", "wait", "synchronize", "query"), ("record", "wait")
METHODS = ("reshape", "ravel", "transpose")


def replayed(plans: str, kernels: dict[str, Any], names: list[str], data: list[int], *arguments: Any) -> Any:
    """The result of a host function, from the plan recorded for these arguments.

    plans: JSON, {key of the arguments: plan}; kernels: the program's globals; names: of the arguments, in order;
    data: places of those that carry data into the call.
    Raises what the host function raised; PlanError when there is no plan or it is not a plan.
    """
    known = json.loads(plans)
    plan = known.get(key_of(arguments)) or known.get(key_of(arguments, data))
    if plan is None:
        raise PlanError("No plan was recorded for arguments of this geometry.")
    own_file = sys._getframe(1).f_code.co_filename
    return Replay(dict(zip(names, arguments, strict=True)), kernels, own_file).run(plan)


_collected: list[np.ndarray] | None = None


@contextmanager
def collecting(downloads: list[np.ndarray]) -> Iterator[None]:
    """While the block runs, whatever a replay copies to the host is appended to `downloads`."""
    global _collected
    _collected = downloads
    try:
        yield
    finally:
        _collected = None


def _collect(value: Any) -> None:
    if _collected is not None and not hasattr(value, "copy_to_host"):
        _collected.append(np.array(value))


class Replay:
    """One call. results: what each step gave, by its place; own_file: what a traceback calls the student's text.

    device: what makes arrays on a device, with `to_device`, `device_array` and `max_literal_bytes`, the most that one
    array from nowhere may take; by default the one of this process.
    """

    def __init__(self, inputs: dict[str, Any], kernels: dict[str, Any], own_file: str, device: Any = None):
        self.inputs, self.kernels, self.own_file = inputs, kernels, own_file
        self.device = backend.cuda if device is None else device
        self.max_literal_bytes = MAX_BYTES if device is None else device.max_literal_bytes
        self.results: list[Any] = []
        self.in_order = not hasattr(self.device, "stream")  # it does one step after the other
        self.queues: dict[tuple[str, int], Any] = {}  # streams and events, by kind and number
        self.allocated = 0

    def run(self, plan: dict[str, Any]) -> Any:
        for step in plan["steps"]:
            action = getattr(self, f"_do_{step['do']}", None)
            if action is None:
                raise PlanError(f"There is no step {step['do']!r}.")
            self.results.append(self._at(step["line"], action, step))
        if plan["error"]:
            self._at(plan["error"]["line"], raise_again, plan["error"])
        values = [None if part is None else self._value(part) for part in plan["returned"]]
        return tuple(values) if plan["many"] else values[0]

    def _at(self, line: int, action: Callable, argument: Any) -> Any:
        """Do something so that a traceback shows it at the student's line."""
        if not isinstance(line, int) or not 0 < line < MAX_LINE:
            return action(argument)
        names = {"action": action, "argument": argument}
        exec(_statement_at(line, self.own_file), names)
        return names["result"]

    def _do_input(self, step):
        return self.inputs[step["name"]]

    def _do_to_device(self, step):
        return self.device.to_device(self._value(step["of"]), **self._queue(step))

    def _do_device_array(self, step):
        shape, dtype = tuple(int(extent) for extent in step["shape"]), dtype_of(step["dtype"])
        self._count(shape, dtype)
        return self.device.device_array(shape, dtype, order="F" if step["order"] == "F" else "C")

    def _do_launch(self, step):
        kernel = self.kernels.get(step["kernel"])
        if not hasattr(kernel, "py_func"):
            raise PlanError(f"{step['kernel']!r} is no kernel of this answer.")
        grid, block = (tuple(int(extent) for extent in step[key]) for key in ("grid", "block"))
        arguments = [self._value(part) for part in step["args"]]
        kernel[grid, block, self._queue(step).get("stream", 0), int(step["shared"])](*arguments)
        return arguments

    def _do_synchronize(self, step):
        if self.in_order:
            return
        (self.device if step["stream"] == -1 else self._made("stream", step["stream"])).synchronize()

    def _do_event(self, step):
        action = step["action"]
        if action not in EVENTS:
            raise PlanError(f"There is no {action!r} of an event.")
        if self.in_order:
            return
        getattr(self._made("event", step["event"]), action)(
            *(self._queue(step).values() if action in IN_A_STREAM else ())
        )

    def _do_replays(self, step):
        host_events.tell("replays", step["begins"] is True)

    def _do_captured(self, step):
        host_events.tell("captured", int(step["launches"]))

    def _queue(self, step) -> dict[str, Any]:
        """The stream of a step, as an argument; nothing where the plan has none, or the default one."""
        number = step.get("stream", 0)
        return {"stream": self._made("stream", number)} if number and not self.in_order else {}

    def _made(self, kind: str, number: Any) -> Any:
        """A stream or an event by its number, made when it is first asked for."""
        if number == 0 and kind == "stream":
            return self.device.default_stream()
        if not isinstance(number, int) or not 0 < number <= MAX_QUEUES:
            raise PlanError(f"There is no {kind} {number!r}.")
        if (kind, number) not in self.queues:
            self.queues[(kind, number)] = getattr(self.device, kind)()
        return self.queues[(kind, number)]

    def _do_copy_to_host(self, step):
        into = [self._value(step["into"])] if "into" in step else []
        host = self._on(step).copy_to_host(*([] if self.in_order else into), **self._queue(step))
        if self.in_order and into:
            into[0][...] = host
        _collect(host)
        return host

    def _do_copy_to_device(self, step):
        self._on(step).copy_to_device(self._value(step["of"]), **self._queue(step))

    def _do_getitem(self, step):
        part = self._on(step)[index_of(step["index"])]
        _collect(part)
        return part

    def _do_setitem(self, step):
        self._on(step)[index_of(step["index"])] = self._value(step["value"])

    def _do_method(self, step):
        if step["name"] not in METHODS:
            raise PlanError(f"There is no step {step['name']!r}.")
        return getattr(self._on(step), step["name"])(*step["args"])

    def _on(self, step):
        """The device array a step works on."""
        array = self._step(step["on"])
        if not hasattr(array, "copy_to_host"):
            raise PlanError("A step works on something that is not on the device.")
        return array

    def _step(self, place: int):
        if not isinstance(place, int) or not 0 <= place < len(self.results):
            raise PlanError(f"There is no step {place!r} yet.")
        return self.results[place]

    def _value(self, part: dict[str, Any]) -> Any:
        """What a reference stands for."""
        ((kind, what),) = part.items()
        if kind == "input":
            return self.inputs[what]
        if kind == "step":
            return self._step(what)
        if kind == "argument":
            return self._step(what[0])[what[1]]
        if kind == "number":
            return number_of(*what)
        if kind == "element":
            base, place, number = what
            return number_of(number, np.asarray(self._value(base)).reshape(-1)[place])
        if kind == "part":
            base, offset, shape, strides = what
            whole = self._value(base)
            if math.prod(int(extent) for extent in shape) > whole.size:
                raise PlanError("A part of an array is larger than the array.")
            if type(whole) is not np.ndarray and isinstance(whole, np.ndarray) and whole.ndim == len(shape) == 1:
                first, step = offset // whole.itemsize, strides[0] // whole.itemsize
                if step > 0:
                    return whole[first : first + step * shape[0] : step]  # in the memory of its kind
            return np.ndarray(
                tuple(shape), whole.dtype, whole.data.cast("B") if whole.size else whole, offset, tuple(strides)
            )
        if kind == "literal":
            return self._literal(what)
        raise PlanError(f"There is no value {kind!r}.")

    def _literal(self, what: dict[str, Any]) -> np.ndarray:
        shape, dtype = tuple(int(extent) for extent in what["shape"]), dtype_of(what["dtype"])
        self._count(shape, dtype)
        if math.prod(shape) * dtype.itemsize > self.max_literal_bytes:
            raise MemoryError(f"An array of more than {self.max_literal_bytes >> 20} MiB that no kernel wrote.")
        if "fill" not in what:
            return np.frombuffer(bytes.fromhex(what["bytes"]), dtype).reshape(shape).copy()
        filled = np.empty(shape, dtype)
        if filled.size:
            filled[...] = np.frombuffer(bytes.fromhex(what["fill"]), dtype)[0]
        return filled

    def _count(self, shape: tuple[int, ...], dtype: np.dtype) -> None:
        """Keep the sum of all allocations within bounds."""
        size = dtype.itemsize
        for extent in shape:
            size *= max(extent, 0)
        self.allocated += size
        if self.allocated > MAX_BYTES:
            raise MemoryError(f"This call allocates more than {MAX_BYTES >> 30} GiB.")


@cache
def _statement_at(line: int, file: str):
    return compile("\n" * (line - 1) + "result = action(argument)", file, "exec")
