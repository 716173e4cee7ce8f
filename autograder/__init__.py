"""Warpbook's autograder: `exercise(id)` is where a notebook starts.

Importing it where there is no GPU makes `numba.cuda` launches, arrays, streams and events run over `simt`, so the
course's notebooks work unmodified.
"""

from autograder.backend import install_stand_in, say_warnings_on_stdout
from autograder.health import doctor
from autograder.notebook.question import exercise
from autograder.notebook.rungs import ladder

__all__ = ["doctor", "exercise", "ladder"]

install_stand_in()
say_warnings_on_stdout()
