"""One launch of a program: what listens to it, and what there is to tell of it."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from simt.analyses.counters import zero_counters
from simt.analyses.races import Races
from simt.errors import UnsupportedError
from simt.events import ArrayInfo, Finding, Listener, Site
from simt.launching.geometry import norm3
from simt.programs.heard_before import HeardBefore, KeptForRaces
from simt.programs.kept_events import KeptEvents
from simt.programs.library import told_at_home
from simt.programs.no_matter import OtherGarbage
from simt.programs.notes import Noting, all_notes
from simt.programs.notes.causes import with_causes
from simt.programs.notes.exchanged_guards import exchanged_guards
from simt.programs.notes.formulas import shared_positions
from simt.programs.notes.own_names import lost_values, stores_nothing
from simt.programs.notes.positions import missing_axes, unused_axes
from simt.programs.notes.source import notes_on
from simt.programs.notes.swapped import swapped_launch
from simt.programs.places import Function, Functions, LinesSeen, reached_by
from simt.programs.progress import Progress
from simt.programs.reports import Where
from simt.programs.sampled import PartlyWritten, SampledLaunch
from simt.programs.settled import AllOrders
from simt.source.barrier_places import with_place
from simt.source.clocks import read_round
from simt.source.recognise import python_function
from simt.tracing import KIND_OF_ERROR, Trace, Tracer
from simt.values.unasked import held, is_a, kind_has, memory_on_device


@dataclass
class Outcome:
    """What a launch did, as plain data: a child process sends it to its parent.

    kernel: where it stands; files: of it and of the functions it calls; found: findings with their places, causes
    first; remarks: what was not looked at; n_blocks, n_run: blocks of the launch, and of them those that ran.
    """

    kernel: Function
    shape: str
    called_at: Where
    files: set[str]
    found: list[tuple[Finding, tuple[Where, ...]]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    counters: dict[str, int] = field(default_factory=zero_counters)
    n_blocks: int = 0
    n_run: int = 0


class SharedArrays(Listener):
    """Remembers the shared arrays of a launch."""

    def __init__(self) -> None:
        self.arrays: dict[tuple, ArrayInfo] = {}

    def shared_allocated(self, array: ArrayInfo, site: Site) -> None:
        self.arrays.setdefault(array.key, array)


@dataclass
class OneLaunch:
    """A launch that is about to run. frozen: notes on what the kernel still reads as it was when it was compiled."""

    kernel: Callable
    grid: Any
    block: Any
    args: tuple
    number: int
    called_at: Where
    partly: PartlyWritten
    before: HeardBefore
    counters: bool = False
    blocks: int | None = None
    sample: int = 0
    frozen: Iterable[Finding] = ()
    first: bool = True  # of its kernel

    def __post_init__(self) -> None:
        self.function = python_function(self.kernel)
        self.debug = bool((held(self.kernel, "targetoptions") or {}).get("debug"))
        name = getattr(self.function, "__name__", "")
        self._seen, self._shared, self.progress = LinesSeen(), SharedArrays(), Progress(self.sample, name)
        self._orders, races = AllOrders(), Races() if self.blocks is None else None
        self._kept = KeptForRaces(races, self.before, self._orders) if races else KeptEvents(self._orders)
        self._sampled = SampledLaunch(self.partly, self.number)
        self._notes: list[Noting] = all_notes(self.debug, self._turned(), self.function)
        own: list[Any] = [self._seen, self._shared, self._kept, self.progress, *self._notes]
        own += [self._sampled] if self.sample else []
        self._tracer = Tracer(
            counters=self.counters, max_blocks=self.blocks, sample=self.sample, races=races or True, also=own
        )
        self.raised: BaseException | None = None

    @property
    def shape(self) -> str:
        """[4, 128] or [(2, 2), (16, 16)], without what is 1."""
        return f"[{_extent(norm3(self.grid))}, {_extent(norm3(self.block))}]"

    def run(self, dynamic_shared_bytes: int) -> None:
        """Run it. What it raises is kept in `raised`."""
        self._dynamic = dynamic_shared_bytes
        self._garbage = OtherGarbage(self.kernel, self.function, self.grid, self.block, self.args)
        try:
            self._tracer.run(
                self.kernel,
                self.grid,
                self.block,
                *self.args,
                dynamic_shared_bytes=dynamic_shared_bytes,
                debug=self.debug,
            )
        except (Exception, KeyboardInterrupt) as error:  # what a debug kernel raises is any exception
            self.raised = error
            if isinstance(error, Exception) and isinstance(error, tuple(KIND_OF_ERROR)):
                self._tracer.error(error)

    def outcome(self) -> Outcome:
        """What there is to tell. What only the interpreter cannot run is a remark, and no finding."""
        trace, functions = self._tracer.result(), Functions.of(self.kernel)
        name, raised = functions.kernel.name, self.raised
        remarks, found = list(trace.remarks), [*self._settled(trace.findings), *trace.notes]
        if isinstance(raised, KeyboardInterrupt):
            remarks.append(f"{name} was interrupted: what it would have done next was not looked at")
        if isinstance(raised, UnsupportedError) and not raised.reason:
            remarks.append(f"{name} did not run to its end: {raised}")
            found = [finding for finding in found if finding.kind != "unsupported"]
        if raised is None and not self.sample:
            found = list(self._garbage.judged(found, self._dynamic))
        found += [finding for one in self._notes for finding in one.book.all()]
        told = [told_at_home(self._sampled.judged(one), functions, self._seen) for one in self._placed(found)]
        told += [told_at_home(one, functions, self._seen) for one in self._of_source()]
        told = [*self._swapped(trace, told), *((one, places or (self.called_at,)) for one, places in with_causes(told))]
        ran = self._sampled.n_blocks, self._sampled.run
        return Outcome(
            functions.kernel, self.shape, self.called_at, functions.files, told, remarks, trace.counters, *ran
        )

    def _of_source(self) -> Iterator[Finding]:
        """What the source says, once a kernel, and what of it has changed since."""
        yield from self.frozen
        if self.first and self.function is not None:
            yield from self._early_clock()
            syntax = [Functions.syntax_of(one) for one in reached_by(self.function)]
            yield from unused_axes(syntax, norm3(self.grid), norm3(self.block))
            several = norm3(self.grid)[0] > 1
            found = notes_on(Functions.syntax_of(self.function))
            yield from (one for one in found if several or one.kind != "short_stride")
            names = self.function.__code__.co_varnames
            memories = {name: _memory(one) for name, one in zip(names, self.args, strict=False)}
            arrays = {name: one.shape for name, one in memories.items() if one is not None}
            yield from exchanged_guards(Functions.syntax_of(self.function), arrays)
            yield from shared_positions(syntax[0], norm3(self.grid), norm3(self.block))
            yield from missing_axes(syntax[0], norm3(self.grid), norm3(self.block), arrays)
            lost = [
                note
                for one, tree in zip(reached_by(self.function), syntax, strict=True)
                for note in lost_values(tree, one is self.function, set(arrays) if one is self.function else set())
            ]
            yield from lost or stores_nothing(syntax)

    def _settled(self, findings: Iterable[Finding]) -> list[Finding]:
        """Races as notes, where every order of them comes to the same."""
        races = any(one.kind == "race" and not one.note for one in findings)
        if not races:
            return list(findings)
        self._kept.heard_by(self._orders)
        return list(map(self._orders.judged, findings))

    def _placed(self, found: Iterable[Finding]) -> Iterator[Finding]:
        """Findings, those of a barrier inside an `if` with the place where it belongs."""
        for one in found:
            if one.kind == "barrier_divergence" and one.lines and self.function is not None:
                for tree in map(Functions.syntax_of, reached_by(self.function)):
                    one = replace(one, remedy=with_place(one.remedy, tree, one.lines[0]))
            yield one

    def _early_clock(self) -> Iterator[Finding]:
        """A note where host code takes the time of this launch and does not wait for it. Arrays of the host are waited
        for by numba."""
        lines = read_round(self.called_at.file, self.called_at.line)
        if lines is not None and not any(is_a(one, np.ndarray) for one in self.args):
            name, (before, after) = getattr(self.function, "__name__", "the kernel"), lines
            says = (
                f"Line {after} reads the clock that line {before} has read before the launch of `{name}`, and nothing "
                "waits in between: a launch only asks for the kernel, so the time is not that of its work."
            )
            remedy = (
                f"Call cuda.synchronize() before line {after}; and launch once before, as the first launch compiles."
            )
            detail = {"host": True}
            yield Finding("early_clock", says, (after,), remedy=remedy, detail=detail, note=True)

    def _swapped(self, trace: Trace, told: list[tuple[Finding, tuple[Where, ...]]]) -> list:
        """The launch itself as the cause, where its numbers look exchanged."""
        texts = {where.line: linecache.getline(where.file, where.line) for _, places in told for where in places[:1]}
        found = [finding for finding, _ in told]
        launches = trace.launches[:1]
        causes = (swapped_launch(launch, self._shared.arrays.values(), found, texts) for launch in launches)
        return [(cause, (self.called_at,)) for cause in causes if cause is not None]

    def _turned(self) -> set[str]:
        """Parameters that are given the transposed of a device array."""
        if self.function is None:
            return set()
        names = self.function.__code__.co_varnames
        pairs = zip(names, self.args, strict=False)
        return {name for name, one in pairs if kind_has(one, "simt_turned") and one.simt_turned}


def _memory(argument: Any) -> np.ndarray | None:
    memory = memory_on_device(argument)
    return argument if memory is None and is_a(argument, np.ndarray) else memory


def _extent(dims: Iterable[int]) -> str:
    sizes = list(dims)
    while len(sizes) > 1 and sizes[-1] == 1:
        sizes.pop()
    return str(sizes[0]) if len(sizes) == 1 else f"({', '.join(map(str, sizes))})"
