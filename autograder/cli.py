"""The `warpbook` command. `--json` prints one JSON document on stdout and nothing else.

Exit code 0 when judging worked, whatever the verdict; 2 for bad usage, with what to do next on stderr. `warpbook run`
ends with 1 for findings (see `autograder.programs.command`), `warpbook check-exercises` for what is not as promised.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.classroom import command as class_commands
from autograder.command_arguments import UsageError
from autograder.drills import command as drill_command
from autograder.exercises import command as own_exercises
from autograder.programs import command as command_of_programs

if TYPE_CHECKING:
    from simt.tracing import Trace

BAD_USAGE = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand. Returns the exit code."""
    arguments = parser().parse_args(argv)
    if arguments.command == "run":
        return _run(arguments)
    as_json = getattr(arguments, "json", False)
    chatter = io.StringIO()
    try:
        with contextlib.redirect_stdout(chatter) if as_json else contextlib.nullcontext():
            own_exercises.know_own(arguments)
            document, text, *code = arguments.run(arguments)
    except UsageError as error:
        print(f"warpbook {arguments.command}: {error}", file=sys.stderr)
        return BAD_USAGE
    if said := json.dumps(document, indent=2, allow_nan=False) if as_json else text:
        _say(said)
    return code[0] if code else 0


def _say(text: str) -> None:
    """Print to whoever listens: `warpbook list | head` closes the pipe when it has what it wants."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what the interpreter flushes at its end


def parser() -> argparse.ArgumentParser:
    """The command line, one subparser a subcommand."""
    top = argparse.ArgumentParser(
        prog="warpbook", description="Write numba.cuda kernels; learn why they are right or fast."
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run, summary: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=summary, description=summary)
        sub.set_defaults(run=run)
        sub.add_argument("--json", action="store_true", help="print one JSON document on stdout and nothing else")
        return sub

    command("doctor", _doctor, "what works on this machine, and the exact command that mends what does not")
    own_exercises.add_own(command("list", _list, "units, exercises, ids, points"))
    own_exercises.add_commands(command)
    _add_check(command("check", _check, "judge FILE.py, which defines the exercise's function by name"))
    _add_trace(command("trace", _trace, "counters and findings of any kernel"))
    compiles = "compile a kernel for real: registers, spills, float64 creep, typing errors by line"
    _add_lint(command("lint", _lint, compiles))
    interprets = "any numba.cuda program without a GPU: races, indices outside, reads before writes, by line"
    command_of_programs.add_arguments(command("run", None, interprets))
    _add_bench(command("bench", _bench, "the course's kernels on this GPU against its ceilings"))
    class_commands.add_commands(command)
    drill_command.add_arguments(command("drill", _drill, "interview practice: cards that come back, mock interviews"))
    return top


def _add_check(check: argparse.ArgumentParser) -> None:
    own_exercises.add_own(check)
    check.add_argument("id", help="exercise id, as in vector_add.vector_add")
    check.add_argument("file", help="Python file with the answer")
    check.add_argument("--device", choices=("simt", "cuda", "auto"), default="auto", help="where to run; default: auto")


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


def _add_bench(bench: argparse.ArgumentParser) -> None:
    bench.add_argument("--unit", action="append", help="only this unit; repeatable")
    bench.add_argument(
        "--calibrate",
        metavar="EXERCISE|UNIT",
        help="where the bands of points lie on this GPU, for one exercise or unit, or all; kept in a file a device",
    )


def _run(arguments) -> int:
    """Runs a program; what it prints is its own, and so the answer is printed by the command itself."""
    from autograder.programs.script import ScriptError

    try:
        return command_of_programs.run(
            arguments.script, arguments.arguments, arguments.counters, arguments.blocks, arguments.json
        )
    except ScriptError as error:
        print(f"warpbook run: {error}", file=sys.stderr)
        return BAD_USAGE


def _doctor(_arguments) -> tuple[Any, str]:
    from autograder.machine.health import as_document, examine, to_text

    checks = examine()
    return as_document(checks), to_text(checks)


def _list(_arguments) -> tuple[Any, str]:
    from autograder import exercises

    rows: list[dict[str, Any]] = [
        {
            "unit": exercise.unit,
            "id": exercise.id,
            "title": exercise.title,
            "points": exercise.points,
            "speed_points": exercise.speed.points if exercise.speed else 0.0,
        }
        for exercise in exercises.all_exercises()
    ]
    width = max((len(row["id"]) for row in rows), default=0)
    lines = [
        f"{r['unit']:<20} {r['id']:<{width}} {r['points']:>5g} + {r['speed_points']:g}  {r['title']}" for r in rows
    ]
    return {"exercises": rows}, "\n".join(lines)


def _check(arguments) -> tuple[Any, str]:
    from autograder import exercises, judge
    from autograder.answer.program import Program, ProgramError
    from autograder.report.results_json import to_results
    from autograder.report.without_a_notebook import without_commands

    try:
        exercise = exercises.find(arguments.id)
        program = Program.from_file(arguments.file, exercise.function)
    except (exercises.UnknownExerciseError, ProgramError) as error:
        raise UsageError(str(error)) from error
    outcome = without_commands(judge.check(exercise, program, device=arguments.device), exercise)
    return to_results(outcome), str(outcome)


def _trace(arguments) -> tuple[Any, str]:
    import simt
    from autograder.command_arguments import dimensions, kernel_argument
    from autograder.plain_data import to_json
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
    return to_json(document), f"{tables.render(trace)}\n\n{bound_text}{drawn}"


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
    from autograder.command_arguments import signature
    from autograder.lint import lint

    report = lint(_load_kernel(arguments.kernel), signature(arguments.sig), architectures=arguments.arch)
    return report.to_json(), str(report)


def _bench(arguments) -> tuple[Any, str]:
    from autograder.speed.bench import bench, timed_exercises, to_text

    if arguments.calibrate:
        return _calibrate(arguments.calibrate)
    chosen = [exercise for exercise in timed_exercises() if not arguments.unit or exercise.unit in arguments.unit]
    document = bench(chosen)
    return document, to_text(document)


def _calibrate(what: str) -> tuple[Any, str]:
    from autograder.speed import calibrate

    try:
        return calibrate.of_this_device(what)
    except calibrate.NothingToTime as error:
        raise UsageError(str(error)) from error


def _drill(arguments) -> tuple[Any, str]:
    return drill_command.run(arguments)


def _load_kernel(where: str):
    """The function named by FILE.py:KERNEL."""
    from autograder.answer.program import Program, ProgramError

    path, separator, name = where.rpartition(":")
    if not separator or not path:
        raise UsageError(f"{where!r} names no kernel. Write FILE.py:KERNEL, as in answers.py:vector_add.")
    try:
        return Program.from_file(path, name).load()[1]
    except ProgramError as error:
        raise UsageError(str(error)) from error


if __name__ == "__main__":
    sys.exit(main())
