"""Builds and checks. None of them waits two seconds for a grammar that no notebook needs."""

import sys

sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # autograder/answer/quick_nbformat.py says why
