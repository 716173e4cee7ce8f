"""`nbgrader export` as a CSV that quotes its text and that no spreadsheet takes for formulas."""

from __future__ import annotations

import csv

from nbgrader.api import MissingEntry
from nbgrader.plugins import ExportPlugin

from autograder.classroom.pages.gradebook import safe_cell

COLUMNS = (
    "assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email", "raw_score",
    "late_submission_penalty", "score", "max_score",
)  # fmt: skip


class SafeCsvPlugin(ExportPlugin):
    """The columns of nbgrader's own export, one row per assignment and student; 0 where nothing was handed in."""

    def export(self, gradebook) -> None:
        """Write to `--to`, grades.csv by default."""
        destination = self.to or "grades.csv"
        self.log.info("Exporting grades to %s", destination)
        with open(destination, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
            writer.writerow(COLUMNS)
            for assignment in gradebook.assignments:
                if self.assignment and assignment.name not in self.assignment:
                    continue
                for student in gradebook.students:
                    if not self.student or student.id in self.student:
                        writer.writerow([safe_cell(value) for value in _row(gradebook, assignment, student)])


def _row(gradebook, assignment, student) -> list:
    """One line of the table."""
    due = str(assignment.duedate or "")
    person = [student.id, student.last_name or "", student.first_name or "", student.email or ""]
    try:
        submission = gradebook.find_submission(assignment.name, student.id)
    except MissingEntry:
        return [assignment.name, due, "", *person, 0.0, 0.0, 0.0, assignment.max_score]
    penalty = submission.late_submission_penalty or 0.0
    score = max(0.0, submission.score - penalty)
    handed_in = str(submission.timestamp or "")
    return [assignment.name, due, handed_in, *person, submission.score, penalty, score, submission.max_score]
