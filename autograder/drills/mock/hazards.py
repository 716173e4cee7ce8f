"""What can go wrong with a kernel, as a candidate names it: by letter or in words, in either language."""

from __future__ import annotations

import re

from autograder.drills.deck.model import AnswerError
from autograder.drills.faces.words import say
from autograder.drills.kinds.letters import named_letters
from autograder.drills.mock.coding import HAZARDS

LETTERS = "abcdefghij"
IN_WORDS = {
    "out_of_bounds": r"(?:index )?out[- ]of[- ]bounds(?: access)?|\bbounds?(?: check)?\b|\bguards?\b|越界|边界",
    "race": r"\b(?:data )?races?\b|\bmissing (?:barrier|sync\w*)\b|(?:数据)?竞争|缺少?(?:栅栏|同步)",
    "uninitialised_read": r"\buninitiali[sz]ed(?: \w+)?|\bnobody wrote\b|未初始化|没人写|未写过",
    "barrier_divergence": r"\b(?:barrier )?divergen\w+|\bmiss(?:es)? (?:a |the )?(?:barrier|mask)\b|\bdeadlocks?\b"
    r"|分化|死锁|掩码",
    "bank_conflicts": r"\bbank(?: conflicts?|s)?\b|存储体(?:冲突)?",
    "uncoalesced": r"\b(?:un|not )?coalesc\w+(?: access\w*)?|不?合并(?:访问)?",
    "float64": r"\bdoubles?(?: precision)?\b|\bfloat64\b|\bfp64\b|双精度",
    "rounding": r"\bround\w*|舍入(?:方式)?",
    "saturation": r"\bsaturat\w*|\bclamp\w*|饱和|钳位",
    "overflow": r"\boverflow(?: of exp)?s?\b|(?:exp )?溢出",
}
BETWEEN = re.compile(r"\b(?:and|or|maybe|perhaps|also|possibly|plus|not|the|of|in)\b|和|或|以及|还有|可能")
NOTHING = re.compile(r"(?:none|nothing|no hazards?|-|无|没有)\.?", re.IGNORECASE)


def hazard_told(name: str, language: str) -> str:
    """As a candidate reads it."""
    return say(f"hazard_{name}", language)


def hazards_in(typed: str, language: str) -> set[str]:
    """Those that are named. Raises: AnswerError where there is none."""
    text = typed.lower()
    for letter, hazard in zip(LETTERS, HAZARDS, strict=True):
        text = text.replace(hazard_told(hazard, language).lower(), f" {letter} ")
        text = re.sub(IN_WORDS[hazard], f" {letter} ", text)
    found = named_letters(BETWEEN.sub(" ", text), LETTERS)
    if not found and not NOTHING.fullmatch(typed.strip()):
        raise AnswerError("ace")
    return {HAZARDS[LETTERS.index(letter)] for letter in found}
