"""The commands of `warpbook` that are about a class: what they are given, and what they call."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder.exercises.command import add_own
from autograder.machine.command_arguments import UsageError, needs_lab

Said = tuple[Any, str]  # as JSON, and as text
Command = Callable[[str, Callable[[Namespace], Said], str], ArgumentParser]


def add_commands(any_command: Command) -> None:
    """Make a subparser of each. any_command: (name, what runs it, one line) -> the subparser."""

    def command(name: str, run: Callable[[Namespace], Said], line: str) -> ArgumentParser:
        return any_command(name, needs_lab(run), line)

    grade = command("grade", _grade, "judge a class, at any scale")
    grade.add_argument("--submissions", required=True, metavar="DIR", help="DIR/<student>/<unit>/<unit>.ipynb")
    grade.add_argument("--out", required=True, metavar="DIR", help="verdicts, feedback pages and the gradebook go here")
    grade.add_argument("--unit", help="only this unit, as in 06_reductions")
    grade.add_argument("--resume", action="store_true", help="go on with the last run: nothing is judged twice")
    grade.add_argument("--seed", default="", help="of a run to repeat; default: the cases' values are drawn afresh")

    replay = command("replay", _replay, "judge a verdict again, with the same values: same or different, and why")
    replay.add_argument("verdict", metavar="VERDICT", help="its file, as in build/verdicts/ada/UNIT/UNIT.json")
    replay.add_argument("--exercise", default="", metavar="ID", help="only this one")

    similar = command("similar", _similar, "which answers of a graded class are alike, side by side")
    similar.add_argument("--out", required=True, metavar="DIR", help="where `warpbook grade` wrote")

    serve = command("serve", _serve, "look at the pages of a graded class in a browser on this machine")
    serve.add_argument("--out", required=True, metavar="DIR", help="where `warpbook grade` wrote")
    serve.add_argument("--port", type=int, default=0, help="default: any that is free")

    regrade = command("regrade", _regrade, "judge exercises of a graded class anew and show what would change")
    regrade.add_argument("--submissions", required=True, metavar="DIR", help="as `warpbook grade` had them")
    regrade.add_argument("--out", required=True, metavar="DIR", help="where it wrote")
    regrade.add_argument("--exercise", required=True, action="append", metavar="ID", help="this one; repeatable")
    regrade.add_argument("--publish", action="store_true", help="let it count, and write verdicts and pages again")
    for part in (grade, regrade):
        _add_how(part)
    for part in (grade, regrade, replay, similar):
        add_own(part)


def _add_how(part: ArgumentParser) -> None:
    """What grading and regrading have in common: where it runs, and the class."""
    part.add_argument(
        "--scheduler", default="", metavar="ADDRESS", help="a running Dask scheduler, as in tls://host:8786"
    )
    part.add_argument(
        "--tls", default="", metavar="DIR", help="certificates of a tls:// scheduler: the guide says how to make them"
    )
    part.add_argument(
        "--workers", type=_count, metavar="N", help="answers judged at a time on this machine; default: as suits it"
    )
    part.add_argument(
        "--trust-submissions",
        action="store_true",
        help="where no jail can be made, judge without one, as if you gave students a shell",
    )
    part.add_argument(
        "--class",
        dest="class_file",
        metavar="FILE",
        help="weights, dates and names of the class; default: class.toml in the folder of --out, if it is there",
    )


def _count(text: str) -> int:
    """A number of at least one. Raises ArgumentTypeError."""
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is no number from 1 on")
    return int(text)


def _grade(arguments: Namespace) -> Said:
    from autograder.classroom import grade

    how = replace(_how(arguments), resume=arguments.resume, seed=arguments.seed)
    try:
        return grade.grade_class(arguments.submissions, arguments.out, arguments.unit, how)
    except grade.GradeError as error:
        raise UsageError(str(error)) from error


def _similar(arguments: Namespace) -> Said:
    from autograder.classroom.alike import class_answers, likeness
    from autograder.classroom.pages import side_by_side

    out = Path(arguments.out)
    answers = class_answers.of_folder(out)
    if not answers:
        raise UsageError(f"There is no answer in {out / 'verdicts'}. Pass the folder that `warpbook grade` wrote into.")
    pairs = likeness.alike(answers, *class_answers.solutions({answer.exercise for answer in answers}))
    left = likeness.not_compared(answers)
    path = side_by_side.write(out, pairs, left)
    said = [
        {
            "students": [pair.one.student, pair.other.student],
            "exercise": pair.one.exercise,
            "share": pair.share,
            "compiled": pair.compiled,
        }
        for pair in pairs
    ]
    too_long = [f"{each.student}: {each.exercise}" for each in left]
    more = f" Not compared, being too long: {', '.join(too_long)}." if left else ""
    told = {"pairs": said, "not_compared": too_long, "page": str(path)}
    return told, f"Pairs of answers that are alike: {len(pairs)}.{more} {path}"


def _serve(arguments: Namespace) -> Said:
    from autograder.classroom.pages import serve

    out = Path(arguments.out)
    if not (out / "gradebook.html").is_file():
        raise UsageError(f"There is no {out / 'gradebook.html'}. Pass the folder that `warpbook grade` wrote into.")
    try:
        with serve.serving(out, arguments.port) as (server, address):
            print(f"{address}   for this machine only; Ctrl+C ends it", file=sys.stderr, flush=True)
            with suppress(KeyboardInterrupt):
                server.serve_forever()
    except OSError as error:
        raise UsageError(
            f"Port {arguments.port} cannot be used: {error.strerror or error}. Leave --port out."
        ) from error
    return {"served": str(out)}, "Ended."


def _regrade(arguments: Namespace) -> Said:
    from autograder.classroom import grade, regrade

    folders = Path(arguments.submissions), Path(arguments.out)
    try:
        return regrade.regrade(*folders, arguments.exercise, _how(arguments), arguments.publish)
    except grade.GradeError as error:
        raise UsageError(str(error)) from error


def _how(arguments: Namespace) -> Any:
    from autograder.classroom.grade import Options

    return Options(
        arguments.scheduler,
        trusted=arguments.trust_submissions,
        rules=_rules(arguments),
        certificates=arguments.tls,
        n_workers=arguments.workers,
    )


def _rules(arguments: Namespace) -> Any:
    """The class's file, where one is named or lies where it is looked for; its own exercises are known then."""
    from autograder.classroom import class_file, course
    from autograder.exercises.own import OwnFolderError

    named = arguments.class_file
    path = Path(named or Path(arguments.out) / class_file.NAME)
    if not named and not path.is_file():
        return class_file.ClassRules()
    try:
        return course.rules_in(path)
    except (class_file.ClassFileError, OwnFolderError) as error:
        raise UsageError(str(error)) from error


def _replay(arguments: Namespace) -> Said:
    from autograder.classroom import replay_verdict
    from autograder.classroom.ledger.chain import LedgerError
    from autograder.classroom.pages.verdict import VerdictError

    try:
        return replay_verdict.replay(Path(arguments.verdict), arguments.exercise)
    except (VerdictError, LedgerError) as error:
        raise UsageError(str(error)) from error
