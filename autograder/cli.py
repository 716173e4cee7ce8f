"""The `warpbook` command. `--json` prints one JSON document on stdout and nothing else.

Exit code 0 when judging worked, whatever the verdict; 2 for bad usage, with what to do next on stderr. `warpbook run`
ends with 1 for findings (see `autograder.programs.command`), `warpbook check-exercises` for what is not as promised.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
from collections.abc import Sequence
from typing import Any

from autograder.classroom import command as class_commands
from autograder.classroom.demo import command as demo_command
from autograder.drills import command as drill_command
from autograder.exercises import command as own_exercises
from autograder.machine import listeners, scratch
from autograder.machine.command_arguments import Parser, UsageError
from autograder.machine.start import command as start_command
from autograder.machine.work_log import command as log_command
from autograder.programs import command as command_of_programs
from autograder.programs import hint_command
from autograder.programs import kernels as kernel_commands
from simt.compilers import CompilerError

BAD_USAGE, STOPPED, UNHEARD = 2, 130, 141  # as a shell says that Ctrl+C ended it, and that nobody reads any more
KEPT = {"grade": " What was judged is kept: go on with --resume.", "regrade": " The same command goes on where it was."}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand. Returns the exit code."""
    scratch.leave_in_order()
    arguments = parser().parse_args(argv)
    if arguments.command == "run":
        return _run(arguments)
    as_json = getattr(arguments, "json", False)
    chatter = io.StringIO()
    try:
        with contextlib.redirect_stdout(chatter) if as_json else contextlib.nullcontext():
            own_exercises.know_own(arguments)
            document, text, *code = arguments.run(arguments)
    except (UsageError, CompilerError) as error:
        print(f"warpbook {arguments.command}: {error}", file=sys.stderr)
        return BAD_USAGE
    except (KeyboardInterrupt, scratch.Terminated) as stop:
        print(f"\nwarpbook {arguments.command}: stopped.{KEPT.get(arguments.command, '')}", file=sys.stderr)
        return STOPPED if isinstance(stop, KeyboardInterrupt) else scratch.TERMINATED
    except BrokenPipeError:  # of stdout: pipes of ours are looked after where they are written to
        listeners.speak_to_nobody()
        return UNHEARD
    if said := json.dumps(document, indent=2, allow_nan=False) if as_json else text:
        listeners.say(said)
    return code[0] if code else 0


def parser() -> argparse.ArgumentParser:
    """The command line, one subparser a subcommand."""
    top = Parser(prog="warpbook", description="Write numba.cuda kernels; learn why they are right or fast.")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run, summary: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=summary, description=summary)
        sub.set_defaults(run=run)
        sub.add_argument("--json", action="store_true", help="print one JSON document on stdout and nothing else")
        return sub

    doctor = command("doctor", _doctor, "what works on this machine, and the exact command that mends what does not")
    doctor.add_argument("--report", action="store_true", help="to paste into an issue: without names of yours")
    starts = "the course in a folder of yours, opened in JupyterLab"
    start_command.add_arguments(command("start", start_command.run, starts))
    own_exercises.add_own(command("list", _list, "units, exercises, ids, points"))
    own_exercises.add_commands(command)
    _add_check(command("check", _check, "judge FILE.py, which defines the exercise's function by name"))
    hints = "a nudge for an exercise, or for the mistake in FILE.py; --level 2 says more"
    hint_command.add_arguments(command("hint", hint_command.run, hints))
    log_command.add_arguments(
        command("log", log_command.run, "what you checked, how often and how it ended, by exercise")
    )
    kernel_commands.add_commands(command)
    interprets = "any numba.cuda program without a GPU: races, indices outside, reads before writes, by line"
    command_of_programs.add_arguments(command("run", None, interprets))
    _add_bench(command("bench", _bench, "the course's kernels on this GPU against its ceilings"))
    class_commands.add_commands(command)
    plays = "a sample class of six invented students, from submissions to feedback pages and a gradebook"
    demo_command.add_arguments(command("demo", demo_command.run, plays))
    drill_command.add_arguments(command("drill", _drill, "interview practice: cards that come back, mock interviews"))
    return top


def _add_check(check: argparse.ArgumentParser) -> None:
    own_exercises.add_own(check)
    check.add_argument("id", help="exercise id, as in vector_add.vector_add")
    check.add_argument("file", help="Python file with the answer")
    check.add_argument("--device", choices=("simt", "cuda", "auto"), default="auto", help="where to run; default: auto")


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
            arguments.script,
            arguments.arguments,
            arguments.counters,
            arguments.blocks,
            arguments.json,
            arguments.sample,
            arguments.sarif,
            arguments.html,
            arguments.module,
        )
    except ScriptError as error:
        print(f"warpbook run: {error}", file=sys.stderr)
        return BAD_USAGE


def _doctor(arguments) -> tuple[Any, str]:
    from autograder.machine.health import as_document, doctor, examine
    from autograder.machine.report import report

    if arguments.report:
        checks = examine()
        return {**as_document(checks), "report": (told := report(checks))}, told
    return as_document(doctor()), ""  # it has printed each check as soon as it was done


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
    from autograder.machine.work_log import entries
    from autograder.report.results_json import to_results
    from autograder.report.without_a_notebook import without_commands

    try:
        exercise = exercises.find(arguments.id)
        program = Program.from_file(arguments.file, exercise.function)
    except (exercises.UnknownExerciseError, ProgramError) as error:
        raise UsageError(str(error)) from error
    outcome = without_commands(judge.check(exercise, program, device=arguments.device), exercise)
    entries.note(outcome)
    return to_results(outcome), str(outcome)


def _bench(arguments) -> tuple[Any, str]:
    from autograder.speed.bench import bench, timed_exercises, to_text

    if arguments.calibrate:
        return _calibrate(arguments.calibrate)
    timed = timed_exercises()
    units = dict.fromkeys(exercise.unit for exercise in timed)
    for unit in arguments.unit or ():
        if unit not in units:
            raise UsageError(f"--unit: nothing is timed in {unit!r}. Units with speed points: {', '.join(units)}.")
    chosen = [exercise for exercise in timed if not arguments.unit or exercise.unit in arguments.unit]
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


if __name__ == "__main__":
    sys.exit(main())
