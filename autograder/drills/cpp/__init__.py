"""CUDA C++ kernels on the interpreter: a subset is translated to `numba.cuda`, with C's arithmetic, and judged by line.

What the subset leaves out is refused by name and line; nothing is guessed. `translate` is the whole of it: `parsing`
reads, `kinds_of_number` knows C's types, `expressions`, `calls`, `places`, `declarations` and `statements` say each
thing in Python, `functions` puts kernels and device functions together, `judged` gives a verdict its C++ lines back.
"""

from __future__ import annotations

from autograder.drills.cpp.functions import Translated, signature, translate
from autograder.drills.cpp.helpers import HELPERS
from autograder.drills.cpp.judged import in_cpp, teller
from autograder.drills.cpp.parsing import CppError, CppMistake, is_cpp

__all__ = ["HELPERS", "CppError", "CppMistake", "Translated", "in_cpp", "is_cpp", "signature", "teller", "translate"]
