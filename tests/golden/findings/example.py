"""One example: the text of a kernel, how it is launched, and what is said about it."""

from __future__ import annotations

import inspect
import itertools
import linecache
import math
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import simt
from simt.cuda_api import cuda
from simt.errors import SimtError
from simt.events import Finding

_cells = itertools.count()


@dataclass(frozen=True)
class Example:
    """A kernel as text, so that its lines are counted from 1 wherever it stands in its file.

    kernel: name of the function in `text` that is launched; arguments: makes fresh ones; strict: launch without
    listeners, which raises; jitted: launch it as a decorated kernel, which may only call decorated functions.
    """

    name: str
    text: str
    kernel: str
    namespace: dict[str, Any]
    grid: Any = 1
    block: Any = 32
    arguments: Callable[[], list[Any]] = list
    options: dict[str, Any] = field(default_factory=dict)
    strict: bool = False
    jitted: bool = False

    def launched(self) -> Any:
        """The kernel, made from its text as a notebook's cell would be."""
        cell = f"<example {next(_cells)}>"
        linecache.cache[cell] = (len(self.text), None, self.text.splitlines(True), cell)
        namespace = {"cuda": cuda, "np": np, "math": math, **self.namespace}
        exec(compile(self.text, cell, "exec"), namespace)
        kernel = namespace[self.kernel]
        return cuda.jit(kernel) if self.jitted else kernel

    def says(self) -> str:
        """Everything that is said about it."""
        kernel, arguments = self.launched(), self.arguments()
        if self.strict:
            try:
                simt.launch(kernel, self.grid, self.block, *arguments, **self.options)
            except SimtError as error:
                return f"{type(error).__name__}: {error}"
            return "nothing"
        trace = simt.trace(kernel, self.grid, self.block, *arguments, **self.options)
        return "\n".join(map(told, [*trace.findings, *trace.notes])) or "nothing"

    def render(self) -> str:
        """The numbered kernel, its launch, and what is said about it."""
        numbered = [f"{number:4}  {line}".rstrip() for number, line in enumerate(self.text.splitlines(), 1)]
        return "\n".join([f"== {self.name}: {self.kernel}[{self.grid}, {self.block}]", *numbered, "", self.says(), ""])


def told(finding: Finding) -> str:
    """A finding as it stands in a golden file."""
    where = [f"line {line}" for line in finding.lines]
    where += [f"block {block} thread {thread}" for block, thread in zip(finding.blocks, finding.threads, strict=False)]
    often = "once" if finding.count == 1 else f"{finding.count} times"
    parts = [finding.kind + (" (note)" if finding.note else ""), *where, finding.array, often]
    lines = ["; ".join(part for part in parts if part), f"  {finding.message}"]
    return "\n".join([*lines, f"  {finding.remedy}"] if finding.remedy else lines)


class Catalogue:
    """The examples of one file, in order."""

    def __init__(self, namespace: dict[str, Any] | None = None) -> None:
        self.examples: dict[str, Example] = {}
        self.namespace = namespace or {}

    def __iter__(self) -> Iterator[Example]:
        return iter(self.examples.values())

    def enter(self, example: Example) -> None:
        assert example.name not in self.examples, f"two examples are called {example.name}"
        self.examples[example.name] = example

    def kernel(self, grid, block, *arguments, uses=(), strict=False, jitted=False, **options):
        """List the function below. arguments: arrays and scalars, copied for each run; uses: functions it calls."""

        def enter(function):
            text = "\n\n".join(_source(one) for one in (*uses, function))
            self.enter(
                Example(
                    function.__name__, text, function.__name__, function.__globals__, grid, block,
                    lambda: [copy_of(argument) for argument in arguments], options, strict, jitted,
                )
            )  # fmt: skip
            return function

        return enter

    def line(self, name: str, lines: str, *arguments, jitted=False, **options) -> None:
        """List a kernel of a few lines, launched with one thread on the arrays that its `arguments` name."""
        body = textwrap.indent(textwrap.dedent(lines).strip(), "    ")
        given = arguments or (np.arange(8, dtype=np.float32), 3)
        names = ("out", "n", "more")[: len(given)]
        text = f"def kernel({', '.join(names)}):\n{body}\n"
        make = lambda: [copy_of(argument) for argument in given]  # noqa: E731
        self.enter(Example(name, text, "kernel", self.namespace, 1, 1, make, options, False, jitted))


def copy_of(argument: Any) -> Any:
    """A fresh array, or the argument itself."""
    return argument.copy() if isinstance(argument, np.ndarray) else argument


def floats(*shape: int) -> np.ndarray:
    return np.arange(math.prod(shape), dtype=np.float32).reshape(shape)


def zeros(*shape: int, dtype=np.float32) -> np.ndarray:
    return np.zeros(shape, dtype)


def _source(function: Callable) -> str:
    """The text of a function below its decorators."""
    text = textwrap.dedent(inspect.getsource(function))
    return text[text.index("def ") :].rstrip() + "\n"
