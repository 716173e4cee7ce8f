"""Malformed input of every kind: notebooks, cells, plans, verdicts, messages. Each is told in words, and no more.

Forty of each by default, the same ones every time; WARPBOOK_FUZZ=170 tries as many, which `make test-fuzz` does.
"""

import contextlib
import copy
import json
import os
import socket

import nbformat
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.classroom.jail import plan, replay
from autograder.classroom.messages import frames
from autograder.classroom.pages import feedback, gradebook
from autograder.classroom.pages import shape as document
from autograder.classroom.pages import verdict as verdicts
from autograder.classroom.reading import child as reading_child
from autograder.classroom.reading import reader
from autograder.classroom.reading.answers import read_answers
from autograder.classroom.receive import receive
from autograder.outcome import Passed
from tests.autograder.classroom.conftest import RIGHT, notebook, tiny_unit

FEW = settings(
    max_examples=int(os.environ.get("WARPBOOK_FUZZ", "40")),
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(
    ["code", "scale", "grade_id", "\udcff", "__class__", 10**400, -1, 1e308, float("nan"), "<script>", "=1+1"]
)  # fmt: skip
JSON = st.recursive(
    LEAVES,
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=6), inside, max_size=4),
    max_leaves=8,
)
TINY = tiny_unit()


def places(value, path=()):
    """The path of every part of a document."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield from places(part, (*path, key))


@st.composite
def damaged(draw, whole):
    """A document with a few of its parts replaced, removed or said twice."""
    whole = copy.deepcopy(whole)
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(sorted(places(whole), key=repr)))
        if not path:
            continue
        holder = whole
        for key in path[:-1]:
            holder = holder[key]
        deed = draw(st.sampled_from(["replace", "remove", "twice"]))
        if deed == "replace":
            holder[path[-1]] = draw(JSON)
        elif deed == "remove":
            del holder[path[-1]]
        elif isinstance(holder, list):
            holder.append(copy.deepcopy(holder[path[-1]]))
    return whole


def as_read(root, content: bytes) -> dict:
    """What the reading process says of a file with this content."""
    folder = root / "ada" / TINY.id
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{TINY.id}.ipynb").write_bytes(content)
    request = {"root": str(root), "student": "ada", "unit": TINY.id, "filename": f"{TINY.id}.ipynb", "misnamed": False}
    return reading_child.answer({**request, "asks": reader._as_asked(TINY)})


def needs_nobody(reply: dict) -> None:
    """A submission was refused, or each of its answers has a program or a reason: nothing of ours failed."""
    assert "failed" not in reply, reply
    assert reply["taken"]["refused"] or len(reply["answers"]) == len(TINY.exercises)
    assert [] == [answer["review"] for answer in reply["answers"] if answer["review"]]
    json.dumps(reply, allow_nan=False).encode()


@FEW
@given(damaged(json.loads(nbformat.writes(notebook(scale=RIGHT)))))
def test_a_damaged_notebook_is_read_or_refused_in_words(tmp_path_factory, whole):
    needs_nobody(as_read(tmp_path_factory.mktemp("in"), json.dumps(whole).encode()))


@FEW
@given(st.data())
def test_a_notebook_with_wrong_bytes_is_read_or_refused_in_words(tmp_path_factory, data):
    content = bytearray(nbformat.writes(notebook(scale=RIGHT)).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))

    needs_nobody(as_read(tmp_path_factory.mktemp("in"), bytes(content[: data.draw(st.integers(1, len(content)))])))


TOKENS = """
X Y Z TILE scale np.array np.zeros np.float32 float32 cuda.jit cuda.grid(1) math.inf max round int len 1 0 -1 1e999
0xffffffffffffffffffff 'a' ( ) [ ] { } , : = == + - * ** // << >> @ . if else for in lambda def class import from as
with try not and or is None True async await yield return -> := \\ # % ! ; src dst i
"""
WORDS = st.sampled_from([*TOKENS.split(), "\n", "\n\n", "\t", ""])


@FEW
@given(st.lists(WORDS, max_size=40), st.booleans())
def test_a_cell_of_random_words_is_read_or_refused_in_words(words, beside_a_right_kernel):
    source = " ".join(words) + ("\n" + RIGHT if beside_a_right_kernel else "")

    for answer in read_answers(notebook(scale=source), TINY):
        assert "" == answer.review, (source, answer.review)
        assert answer.program is not None or answer.refused


SIGNS = st.sampled_from(["+", "*", "**", "<<", "//", "%", "@"])
OF_TWO = st.sampled_from(["max", "round", "np.full", "np.arange", "np.outer"])
OF_ONE = st.sampled_from(["int", "np.array", "np.zeros", "np.float32", "len", "abs"])
SHORT = ["1", "-2.5", "TILE", "True", "'a'", "2 ** 64", "1e308", "math.pi", "math.nan", "(1, 2)", "[3, 4]"]
EXPRESSIONS = st.recursive(
    st.sampled_from(SHORT),
    lambda inside: st.builds("({} {} {})".format, inside, SIGNS, inside)
    | st.builds("{}({}, {})".format, OF_TWO, inside, inside)
    | st.builds("{}({})".format, OF_ONE, inside)
    | st.builds("[{}, {}]".format, inside, inside),
    max_leaves=12,
)  # fmt: skip


@FEW
@given(EXPRESSIONS)
def test_a_constant_is_worth_what_its_text_says_or_is_no_constant(expression):
    """What the judge computed and what it wrote down for loading must be the same."""
    (answer, _) = read_answers(notebook(scale=f"X = {expression}\n{RIGHT}".replace("src[i]", "src[i] * X")), TINY)

    assert "" == answer.review
    if answer.program is not None:
        line = answer.program.source.split("\n")[0]
        own, text = {"np": np, "math": __import__("math"), "TILE": 32}, expression
        with np.errstate(all="ignore"):
            exec(line, own)
            expected = eval(text, {"np": np, "math": __import__("math"), "TILE": 32})
        assert repr(expected) == repr(own["X"])


PLAN = {
    "steps": [
        {"do": "to_device", "of": {"input": "a"}, "line": 3},
        {"do": "device_array", "shape": [4], "dtype": "<f4", "order": "C", "line": 4},
        {"do": "launch", "kernel": "k", "grid": [1], "block": [32], "shared": 0, "line": 5,
         "args": [{"step": 0}, {"number": ["int", 3]}]},
        {"do": "getitem", "on": 1, "index": ["slice", 0, 2, None], "line": 6},
        {"do": "copy_to_host", "on": 1, "line": 6},
        {"do": "setitem", "on": 1, "index": ["number", 1], "value": {"number": ["float", 2.0]}, "line": 6},
    ],
    "returned": [{"part": [{"step": 4}, 0, [2], [4]]}, {"literal": {"dtype": "<f4", "shape": [2], "fill": "00000000"}}],
    "many": True,
    "error": None,
}  # fmt: skip


@FEW
@given(damaged(PLAN))
def test_a_damaged_plan_is_no_plan_or_moves_arrays_and_no_more(call):
    try:
        checked = plan.checked(call)
    except plan.NotAPlan:
        return
    plan.looks_at_results(checked)
    json.dumps(sorted(plan.numbers_of(checked)))
    with contextlib.suppress(Exception):  # carried out in a jail, where an error is the answer's own
        replay.Replay({"a": np.zeros(4, np.float32)}, {}, "").run(checked)


@pytest.fixture(scope="module")
def verdict(tmp_path_factory):
    root = tmp_path_factory.mktemp("in")
    as_read(root, nbformat.writes(notebook(scale=RIGHT)).encode())
    taken = receive(root, "ada", TINY.id, f"{TINY.id}.ipynb")
    answers = read_answers(taken.notebook_json, TINY)
    return verdicts.document(taken, TINY, [(a, Passed(a.exercise.id, 4.0, 4.0, "right")) for a in answers], "seed")


@FEW
@given(data=st.data())
def test_a_damaged_verdict_is_no_verdict_or_makes_pages(verdict, tmp_path_factory, data):
    whole = data.draw(damaged(verdict))
    folder = tmp_path_factory.mktemp("verdicts")
    path = folder / "ada" / TINY.id / f"{TINY.id}.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(whole))

    found, odd = verdicts.load_all(folder)

    assert 1 == len(found) + len(odd)
    for each in found:
        assert "" == document.problem(each)
        feedback.feedback_page(each)
        gradebook.gradebook_page([each])
        gradebook.csv_text([each]).encode()


@FEW
@given(st.binary(max_size=200), st.integers(0, 200), st.integers(0, 64))
def test_a_damaged_message_is_no_message(content, n_text, n_arrays):
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            theirs.sendall(frames.HEADER.pack(n_text, n_arrays) + content)
        with contextlib.suppress(frames.FrameError, frames.Closed):
            frames.receive(ours, 5.0)
