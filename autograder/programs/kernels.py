"""``warpbook trace`` and ``warpbook lint``: one kernel of any file, interpreted and compiled."""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.machine.command_arguments import UsageError

if TYPE_CHECKING:
    from simt.tracing import Trace


def add_commands(command: Callable[..., argparse.ArgumentParser]) -> None:
    """Make a subparser of each. command: (name, what runs it, one line) -> the subparser."""
    _add_trace(command("trace", _trace, "counters and findings of any kernel"))
    compiles = "compile a kernel for real: registers, spills, float64 creep, typing errors by line"
    _add_lint(command("lint", _lint, compiles))


def _add_trace(trace: argparse.ArgumentParser) -> None:
    trace.add_argument("kernel", metavar="FILE.py:KERNEL")
    trace.add_argument("--grid", required=True, help="blocks, as in 4,1")
    trace.add_argument("--block", required=True, help="threads per block, as in 32,8")
    trace.add_argument(
        "--arg",
        action="append",
        default=[],
        help="one for each parameter: 'float32[1024]', 7, 2.5, 'float32(2.5)'",
    )
    trace.add_argument(
        "--gpu", metavar="NAME", help="bound the time on this GPU part by part, as in h200, t4 or rtx4060-laptop"
    )
    trace.add_argument("--draw", metavar="FILE", help="write the picture that explains most, as .svg or .png")


def _add_lint(lint: argparse.ArgumentParser) -> None:
    lint.add_argument("kernel", metavar="FILE.py:KERNEL")
    lint.add_argument("--sig", required=True, help="argument types, as in 'float32[:], float32[:]'")
    lint.add_argument(
        "--arch",
        action="append",
        help="as in sm_90; repeatable; default: this GPU, or several common ones",
    )


NOT_RUN = 1  # exit code


def _trace(arguments) -> tuple[Any, ...]:
    import simt
    from autograder.plain_data import to_json
    from autograder.programs.typed_arguments import dimensions, kernel_argument
    from autograder.speed import time_bounds
    from simt.text import tables
    from simt.timing.gpus import UnknownGpuError, find_gpu

    try:
        gpu = find_gpu(arguments.gpu) if arguments.gpu else None
    except UnknownGpuError as error:
        raise UsageError(f"--gpu: {error}") from error
    kernel = _load_kernel(arguments.kernel)
    values = [kernel_argument(text, seed) for seed, text in enumerate(arguments.arg)]
    grid, block = dimensions("--grid", arguments.grid), dimensions("--block", arguments.block)
    _check_count(kernel, values)
    trace = simt.trace(kernel, grid, block, *values, record=bool(arguments.draw))
    drawn = f"\n\n{_save_picture(trace, arguments.draw)}" if arguments.draw else ""
    bound, bound_text = time_bounds.of_trace(trace, kernel, values, gpu)
    document = {
        "findings": [_finding(finding) for finding in trace.findings],
        "notes": [_finding(finding) for finding in trace.notes],
        "counters": trace.counters,
        "by_line": trace.by_line(),
        "arrays": {name: _traffic(array) for name, array in trace.bytes_by_array().items()},
        "bound": bound,
    }
    refused = any(finding.kind == "unsupported" for finding in trace.findings)
    text = f"{tables.render(trace)}\n\n{bound_text}{drawn}{_numbers_given(kernel, values) if refused else ''}"
    return to_json(document), text, NOT_RUN if refused else 0


def _numbers_given(kernel: Any, values: list) -> str:
    """Which parameters are numbers, where a kernel stopped that may want arrays there; "" where none is."""
    names = inspect.signature(getattr(kernel, "py_func", kernel)).parameters
    numbers = [
        f"{name} is the number {value}"
        for name, value in zip(names, values, strict=False)
        if not getattr(value, "ndim", 0)
    ]
    return f"\n\nHere {', '.join(numbers)}. For an array, write --arg 'float32[1024]'." if numbers else ""


def _check_count(kernel: Any, values: list) -> None:
    """Raises: UsageError where a kernel cannot be called with so many arguments, so that nothing would be traced."""
    function = getattr(kernel, "py_func", kernel)
    try:
        inspect.signature(function).bind(*values)
    except TypeError as error:
        takes = ", ".join(inspect.signature(function).parameters) or "nothing"
        given = f"{len(values)} {'was' if len(values) == 1 else 'were'} given"
        raise UsageError(f"{function.__name__} takes {takes}; {given}. Give one --arg for each parameter.") from error


def _save_picture(trace: Trace, path: str) -> str:
    """Write the figure that explains most about a recorded trace to a file, as SVG or PNG by the end of its name.

    Returns: the figure in words, and where it is. Raises: UsageError for another ending or a trace that shows nothing.
    """
    from simt import figures

    target = Path(path)
    if target.suffix not in (".svg", ".png"):
        raise UsageError(f"--draw {path!r} is no picture. Name a file that ends in .svg or .png.")
    try:
        figure = figures.best(trace)
    except figures.NothingToDraw as error:
        raise UsageError(f"--draw: there is nothing to draw: {error}") from error
    try:
        target.write_bytes(figure._repr_svg_().encode() if target.suffix == ".svg" else figure._repr_png_())
    except OSError as error:
        raise UsageError(f"--draw {path!r} cannot be written: {error.strerror}.") from error
    return f"{figure.words}\n\nDrawn in {path}."


def _traffic(array) -> dict[str, Any]:
    return {**vars(array), "moved_bytes": array.moved_bytes, "least_bytes": array.least_bytes}


def _finding(finding) -> dict[str, Any]:
    return {
        "kind": finding.kind,
        "message": finding.message,
        "remedy": finding.remedy,
        "lines": list(finding.lines),
        "threads": [list(thread) for thread in finding.threads],
        "array": finding.array,
        "count": finding.count,
    }


def _lint(arguments) -> tuple[Any, str]:
    from autograder.lint import lint
    from autograder.programs.typed_arguments import signature

    report = lint(_load_kernel(arguments.kernel), signature(arguments.sig), architectures=arguments.arch)
    return report.to_json(), str(report)


def _load_kernel(where: str):
    """The function named by FILE.py:KERNEL."""
    from autograder.answer.program import Program, ProgramError

    path, separator, name = where.rpartition(":")
    if not separator or not path:
        raise UsageError(f"{where!r} names no kernel. Write FILE.py:KERNEL, as in answers.py:vector_add.")
    typed, sys.argv = sys.argv, [path]  # a file that reads its arguments has none here, and not those of this command
    try:
        return Program.from_file(path, name).load()[1]
    except ProgramError as error:
        raise UsageError(str(error)) from error
    finally:
        sys.argv = typed
