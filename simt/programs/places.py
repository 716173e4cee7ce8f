"""In which file a line of a finding stands: that of the kernel, or of a function that it calls."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from simt.compiling.compiled import kept_of
from simt.compiling.compiler import compiler_of
from simt.compiling.counting import Told
from simt.errors import SimtError
from simt.events import Access, Barrier, Lanes, Listener, OutOfBounds, Site, WarpSync
from simt.source.recognise import LIBRARIES, CudaName, is_from, python_function
from simt.source.walking import walk


class LinesSeen(Listener):
    """Which function does something at a line, by array: two files may well have a line of the same number."""

    def __init__(self) -> None:
        self.functions: dict[tuple[str, int], str] = {}
        self._calls: dict[tuple[str, int], tuple[Site, ...]] = {}  # to there, outermost first

    def access(self, event: Access) -> None:
        self._note(event.array.name, event.site, event.lanes)

    def out_of_bounds(self, event: OutOfBounds) -> None:
        self._note(event.array.name, event.site, event.lanes)

    def barrier(self, event: Barrier) -> None:
        self._note("", event.site, event.lanes)

    def warp_sync(self, event: WarpSync) -> None:
        self._note("", event.site, event.lanes)

    def _note(self, array: str, site: Site, lanes: Lanes) -> None:
        key = array, site.line
        if key not in self.functions:
            self.functions[key], self._calls[key] = site.function, tuple(lanes.batch.calls)

    def call_of(self, array: str, line: int, functions: Functions) -> tuple[str, int] | None:
        """Where the program calls the library's function that a line belongs to: (that function, line of the call).
        None for a line of the program's own."""
        key = (array, line) if (array, line) in self.functions else ("", line)
        name = self.functions.get(key)
        own = {one.name for one in functions.all}
        if name is None or name in own:
            return None
        calls = self._calls[key]
        for site, inner in zip(calls, [*(call.function for call in calls[1:]), name], strict=False):
            if site.function in own and inner not in own:
                return inner, site.line
        return None


@dataclass(frozen=True)
class Function:
    """A function of a program, and where it stands: lines `first` to `last` of a file."""

    name: str
    file: str
    first: int
    last: int


@dataclass(frozen=True)
class Functions:
    """A kernel, first, and the functions that it reaches."""

    all: tuple[Function, ...]

    @classmethod
    def of(cls, kernel: Callable) -> Functions:
        """What a kernel is made of; where its source cannot be read, its own file and line."""
        function = python_function(kernel)
        if function is None:
            return cls((Function(getattr(kernel, "__name__", "kernel"), "", 0, 0),))
        beside = kept_of(function).beside
        if "places" not in beside:
            beside["places"] = cls(tuple(_place_of(one) for one in reached_by(function)))
        return beside["places"]

    @staticmethod
    def syntax_of(function: Callable) -> ast.AST:
        """The syntax of a function; of one whose source cannot be read, nothing."""
        try:
            return compiler_of(function, Told.NOTHING).source.node
        except (SimtError, SyntaxError):
            return ast.Pass()

    @property
    def kernel(self) -> Function:
        return self.all[0]

    @property
    def files(self) -> set[str]:
        return {one.file for one in self.all if one.file}

    def file_of(self, line: int, array: str, seen: LinesSeen) -> str:
        """The file of a line: of the function that touched the array there, else of the first function around it."""
        name = seen.functions.get((array, line)) or seen.functions.get(("", line))
        around = [one for one in self.all if one.first <= line <= one.last]
        named = [one for one in around if one.name == name]
        return next((one.file for one in (*named, *around)), self.kernel.file)


def reached_by(function: Callable) -> list[Callable]:
    """A kernel's function, and those of the program that it reaches; found out once for each time it is compiled."""
    beside = kept_of(function).beside
    if "reached" not in beside:
        beside["reached"] = _reached_from(function)
    return beside["reached"]


def names_in(function: Callable) -> frozenset[str]:
    """What a kernel, and the functions that it reaches, name: variables and attributes."""
    beside = kept_of(function).beside
    if "names" not in beside:
        nodes = (node for one in reached_by(function) for node in walk(Functions.syntax_of(one)))
        beside["names"] = frozenset(getattr(node, "attr", getattr(node, "id", "")) for node in nodes)
    return beside["names"]


def _reached_from(function: Callable) -> list[Callable]:
    found = [function]
    try:
        for _, value in compiler_of(function, Told.NOTHING).reached(set()):
            called = None if isinstance(value, CudaName) else python_function(value)
            if called is not None and called not in found and not is_from(called, LIBRARIES):
                found.append(called)
    except (SimtError, SyntaxError):
        pass  # the launch says what is wrong with it
    return found


def _place_of(function: Callable) -> Function:
    code = function.__code__
    try:
        last = compiler_of(function, Told.NOTHING).source.node.end_lineno or code.co_firstlineno
    except (SimtError, SyntaxError):
        last = code.co_firstlineno
    return Function(code.co_name, code.co_filename, code.co_firstlineno, last)
