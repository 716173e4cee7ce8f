"""Write docs/pitfalls.md from the pitfalls that the tests prove: the wrong code, what is said about it, the right code.

    python -m tools.make.pitfalls            write it
    python -m tools.make.pitfalls --check    fail when it is not current

Every quoted sentence is what the course says about that code at this moment. Line numbers count from the quoted code.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable

from tests.pitfalls.catalogue import Experiment, OnlyWithGPU, Pitfall, Said
from tests.pitfalls.listing import ALL, ONLY_WITH_GPU
from tools.parts.units import ROOT

PAGE = ROOT / "docs" / "pitfalls.md"
HEAD = """# Pitfalls

Mistakes that people make in `numba.cuda` kernels, and what a check says about each. Most are found without a GPU: by
the real compiler, by reading the source, by a traced run in the interpreter, or by judging the outputs.

This page is written by `python -m tools.make.pitfalls` from `tests/pitfalls`, where every sentence is proven.
"""
FOUND_BY = {
    "compiler": "the compiler",
    "source": "reading the source",
    "trace": "a traced run",
    "order": "the order of host code",
    "judge": "judging the answer",
    "doctor": "`warpbook doctor`",
    "interpreter": "the interpreter",
}
_LINES = re.compile(r"\b([Ll]ine )(\d+)|\b([Ll]ines )(\d+(?:, \d+)*(?: and \d+)?)")


def page(pitfalls: Iterable[Pitfall] = ALL, others: Iterable[OnlyWithGPU] = ONLY_WITH_GPU) -> str:
    """The whole document. Runs every pitfall's wrong code."""
    pitfalls = list(pitfalls)
    sections = [HEAD, contents(pitfalls), *(section(pitfall) for pitfall in pitfalls), *timed(others)]
    return "\n".join(sections)


def contents(pitfalls: list[Pitfall]) -> str:
    """A table: number, pitfall, what finds it."""
    rows = [f"| {one.number} | {one.title} | {FOUND_BY[one.found_by]} |" for one in pitfalls]
    return "\n".join(["| | pitfall | found by |", "|--:|---|---|", *rows, ""])


def section(pitfall: Pitfall) -> str:
    """One pitfall: what happens, the code, what is said, the corrected code."""
    parts = [f"## {pitfall.number}. {pitfall.title}\n", f"{pitfall.happens}\n", quoted(pitfall.wrong.source)]
    if pitfall.kind:
        parts.append(spoken(pitfall))
        parts += [f"Instead:\n\n{quoted(pitfall.right.source)}"] if pitfall.right.source else []
    return "\n".join(parts)


def spoken(pitfall: Pitfall) -> str:
    """What the learner reads, as a quotation."""
    said = next(one for one in pitfall.wrong.run() if pitfall.says in one.says)
    text = renumbered(said, pitfall.wrong)
    remedy = f"  \n> {text.remedy}" if text.remedy else ""
    return f"> {text.says}{remedy}\n"


def renumbered(said: Said, experiment: Experiment) -> Said:
    """The same sentences with line numbers that count from the first quoted line."""
    code = getattr(getattr(experiment.code, "py_func", experiment.code), "__code__", None)
    offset = code.co_firstlineno - 1 if code else 0

    def shift(match: re.Match) -> str:
        word, numbers = (part for part in match.groups() if part)
        return word + re.sub(r"\d+", lambda number: str(int(number[0]) - offset), numbers)

    return Said(said.kind, _LINES.sub(shift, said.says), _LINES.sub(shift, said.remedy))


def quoted(source: str) -> str:
    """A fenced block of Python; of plain text where it is none."""
    language = "python" if "def " in source else "text"
    return f"```{language}\n{source.replace('  # noqa: B018', '')}\n```\n"


def timed(others: Iterable[OnlyWithGPU]) -> list[str]:
    """The pitfalls that no check can show without a GPU, or at all."""
    rows = [f"| {one.number} | {one.title} | {one.happens} |" for one in others]
    return ["## Not shown by a check without a GPU\n", "| | pitfall | what helps |", "|--:|---|---|", *rows, ""]


def main(arguments: list[str] | None = None) -> int:
    """Write or compare. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail when docs/pitfalls.md is not current")
    check = parser.parse_args(arguments).check
    current = page()
    if check:
        same = PAGE.exists() and current == PAGE.read_text(encoding="utf-8")
        print("docs/pitfalls.md is current." if same else "docs/pitfalls.md is not current: run make_pitfalls.")
        return 0 if same else 1
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(current, encoding="utf-8")
    print(f"Wrote {PAGE.relative_to(ROOT)}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
