"""Kernels that numba refuses, each with the words a learner must read. `REFUSED` lists them."""

from tests.autograder.lint.refused import calls, habits, language, shapes  # noqa: F401  # each lists its kernels
from tests.autograder.lint.refused.entry import REFUSED

__all__ = ["REFUSED"]
