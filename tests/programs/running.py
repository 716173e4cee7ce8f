"""Runs every program of this folder in one process and prints what was found: ``python -m tests.programs.running``.

A mistake is marked in its source: ``# finds: race``. A program is run by the function that `warpbook run` calls.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
MARK = re.compile(r"# finds: (\w+)")


def programs() -> list[Path]:
    """All of them, in order."""
    return sorted(HERE.glob("right/*.py")) + sorted(HERE.glob("wrong/*.py"))


def marked(program: Path) -> dict[str, set[int]]:
    """{kind: lines} that a program's comments promise."""
    found: dict[str, set[int]] = {}
    for number, line in enumerate(program.read_text().splitlines(), start=1):
        for kind in MARK.findall(line):
            found.setdefault(kind, set()).add(number)
    return found


def run(program: Path) -> dict:
    """What one program found, printed and ended with."""
    from autograder.programs.script import run_script
    from simt.programs.session import Session

    printed = io.StringIO()
    before = sys.argv, sys.path[:], sys.modules["__main__"]
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), Session() as session:
            code = run_script(str(program), [])
    finally:
        sys.argv, sys.path[:], sys.modules["__main__"] = before
    return {
        "code": code,
        "printed": printed.getvalue(),
        "launches": session.launches,
        "findings": [report.to_json() for report in session.findings],
        "complaints": [why for _, why in session.silences().complaints()] if not session.reports else [],
        "remarks": list(session.remarks),
    }


def main() -> None:
    from autograder import backend

    backend.force_interpreter()
    print(json.dumps({f"{path.parent.name}/{path.stem}": run(path) for path in programs()}))


if __name__ == "__main__":
    main()
