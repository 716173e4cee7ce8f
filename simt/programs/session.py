"""Traces every launch that a program makes, and joins what is found.

with Session() as session:
    ...            # any host code over simt.cuda_api
session.reports, session.silences()
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from simt.analyses.counters import add_counters, zero_counters
from simt.cuda_api import dispatcher
from simt.errors import UnsupportedError
from simt.events import Finding
from simt.host_order.frames import program_frame
from simt.host_order.watch import HostOrder, watch
from simt.launching.geometry import norm3
from simt.programs.generated_code import text_kept
from simt.programs.notes import all_notes
from simt.programs.places import Functions, LinesSeen
from simt.programs.progress import Progress
from simt.programs.reports import Report, Where, certainty_of
from simt.programs.sampled import PartlyWritten, SampledLaunch
from simt.programs.silences import Silences
from simt.run import launch as interpret
from simt.source.recognise import LIBRARIES, is_from, python_function
from simt.tracing import KIND_OF_ERROR, Trace, Tracer


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
    sample: of each launch, run about so many blocks and no others; None: all.
    """

    def __init__(self, counters: bool = False, blocks: int | None = None, sample: int | None = None) -> None:
        self.counters, self.blocks, self.sample = counters, blocks, sample or 0
        self._partly = PartlyWritten()
        self.launches = 0
        self.kernels: dict[tuple[str, int], KernelUse] = {}
        self.files: set[str] = set()  # of the kernels that ran, and of the functions they call
        self.remarks: dict[str, None] = {}  # what was not looked at, in the order of its first time
        self._reports: dict[tuple, Report] = {}
        self._under_way: tuple | None = None  # number, kernel, grid, block, place and progress of what runs
        self._host: HostOrder | None = None
        self._host_told = 0
        self._stack = contextlib.ExitStack()
        self._lock = threading.RLock()

    def __enter__(self) -> Session:
        self._host = self._stack.enter_context(watch())
        self._stack.enter_context(dispatcher.intercept(self._launch))
        self._stack.enter_context(text_kept())
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()
        self._take_host_findings()

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
        number, kernel, grid, block, called_at, progress = under_way
        return f"launch {number}, {kernel.__name__}{_shape(grid, block)}", called_at, progress.text()

    def could_sample(self) -> bool:
        """Whether the launch that runs now has several blocks, of which all are to run."""
        under_way = self._under_way
        return under_way is not None and not self.sample and under_way[5].n_blocks > 1

    def silences(self) -> Silences:
        """The comments that silence findings, in every file of the program's kernels and of its findings."""
        files = self.files | {where.file for report in self._reports.values() for where in report.places}
        return Silences.of_files(files)

    def _launch(self, kernel: Callable, grid: Any, block: Any, *args: Any, dynamic_shared_bytes: int = 0) -> None:
        """In place of a launch: run it traced, keep what was found, and raise what it raised."""
        function = python_function(kernel)
        if function is not None and is_from(function, LIBRARIES):  # a library's own: nothing here to mend
            interpret(kernel, grid, block, *args, dynamic_shared_bytes=dynamic_shared_bytes)
            return
        with self._lock:
            self.launches += 1
            number, called_at = self.launches, _where(program_frame())
        seen, progress, sampled = LinesSeen(), Progress(self.sample), SampledLaunch(self._partly, number)
        debug = bool(getattr(kernel, "targetoptions", {}).get("debug"))
        notes = all_notes(debug)
        also = [seen, progress, *([sampled] if self.sample else []), *notes]
        tracer = Tracer(counters=self.counters, max_blocks=self.blocks, sample=self.sample, also=also)
        raised: BaseException | None = None
        self._under_way = number, kernel, grid, block, called_at, progress
        try:
            tracer.run(kernel, grid, block, *args, dynamic_shared_bytes=dynamic_shared_bytes, debug=debug)
        except (Exception, KeyboardInterrupt) as error:  # what a debug kernel raises is any exception
            raised = error
            if isinstance(error, Exception) and isinstance(error, tuple(KIND_OF_ERROR)):
                tracer.error(error)
        finally:
            self._under_way = None
        with self._lock:
            functions = Functions.of(kernel)
            noted = [finding for one in notes for finding in one.book.all()]
            for finding in (*self._judge(tracer.result(), functions, raised), *noted):
                places = tuple(Where(functions.file_of(line, finding.array, seen), line) for line in finding.lines)
                self._add(
                    sampled.judged(finding), places, functions.kernel.name, _shape(grid, block), number, called_at
                )
            use = self.kernels[functions.kernel.file, functions.kernel.first]
            use.blocks, use.blocks_run = use.blocks + sampled.n_blocks, use.blocks_run + sampled.run
        if raised is not None:
            raise raised

    def _judge(self, trace: Trace, functions: Functions, raised: BaseException | None) -> list[Finding]:
        """Count a launch in; returns what to tell of it. What only the interpreter cannot run is a remark."""
        kernel = functions.kernel
        self.files |= functions.files
        use = self.kernels.setdefault((kernel.file, kernel.first), KernelUse(kernel.name, kernel.file, kernel.first))
        use.launches += 1
        add_counters(use.counters, trace.counters)
        self.remarks |= dict.fromkeys(trace.remarks)
        found = [*trace.findings, *trace.notes]
        if isinstance(raised, KeyboardInterrupt):
            self.remarks[f"{kernel.name} was interrupted: what it would have done next was not looked at"] = None
        if isinstance(raised, UnsupportedError) and not raised.reason:
            self.remarks[f"{kernel.name} did not run to its end: {raised}"] = None
            found = [finding for finding in found if finding.kind != "unsupported"]
        return found

    def _take_host_findings(self) -> None:
        """Races between streams and host code, which belong to no launch."""
        found = self._host.findings if self._host is not None else []
        for finding in found[self._host_told :]:
            files = finding.detail.get("files") or ("",) * len(finding.lines)
            places = tuple(Where(file, line) for file, line in zip(files, finding.lines, strict=True))
            self._add(finding, places, "", "", 0, Where("", 0))
        self._host_told = len(found)

    def _add(
        self, finding: Finding, places: tuple[Where, ...], kernel: str, shape: str, number: int, called_at: Where
    ) -> None:
        key = (finding.kind, finding.note, places, kernel, certainty_of(finding))
        known = self._reports.get(key)
        if known is None:
            self._reports[key] = Report(finding, places, kernel, shape, [number], [called_at])
        else:
            known.again(finding, number, called_at)

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


def _shape(grid: Any, block: Any) -> str:
    """[4, 128] or [(2, 2), (16, 16)], without what is 1."""
    return f"[{_extent(norm3(grid))}, {_extent(norm3(block))}]"


def _extent(dims: Iterable[int]) -> str:
    sizes = list(dims)
    while len(sizes) > 1 and sizes[-1] == 1:
        sizes.pop()
    return str(sizes[0]) if len(sizes) == 1 else f"({', '.join(map(str, sizes))})"


def _where(frame: FrameType | None) -> Where:
    return Where(frame.f_code.co_filename, frame.f_lineno) if frame else Where("", 0)
