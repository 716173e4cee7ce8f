"""What a repair by one edit says: the line, what kind of mistake it is, and a question; the edit itself comes last.

The verdict names line and kind. `ladder_for` leads from there to the edit, which only the last hint shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autograder.diagnosis.advice.places import NO_MORE_KNOWN
from autograder.outcome import Cause
from autograder.repair.edits import Edit

WRONG = {  # kind of edit: (what is wrong with the line, what to ask there). {about}: what stands there
    "border": (
        "in its comparison the number at the border falls on the wrong side",
        "Take the last number that `{about}` lets through, and the first that it does not: is each where it belongs?",
    ),
    "turned": (
        "its condition is the wrong way round",
        "Say in words who is to do what follows, and compare that with `{about}`.",
    ),
    "indices": (
        "the indices of {about} have changed places",
        "Which axis of {about} does each index count, and how long is that axis?",
    ),
    "indices_everywhere": (
        "the indices of {about} have changed places, there and wherever the function has them again",
        "Which axis of {about} does each index count, and how long is that axis?",
    ),
    "index": (
        "the wrong variable is an index of {about}",
        "Take one thread: which element of {about} does it need here, and which does it take?",
    ),
    "index_everywhere": (
        "the wrong variable is an index of {about}, there and wherever the function has it again",
        "Take one thread: which element of {about} does it need here, and which does it take?",
    ),
    "one_off": (
        "an index of {about} is one off",
        "Take the first thread and the last one: which element of {about} does each need here?",
    ),
    "axis": ("`{about}` asks along the wrong axis", "Rows come first in a shape, and x comes first in a launch."),
    "axes": ("the axes of `{about}` have changed places", "x comes first: it walks along a row, so it is the column."),
    "width": (
        "`{about}` is how many threads the blocks of one launch have",
        "A launch may have other blocks: what says how many threads a block of this launch has?",
    ),
    "warps": (
        "`{about}` is how many warps the blocks of one launch have",
        "A launch may have other blocks: what says how many threads, and so how many warps, a block of this one has?",
    ),
    "position": (
        "`{about}` is the wrong position",
        "Is the place in the block needed here, the number of the block, or the place in the whole grid?",
    ),
    "break": (
        "nothing ends the loop once `{about}` is true",
        "What happens in the iterations after that one?",
    ),
    "update": (
        "`{about}` is updated the wrong way",
        "What does {about} hold before this line, and how much of that is left after it?",
    ),
    "call": ("`{about}` is the wrong function", "What does `{about}` give, and to which lane or of which numbers?"),
    "arguments": ("the arguments of `{about}` are in the wrong order", "In which order does `{about}` take them?"),
    "conversion": ("`{about}` changes the number", "What is left of a fraction, or of a sign, after `{about}`?"),
    "beginning_value": (
        "`{about}` begins with the wrong value",
        "With what may {about} begin, so that any first number changes it as it should?",
    ),
    "end": ("its loop ends at the wrong place", "Which is the last iteration that is needed, and does it run?"),
    "end_everywhere": (
        "its loop ends at the wrong place, and so do the others that end at `{about}`",
        "Which is the last iteration that is needed, and does it run?",
    ),
    "beginning": ("its loop begins at the wrong place", "Which is the first iteration that is needed?"),
    "step": ("its loop moves by the wrong step", "Who does the elements between two iterations of one thread?"),
    "operator": ("the wrong operator stands in `{about}`", "Work `{about}` out for the first wrong element."),
    "operator_everywhere": (
        "the wrong operator stands in `{about}`, there and wherever the function has it again",
        "Work `{about}` out for the first wrong element: is a whole number asked for, or a fraction?",
    ),
    "operands": ("the operands of `{about}` have changed places", "Work `{about}` out for the first wrong element."),
    "brackets": ("`{about}` goes together in the wrong order", "Which part of `{about}` is worked out first?"),
    "too_much": ("`{about}` has a part too many", "What is each part of `{about}` there for?"),
    "condition": (
        "its condition asks too much or too little",
        "Go through the parts of `{about}`: which elements does each keep out?",
    ),
    "guard": (
        "it lets through what does not belong there",
        "Who may do what follows? `{about}` is only a part of that.",
    ),
    "branches": ("the two branches have changed places", "Who gets which of the two in `{about}`?"),
    "sign": ("`{about}` has the wrong sign", "Take one number through it: which sign should come out?"),
    "barrier": ("threads have to wait after it", "Who reads what is written here, and when?"),
    "moved_out": (
        "it stands inside line {about}, where not everybody comes",
        "Who has to do this line, and how often?",
    ),
    "order": (
        "it and line {about} are in the wrong order",
        "What does the first of the two change that the other needs?",
    ),
    "later": (
        "it comes too early: what line {about} does has to come first",
        "What does line {about} change that this one needs?",
    ),
    "unmade": (
        "`{about}` goes in as it is, and what is asked for has to be made of it first",
        "What does the place where it goes hold: numbers, bits, a position in a warp or in a block?",
    ),
    "number": ("`{about}` is the wrong number", "Where does `{about}` come from? Work out what it should be."),
    "name": ("`{about}` is the wrong variable", "What does `{about}` hold here, and what is needed?"),
    "name_everywhere": (
        "`{about}` is the wrong variable each time that the line reads it",
        "What does `{about}` hold here, and what is needed?",
    ),
    "extreme": ("`{about}` is set anew, and the largest or the smallest so far is lost", "What was in {about} before?"),
    "missing_call": (
        "`{about}` is what one lane has, and the sum over all is needed",
        "What does each lane hold in {about}?",
    ),
    "left_out": (
        "`{about}` has no part in it, and nowhere else either",
        "What is `{about}` there for, and what does the task do with it?",
    ),
    "names": (
        "`{about}` have changed places",
        "What does each of `{about}` hold there, and which of them is needed where?",
    ),
    "rounding": (
        "`{about}` rounds down, and rounding up is needed",
        "What comes of the rest of `{about}`, where it does not go in whole?",
    ),
    "magnitude": ("the sign of `{about}` counts, and its magnitude is asked for", "What if `{about}` is below 0?"),
    "unit": (
        "`{about}` counts one by one, and the number of a group or the place in one is needed",
        "Groups of how many are counted there, and is their number needed or the place within one?",
    ),
    "block_off": (
        "`{about}` is one block off",
        "Take block 0: where does its part begin, and where does it end?",
    ),
    "always": (
        "what follows it has to happen whatever `{about}` says",
        "Go through an iteration in which `{about}` is false: what is missing after it?",
    ),
    "limit": (
        "what is below 0 is stored as it is",
        "What does the task say of numbers below 0?",
    ),
    "forgotten": (
        "by its end nothing has brought `{about}` up to date",
        "What does the next iteration need of this one?",
    ),
    "before_loop": (
        "it sets `{about}` anew in every iteration, and what is there by then is lost",
        "What does {about} hold at the end of an iteration, and who needs it after that?",
    ),
    "twin": (
        "it is done for {about} alone, and what stands beside that needs the same",
        "Which names stand beside {about} where they are made, and which line takes care of them?",
    ),
    "again": (
        "it asks once, and what it asks has to be asked again each time",
        "What may have changed between the answer to `{about}` and the next line?",
    ),
    "one_of": (
        "its else belongs to `{about}` alone, and so it runs where an if above was true, too",
        "Which of the conditions may be true at once, and for which does the else run?",
    ),
    "overwritten": (
        "it sets `{about}` anew, and a line below it still needs what was there before",
        "What does `{about}` hold when the next lines read it?",
    ),
    "extra": ("it should not be there", "What is this line there for, and how often does it run?"),
    "part": (
        "`{about}` is not what is needed there",
        "What does `{about}` give for the first wrong element, and what should stand there?",
    ),
    "line": (
        "it works out something other than what is needed there",
        "Say in words what it has to work out, and go through its parts one by one: is one missing, or wrong?",
    ),
    "missing": (
        "something has to happen after it that happens nowhere",
        "What does the rest of the code take for granted after it, and which line sees to that?",
    ),
    "exception": (
        "it makes an exception of what `{about}` picks out, and the task makes none",
        "What does the task say about what `{about}` picks out?",
    ),
    "return": (
        "threads leave there that others still need",
        "What do threads without an element have to do for others?",
    ),
    "lines": (
        "together they do something other than what is needed there",
        "Say in words what these lines have to leave behind for those below, and go through them with the first wrong "
        "element.",
    ),
    "several": (
        "more than one step is needed there",
        "What has to happen in its place, step by step? Go through it for the first thread and the last one.",
    ),
    "both": (
        "each is wrong by itself, and neither alone is enough",
        "Take the two one after the other: say in words what each has to do, and compare that with what it does.",
    ),
    "missing_lines": (
        "a part of the work is done nowhere",
        "Which elements, or which step, does nothing after this line take care of?",
    ),
    "wait": ("the wrong one waits, or not long enough", "Who has to wait for what before the next line?"),
}
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
    "nan_by_arithmetic": ("operator", "too_much", "sign", "conversion", "limit"),
    "off_by_one": ("index", "index_everywhere", "one_off", "operator", "operands", "name", "part", "line", *OF_A_PLACE),
}
KNOW_LESS = ("order_dependent",)  # than an edit, whose question is the better advice
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
