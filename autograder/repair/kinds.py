"""What is wrong with a line, by the kind of edit that repairs it, and what to ask there."""

from __future__ import annotations

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
    "masked": (
        "`{about}` multiplies by a condition, and a number that is left out is not always 0 when it is multiplied by 0",
        "What is `{about}` where the number is infinite, NaN or below 0, and the condition is false?",
    ),
    "negated": (
        "`{about}` is true where one of the two is NaN: every comparison with NaN is false",
        "What does the task say of NaN? Write the comparison that is true where it is asked for.",
    ),
    "cut_early": (
        "`{about}` takes its limit first, and the limit is asked of the whole",
        "Take a number that the limit changes, and a factor below 0: what comes out, and what should?",
    ),
    "clamped": (
        "`{about}` changes every number beyond its two limits, infinities among them",
        "Which numbers does the task leave out, and which does `{about}` change?",
    ),
}
