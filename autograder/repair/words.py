"""What a repair by one edit says: the line, what kind of mistake it is, and a question; the edit itself comes last.

The verdict names line and kind. `ladder_for` leads from there to the edit, which only the last hint shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autograder.diagnosis.advice.places import NO_MORE_KNOWN
from autograder.outcome import Cause
from autograder.repair.edits import Edit
from autograder.repair.kinds import WRONG

OF_A_PLACE = (
    "border",
    "guard",
    "condition",
    "end",
    "end_everywhere",
    "beginning",
    "step",
    "block_off",
    "unit",
    "number",
)
GUESSES = {  # of a pattern, by misconception, and the kinds of edits on which its advice is true
    "nan_by_arithmetic": ("masked", "operator", "too_much", "sign", "conversion", "limit"),
    "off_by_one": ("index", "index_everywhere", "one_off", "operator", "operands", "name", "part", "line", *OF_A_PLACE),
}
BETRAYED = {"nan_by_arithmetic": ("masked",)}  # by a pattern: kinds of edits that are what it speaks of
KNOW_LESS = ("order_dependent", "never_read")  # than an edit, whose question is the better advice
ABOUT_A_LINE = ("moved_out", "order", "later", "lines", "both")  # kinds that speak of another line
EVERY = "Changing line {line} alone makes every case right: {wrong}."
LINE_ALONE = "Changing line {line} alone makes every case right."
LIKEWISE = "Changing line {line}, and what is like it on other lines, makes every case right: {wrong}."
TOGETHER = "Changing lines {line} to {about} makes every case right: {wrong}."
BOTH = "Changing what stands at line {line} and what stands at line {about} makes every case right: {wrong}."
SOME_MORE = "Some more lines after line {line} make every case right: {wrong}."
ONE_MORE = "One more line after line {line} makes every case right: {wrong}."
BY_KIND = {"missing": ONE_MORE, "missing_lines": SOME_MORE, "lines": TOGETHER, "both": BOTH}
BY_KIND |= dict.fromkeys(("index_everywhere", "indices_everywhere", "end_everywhere", "operator_everywhere"), LIKEWISE)
EITHER = "Changing line {line} or line {other} makes every case right. Line {line}: {wrong}."
LAST = "Line {line} as it passes:\n{becomes}"


def told(cause: Cause, edit: Edit, lines: Sequence[int], first_line: int) -> Cause:
    """A cause with the line that one edit repairs.

    lines: of the source, the edit's own and another one that would do; first_line: how the learner counts the first.
    """
    line, *others = (one + first_line - 1 for one in lines)
    about = str(int(edit.about) + first_line - 1) if edit.kind in ABOUT_A_LINE else edit.about
    wrong, ask = (words.format(about=about) for words in WRONG[edit.kind])
    product = edit.kind == "part" and " * " in edit.about
    if not product and edit.kind not in GUESSES.get(cause.misconception, (edit.kind,)):
        cause = replace(cause, misconception="wrong_formula")
    is_named = cause.misconception != "wrong_formula"
    every = LINE_ALONE if is_named and edit.kind == "line" else BY_KIND.get(edit.kind, EVERY)
    places = {"line": line, "about": about, "wrong": wrong}
    says = EITHER.format(other=others[0], **places) if others else every.format(**places)
    is_advice = cause.misconception not in KNOW_LESS and cause.remedy != NO_MORE_KNOWN  # the edit knows more
    has_advice = is_named and cause.kind == "wrong_output" and cause.remedy and is_advice  # a guard silences an index
    return replace(
        cause,
        says=f"{cause.says} {says}" if is_named else says,
        remedy=f"Look at line {line}. {cause.remedy if has_advice else ask}",
        lines=_lines_of(edit, line, about) or (line, *others),
        edit=shown(edit, first_line),
    )


def _lines_of(edit: Edit, line: int, about: str) -> tuple[int, ...]:
    """The lines that change together; () where it is one, and what is like it."""
    if edit.kind == "lines":
        return tuple(range(line, int(about) + 1))
    return (line, int(about)) if edit.kind == "both" else ()


def shown(edit: Edit, first_line: int) -> str:
    """An edit as the last hint has it."""
    return LAST.format(line=edit.line + first_line - 1, becomes=edit.becomes)


def ladder_for(cause: Cause) -> tuple[str, ...]:
    """From the question to the edit, for a cause that an edit repairs."""
    _, _, ask = cause.remedy.partition(". ")
    return (
        f"Only one line has to change. {ask}",
        "Take the first element that is wrong, or the thread of the verdict, and go with it to that line: write down "
        "what every name there holds.",
        cause.says,
        cause.edit,
    )
