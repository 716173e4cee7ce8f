"""A sample class from release to gradebook, with nbgrader.

Six invented students hand in two units, or those that are named; one of them is hostile. Everything is made anew.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from autograder import exercises
from autograder.answer.quick_nbformat import nbformat
from autograder.classroom import course
from autograder.classroom.demo import hostile, students
from autograder.classroom.demo.nbgrader_course import NbgraderCourse
from autograder.classroom.grade import Options, grade_class
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.jail.host_functions import NOT_IN_A_RECORD
from autograder.classroom.pages import page
from autograder.classroom.progress_bar import ProgressBar
from autograder.classroom.reading.inbox import look_into
from autograder.machine.course_home import course_home, released
from autograder.words import count_text

FIRST = "dilnoza.karimova"  # whose page is worth reading
MARKER = ".made-by-make-demo"  # only a folder that holds this is ever replaced


@dataclass(frozen=True)
class Claim:
    """One thing that must hold after grading, and whether it does."""

    says: str
    holds: bool


class DemoError(RuntimeError):
    """The demo cannot run; the message says what is missing and what to type."""


def run(out: Path, only: list[str] | None = None) -> list[Claim]:
    """The whole loop below `out`; prints as it goes. Returns what was checked about the hostile student."""
    units = _units(only)
    _fresh(out)
    says = f"A class of {len(students.CLASS) + 1} and {count_text(len(units), 'unit')}: judging one notebook ahead ..."
    print(says, flush=True)
    print(f"  {first_page(out, units[0])}    a first page to read; now the whole class", flush=True)
    nbgrader = NbgraderCourse(out)
    nbgrader.create()
    with ProgressBar("releasing", len(units)) as bar:
        for command in nbgrader.release(unit.id for unit in units):
            bar.step(command)
    inbox, trusted = out / "inbox", bool(jail.unavailable())
    for unit in units:
        _hand_in(inbox, unit, out, linked=len(units) > 1 and unit is units[-1], with_hostile=not trusted)
    before = _fingerprint(out, units)
    summary, _ = grade_class(inbox, out, options=Options(trusted=trusted))
    after = _fingerprint(out, units)
    _into_nbgrader(nbgrader, inbox, units)
    claims = _claims(out, summary, before, after, nbgrader.scores())
    _report(out, summary, claims)
    return claims


def _solved(unit: str) -> Path:
    """The solved notebook of a unit. It need not exist."""
    return course_home() / "solutions" / unit / f"{unit}.ipynb"


def _units(only: list[str] | None) -> list[course.Unit]:
    """The units that can be released: those with a solved notebook."""
    there = [name for name in exercises.units() if _solved(name).is_file()]
    if not there:
        raise DemoError("There is no solved notebook below solutions/. Run `make course` first.")
    if unknown := [name for name in only or () if name not in there]:
        raise DemoError(f"There is no unit {', '.join(unknown)}. Units: {', '.join(there)}.")
    return [course.unit(name) for name in there if not only or name in only]


def _fresh(out: Path) -> None:
    """An empty folder; what a demo made earlier is replaced, anything else is left alone."""
    if out.exists():
        if any(out.iterdir()) and not (out / MARKER).exists():
            raise DemoError(f"{out} holds something that no demo made. Pass --out with an empty folder.")
        _make_writable(out)
        shutil.rmtree(out)
    out.mkdir(parents=True)
    (out / MARKER).touch()


def first_page(out: Path, unit: course.Unit) -> Path:
    """One student's page, judged before anything is released, so that there is something to read meanwhile."""
    to_read = Path("feedback") / FIRST / f"{unit.id}.html"
    plain = nbformat.read(released() / unit.id / f"{unit.id}.ipynb", as_version=4)
    solved = nbformat.read(_solved(unit.id), as_version=4)
    with tempfile.TemporaryDirectory(dir=out) as made:
        handed_in, graded = Path(made, "inbox", FIRST, unit.id), Path(made, "graded")
        handed_in.mkdir(parents=True)
        student = next(one for one in students.CLASS if one.id == FIRST)
        nbformat.write(students.submission(student, unit, plain, solved), handed_in / f"{unit.id}.ipynb")
        grade_class(Path(made, "inbox"), graded, options=Options(trusted=bool(jail.unavailable())))
        (out / to_read).parent.mkdir(parents=True)
        shutil.copyfile(graded / to_read, out / to_read)
    return out / to_read


def _make_writable(folder: Path) -> None:
    """nbgrader leaves its copies read-only, folders included."""
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)


def _hand_in(inbox: Path, unit: course.Unit, out: Path, linked: bool, with_hostile: bool) -> None:
    """Every student's files for a unit, as uploaded. linked: the hostile one is a link to the solution."""
    released = nbformat.read(out / "release" / unit.id / f"{unit.id}.ipynb", as_version=4)
    solution = _solved(unit.id)
    solved = nbformat.read(solution, as_version=4)
    for student in students.CLASS:
        folder = inbox / student.id / unit.id
        folder.mkdir(parents=True)
        notebook = students.submission(student, unit, released, solved)
        nbformat.write(notebook, folder / f"{unit.id}.ipynb")
    if not with_hostile:
        return
    attack = None if linked else hostile.submission(unit, released, solution, out)
    hostile.hand_in(inbox / hostile.ID / unit.id, unit, attack, solution)


def _into_nbgrader(nbgrader: NbgraderCourse, inbox: Path, units: list[course.Unit]) -> None:
    """Let nbgrader record the verdicts, write its own feedback and export, so that formgrader shows them."""
    handed_in = look_into(inbox, course.units()).handed_in
    nbgrader.submit(one.taken_in() for one in handed_in)
    first = [("autograde", unit.id) for unit in units]  # one after the other: they write to one database
    pages = [("generate_feedback", unit.id) for unit in units]
    halves = [[*pages[::2], ("export", "--to", "nbgrader_grades.csv")], pages[1::2]]
    with ProgressBar("recording", len(first) + len(pages) + 1) as bar, ThreadPoolExecutor(2) as side_by_side:

        def run_each(commands: Sequence[tuple[str, ...]]) -> None:
            for command in nbgrader.run_each(commands):
                bar.step(command)

        run_each(first)
        list(side_by_side.map(run_each, filter(None, halves)))


def _fingerprint(out: Path, units: list[course.Unit]) -> dict[str, str]:
    """Digests, by path, of what judging must not touch: the database, the release, the inbox, the solutions."""
    folders = [out / "release", out / "inbox", *(_solved(unit.id).parent for unit in units)]
    paths = [out / "gradebook.db", *(path for folder in folders for path in sorted(folder.rglob("*")))]
    files = [path for path in paths if path.is_file() and not path.is_symlink()]
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def _claims(out: Path, summary: dict, before: dict, after: dict, scores: dict) -> list[Claim]:
    """What the hostile student must not have achieved."""
    changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    named = f" (changed: {', '.join(changed[:3])})" if changed else ""
    points = {(found["student"], found["unit"]): found for found in summary["graded"] if not found["refused"]}
    earned = {key: found["points"] + found["speed_points"] for key, found in points.items()}
    others = {key: value for key, value in earned.items() if key[0] != hostile.ID}
    hostile_points = sum(value for key, value in earned.items() if key[0] == hostile.ID)
    recorded = all(abs(scores.get(key, -1.0) - value) < 0.005 for key, value in others.items())
    witness = [path for path in (out / hostile.WITNESS, Path(hostile.WITNESS)) if path.exists()]
    top = {path.name for path in out.iterdir()}
    made = {
        MARKER, "inbox", "release", "submitted", "autograded", "nbgrader_feedback", "verdicts", "feedback",
        "ledger.db", ".grading", "gradebook.db", "gradebook.csv", "gradebook.html", "nbgrader_config.py",
        "grades.csv", "canvas.csv", "moodle.csv", "nbgrader_grades.csv",
    }  # fmt: skip
    return [
        Claim("the hostile student earned nothing", hostile_points == 0),
        Claim(f"while judging, gradebook, releases, submissions and solutions stayed as they were{named}", not changed),
        Claim("none of the hostile code ran on this machine: it left no file", not witness),
        Claim("no file appeared that the demo did not make", top <= made),
        Claim("the other students' points reached the gradebook unchanged", recorded and bool(others)),
        Claim("every answer that this machine can judge was judged", not _judgeable(summary["failed"])),
    ]


def _judgeable(failed: dict[str, str]) -> dict[str, str]:
    """Of the answers left without a verdict, those that a class's judge should have had one for."""
    return {answer: why for answer, why in failed.items() if NOT_IN_A_RECORD not in why}


def _say_what_was_not_judged(failed: dict[str, str]) -> None:
    """Mistakes of ours one by one; answers that wait for review by design, and a missing jail, in a line each."""
    judgeable = _judgeable(failed)
    for submission, why in judgeable.items():
        print(f"  not judged: {submission}: {why}")
    if waiting := len(failed) - len(judgeable):
        print(f"  {waiting} answers about the order of streams wait for review")
    if why := jail.unavailable():
        print(f"  The hostile student was left out, and the others were trusted: {why} {jail.remedy()}")


def _report(out: Path, summary: dict, claims: list[Claim]) -> None:
    """The summary table, the claims, and where to look next."""
    about = {student.id: student.about for student in students.CLASS} | {hostile.ID: "hostile"}
    rows = [found for found in summary["graded"] if not found["refused"]]
    refused = [found for found in summary["graded"] if found["refused"]]
    units = sorted({row["unit"] for row in rows})
    points = {(row["student"], row["unit"]): row for row in rows}
    width = 4 + max(len(word) for row in rows for word in (row["unit"], page.totals_words(row)))
    print("\nstudent            handed in            " + "".join(f"{unit:>{width}}" for unit in units))
    for student, what in about.items():
        cells = [points.get((student, unit)) for unit in units]
        words = [page.totals_words(cell) if cell else "not taken in" for cell in cells]
        print(f"{student:<19}{what:<21}" + "".join(f"{word:>{width}}" for word in words))
    for found in refused:
        print(f"  {found['student']}, {found['unit']}: not taken in. {found['refused']}")
    print()
    for claim in claims:
        print(f"  {'holds' if claim.holds else 'BROKEN'}: {claim.says}")
    _say_what_was_not_judged(summary["failed"])
    print(
        f"\nLook next:\n  {out / 'gradebook.html'}    the class at a glance, sortable, with links to each feedback page"
    )
    example = points.get((FIRST, units[0])) if units else None
    if example:
        print(f"  {out / 'feedback' / example['student'] / (example['notebook'] + '.html')}    feedback worth reading")
    print(f"  {out / 'gradebook.csv'}    for a spreadsheet")
    jupyter = Path(sys.executable).with_name(
        "jupyter"
    )  # make's shell has the environment on its PATH, the reader's not
    print(f"  formgrader: cd {out} && {jupyter} lab, then Nbgrader, Formgrader in the menu")
