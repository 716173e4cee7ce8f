"""Traces every launch that a program makes, and joins what is found.

with Session() as session:
    ...            # any host code over simt.cuda_api
session.reports, session.silences()
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from simt.analyses.counters import add_counters, zero_counters
from simt.cuda_api import dispatcher, host_events
from simt.events import Finding
from simt.events.emit import goes_on_without
from simt.host_order.at_the_end import AtTheEnd
from simt.host_order.frames import program_frame
from simt.host_order.watch import HostOrder, watch
from simt.programs.children import Children
from simt.programs.expected_errors import REFUSED, ExpectedErrors
from simt.programs.fixed_points import FixedPoints
from simt.programs.generated_code import text_kept
from simt.programs.heard_before import HeardBefore
from simt.programs.large_blocks import LargeBlocks
from simt.programs.launched import OneLaunch, Outcome
from simt.programs.notes.folds import folding_function, note_on
from simt.programs.notes.frozen import FrozenValues
from simt.programs.reports import Heard, Report, Where, key_of
from simt.programs.sampled import PartlyWritten
from simt.programs.silences import Silences
from simt.run import launch as interpret
from simt.source.recognise import LIBRARIES, is_from, python_function

FAILED = "a look at what a launch did failed"


@dataclass
class KernelUse:
    """One kernel of a program: how often it was launched, and what its launches counted together."""

    name: str
    file: str
    line: int
    launches: int = 0
    blocks: int = 0  # of all launches together
    blocks_run: int = 0  # of them; the others are those that `sample` left out
    counters: dict[str, int] = field(default_factory=zero_counters)


class Session(contextlib.AbstractContextManager):
    """Listens from `__enter__` to `__exit__`.

    counters: count too, by kernel. blocks: of each launch, listen to about the first so many only; None: to all.
    sample: of each launch, run about so many blocks and no others; None: all. parent: in a process that a judged
    program started anew, the folder that its parent reads.
    """

    def __init__(
        self,
        counters: bool = False,
        blocks: int | None = None,
        sample: int | None = None,
        parent: str | None = None,
    ) -> None:
        self.counters, self.blocks, self.sample = counters, blocks, sample or 0
        self._partly, self._before = PartlyWritten(), HeardBefore()
        self.launches = 0
        self.kernels: dict[tuple[str, int], KernelUse] = {}
        self.files: set[str] = set()  # of the kernels that ran, and of the functions they call
        self.remarks: dict[str, None] = {}  # what was not looked at, in the order of its first time
        self._reports: dict[tuple, Report] = {}
        self._under_way: OneLaunch | None = None
        self.in_child = parent is not None  # whether this process comes of the one that listens
        self._children = Children(Path(parent) if parent is not None else None)
        self._frozen, self._met = FrozenValues(), set[Callable | None]()
        self._expected, self._fixed = ExpectedErrors(), FixedPoints()
        self.large_blocks = LargeBlocks()
        self._host: HostOrder | None = None
        self._host_told = 0
        self._stack = contextlib.ExitStack()
        self._lock = threading.RLock()

    def __enter__(self) -> Session:
        self._host = self._stack.enter_context(watch())
        self._at_the_end = AtTheEnd(self._host)
        self._stack.enter_context(self._at_the_end.listens())
        self._stack.enter_context(dispatcher.intercept(self._launch))
        self._stack.enter_context(text_kept())
        self._stack.enter_context(goes_on_without(self._failed))
        self._children.open(self)
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()
        if self._host is not None:
            self._host.notes += self._at_the_end.notes()
        self._take_host_findings()
        self._expected.told_to(self)
        if not self.in_child:
            self._children.close(self)

    def begin_in_child(self) -> None:
        """This process was forked: what it does from now on is its own, and is sent to the parent."""
        self.in_child, self._lock = True, threading.RLock()
        host_events.begin_in_child()
        self.launches, self.kernels, self.remarks, self._reports = 0, {}, {}, {}
        self._host_told = len(self._host.findings) if self._host is not None else 0

    def of_a_child(self) -> dict[str, Any]:
        """What a session is made of that sends to this one, as plain data."""
        return {
            "counters": self.counters,
            "blocks": self.blocks,
            "sample": self.sample,
            "parent": str(self._children.folder),
        }

    @property
    def reports(self) -> list[Report]:
        """Everything found so far, in the order of first sight; what a comment silences is among it."""
        self._take_host_findings()
        return list(self._reports.values())

    @property
    def findings(self) -> list[Report]:
        """What was found, is a mistake, and is not silenced."""
        silences = self.silences()
        return [report for report in self.reports if not report.note and not silences.covers(report)]

    def under_way(self) -> tuple[str, Where, str] | None:
        """The launch that runs now, as in "launch 3, scale[4, 128]", where host code made it, how far it is."""
        under_way = self._under_way
        if under_way is None:
            return None
        name = f"launch {under_way.number}, {under_way.kernel.__name__}{under_way.shape}"
        return name, under_way.called_at, under_way.progress.text()

    def could_sample(self) -> bool:
        """Whether the launch that runs now has several blocks, of which all are to run."""
        under_way = self._under_way
        return under_way is not None and not self.sample and under_way.progress.n_blocks > 1

    def silences(self) -> Silences:
        """The comments that silence findings, in every file of the program's kernels and of its findings."""
        files = self.files | {where.file for report in self._reports.values() for where in report.places}
        return Silences.of_files(files)

    def _launch(self, kernel: Callable, grid: Any, block: Any, *args: Any, dynamic_shared_bytes: int = 0) -> None:
        """In place of a launch: run it traced, keep what was found, and raise what it raised."""
        function = python_function(kernel)
        if function is not None and self._is_of_a_library(function, args):  # nothing here to mend
            interpret(kernel, grid, block, *args, dynamic_shared_bytes=dynamic_shared_bytes)
            return
        with self._lock:
            self.launches += 1
            number, called_at = self.launches, _where(program_frame())
            frozen = self._frozen.notes_on(function, args, called_at.line) if function is not None else ()
            first = function not in self._met
            self._met.add(function)
        options = self._partly, self._before, self.counters, self.blocks, self.sample
        launch = OneLaunch(kernel, grid, block, args, number, called_at, *options, frozen, first)
        self._under_way, before = launch, dict[str, Any]()
        with self._ends_no_program():
            before = self._fixed.before(function, args)
        try:
            launch.run(dynamic_shared_bytes)
        finally:
            self._under_way = None
        with self._lock, self._ends_no_program():
            outcome = launch.outcome()
            self._enter(outcome, number)
            keyed = [(key_of(*found, outcome.kernel.name), found[0]) for found in outcome.found]
            if before and function is not None:
                self._fixed.after(function, args, before, keyed)
            if launch.raised is not None:
                self._expected.refused([key for key, finding in keyed if finding.kind in REFUSED])
            if first and launch.raised is None:
                self.large_blocks.note(launch)
        if launch.raised is not None:
            raise launch.raised

    @contextlib.contextmanager
    def _ends_no_program(self) -> Iterator[None]:
        """Whoever looks at what a launch did may fail, and the program goes on: that is a remark."""
        try:
            yield
        except Exception as error:
            self._failed("", error)

    def _failed(self, analysis: str, error: Exception) -> None:
        which = f"{analysis}: " if analysis else ""
        self.remarks[f"{FAILED} ({which}{type(error).__name__}: {error}): please report it, with the program"] = None

    def _is_of_a_library(self, function: Callable, args: tuple) -> bool:
        """Whether a kernel is none of the program's. Of one that folds, the program's function is looked at."""
        folds = folding_function(function)
        with self._ends_no_program():
            if folds is not None and (note := note_on(folds, args)) is not None:
                places = (Where(folds.__code__.co_filename, note.lines[0]),)
                self._add(note, places, "", "", 0, _where(program_frame()))
        return folds is not None or is_from(function, LIBRARIES)

    def _enter(self, outcome: Outcome, number: int) -> None:
        """Count a launch in, with what was found."""
        if self.in_child:
            self._children.send(outcome)
            self._take_host_findings()
        kernel = outcome.kernel
        self.files |= outcome.files
        use = self.kernels.setdefault((kernel.file, kernel.first), KernelUse(kernel.name, kernel.file, kernel.first))
        use.launches += 1
        use.blocks, use.blocks_run = use.blocks + outcome.n_blocks, use.blocks_run + outcome.n_run
        add_counters(use.counters, outcome.counters)
        self.remarks |= dict.fromkeys(outcome.remarks)
        for finding, places in outcome.found:
            self._add(finding, places, kernel.name, outcome.shape, number, outcome.called_at)

    def _take_host_findings(self) -> None:
        """Races between streams and host code, which belong to no launch; and what forked children did."""
        found = self._host.findings if self._host is not None else []
        notes = self._host.notes if self._host is not None else []
        for finding in (*found[self._host_told :], *notes):
            files = finding.detail.get("files") or ("",) * len(finding.lines)
            places = tuple(Where(file, line) for file, line in zip(files, finding.lines, strict=True))
            self._add(finding, places, "", "", 0, Where("", 0))
            if self.in_child:
                self._children.send((finding, places))
        self._host_told = len(found)
        notes.clear()
        for key, made_up_for in self._fixed.settled():
            if key in self._reports:
                self._reports[key].made_up_for = made_up_for
        for record in () if self.in_child else self._children.received():
            if isinstance(record, Outcome):
                self.launches += 1
                self._enter(record, self.launches)
            elif isinstance(record, Heard):
                self._hear(record)
            else:
                finding, places = record
                self._add(finding, places, "", "", 0, Where("", 0))

    def _add(
        self, finding: Finding, places: tuple[Where, ...], kernel: str, shape: str, number: int, called_at: Where
    ) -> None:
        key = key_of(finding, places, kernel)
        known = self._reports.get(key)
        if known is None:
            self._reports[key] = Report(finding, places, kernel, shape, [number], [called_at])
        else:
            known.again(finding, number, called_at)

    def add_note(self, finding: Finding, at: Where, kernel: str, shape: str, number: int) -> None:
        """Enter what somebody else found out about a launch."""
        self._add(finding, (at,), kernel, shape, number, at)

    def heard(self, reports: Iterable[Report], expected: bool = False) -> None:
        """A test was told these findings, or expected what they raised."""
        record = Heard(tuple(report.key for report in reports), expected)
        self._hear(record)
        if self.in_child and record.keys:
            self._children.send(record)

    def _hear(self, record: Heard) -> None:
        for report in filter(None, map(self._reports.get, record.keys)):
            report.told, report.expected = True, report.expected or record.expected

    def mark(self) -> Mark:
        """A point in time: `since` tells what was found after it."""
        return Mark({key: report.total for key, report in self._reports.items()})

    def since(self, mark: Mark) -> list[Report]:
        """Mistakes that were found again, or first, after a mark, and that no comment silences."""
        self._take_host_findings()
        silences = self.silences()
        return [
            report
            for key, report in self._reports.items()
            if report.total != mark.totals.get(key) and not report.note and not silences.covers(report)
        ]


@dataclass(frozen=True)
class Mark:
    """How often each report had occurred."""

    totals: dict[tuple, int]


def _where(frame: FrameType | None) -> Where:
    return Where(frame.f_code.co_filename, frame.f_lineno) if frame else Where("", 0)
