"""Counters of the interpreter beside those of the golden files: a pair for each launch and counter that is not zero."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from simt.tracing import Trace
from tests.made_once import made_once
from tests.zoo import course, exceptions, simulated
from tests.zoo.catalogue import ENTRIES
from tests.zoo.measure import GOLDEN
from tests.zoo.metrics import METRICS

TOLERANCE = 0.01
LIMITS = (0.1, 0.25)  # of threads per instruction, which are a model


@dataclass(frozen=True)
class Pair:
    """One counter of one entry. measured: by Nsight Compute, `again` the second time; counted: by simt."""

    part: str  # "zoo" or "course"
    entry: str
    counter: str
    measured: int
    again: int
    counted: int

    @property
    def equal(self) -> bool:
        """Within 1 % of the hardware; what is zero on one side is zero on the other."""
        return abs(self.counted - self.measured) <= TOLERANCE * self.measured

    @property
    def repeats(self) -> bool:
        """Whether the hardware gave the same twice, within 1 %."""
        return abs(self.again - self.measured) <= TOLERANCE * self.measured

    @property
    def key(self) -> tuple[str, str]:
        return self.entry, self.counter


def golden(part: str, folder: Path = GOLDEN) -> dict[str, Any]:
    """A golden file. Raises FileNotFoundError where it is missing: it is committed, so it should not be."""
    return json.loads((folder / f"{part}.json").read_text())


@cache
def not_measured() -> frozenset[str]:
    """Kernels of the course that the golden file does not have yet."""
    return frozenset(entry.name for entry in course.entries()) - set(golden("course")["entries"])


@cache
def traces() -> dict[tuple[str, str], Trace]:
    """What simt says about every entry that was measured, by part and name.

    A kernel of the course may be newer than the golden file: `not_measured` names those.
    """
    makers = {("zoo", entry.name): partial(simulated.trace_of, entry) for entry in ENTRIES}
    of_course = [entry for entry in course.entries() if entry.name not in not_measured()]
    return made_once(
        "traces", makers | {("course", entry.name): partial(simulated.trace_of_course, entry) for entry in of_course}
    )


@cache
def pairs() -> tuple[Pair, ...]:
    """Every pair of which one side is not zero. Raises KeyError for an entry of the zoo that was never measured."""
    entries = {part: golden(part)["entries"] for part in ("zoo", "course")}
    found = []
    for (part, name), trace in traces().items():
        measured = entries[part][name]["counters"]
        again = {**measured, **entries[part][name].get("again", {})}
        for counter in METRICS:
            if measured[counter] or trace.counters[counter]:
                found.append(Pair(part, name, counter, measured[counter], again[counter], trace.counters[counter]))
    return tuple(found)


def listed() -> frozenset[tuple[str, str]]:
    """The entries and counters that `exceptions` lists."""
    explained = (exceptions.of(reason) for reason in exceptions.REASONS)
    return frozenset((entry, counter) for each in explained for entry, names in each.items() for counter in names)


@cache
def lanes_at_work() -> tuple[float, ...]:
    """By how much threads per instruction differ from the hardware's, as a share of them, for every entry."""
    entries = {part: golden(part)["entries"] for part in ("zoo", "course")}
    shares = []
    for (part, name), trace in traces().items():
        measured, counted = (_threads(counters) for counters in (entries[part][name]["counters"], trace.counters))
        shares.append(abs(counted - measured) / measured)
    return tuple(shares)


def _threads(counters) -> float:
    return counters["thread_instructions"] / counters["warp_instructions"]
