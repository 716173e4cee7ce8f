"""Whether an answer says what an accepted form says: nothing less, and nothing else that would matter."""

from __future__ import annotations

from typing import Any

from autograder.drills.structure.api import CLEANUP, QUESTIONS, WAITS
from autograder.drills.structure.forms import AUTO, ZERO, Form, all_of, called, names_in, with_names

KINDS_OF_COPY = {"cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice", "cudaMemcpyDefault"}
Block = tuple[Form, ...]


def without_extras(answer: Block, form: Block) -> Block:
    """An answer without what is good manners beside the question: errors looked at, things freed at the end.

    What is freed earlier, and used afterwards, stays.
    """
    wanted = called(form)
    manners = (CLEANUP | WAITS | QUESTIONS) - wanted
    found: list[Form] = []
    for place, each in enumerate(answer):
        if _called_alone(each) in QUESTIONS - wanted:
            continue
        if all(_called_alone(later) in manners or _is_null(later) for later in answer[place:]):
            break
        if each[0] == "if" and "cudaSuccess" in names_in(each[1]) and "cudaSuccess" not in names_in(form):
            continue
        found.append(each)
    return tuple(found)


def _called_alone(statement: Form) -> str:
    """The function that a statement calls and does nothing else."""
    return statement[1][1] if statement[0] == "do" and statement[1][0] == "call" else ""


def _is_null(statement: Form) -> bool:
    """A pointer that was freed is set to nullptr."""
    return statement[0] == "set" and statement[2] == ZERO


def is_call_of_cuda(form: Form) -> bool:
    return form[:1] == ("call",) and form[1].startswith("cuda")


def without_functions_round_it(block: Block) -> Block:
    """What stands in main(), or in another function of the host, where no function was asked for."""
    return tuple(part for each in block for part in (each[5] if each[0] == "def" and not each[2] else (each,)))


def without_error_checks(block: Block) -> Block:
    """Calls alone, where their results were only looked at."""
    errors = {each[1] for each in block if each[0] in ("let", "declare") and each[2] == "cudaError_t"}
    errors |= {each[1] for each in block if each[0] == "let" and each[2] == AUTO and is_call_of_cuda(each[3])}
    found: list[Form] = []
    for each in block:
        asserted = each[1][2:] if each[0] == "do" and each[1][:2] == ("call", "assert") else ()
        if asserted and (calls := [call for call in all_of(asserted, "call") if is_call_of_cuda(call)]):
            found += [("do", call) for call in calls]
            continue
        if each[0] == "if" and (names_in(each[1]) & {*errors, "cudaSuccess"}):
            calls = [call for call in all_of(each[1], "call") if call[1].startswith("cuda")]
            found += [("do", call) for call in calls if call[1] not in QUESTIONS]
            continue
        if each[0] == "declare" and each[1] in errors:
            continue
        if each[0] in ("let", "set") and (each[1] in errors or each[1][-1] in errors):
            each = ("do", each[-1])
        found.append(each)
    return tuple(found)


def with_default_copies(form: Form) -> Form:
    """Every copy finds its direction out from its pointers."""
    return with_names(form, dict.fromkeys(KINDS_OF_COPY, ("name", "cudaMemcpyDefault")))


def alike(answer: Any, form: Any) -> bool:
    """The answer says as much as the form. It may promise more (const, __restrict__), and leave a type to `auto`."""
    if not isinstance(answer, tuple) or not isinstance(form, tuple):
        return answer == form
    if len(answer) != len(form):
        return False
    if answer[:1] == ("param",):
        return answer[1] == form[1] and _types_agree(answer[2], form[2]) and set(form[3]) <= set(answer[3])
    if answer[:1] == ("def",):
        marks = tuple(mark for mark in answer[2] if mark in form[2] or "__launch_bounds__" not in str(mark))
        return marks == form[2] and all(map(alike, answer[3:], form[3:])) and answer[1] == form[1]
    if answer[:1] == ("let",):
        return answer[1] == form[1] and _types_agree(answer[2], form[2]) and alike(answer[3], form[3])
    if answer[:1] == ("cast",):
        return _types_agree(answer[1], form[1]) and alike(answer[2], form[2])
    return all(map(alike, answer, form))


def _types_agree(answer: str, form: str) -> bool:
    """const may be promised where it is not asked for, and a template takes any type."""
    if AUTO in (answer, form) or answer in (form, f"const {form}"):
        return True
    return answer.startswith(AUTO) and answer.removeprefix(AUTO) == "*" * form.count("*")


def breaks_a_promise(block: Block) -> bool:
    """Is something written through a pointer to const? No compiler takes that."""
    for kernel in all_of(block, "def"):
        constant = {parameter[1] for parameter in kernel[4] if "const" in parameter[3]}
        places = [each[1] for each in all_of(kernel[5], "set")]
        if any(place[0] == "index" and place[1][:1] == ("name",) and place[1][1] in constant for place in places):
            return True
    return False
