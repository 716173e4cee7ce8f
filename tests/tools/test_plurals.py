"""A count and its noun agree where the count is one: `count_text` words them, and nothing else does.

Read in the source: an f-string that puts a plural right behind a number is listed here with the reason why the number
is never one, or it uses `count_text`.
"""

import ast
import re
from pathlib import Path

import pytest

from autograder.exercises import all_exercises
from autograder.lint.report import COMPILED
from autograder.report.wording import counter_name
from autograder.running.host_code.transfers import COUNTERS as HOST_COUNTERS
from simt.analyses.counters import COUNTERS
from simt.source.counts import count_text

PROJECT = Path(__file__).parents[2]
NUMBER = re.compile(
    r"n|count|total|lines|left|launches|flops|wrong|kept|len\(.*\)|volume\(.*\)|(.*\.)?(n_\w+|\w+_count|count|kept|limit)"
)
NOUN = re.compile(
    r" (?:more |other |different |of \w+ )?(?!is|has|was|its|as|us|ms|this|divides|times|bytes|needs|takes)([a-z]+s)\b"
)
NEVER_ONE = {  # (file, noun): why
    ("autograder/answer/cells.py", "cells"): "none and several are told; one is what was asked for",
    ("autograder/classroom/jail/host_outcomes.py", "launches"): "a limit",
    ("autograder/classroom/pages/summary.py", "exercises"): "one is named",
    ("autograder/classroom/reading/answers.py", "cells"): "one is what was asked for",
    ("autograder/classroom/reading/extract.py", "characters"): "more than a limit",
    ("autograder/classroom/reading/gate.py", "names"): "a limit",
    ("autograder/classroom/receive.py", "cells"): "more than a limit",
    ("autograder/diagnosis/work_causes.py", "numbers"): "what several blocks left",
    ("autograder/exercises/u07_scan/slips.py", "sums"): "256 and more",
    ("autograder/exercises/u13_convolution/domains.py", "channels"): "16 and more",
    ("autograder/exercises/u14_attention/attention_values.py", "scores"): "a row of a tile",
    ("autograder/classroom/reading/constant_arrays.py", "elements"): "a limit",
    ("autograder/classroom/receive.py", "values"): "a limit",
    ("autograder/classroom/sealed/plan.py", "launches"): "a limit",
    ("autograder/classroom/sealed/ptx/text.py", "words"): "a limit",
    ("autograder/classroom/receive.py", "characters"): "more than a limit",
    ("autograder/classroom/sealed/abi.py", "words"): "a mistake of ours",
    ("autograder/classroom/messages/conversation.py", "threads"): "more than a limit",
    ("autograder/classroom/sealed/carry_out.py", "operations"): "more than a limit",
    ("autograder/classroom/sealed/compiling.py", "kernels"): "more than a limit",
    ("autograder/classroom/sealed/plan.py", "threads"): "more than a limit",
    ("autograder/diagnosis/work_causes.py", "threads"): "one is told otherwise",
    ("autograder/diagnosis/outputs.py", "elements"): "an array of one element is told otherwise",
    ("autograder/notebook/tasks/figure.py", "elements"): "more than are named",
    ("autograder/plain_data.py", "items"): "a mistake of ours",
    ("autograder/running/evidence.py", "accesses"): "one is worded beside it",
    ("autograder/running/host_code/host_lines.py", "lines"): "a limit",
    ("autograder/running/printed.py", "lines"): "more than a limit",
    ("simt/analyses/huge_arrays.py", "elements"): "more than a limit",
    ("simt/refusals/numbers.py", "digits"): "more than 40",
    ("simt/compiling/endless.py", "blocks"): "some have started and some have not",
    ("simt/figures/beyond.py", "lanes"): "one is worded beside it",
    ("simt/figures/lanes_at_work.py", "lines"): "more than a limit",
    ("simt/lanes/meter.py", "steps"): "a limit",
    ("simt/launching/geometry.py", "blocks"): "more than one, wherever blocks wait for each other",
    ("simt/launching/geometry.py", "threads"): "more than a limit",
    ("simt/launching/geometry.py", "dimensions"): "none or more than three",
    ("simt/memory/indexing.py", "threads"): "one is worded beside it",
    ("simt/programs/progress.py", "blocks"): "some are done and some are not",
    ("simt/programs/progress.py", "days"): "more than one",
    ("simt/programs/wording.py", "launches"): "more than one",
    ("simt/stepper/model.py", "steps"): "a limit",
    ("simt/stepper/words.py", "elements"): "more than are named",
}  # fmt: skip


def numbers_before_plurals(text):
    """The plural of every f-string that has one right behind a number."""
    for node in ast.walk(ast.parse(text)):
        for value, behind in zip(node.values, node.values[1:], strict=False) if isinstance(node, ast.JoinedStr) else ():
            if isinstance(value, ast.FormattedValue) and isinstance(behind, ast.Constant):
                with_commas = value.format_spec is not None and "," in ast.unparse(value.format_spec)
                found = NOUN.match(str(behind.value))
                if found and (with_commas or NUMBER.fullmatch(ast.unparse(value.value))):
                    yield found[1]


def in_the_source():
    for folder in ("autograder", "simt"):
        for path in sorted((PROJECT / folder).rglob("*.py")):
            for noun in numbers_before_plurals(path.read_text()):
                yield str(path.relative_to(PROJECT)), noun


def test_every_count_beside_a_plural_is_worded_by_count_text_or_is_never_one():
    found = set(in_the_source())

    assert set() == found - NEVER_ONE.keys()
    assert set() == NEVER_ONE.keys() - found


@pytest.mark.parametrize("source", ['f"{n} kernels ran"', 'f"{len(found):,} more elements"', 'f"{seen.kept} verdicts"'])
def test_such_a_count_is_found(source):
    assert [1] == [len(list(numbers_before_plurals(source)))]


def test_one_of_anything_is_singular():
    assert ["1 kernel", "0 kernels", "1,024 kernels"] == [count_text(n, "kernel") for n in (1, 0, 1024)]
    assert "1 load in flight" == f"1 {counter_name('loads_in_flight', 1)}"


BUDGETED = sorted({budget.counter for exercise in all_exercises() for budget in exercise.budgets})


@pytest.mark.parametrize("counter", [*COUNTERS, *COMPILED, *HOST_COUNTERS, *BUDGETED, "lanes_at_work"])
def test_the_name_of_a_counter_that_is_one_has_no_plural(counter):
    assert not re.search(r"[a-rt-z]s\b|sse\b|che\b", counter_name(counter, 1)), counter_name(counter, 1)
