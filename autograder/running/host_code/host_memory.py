"""Memory of a host function that nobody fills: np.empty gives the poison of the run, and a warm-up may read it.

Real memory holds what was there before: two runs of one answer would differ, or agree, by chance.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.running import buffers
from autograder.running.runs import Launched
from simt.cuda_api.host_events import HostListener, memory_of, root_of
from simt.events import Finding

MAKERS = ("empty", "empty_like")


@contextmanager
def poisoned(function: Callable, poison: int | None) -> Iterator[None]:
    """While the block runs, fill what the code of a function's own file gets from np.empty and np.empty_like."""
    filename = getattr(getattr(function, "__code__", None), "co_filename", None)
    originals = {name: getattr(np, name) for name in MAKERS}

    def filling(original: Callable) -> Callable:
        def make(*args, **kwargs):
            array = original(*args, **kwargs)
            if sys._getframe(1).f_code.co_filename == filename and array.dtype.kind in "biufc":
                buffers.fill(array, poison)
            return array

        return make

    for name, original in originals.items():
        setattr(np, name, filling(original))
    try:
        yield
    finally:
        for name, original in originals.items():
            setattr(np, name, original)


class Copied(HostListener):
    """The device memory that copies touched."""

    def __init__(self) -> None:
        self.arrays: list[np.ndarray] = []

    def copies(self, direction: str, device: np.ndarray, host: np.ndarray | None, stream: Any) -> None:
        self.arrays += [device, host] if direction == "across" and host is not None else [device]


def but_warm_ups(findings: Sequence[Finding], launches: Sequence[Launched], seen: Iterable[Any]) -> list[Finding]:
    """The findings of a host function but for reads that only warm up.

    A kernel is compiled by its first launch, and `cuda.device_array(1, np.float32)` is enough for that: where no other
    launch and no copy ever sees that memory, nothing comes of what it held. seen: the caller's arrays, and what was
    copied.
    """
    elsewhere = _roots(seen)

    def is_idle(finding: Finding) -> bool:
        numbers = finding.detail.get("launches", ())
        if finding.kind != "uninitialised_read" or finding.detail.get("space") != "global" or not numbers:
            return False
        if max(numbers) >= len(launches):
            return False
        others = [one for number, one in enumerate(launches) if number not in numbers]
        used = elsewhere | _roots(argument for one in others for argument in one.arguments)
        return not used & _roots(argument for number in numbers for argument in launches[number].arguments)

    return [finding for finding in findings if not is_idle(finding)]


def with_launch(finding: Finding, launches: Sequence[Launched]) -> Finding:
    """A read of what nobody wrote, with the host's line that launches the kernel and the argument, by its place.

    One kernel may be launched twice, and what it calls `src` is another array each time.
    """
    numbers = finding.detail.get("launches", ())
    if finding.kind != "uninitialised_read" or not numbers or min(numbers) >= len(launches):
        return finding
    launched = launches[min(numbers)]
    names = [*inspect.signature(getattr(launched.kernel, "py_func", launched.kernel)).parameters]
    if not launched.line or finding.array not in names:
        return finding
    handed = {"handed": (launched.line, names.index(finding.array))}
    return replace(finding, detail={**finding.detail, **handed})


def _roots(arrays: Iterable[Any]) -> set[int]:
    """What owns the memory of these arrays, by identity; other values have none."""
    memory = (memory_of(one) for one in arrays)
    return {id(root_of(one)) for one in memory if isinstance(one, np.ndarray)}
