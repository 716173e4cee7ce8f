"""nbgrader's configuration: where the course is and how a release is made. Run nbgrader from here."""

import os
import sys
from pathlib import Path

import nbgrader
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ClearSolutions,
    ComputeChecksums,
    IncludeHeaderFooter,
    LimitOutput,
    LockCells,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
    SaveCells,
)

from autograder.classroom.for_nbgrader.preprocessors import JudgeExecute
from autograder.classroom.for_nbgrader.release import BlankPredictions, DropRecording
from autograder.classroom.for_nbgrader.taking_in import (
    OwnMetadata,
    SubmissionExporter,
    go_on_without_odd_names,
)

c = get_config()  # noqa: F821 (nbgrader defines it)
ROOT = Path(__file__).resolve().parent

# nbgrader runs `alembic` by its name when it makes a database, also where this environment is not activated.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])

# The course

c.CourseDirectory.root = str(ROOT)
c.CourseDirectory.course_id = "warpbook"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "course"
c.CourseDirectory.submitted_directory = "build/submitted"
c.CourseDirectory.autograded_directory = "build/autograded"
c.CourseDirectory.feedback_directory = "build/feedback"
c.CourseDirectory.db_url = f"sqlite:///{ROOT / 'build' / 'gradebook.db'}"
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "*.py"]  # the .py holds the answers
(ROOT / "build").mkdir(exist_ok=True)

# The release

# The stub needs no comment: the cell already says "about 3 lines".
c.ClearSolutions.code_stub = {"python": "raise NotImplementedError()"}
c.GenerateAssignment.preprocessors = [
    IncludeHeaderFooter,
    DropRecording,
    LockCells,
    ClearSolutions,
    BlankPredictions,
    ClearOutput,
    CheckCellMetadata,
    ComputeChecksums,
    SaveCells,
    ClearHiddenTests,
    ClearMarkScheme,
    ComputeChecksums,  # again, since hidden tests are gone now
    CheckCellMetadata,
]

# The judging: nothing a student wrote runs here, nor in the browser of whoever reads it. Verdicts come from
# `warpbook grade`, or are made on the spot.

go_on_without_odd_names()
c.Autograde.exporter_class = SubmissionExporter
c.Autograde.sanitize_preprocessors = [OwnMetadata, ClearOutput, OverwriteKernelspec, OverwriteCells, CheckCellMetadata]
c.Autograde.autograde_preprocessors = [
    JudgeExecute,
    LimitOutput,
    SaveAutoGrades,
    AssignLatePenalties,
    CheckCellMetadata,
]
c.JudgeExecute.verdicts = "build/verdicts"
c.ExportApp.plugin_class = "autograder.classroom.for_nbgrader.export.SafeCsvPlugin"

# Feedback pages load nothing from anywhere: a template of ours stands before the one that would fetch MathJax.

c.HTMLExporter.extra_template_basedirs = [
    str(ROOT / "autograder" / "classroom" / "for_nbgrader" / "templates"),
    str(Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"),
]
