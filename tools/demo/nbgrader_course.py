"""An nbgrader course in a folder of its own, with this project's configuration, and nbgrader's commands run on it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from autograder.classroom.receive import Received

CONFIG = """# Written by `make demo`: the project's configuration, with the folders of the sample class.
c = get_config()  # noqa: F821 (nbgrader defines it)
load_subconfig({config!r})  # noqa: F821
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


class NbgraderCourse:
    """The folder ``root`` as a course whose source is the project's solutions."""

    def __init__(self, root: Path, project: Path):
        self.root, self.project = root, project
        self.database = root / "gradebook.db"

    def create(self) -> None:
        """Write the configuration that nbgrader, and formgrader, find when they are started in the folder."""
        self.root.mkdir(parents=True, exist_ok=True)
        text = CONFIG.format(
            config=str(self.project / "nbgrader_config.py"),
            root=str(self.root),
            source=str(self.project / "solutions"),
            database=str(self.database),
        )
        (self.root / "nbgrader_config.py").write_text(text, encoding="utf-8")

    def release(self, units: Iterable[str]) -> None:
        """Generate the students' notebooks, and enter the assignments into the database."""
        for unit in units:
            self.run("generate_assignment", unit, "--force")

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
        python = str(Path(sys.executable).parent)
        environment = {**os.environ, "PATH": f"{python}{os.pathsep}{os.environ.get('PATH', '')}"}
        environment["PYTHONPATH"] = os.pathsep.join([str(self.project), environment.get("PYTHONPATH", "")])
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *command], cwd=self.root, env=environment, capture_output=True, text=True
        )
        if done.returncode:
            said = "\n".join(done.stderr.splitlines()[-12:])
            raise NbgraderError(f"nbgrader {' '.join(command)} failed:\n{said}")
        return done.stderr

    def scores(self) -> dict[tuple[str, str], float]:
        """Each student's score by (student, unit), as nbgrader's database has it."""
        from nbgrader.api import Gradebook

        with Gradebook(f"sqlite:///{self.database}", "sample") as gradebook:
            return {
                (submission.student.id, assignment.name): submission.score
                for assignment in gradebook.assignments
                for submission in assignment.submissions
            }
