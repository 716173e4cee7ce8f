"""nbgrader's Execute step, replaced: verdicts are grafted on to the locked cells, and nothing is executed.

    c.Autograde.autograde_preprocessors = [JudgeExecute, LimitOutput, SaveAutoGrades, AssignLatePenalties, ...]

A submission without a verdict is judged on the spot; where that fails, nbgrader reports the error and grades nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbformat.v4 import new_output
from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool, Unicode

from autograder.classroom import class_file, course
from autograder.classroom.for_nbgrader.harmless import make_harmless
from autograder.classroom.ledger import book as ledger
from autograder.classroom.pages import verdict as verdicts
from autograder.classroom.reading.inbox import HandedIn
from autograder.classroom.receive import receive


class JudgeExecute(NbGraderPreprocessor):
    """Never executes a notebook. Points and reports come from the verdict on exactly the submitted bytes."""

    trust_submissions = Bool(False, help="Judge without a jail where none can be made.").tag(config=True)
    verdicts = Unicode("build/verdicts", help="Folder of the verdicts that `warpbook grade` writes.").tag(config=True)

    _ledger: tuple[Any, Any] = (None, None)  # as it was read last: its file's stamp, and the book
    _known_cells: tuple[Any, frozenset[str]] = (None, frozenset())  # of which notebook, and the cells that have points

    def preprocess(self, nb, resources):
        """Give every code cell no outputs, and every graded test cell its report and one number."""
        self._know_own_exercises()
        found = self._verdict(resources["nbgrader"])
        for exercise in found["review"]:
            self.log.warning("%s of %s was not judged: its 0 points need review.", exercise, found["student"])
        cells = found["cells"]
        self._need_known_cells(resources["nbgrader"], cells)
        make_harmless(nb, course.trusted_markdown(resources["nbgrader"]["assignment"]))
        for cell in nb.cells:
            if cell.cell_type != "code":
                continue
            cell.outputs, cell.execution_count = [], None
            if utils.is_grade(cell) and not utils.is_solution(cell):
                cell.outputs, cell.execution_count = self._outputs(cell, cells), 1
        return nb, resources

    def _outputs(self, cell, cells):
        """The report, then the points as the only execute_result: the one thing nbgrader reads a grade from."""
        known = cell.metadata.nbgrader
        found = cells.get(known["grade_id"])
        if found is None:
            raise verdicts.VerdictError(
                f"The verdict says nothing about the cell {known['grade_id']!r}: it is not graded."
            )
        points = verdicts.clamp(found["points"], known["points"])
        report = {"text/plain": found["text"]}
        if found["html"]:
            report["text/html"] = found["html"]
        return [
            new_output("display_data", data=report),
            new_output("execute_result", data={"text/plain": repr(points)}, execution_count=1),
        ]

    def _need_known_cells(self, names, cells):
        """Raises VerdictError where nbgrader's database would lose points: it has an assignment of this name without
        the cell that earned them, as in a gradebook of another course, and enters 0 with a warning.
        """
        place = tuple(names[part] for part in ("db_url", "assignment", "notebook"))
        if self._known_cells[0] != place:
            with Gradebook(names["db_url"]) as book:
                known = book.find_notebook(names["notebook"], names["assignment"]).grade_cells
                self._known_cells = place, frozenset(cell.name for cell in known)
        lost = sorted(name for name, cell in cells.items() if cell["points"] and name not in self._known_cells[1])
        if lost:
            raise verdicts.VerdictError(
                f"{names['db_url']} has an assignment {names['assignment']} without the cell {lost[0]}, so its points "
                "would be lost: it is of another course or another release. Take that database away, or make this one "
                f"know the unit: nbgrader generate_assignment {names['assignment']} --force"
            )

    def _published(self, folder, found):
        """The digest that the ledger has of a verdict; "" where there is no ledger, or it does not know the verdict."""
        path = folder / ledger.FILE
        if not path.is_file():
            return ""
        stamp = (path, path.stat().st_mtime_ns, path.stat().st_size)
        if self._ledger[0] != stamp:  # it grows where a submission is judged on the spot
            with ledger.read(folder) as book:
                self._ledger = stamp, book
        return self._ledger[1].published(found)

    def _know_own_exercises(self):
        """Those that class.toml beside the verdicts names, as for `warpbook grade`."""
        path = (Path(CourseDirectory(config=self.config).root) / self.verdicts).parent / class_file.NAME
        if path.is_file():
            course.rules_in(path)

    def _verdict(self, names):
        """The verdict on the submitted file as it is now; judged here and now when there is none."""
        student, unit, notebook = names["student"], names["assignment"], names["notebook"]
        folders = CourseDirectory(config=self.config)
        root = Path(folders.format_path(folders.submitted_directory, student, unit)).parent.parent
        submission = receive(root, student, unit, f"{notebook}.ipynb")
        if submission.refused:  # its copy may hold what a link led to, so nothing of it is kept
            raise verdicts.VerdictError(f"{submission.key} is not taken in: {submission.refused}")
        folder = Path(folders.root) / self.verdicts
        try:
            found = verdicts.load(folder, student, unit, notebook, submission.sha256)
            path = verdicts.path_of(folder, student, unit, notebook)
            verdicts.check_ledger(path, found, self._published(folder.parent, found))
            return found
        except verdicts.NotInLedger:
            raise  # somebody wrote it by hand, which is for a person to look at
        except verdicts.VerdictError as missing:
            self.log.info("%s Judging it now.", missing)
        from autograder.classroom.grade import judge_submission

        return judge_submission(HandedIn(root, student, unit, f"{notebook}.ipynb"), self.trust_submissions, folder)
