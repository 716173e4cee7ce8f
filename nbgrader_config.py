"""nbgrader's configuration: where the course is, and how a release is made. nbgrader reads it from this directory."""

from pathlib import Path

from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ClearSolutions,
    ComputeChecksums,
    IncludeHeaderFooter,
    LockCells,
    SaveCells,
)

from autograder.classroom.release import BlankPredictions, DropRecording

c = get_config()  # noqa: F821 (nbgrader defines it)
ROOT = Path(__file__).resolve().parent

# --- the course -------------------------------------------------------------------------------------------------

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

# --- the release ------------------------------------------------------------------------------------------------

c.ClearSolutions.code_stub = {"python": "raise NotImplementedError()"}  # the cell already says "about 3 lines"
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
