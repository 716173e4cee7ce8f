"""nbgrader's configuration, but for the folders: how a release is made, and that nothing of a submission is executed.

A course's own `nbgrader_config.py` calls `configure` and names its folders.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

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
from autograder.classroom.for_nbgrader.taking_in import OwnMetadata, SubmissionExporter, go_on_without_odd_names


def configure(c: Any) -> None:
    """Set everything but folders in nbgrader's configuration object, which `get_config()` gives."""
    # nbgrader runs `alembic` by its name when it makes a database, also where this environment is not activated.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "*.py"]  # the .py holds the answers
    _release(c)
    _judging(c)
    c.ExportApp.plugin_class = "autograder.classroom.for_nbgrader.export.SafeCsvPlugin"
    # Feedback pages load nothing from anywhere: a template of ours stands before the one that would fetch MathJax.
    c.HTMLExporter.extra_template_basedirs = [
        str(Path(__file__).parent / "templates"),
        str(Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"),
    ]


def _release(c: Any) -> None:
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


def _judging(c: Any) -> None:
    """Nothing a student wrote runs here, nor in the browser of whoever reads it. Verdicts come from `warpbook grade`,
    or are made on the spot."""
    go_on_without_odd_names()
    c.Autograde.exporter_class = SubmissionExporter
    c.Autograde.sanitize_preprocessors = [
        OwnMetadata, ClearOutput, OverwriteKernelspec, OverwriteCells, CheckCellMetadata,
    ]  # fmt: skip
    c.Autograde.autograde_preprocessors = [
        JudgeExecute, LimitOutput, SaveAutoGrades, AssignLatePenalties, CheckCellMetadata,
    ]  # fmt: skip
