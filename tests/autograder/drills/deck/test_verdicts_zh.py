"""Verdicts in Chinese: every English sentence of the list is the program's own, and what drills show first is there."""

from __future__ import annotations

import ast
import random
import re
from functools import cache

import pytest

from autograder.drills import kinds
from autograder.drills.cpp.body import LEFT_OUT
from autograder.drills.deck import verdicts
from autograder.drills.deck.load import all_cards
from autograder.drills.kinds import bug, write
from tests.part import a_part
from tools.parts.units import ROOT

LEAST_ENTRIES = 165  # may only grow
LEAST_SHARE = 0.97  # of the sentences that the drills' own cards show
SOURCES = (
    "autograder/drills/cpp", "autograder/drills/translated", "autograder/diagnosis", "autograder/report",
    "autograder/lint", "autograder/repair", "autograder/drills/tasks", "autograder/running", "autograder/exercises",
    "autograder/outcome.py", "simt",
)  # fmt: skip
MOST_REWORDED = 0.7  # of the runs of a sentence, which the program may put together from parts
CARDS = [card for card in all_cards().values() if card.file and card.kind in ("bug", "write")]


@cache
def spoken() -> str:
    """Every text that the judge or the interpreter may say, its parts between values one after the other, one blank
    between words."""
    found: list[str] = []
    for place in SOURCES:
        path = ROOT / place
        for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found.append(node.value)
    return " ".join("\n".join(found).split())


def runs(english: str) -> list[str]:
    """Three words at a time of what stands between the slots; the program puts parts of them together from others."""
    parts = [part.split() for part in re.split(r"\{\w+\}|`|, line |cuda\.syncthreads\(\)", english)]
    found = [" ".join(words[at : at + 3]) for words in parts for at in range(len(words) - 2)]
    return found or [" ".join(words) for words in parts if len(" ".join(words)) > 3]


@pytest.mark.parametrize("english", [english for english, _ in verdicts.entries()])
def test_a_translation_is_not_older_than_its_sentence(english):
    missing = [run for run in runs(english) if run.strip(" :.,(") not in spoken()]

    assert len(missing) <= MOST_REWORDED * len(runs(english)), f"the program says it otherwise now: {missing}"


REFUSES = ("refused", "mistaken", "CppError", "CppMistake", "MacroError")
COUNT = re.compile(r"count_text\(.*?, '(\w+)'(?:, '(\w+)')?\)", re.DOTALL)


def said_of(part: ast.expr) -> list[str]:
    """What may stand in a slot: a count in both numbers, a promise or none, a name, or the constant it names."""
    text = ast.unparse(part)
    if found := COUNT.fullmatch(text):
        return [f"1 {found[1]}", f"2 {found[2] or found[1] + 's'}"]
    if isinstance(part, ast.IfExp):
        return [*said_of(part.body), *said_of(part.orelse)]
    return [part.value if isinstance(part, ast.Constant) else LEFT_OUT if text == "LEFT_OUT" else "x9"]


def texts_of(node: ast.expr) -> list[str]:
    """A string with something in each of its slots."""
    if isinstance(node, ast.IfExp):
        return [*texts_of(node.body), *texts_of(node.orelse)]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    said = [""]
    for part in node.values if isinstance(node, ast.JoinedStr) else ():
        more = [part.value] if isinstance(part, ast.Constant) else said_of(part.value)
        said = [before + after for before in said for after in more]
    return said if said != [""] else []


def refusals() -> list[str]:
    """Every sentence by which C++ is refused."""
    found = [
        text
        for file in sorted((ROOT / "autograder/drills/cpp").glob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in REFUSES
        for argument in node.args[1:]
        for text in texts_of(argument)
    ]
    return sorted(set(found))


def test_every_refusal_of_cpp_is_said_in_chinese():
    said = refusals()

    assert len(said) > 100
    assert [] == [sentence for sentence in said if verdicts.in_chinese(sentence) is None]


def test_a_sentence_has_its_slots_in_both_languages():
    for english, chinese in verdicts.entries():
        wanted = set(verdicts.SLOT.findall(english)) - verdicts.ENDINGS

        assert set(verdicts.SLOT.findall(chinese)) <= wanted, english
        assert re.search("[\u4e00-\u9fff]", chinese), english


def test_the_list_may_only_grow():
    assert len(verdicts.entries()) >= LEAST_ENTRIES
    assert len({english for english, _ in verdicts.entries()}) == len(verdicts.entries())


def verdict_of(card) -> str:
    """What is said about a card's own wrong answer."""
    if card.kind == "write":
        return verdicts.told(write.check(card, card.data["wrong"], isolate=False))
    return bug.verdict_of(kinds.pose(card, "en", random.Random(1))).text


@pytest.mark.parametrize("card", a_part(CARDS, 6, lambda card: card.id))
def test_what_a_drill_says_of_a_wrong_answer_is_said_in_chinese(card):
    verdict = verdict_of(card)
    sentences = [sentence for sentence in verdicts.sentences(verdict) if sentence.strip()]
    missing = [sentence for sentence in sentences if verdicts.in_chinese(sentence) is None]

    assert len(missing) <= (1 - LEAST_SHARE) * len(sentences), missing
    assert re.search("[\u4e00-\u9fff]", verdicts.said_in("zh", verdict))
    assert verdict == verdicts.said_in("en", verdict)


RIGHT = """shared_histogram: right
  global atomic bytes: 512 (at most 512).
  10 registers, 256 B shared, 100% occupancy (sm_75, sm_80); 14 registers, 256 B shared, 100% occupancy (sm_90)
  5 of 5 cases right in the interpreter; 1 of 1 points"""


def test_a_right_answer_is_told_in_chinese_line_by_line():
    """A line that is longer than the width is none that goes on in the next one."""
    said = verdicts.said_in("zh", RIGHT).splitlines()

    assert 4 == len(said)
    assert "shared_histogram：正确" == said[0]
    assert "10 个寄存器, 256 B 共享内存, 占用率 100%" in said[2]
    assert "解释器中 5 个用例对了 5 个；得分 1 / 1" in said[3]


def test_who_and_where_are_said_in_chinese_and_code_stays():
    said = verdicts.in_chinese(
        "Thread 255 of block 0 reads src[255] at line 5, outside the array: src has 255 elements (0 to 254)."
    )

    assert "线程块 0 的线程 255 在第 5 行读 src[255]，已在数组之外：src 有 255 个元素（0 到 254）。" == said
    assert verdicts.in_chinese("Nobody ever said this.") is None
    assert "Nobody ever said this." in verdicts.said_in("zh", "Nobody ever said this.")


def test_a_sentence_that_was_cut_at_the_width_is_put_together():
    first = "  Guard the line: it may only run where `i + a_rather_long_name_of_an_index - another_one // 2` is less"
    verdict = f"{first}\n  than_this_array.size."

    sentence = " ".join(verdict.split()).replace("less than_this", "less than this")
    assert [sentence.replace("less than this", "less than_this")] == verdicts.sentences(verdict)
