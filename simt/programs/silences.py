"""Comments that silence findings: ``# warpbook: ok race - any of them may win``.

A comment holds for the line it stands on; on a line of its own, for the next line of code. It silences a finding that
names such a line, of one of the kinds it lists. Without a reason it silences nothing.
"""

from __future__ import annotations

import io
import linecache
import re
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass, field

from simt.analyses.findings import RANK
from simt.programs.reports import Report

COMMENT = re.compile(r"#\s*warpbook:\s*(?P<rest>.*)$", re.IGNORECASE)
FORM = re.compile(r"ok\s+(?P<kinds>[\w\s,-]+?)(?:\s+(?:-|--|\u2013|\u2014)\s*|\s*:\s*)(?P<reason>.*)$", re.IGNORECASE)
KINDS = frozenset(RANK)
EXAMPLE = "# warpbook: ok race - why this is right"


@dataclass(frozen=True)
class Silence:
    """One comment. line: where it stands; holds_for: the line of code it speaks of; wrong: why it silences nothing."""

    file: str
    line: int
    holds_for: int
    kinds: tuple[str, ...] = ()
    reason: str = ""
    wrong: str = ""


@dataclass
class Silences:
    """The comments of some files, and which of them were of use."""

    comments: list[Silence]
    used: set[Silence] = field(default_factory=set)

    @classmethod
    def of_files(cls, files: Iterable[str]) -> Silences:
        return cls([silence for file in sorted(files) for silence in silences_of(file)])

    def covers(self, report: Report) -> bool:
        """Whether a comment silences a finding; remembers that it did."""
        found = self.of(report)
        self.used.update(found)
        return bool(found)

    def of(self, report: Report) -> list[Silence]:
        """The comments that silence a finding."""
        return [
            silence
            for silence in self.comments
            if not silence.wrong and report.kind in silence.kinds and (silence.file, silence.holds_for) in report.places
        ]

    def complaints(self) -> list[tuple[Silence, str]]:
        """Comments that silence nothing, each with a sentence. Ask after `covers` was asked of every report."""
        unused = "silences nothing: nothing of that kind was found at its line. Take it away."
        return [
            (silence, silence.wrong or unused) for silence in self.comments if silence.wrong or silence not in self.used
        ]


def silences_of(file: str) -> list[Silence]:
    """The comments of one file, in the order of its lines."""
    lines = linecache.getlines(file)
    if not any("warpbook:" in line.lower() for line in lines):
        return []
    found, code_lines = [], set()
    try:
        for token in tokenize.generate_tokens(io.StringIO("".join(lines)).readline):
            if token.type == tokenize.COMMENT and (match := COMMENT.match(token.string)):
                found.append((token.start[0], match["rest"].strip()))
            elif token.type not in (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT):
                code_lines.add(token.start[0])
    except (tokenize.TokenError, SyntaxError):
        return []
    silences = []
    for line, rest in found:
        after = [one for one in code_lines if one > line]
        holds_for = line if line in code_lines else min(after, default=line)
        silences.append(_read(file, line, holds_for, rest))
    return silences


def _read(file: str, line: int, holds_for: int, rest: str) -> Silence:
    match = FORM.match(rest)
    if match is None or not match["reason"].strip():
        return Silence(file, line, holds_for, wrong=f"gives no reason, so it silences nothing. Write {EXAMPLE}.")
    kinds = tuple(part.strip().lower().replace("-", "_").replace(" ", "_") for part in match["kinds"].split(","))
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown:
        says = f"names {unknown[0]!r}, which is no kind of finding. Kinds are {', '.join(sorted(KINDS))}."
        return Silence(file, line, holds_for, wrong=says)
    return Silence(file, line, holds_for, kinds, match["reason"].strip())
