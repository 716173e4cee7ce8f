"""Runs entries on the GPU and writes down what was launched, in order: the process that profilers look at."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from autograder.notebook.cuda_graphs import DriverGraph
from tests.zoo import course
from tests.zoo.catalogue import ENTRIES, PLANTED
from tests.zoo.entry import Entry
from tests.zoo.measure import FAILED

MARK = "@@ "  # begins a line that names the entry which is launched next
TIMES = 2  # everything is launched twice, to see which counters a GPU itself repeats
MEMORY_INSTRUCTION = re.compile(r"\b((?:LDG|STG|LDS|STS|LD|ST|LDL|STL|ATOM|ATOMG|ATOMS|RED|REDG)(?:\.[A-Z0-9_.]+)?)\b")


@contextmanager
def noted_launches(log: list[tuple[str, Any]], current: Callable[[], str]) -> Iterator[None]:
    """While this lasts, every launch through numba is appended to the log: the entry it belongs to, its kernel."""
    from numba.cuda.dispatcher import _Kernel

    launch = _Kernel.launch

    def noted(kernel, *arguments, **options):
        log.append((current(), kernel))
        return launch(kernel, *arguments, **options)

    _Kernel.launch = noted
    try:
        with noted_replays(log):
            yield
    finally:
        _Kernel.launch = launch


@contextmanager
def noted_replays(log: list[tuple[str, Any]]) -> Iterator[None]:
    """While this lasts, what a graph captured is in the log as often as it is replayed, and not for being captured."""
    begin, end, replay = DriverGraph.__init__, DriverGraph.end, DriverGraph.replay

    def noted_begin(graph, stream):
        begin(graph, stream)
        graph.noted = len(log)

    def noted_end(graph):
        end(graph)
        first = graph.noted
        graph.noted = log[first:]
        del log[first:]

    def noted_replay(graph, stream=None):
        replay(graph, stream)
        log.extend(graph.noted)

    DriverGraph.__init__, DriverGraph.end, DriverGraph.replay = noted_begin, noted_end, noted_replay
    try:
        yield
    finally:
        DriverGraph.__init__, DriverGraph.end, DriverGraph.replay = begin, end, replay


def run_entry(entry: Entry, compiled: dict[Callable, Any], **jit_options) -> None:
    """Compile (once for each kernel) and launch one entry."""
    from numba import cuda

    if entry.kernel not in compiled:
        compiled[entry.kernel] = cuda.jit(entry.kernel, **jit_options)
    arguments = [cuda.to_device(value) if isinstance(value, np.ndarray) else value for value in entry.arguments()]
    compiled[entry.kernel][entry.grid, entry.block, 0, entry.dynamic_shared_bytes](*arguments)
    cuda.synchronize()


def run_course_entry(entry: course.CourseEntry, function: Callable) -> None:
    """Run one function of the course as the judge does."""
    from autograder.running import run_cuda

    ran = run_cuda.run(entry.contract, function, entry.values())
    if ran.error is not None:
        raise ran.error


def memory_instructions(kernel: Any) -> dict[str, int]:
    """How many instructions of each kind the machine code has that touch memory, as in {"LDS.128": 4}."""
    code = kernel.inspect_sass()
    lines = (line for line in code.splitlines() if "/*" in line)
    return dict(sorted(Counter(found[1] for line in lines if (found := MEMORY_INSTRUCTION.search(line))).items()))


def say(name: str) -> None:
    """Mark where the reports on an entry begin in what a checker prints."""
    print(f"{MARK}{name}", flush=True)


def chosen(name: str, only: str) -> bool:
    """Whether a name holds one of the texts that `only` lists, with commas between; all names where it is empty."""
    return any(text in name for text in only.split(","))


def past_the_end(x, out):
    """A planted mistake that memcheck must report."""
    out[0] = x[x.size]


def checked(only: str = "") -> None:
    """Launch planted races, their mendings, the zoo and the course, each after a line that names it.

    only: as everywhere; "past_the_end" launches that alone.
    """
    compiled: dict[Callable, Any] = {}
    if only == past_the_end.__name__:
        say(f"planted:{only}")
        arguments = lambda: [np.zeros(64, np.float32), np.zeros(1, np.float32)]  # noqa: E731
        with suppress(Exception):  # under memcheck the launch fails, too
            run_entry(Entry(only, "", past_the_end, arguments, grid=1, block=1), compiled, lineinfo=True)
    for planted in PLANTED:
        for kernel in (planted.racy, planted.mended):
            if chosen(kernel.__name__, only):
                say(f"planted:{kernel.__name__}")
                run_entry(planted.entry(kernel), compiled, lineinfo=True)
    for entry in ENTRIES:
        if chosen(entry.name, only):
            say(f"zoo:{entry.name}")
            run_entry(entry, compiled, lineinfo=True)
    for entry in course.entries():
        if chosen(entry.name, only):
            say(f"course:{entry.name}")
            run_course_entry(entry, entry.function())
    say("end")


def profiled(log_path: Path, only: str = "") -> None:
    """Launch everything whose name holds `only`, then write the log: every launch, in order."""
    log: list[tuple[str, Any]] = []
    current, failed = [""], []
    compiled: dict[Callable, Any] = {}
    with noted_launches(log, lambda: current[0]):
        for entry in ENTRIES:
            if chosen(entry.name, only):
                current[0] = f"zoo:{entry.name}"
                for _ in range(TIMES):
                    run_entry(entry, compiled)
        for entry in course.entries():
            if chosen(entry.name, only):
                current[0] = f"course:{entry.name}"
                try:
                    function = entry.function()
                    for _ in range(TIMES):
                        run_course_entry(entry, function)
                except Exception as error:  # the others are still worth measuring
                    failed.append(current[0])
                    print(f"{entry.name} was not measured: {type(error).__name__}: {error}", file=sys.stderr)
    launches, instructions = [], {}
    for name, kernel in log:
        if id(kernel) not in instructions:
            instructions[id(kernel)] = memory_instructions(kernel)
        function = kernel.py_func.__name__
        entry_name = FAILED if name in failed else name
        launches.append({"entry": entry_name, "function": function, "instructions": instructions[id(kernel)]})
    log_path.write_text(json.dumps(launches))


if __name__ == "__main__":
    checked(*sys.argv[2:]) if sys.argv[1] == "checked" else profiled(Path(sys.argv[1]), *sys.argv[2:])
