"""Runs a kernel under every analysis and gathers what they found.

    t = simt.trace(kernel, grid, block, *args)
    t.findings, t.notes, t.counters, t.by_line(), t.by_site(), t.bytes_by_array()

`Tracer` does the same for several launches, as a host function makes them, and adds them up.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from simt.analyses.barriers import Barriers
from simt.analyses.bounds import Bounds
from simt.analyses.costs.atomics import Atomics
from simt.analyses.costs.banks import Banks
from simt.analyses.costs.coalescing import Coalescing
from simt.analyses.costs.counted_arithmetic import ArithmeticOperations
from simt.analyses.costs.divergence import Divergence
from simt.analyses.costs.load_balance import LoadBalance, ThreadAccesses
from simt.analyses.costs.traffic import ArrayTraffic, Traffic
from simt.analyses.counters import SourcePlace, add_counters, zero_counters
from simt.analyses.findings import ranked
from simt.analyses.inputs import Inputs
from simt.analyses.launches import Launches
from simt.analyses.races import Races
from simt.analyses.recorder import Recorder, Recording
from simt.analyses.sampling import FirstBlocks
from simt.analyses.spaces.constant_memory import Constants
from simt.analyses.spaces.copies import Copies
from simt.analyses.spaces.shared_bytes import SharedBytes
from simt.analyses.stale import Stale
from simt.analyses.uninitialised import Uninitialised
from simt.analyses.warps import LanesOfCalls
from simt.analyses.wording import full_sentence
from simt.errors import (
    BarrierDivergenceError,
    DeadlockError,
    InvalidLaunchError,
    KernelError,
    KernelNameError,
    KernelTypeError,
    MisalignedError,
    OutOfBoundsError,
    PlacesOutOfOrderError,
    ProductUnderWayError,
    TileNotShownError,
    UnsupportedError,
)
from simt.events import Finding, Launch, Listener
from simt.run import launch

KIND_OF_ERROR: dict[type[Exception], str] = {
    InvalidLaunchError: "invalid_launch",
    UnsupportedError: "unsupported",
    KernelTypeError: "unsupported",  # numba's type inference refuses these, too
    KernelNameError: "unsupported",
    DeadlockError: "deadlock",
    OutOfBoundsError: "out_of_bounds",
    MisalignedError: "misaligned",
    PlacesOutOfOrderError: "places_out_of_order",
    TileNotShownError: "tile_not_shown",
    ProductUnderWayError: "product_under_way",
    BarrierDivergenceError: "barrier_divergence",
}


@dataclass(frozen=True)
class Trace:
    """What one or more launches did.

    findings: mistakes, causes before consequences. notes: worth knowing, not mistakes. counters: every name of
    `simt.analyses.counters.COUNTERS`, zero where nothing happened. launches: those that began, in order.
    recording: the first accesses of the first warps, when asked for. balance: how accesses are spread over the threads.
    remarks: what was not looked at.
    """

    findings: list[Finding]
    notes: list[Finding]
    counters: dict[str, int]
    launches: tuple[Launch, ...] = ()
    recording: Recording | None = None
    places: dict[SourcePlace, dict[str, int]] = field(default_factory=dict, repr=False)
    source: dict[str, str] = field(default_factory=dict, repr=False)  # function name -> file name
    traffic: dict[str, ArrayTraffic] = field(default_factory=dict, repr=False)
    balance: LoadBalance = LoadBalance()
    remarks: tuple[str, ...] = ()

    def by_line(self) -> list[dict[str, Any]]:
        """One row a source line that did something: function, line, text, and every counter."""
        rows: dict[tuple[str, int], dict[str, int]] = {}
        for place, counts in self.places.items():
            add_counters(rows.setdefault((place.function, place.line), zero_counters()), counts)
        return [
            {"function": function, "line": line, "text": self.line_text(function, line), **rows[function, line]}
            for function, line in sorted(rows)
        ]

    def by_site(self) -> list[dict[str, Any]]:
        """One row an expression, as accesses of one line differ: function, line, column, text, counters."""
        rows = []
        for place in sorted(place for place in self.places if place.text):
            row = zero_counters()
            add_counters(row, self.places[place])
            rows.append(
                {
                    "function": place.function,
                    "line": place.line,
                    "column": place.column,
                    "text": place.text,
                    **row,
                }
            )
        return rows

    def bytes_by_array(self) -> dict[str, ArrayTraffic]:
        """Bytes that threads asked for, by array name; compare with `array_bytes`, each element once."""
        return dict(self.traffic)

    def line_text(self, function: str, line: int) -> str:
        """The source line, or the expressions known on it where the source is out of reach."""
        texts = [place.text for place in self.places if (place.function, place.line) == (function, line) and place.text]
        file_name = self.source.get(function) or next(iter(self.source.values()), "")
        source = linecache.getline(file_name, line).strip()
        known = function in self.source or any(text and text in source for text in texts)
        return source if source and known else "; ".join(dict.fromkeys(texts))


class Tracer:
    """Listens to any number of launches and adds them up.

    counters: requests, sectors, banks, divergence, atomics, arithmetic, bytes by array. races: shadow memory (the
    costly part), or one that is told of the launch by who passes it. record: keep what figures draw. read_only: names
    of arguments that kernels must not write.
    max_blocks: listen to about the first so many blocks of each launch; None listens to all.
    strict, deadline, seed, lockstep, initialised, sample: passed on to `simt.launch`; not strict means that
    the launch goes on after a mistake, so that one run finds them all. also: listeners of the caller's own.
    """

    def __init__(
        self,
        *,
        counters: bool = True,
        races: bool | Races = True,
        record: bool = False,
        read_only: Iterable[str] = (),
        max_blocks: int | None = None,
        strict: bool = False,
        deadline: float | None = None,
        seed: int | None = None,
        lockstep: bool = True,
        initialised: Collection[str] | Callable[[str], bool] | None = None,
        sample: int = 0,
        also: Iterable[Listener] = (),
    ) -> None:
        self._span = LaunchSpan()
        self._traffic = Traffic()
        self._balance = ThreadAccesses()
        self._recorder = Recorder() if record else None
        self._races = races if isinstance(races, Races) else Races() if races else None
        barriers, warps, copies = Barriers(), LanesOfCalls(), Copies()
        of_memory = [Coalescing(), Banks(), Constants(), Atomics(), SharedBytes()]
        tallying: list[Any] = [*of_memory, Divergence(), ArithmeticOperations()] if counters else []
        uninitialised = Uninitialised()
        reporting: list[Any] = [Launches(), barriers, Bounds(), warps, copies, uninitialised, Stale()]
        reporting.append(Inputs(read_only))
        self._bounded = [one.huge for one in (self._races, uninitialised) if one is not None]
        self._tallying, self._reporting = [*tallying, barriers, warps, copies], reporting
        heard = [self._span, *([self._traffic, self._balance] if counters else []), *tallying, *reporting]
        heard += [one for one in (None if races is self._races else self._races, self._recorder) if one is not None]
        self._listeners = [*(heard if max_blocks is None else [FirstBlocks(heard, max_blocks)]), *also]
        self._options: dict[str, Any] = {"strict": strict, "deadline": deadline, "seed": seed, "lockstep": lockstep}
        self._options |= {"initialised": initialised, "sample": sample}
        self._raised: list[Finding] = []
        self._source: dict[str, str] = {}

    def listeners(self) -> list[Listener]:
        """What to hand to `simt.launch(..., listeners=...)`."""
        return list(self._listeners)

    def launch(self, kernel: Callable, grid, block, *args, dynamic_shared_bytes: int = 0) -> None:
        """Launch a kernel and listen. Mistakes that end the launch become findings; other errors are raised."""
        try:
            self.run(kernel, grid, block, *args, dynamic_shared_bytes=dynamic_shared_bytes)
        except tuple(KIND_OF_ERROR) as error:
            self.error(error)

    def run(self, kernel: Callable, grid, block, *args, dynamic_shared_bytes: int = 0, debug: bool = False) -> None:
        """Launch a kernel and listen, and let whatever ends the launch be raised; `error` turns it into a finding."""
        self.name_source(kernel)
        launch(
            kernel,
            grid,
            block,
            *args,
            dynamic_shared_bytes=dynamic_shared_bytes,
            listeners=self.listeners(),
            debug=debug,
            **self._options,
        )

    def name_source(self, kernel: Callable) -> None:
        """Remember which file a kernel comes from, to quote its lines."""
        function = getattr(kernel, "py_func", kernel)
        code = getattr(function, "__code__", None)
        if code is not None:
            self._source[code.co_name] = code.co_filename

    def error(self, error: Exception) -> None:
        """Record an error of `simt.launch` as a finding, and close the launch it ended."""
        for cls, kind in KIND_OF_ERROR.items():
            if isinstance(error, cls):
                self._raised.append(_finding_of(error, kind))
        self._close()

    def _close(self) -> None:
        """Tell listeners that a launch ended which an error cut short."""
        launch = self._span.open_launch
        if launch is not None:
            for listener in self._listeners:
                listener.launch_ends(launch)

    def result(self) -> Trace:
        """Everything so far."""
        self._close()
        found = [finding for analysis in self._reporting for finding in analysis.book.all()]
        found += self._races.findings if self._races is not None else []
        seen = {(finding.kind, finding.lines[:1]) for finding in found if not finding.note}
        found += [finding for finding in self._raised if (finding.kind, finding.lines[:1]) not in seen]
        places: dict[SourcePlace, dict[str, int]] = {}
        for analysis in self._tallying:
            for place, counts in analysis.tally.rows.items():
                add_counters(places.setdefault(place, {}), counts)
        counters = zero_counters()
        for counts in places.values():
            add_counters(counters, counts)
        return Trace(
            findings=ranked([finding for finding in found if not finding.note]),
            notes=ranked([finding for finding in found if finding.note]),
            counters=counters,
            launches=tuple(self._span.launches),
            recording=self._recorder.recording if self._recorder else None,
            places=places,
            source=dict(self._source),
            traffic=self._traffic.arrays,
            balance=self._balance.balance,
            remarks=tuple(dict.fromkeys(remark for one in self._bounded for remark in one.remarks)),
        )


class LaunchSpan(Listener):
    """Which launches began, and which one has not ended."""

    def __init__(self) -> None:
        self.launches: list[Launch] = []
        self.open_launch: Launch | None = None

    def launch_begins(self, launch: Launch) -> None:
        self.launches.append(launch)
        self.open_launch = launch

    def launch_ends(self, launch: Launch) -> None:
        self.open_launch = None


def trace(kernel: Callable, grid, block, *args, dynamic_shared_bytes: int = 0, **options) -> Trace:
    """Launch a kernel under every analysis. Arrays are changed in place, as by `simt.launch`.

    Args:    as for `simt.launch`; options as for `Tracer`.
    Returns: Trace. A launch that cannot begin, or that hangs, is a finding.
    """
    tracer = Tracer(**options)
    tracer.launch(kernel, grid, block, *args, dynamic_shared_bytes=dynamic_shared_bytes)
    return tracer.result()


def _finding_of(error: Exception, kind: str) -> Finding:
    place = error if isinstance(error, KernelError) else None
    thread = getattr(error, "thread", None)
    block = getattr(error, "block", None) if place else None
    message = getattr(error, "message", "") or str(error)
    detail: dict[str, Any] = {"swapped": error.swapped} if isinstance(error, InvalidLaunchError) else {}
    if place and place.reason:
        detail["reason"] = place.reason
    if place and place.function:
        detail |= {"function": place.function, "calls": tuple(place.calls)}
    return Finding(
        kind=kind,
        message=full_sentence(message),
        remedy=getattr(error, "remedy", ""),
        lines=(place.line,) if place and place.line else (),
        threads=(tuple(thread),) if thread is not None else (),
        blocks=(tuple(block),) if block is not None else (),
        detail={"error": type(error).__name__, **detail},
    )
