"""nbgrader's configuration: where the course is. Run nbgrader from here."""

from pathlib import Path

from autograder.classroom.for_nbgrader.settings import configure

c = get_config()  # noqa: F821 (nbgrader defines it)
configure(c)

ROOT = Path(__file__).resolve().parent
c.CourseDirectory.root = str(ROOT)
c.CourseDirectory.course_id = "warpbook"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "course"
c.CourseDirectory.submitted_directory = "build/submitted"
c.CourseDirectory.autograded_directory = "build/autograded"
c.CourseDirectory.feedback_directory = "build/feedback"
c.CourseDirectory.db_url = f"sqlite:///{ROOT / 'build' / 'gradebook.db'}"
(ROOT / "build").mkdir(exist_ok=True)

c.JudgeExecute.verdicts = "build/verdicts"
