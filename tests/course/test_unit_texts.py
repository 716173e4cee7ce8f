"""What a unit says of itself and of its words holds: promised lines, promised hours, and where a word is explained."""

from __future__ import annotations

import re

import pytest

from tests.course.released import GRADED, UNITS, notebook
from tools.parts.units import ROOT

A_RUNG, A_LINE = 5, 2  # minutes, as CONTRIBUTING.md promises them
MOST_LINES = 30  # of a rung; what asks for more is two rungs, or gives a part
OFF = 20  # minutes by which rounded words ("about two hours") may differ from that
HOURS = re.compile(
    r"\b(an|one|two|three|four|five|six|seven|eight)( and a half)? hours?(?: and a (half|quarter))?", re.IGNORECASE
)
NUMBERS = {word: n for n, word in enumerate("one two three four five six seven eight".split(), start=1)} | {"an": 1}
EARLIEST = "01"  # unit 00 shows what is to come
BY_UNIT = {unit.id[:2]: unit for unit in UNITS}


def texts(unit) -> list[str]:
    """The text cells of a unit, in order."""
    return [cell.source for cell in notebook("solutions", unit.id).cells if cell.cell_type == "markdown"]


def code(unit) -> str:
    """All code of a unit as released, one cell after the other."""
    return "\n".join(cell.source for cell in notebook("course", unit.id).cells if cell.cell_type == "code")


def lines_of(source: str) -> int:
    """How many lines a stub asks for."""
    return sum(map(int, re.findall(r"^ *# about (\d+) lines?\b", source, flags=re.MULTILINE)))


def promise(unit) -> str:
    """The line of a unit that says how long it takes."""
    return next(line for line in texts(unit)[0].splitlines() if line.startswith("**Time:**"))


def minutes(text: str) -> int:
    """The hours that a text names, added up, in minutes."""
    parts = {None: 0, "half": 30, "quarter": 15}
    return sum(60 * NUMBERS[n.lower()] + 30 * bool(half) + parts[more or None] for n, half, more in HOURS.findall(text))


def introduced() -> list[tuple[str, str]]:
    """Each word of the glossary that a unit introduces, with the number of that unit."""
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    return re.findall(r"^\| ([^|]+?) \| \[(\d\d)\] \|", page, flags=re.MULTILINE)


def bold(word: str, text: str) -> bool:
    """Whether a text has a word in bold, where it says what the word means."""
    marked = re.findall(r"\*\*([^*]+)\*\*|<b>([^<]+)</b>", text)
    return any(word.lower() in (stars + tags).lower() for stars, tags in marked)


def uses(word: str, text: str) -> bool:
    """Whether a text has a word, or its plural."""
    return re.search(rf"(?<![-`\w]){re.escape(word)}(?:s|es|ed)?(?![-`\w])", text, re.IGNORECASE) is not None


def too_early(word: str, number: str) -> list[str]:
    """The units before `number` with a cell that uses a word and does not say which unit explains it."""
    ahead = re.compile(rf"[Uu]nits? {int(number)}\b|\.\./{number}_")
    return [
        unit
        for unit in sorted(BY_UNIT)
        if EARLIEST <= unit < number
        and any(uses(word, text) and not ahead.search(text) for text in texts(BY_UNIT[unit]))
    ]


@pytest.mark.parametrize("unit", GRADED, ids=lambda unit: unit.id)
def test_a_unit_promises_as_many_lines_as_its_stubs_ask_for(unit):
    asked = lines_of(code(unit))
    promised = sum(map(int, re.findall(r"(\d+) lines", promise(unit))))
    assert asked == promised, promise(unit)


@pytest.mark.parametrize("unit", GRADED, ids=lambda unit: unit.id)
def test_no_rung_asks_for_more_lines_than_one_writes_in_a_sitting(unit):
    asked = {cell.id: lines_of(cell.source) for cell in notebook("course", unit.id).cells if cell.cell_type == "code"}
    assert {} == {name: lines for name, lines in asked.items() if lines > MOST_LINES}


@pytest.mark.parametrize("unit", GRADED, ids=lambda unit: unit.id)
def test_a_unit_promises_the_hours_that_its_rungs_and_lines_take(unit):
    rungs = sum(len(re.findall(r"^## \d+\. ", text, flags=re.MULTILINE)) for text in texts(unit))
    lines = sum(map(int, re.findall(r"(\d+) lines", promise(unit))))
    assert abs(minutes(promise(unit)) - (A_RUNG * rungs + A_LINE * lines)) <= OFF, promise(unit)


def test_hours_are_read_as_they_are_written():
    said = "About two and a half hours, then an hour and a quarter, and six hours and a half."
    assert 150 + 75 + 390 == minutes(said)


@pytest.mark.parametrize(("word", "number"), introduced(), ids=lambda part: str(part))
def test_a_word_of_the_glossary_is_explained_in_its_unit_and_used_in_no_earlier_one(word, number):
    assert any(bold(word, text) for text in texts(BY_UNIT[number])), f"unit {number} never has **{word}**"
    assert [] == too_early(word, number), f"{word} is explained in unit {number}"


@pytest.mark.parametrize("unit", GRADED, ids=lambda unit: unit.id)
def test_an_interview_question_has_its_weak_answer_and_no_follow_up_is_left_open(unit):
    asked = re.findall(r"<summary>(Interview question: .*?)</details>", "\n".join(texts(unit)), flags=re.DOTALL)
    bare = [one[:90] for one in asked if not re.search("[Aa] weak answer", one)]
    bare += [one[-90:] for one in asked if not re.search("And then\\?|[Tt]he follow-up", one) or one.endswith("?")]

    assert asked and [] == bare


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.id)
def test_what_a_cell_prints_is_written_for_a_reader_and_is_no_object_of_ours(unit):
    outputs = (one for cell in notebook("solutions", unit.id).cells for one in cell.get("outputs", ()))
    printed = (one.text for one in outputs if one.output_type == "stream")

    assert [] == [text[:90] for text in printed if re.search(r"\b[A-Z]\w*[a-z]\w*\(\w+=|<\w.* at 0x", text)]


@pytest.mark.parametrize("unit", GRADED, ids=lambda unit: unit.id)
def test_a_unit_steps_through_a_kernel_has_a_bug_to_find_and_from_the_fourth_on_a_profile_to_read(unit):
    text = "\n".join(texts(unit))

    assert "q.step(" in code(unit)
    assert re.search(r"[Ff]ind the bug", text)
    assert unit.id < "03" or re.search(r"[Rr]ead (?:the|a|it as a) profile", text)
