"""A number in a sentence: what may stand beside it, and what must not be passed over."""

from __future__ import annotations

import re

from autograder.drills.deck.units import every_name
from autograder.drills.quantities.arithmetic import FUNCTIONS, MULTIPLES, OWN
from autograder.drills.quantities.units import UNCLEAR, symbol

BESIDE = frozenset(
    """a after again an and as at average be because been beyond bound by can clamped clamps could count each
    entries every factor fast faster few first float floats for from get gets getting got has have higher hmm
    idle in index into it larger less long longer lower make many maybe means more must my number obviously of
    off ok okay on overall perhaps please pretty probably read reads really reply result saturated saturates
    should since slower smaller speedup stay stays store stores sum take takes than then this those time times
    to um under up used value values we well which whole will with words would write writes writing written loaded
    stored copied full partial last end left remain remains remaining rest you your sm sms multiprocessor
    multiprocessors""".split()
)
NEGATIONS = {"not", "never", "without", "except", "neither", "don", "cannot", "isn"}
WORD = re.compile(rf"[^\W\d_{OWN}]+")
CHINESE = re.compile(r"[\u4e00-\u9fff]+")
MOST_WORDS = 8  # round a number
MOST_SAID, MOST_SAID_IN_CHINESE = 20, 30  # words and characters in all; more are an essay
CLAUSES = re.compile(r"(?<!\d),|,(?!\d)|[;；，。]|\s-\s+(?=[^\d(])|\.\s")
OF_SIZE = re.compile(rf"(\d)\s*(?:x\s*)?\d+\s*(?:bytes?|B|bits?)\s*{OWN}|({OWN})\s+of\s+\d+\s*[^\W\d_]*$")
REMARK = re.compile(r"(.+?)\s*\([^()]*\)")
REASON = re.compile(
    r"(?<=[^\W_])[\s,，;；。.]*(?:\b(?:because|since|as (?:the|a|it|there)|due to)\b|因为|由于|毕竟).*",
    re.IGNORECASE | re.DOTALL,
)
COMPARED = re.compile(r"(?<=[^\W_])\W+(?:twice|double|half|thrice)\s+(?:the|of|as|that)\b\D*$", re.IGNORECASE)


class OtherThingError(ValueError):
    """The number counts something that was not asked for."""


def is_an_essay(answer: str, asked: str) -> bool:
    """Is it longer than a number with its reason, or the question, or a sentence of it, sent back?"""
    said, words = " ".join(answer.lower().split()).rstrip(".?？。"), WORD.findall(answer)
    sentences = [part.strip(" .?？。") for part in re.split(r"[.?？。]\s*", asked.lower())]
    chinese = len("".join(CHINESE.findall(answer)))
    some = len(words) > 3 or chinese > 6
    copied = len(words) > 1 and said in sentences or some and said in " ".join(asked.lower().split())
    long = len(words) > MOST_SAID or chinese > MOST_SAID_IN_CHINESE
    return copied or long or (some and answer.rstrip().endswith(("?", "？")))


def without_reason(text: str) -> str:
    """Without "because ..." and "twice the least" behind a number."""
    for beside in (REASON, COMPARED):
        kept = beside.sub("", text)
        text = kept if re.search(r"\d", kept) else text
    return text


def readings(text: str, asked: str) -> list[str]:
    """What a sentence may mean, the most literal first. asked: the question, whose words may come back in the reply.

    Raises: OtherThingError for "16 threads" where warps are asked for.
    """
    found = [OF_SIZE.sub(lambda part: f"{part[1] or ''} {OWN}", text), text]
    if remark := REMARK.fullmatch(text):
        found.append(remark[1])
    clauses = [part.strip() for part in CLAUSES.split(text) if part and re.search(r"\d", part)]
    if len(clauses) == 1 and not NEGATIONS & {word.lower() for word in WORD.findall(text)}:
        found.append(clauses[0])
    return [*found, *(_without_words(each, asked) for each in found)]


def _without_words(text: str, asked: str) -> str:
    """The text without words that say nothing new; as it is where one of them matters."""
    of_question = {word.lower() for word in WORD.findall(asked)}
    dropped: list[str] = []

    def kept(found: re.Match) -> str:
        word = found[0].lower()
        if (
            symbol(found[0])
            or UNCLEAR.fullmatch(found[0])
            or word in FUNCTIONS
            or word in MULTIPLES
            or found[0] in MULTIPLES
            or word in ("x", "mod")
        ):
            return found[0]
        known = word in BESIDE or word in of_question or word in every_name() or (CHINESE.match(word) and word in asked)
        if not known or word in NEGATIONS:
            return found[0]
        dropped.append(found[0])
        return " "

    without = WORD.sub(kept, text)
    if len(dropped) > MOST_WORDS:
        return text
    counted = re.fullmatch(r"[^\d]*[\d.,]+\s*([^\W\d_]+)\s*", text)
    if counted and counted[1] in dropped and OWN not in text:
        is_plural = counted[1].endswith("s") and counted[1].lower() not in BESIDE
        if is_plural or counted[1].lower() in every_name():
            raise OtherThingError(counted[1])
    return without.strip(" ,;:.")
