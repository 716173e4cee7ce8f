"""An nbgrader course in a folder of its own, with this project's configuration, and nbgrader's commands run on it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from autograder.classroom.demo.nbgrader_commands import in_one_process
from autograder.classroom.receive import Received
from autograder.machine.course_home import PACKAGES, course_home

CONFIG = """# Written for the sample class: Warpbook's configuration of nbgrader, with folders of its own.
from autograder.classroom.for_nbgrader.settings import configure

c = get_config()  # noqa: F821 (nbgrader defines it)
configure(c)
c.CourseDirectory.root = {root!r}
c.CourseDirectory.course_id = "sample"
c.CourseDirectory.source_directory = {source!r}
c.CourseDirectory.release_directory = "release"
c.CourseDirectory.submitted_directory = "submitted"
c.CourseDirectory.autograded_directory = "autograded"
c.CourseDirectory.feedback_directory = "nbgrader_feedback"
c.CourseDirectory.db_url = "sqlite:///" + {database!r}
c.JudgeExecute.verdicts = "verdicts"
"""


class NbgraderError(RuntimeError):
    """An nbgrader command failed; the message ends with what it said."""


def _settled(process: subprocess.Popen, command: str, said: str) -> str:
    """What nbgrader logged, where it did what it should. Raises: NbgraderError."""
    if process.returncode:
        last = "\n".join(said.splitlines()[-12:])
        raise NbgraderError(f"nbgrader {command} failed:\n{last}")
    return said


class NbgraderCourse:
    """The folder ``root`` as a course whose source is the course's solved notebooks."""

    def __init__(self, root: Path):
        self.root = root
        self.database = root / "gradebook.db"

    def create(self) -> None:
        """Write the configuration that nbgrader, and formgrader, find when they are started in the folder."""
        self.root.mkdir(parents=True, exist_ok=True)
        text = CONFIG.format(
            root=str(self.root),
            source=str(course_home() / "solutions"),
            database=str(self.database),
        )
        (self.root / "nbgrader_config.py").write_text(text, encoding="utf-8")

    def release(self, units: Iterable[str]) -> Iterator[str]:
        """Generate the students' notebooks, and enter the assignments into the database. Yields as `run_each` does."""
        yield from self.run_each([("generate_assignment", unit, "--force") for unit in units])

    def submit(self, received: Iterable[Received]) -> None:
        """Put what was taken in where nbgrader looks for it: the very bytes that were judged, nothing else."""
        for submission in received:
            if not submission.refused:
                folder = self.root / "submitted" / submission.student / submission.unit
                folder.mkdir(parents=True, exist_ok=True)
                (folder / f"{submission.notebook}.ipynb").write_bytes(submission.content)
                (folder / "timestamp.txt").write_text(f"{submission.received}\n")

    def run(self, *command: str) -> str:
        """Run one nbgrader command in the folder. Returns what it logged.  Raises: NbgraderError."""
        with self._started(in_one_process([command])) as process:
            _, said = process.communicate()
        return _settled(process, " ".join(command), said)

    def run_each(self, commands: Sequence[Sequence[str]]) -> Iterator[str]:
        """Run several commands in one process, since nbgrader takes longer to import than to work.

        Yields each, as words, when it is done. Raises: NbgraderError.
        """
        with TemporaryFile("w+") as said:
            with self._started(in_one_process(commands), said) as process:
                for command, _ in zip(commands, process.stdout, strict=False):
                    yield " ".join(command)
            said.seek(0)
            _settled(process, "", said.read())

    def _started(self, command: list[str], stderr: Any = subprocess.PIPE) -> subprocess.Popen:
        """A Python command at work in the folder, with this project to import from."""
        python = str(Path(sys.executable).parent)
        environment = {**os.environ, "PATH": f"{python}{os.pathsep}{os.environ.get('PATH', '')}"}
        environment["PYTHONPATH"] = os.pathsep.join([str(PACKAGES), environment.get("PYTHONPATH", "")])
        return subprocess.Popen(
            command, cwd=self.root, env=environment, stdout=subprocess.PIPE, stderr=stderr, text=True
        )

    def scores(self) -> dict[tuple[str, str], float]:
        """Each student's score by (student, unit), as nbgrader's database has it."""
        from nbgrader.api import Gradebook

        with Gradebook(f"sqlite:///{self.database}", "sample") as gradebook:
            return {
                (submission.student.id, assignment.name): submission.score
                for assignment in gradebook.assignments
                for submission in assignment.submissions
            }
