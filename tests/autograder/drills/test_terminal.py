"""The drill in a terminal: through a pseudo-terminal, 80 columns wide, with nothing but a keyboard."""

from __future__ import annotations

import html
import os
import random
import re
import signal
import sys

import pytest
from rich.cells import cell_len

from autograder.drills import kinds
from autograder.drills.deck.load import find_card
from autograder.drills.learning import sitting
from autograder.drills.learning.store import Store
from tests.patience import PATIENCE_S
from tools.make import drill_picture
from tools.parts.units import ROOT

pexpect = pytest.importorskip("pexpect", reason="pexpect is not installed: python tools/set_up.py --dev")
if not hasattr(pexpect, "spawn"):
    pytest.skip("there is no pseudo-terminal on this system", allow_module_level=True)

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


@pytest.fixture
def drill(tmp_path):
    """Start `warpbook drill` in a terminal of 80 x 24 with a data folder of its own."""
    started = []

    def start(*options: str):
        child = pexpect.spawn(
            sys.executable,
            ["-m", "autograder.cli", "drill", *options],
            env={**os.environ, "PYTHONPATH": str(ROOT), "WARPBOOK_DATA": str(tmp_path), "TERM": "xterm-256color"},
            dimensions=(24, 80),
            encoding="utf-8",
            timeout=PATIENCE_S,
        )
        started.append(child)
        child.seen = []
        child.logfile_read = type(
            "Log", (), {"write": lambda _, text: child.seen.append(text), "flush": lambda _: None}
        )()
        return child

    yield start
    for child in started:
        child.close(force=True)


def screen(child) -> list[str]:
    """Every line that was printed, without colours."""
    return ESCAPES.sub("", "".join(child.seen)).replace("\r", "").split("\n")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_sitting_goes_from_question_to_mark_stops_and_is_taken_up_again(drill, language):
    child = drill("--lang", language, "--topics", "B7", "--seed", "11")
    child.expect("B7")
    child.expect(r"> ")
    child.sendline(":s")  # by, to the next
    child.expect("B7")
    child.expect(r"> ")
    child.sendline(":q")
    child.expect("warpbook drill")
    child.expect(pexpect.EOF)
    lines = screen(child)

    assert max(cell_len(line) for line in lines) <= 80, max(lines, key=cell_len)
    again = drill("--lang", language)
    again.expect({"en": "Taking up where you stopped", "zh": "从上次中断处继续"}[language])


def test_without_a_keyboard_the_command_says_what_to_do_instead(capsys, tmp_path, monkeypatch):
    from autograder.cli import main

    monkeypatch.setenv("WARPBOOK_DATA", str(tmp_path))
    assert 2 == main(["drill"])
    assert "warpbook drill progress" in capsys.readouterr().err


def seed_with_code(topic: str) -> int:
    """A seed whose sitting asks for code."""
    for seed in range(99):
        with Store(":memory:") as store:
            queue = sitting.begin(store, topics=(topic,), seed=seed).queue
        if any(find_card(name).kind == "write" for name, _ in queue):
            return seed
    raise AssertionError(f"no sitting on {topic} asks for code")


def test_lines_of_code_that_were_typed_when_the_machine_went_down_are_there_again(drill):
    child = drill("--topics", "D10", "--seed", str(seed_with_code("D10")))
    while child.expect([r"a line with a single", r"> "]):
        child.sendline(":s")
    child.sendline("SHIFT = 42")
    child.sendline("def half_of_it(")
    child.expect(r"def half_of_it\(")
    child.kill(signal.SIGKILL)
    again = drill()
    again.expect("What you had typed; go on")
    again.expect("SHIFT")
    again.sendline(":q")
    again.expect(pexpect.EOF)


def test_the_picture_in_the_docs_shows_the_card_as_it_is_now():
    drawn = html.unescape(re.sub(r"<[^>]+>", " ", drill_picture.PICTURE.read_text(encoding="utf-8")))
    question = kinds.pose(find_card(drill_picture.CARD), "en", random.Random(drill_picture.SEED))

    assert [] == [word for word in f"{question.ask} {question.card.source}".split() if word not in drawn]
