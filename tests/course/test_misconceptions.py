"""The vocabulary of mistakes: what a judge can find has hints in every unit, and no ladder waits for a word nobody says."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import autograder
from autograder import exercises
from autograder.diagnosis.diagnose import MISCONCEPTIONS, REMEDIES
from autograder.diagnosis.patterns import DEPENDENCES, PATTERNS
from autograder.exercises.catalogue import answers_for
from autograder.exercises.hints import COMMON, ladders_of

ROOT = Path(autograder.__file__).parent
JUDGE = [*ROOT.glob("*.py"), *(path for part in ("diagnosis", "running", "lint") for path in (ROOT / part).glob("*.py"))]
POSITIONS = {"Cause": 1, "crashed": 2}  # calls that name a misconception, and where
ALL = exercises.all_exercises()


def constants(node: ast.AST) -> Iterator[str]:
    """The words that an expression can be: a constant, or either side of ``a if b else c``."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from constants(node.body)
        yield from constants(node.orelse)


def named_in_code(path: Path) -> Iterator[str]:
    """The misconceptions that a module of the judge names in its calls."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func).rpartition(".")[2]
            if (place := POSITIONS.get(name)) and len(node.args) > place:
                yield from constants(node.args[place])
            for word in node.keywords:
                if word.arg == "misconception":
                    yield from constants(word.value)


MACHINE = (
    {word for path in JUDGE for word in named_in_code(path)}
    | {*MISCONCEPTIONS.values(), *REMEDIES}
    | {pattern.misconception for pattern in (*PATTERNS, *DEPENDENCES.values())}
) - {""}


def of_contract(exercise) -> set[str]:
    """The misconceptions that a contract and the answers to it name."""
    named = {budget.misconception for budget in exercise.budgets} | {slip.misconception for slip in exercise.slips}
    return (named | {answer.misconception for answer in answers_for(exercise)}) - {""}


@pytest.mark.parametrize("exercise", ALL, ids=lambda exercise: exercise.id)
def test_whatever_a_check_can_find_has_a_ladder(exercise):
    known = {hint.misconception for hint in exercise.hints}

    assert [] == sorted((MACHINE | of_contract(exercise)) - known)


def test_the_machines_words_are_found_in_its_code():
    assert {"order_dependent", "not_compiled", "bare_call", "shared_limit", "missing_barrier", "exception"} <= MACHINE


@pytest.mark.parametrize("unit", exercises.units())
def test_no_ladder_of_a_unit_waits_for_a_word_that_nobody_says(unit):
    said = MACHINE | {"start"}.union(*(of_contract(exercise) for exercise in exercises.of_unit(unit)))
    module = ROOT / "exercises" / f"u{unit}" / "hints.md"

    assert [] == [f"{each.line}: {each.misconception}" for each in ladders_of(module) if each.misconception not in said]


def test_no_common_ladder_waits_for_a_word_that_nobody_says():
    said = MACHINE.union(*(of_contract(exercise) for exercise in ALL))

    assert [] == [f"{each.line}: {each.misconception}" for each in ladders_of(COMMON) if each.misconception not in said]
