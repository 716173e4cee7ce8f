"""A race between two given helpers is told by the lines of the answer that lead to them."""

from dataclasses import replace

from autograder.answer.program import Piece, Program
from autograder.diagnosis.elsewhere import brought_home
from simt.events import Finding

HELPERS = Piece(
    "def put(s, t):\n    s[t] = t\n\n\ndef fill(s, t):\n    put(s, t)\n\n\ndef take(s, t):\n    return s[t]\n", "<2>"
)
ANSWER = "def k(s, out):\n    t = 0\n    fill(s, t)\n    out[t] = take(s, t + 1)\n"


def race(parties, lines):
    earlier, later = (line for _, line in parties)
    return Finding(
        "race",
        f"Thread 0 writes s[0] at line {earlier} and thread 1 reads it at line {later} with no barrier between them.",
        lines,
        remedy=f"Put cuda.syncthreads() after line {earlier}, where every thread arrives.",
        detail={"functions": parties, "function": parties[0][0]},
    )


def test_both_parties_in_helpers_are_named_with_the_lines_that_lead_there():
    told = brought_home(race((("put", 2), ("take", 10)), (2, 10)), Program(ANSWER, "k", setup=(HELPERS,)))

    assert "at line 2 of `put`" in told.message and "Line 3 leads to `put`." in told.message
    assert "at line 10 of `take`" in told.message and "Line 4 leads to `take`." in told.message
    assert told.remedy == "Put cuda.syncthreads() after line 3, where every thread arrives." and (3, 4) == told.lines


def test_a_line_of_the_answer_keeps_its_number_beside_a_helper():
    told = brought_home(race((("k", 4), ("take", 10)), (4, 10)), Program(ANSWER, "k", setup=(HELPERS,)))

    assert "writes s[0] at line 4 and" in told.message and told.remedy.startswith("Put cuda.syncthreads() after line 4")
    assert (4,) == told.lines


def test_a_helper_that_several_lines_lead_to_is_named_and_none_of_them_is_quoted():
    twice = ANSWER.replace("    t = 0\n", "    t = 0\n    out[t] = take(s, t)\n")
    told = brought_home(race((("k", 4), ("take", 10)), (4, 10)), Program(twice, "k", setup=(HELPERS,)))

    assert "Lines 3 and 5 lead to `take`." in told.message and (4,) == told.lines


def test_the_call_that_hands_over_the_array_is_the_one_that_leads_there():
    answer = "def k(a, s):\n    fill(a, 0)\n    fill(s, 0)\n    s[1] = s[0]\n"
    told = brought_home(
        replace(race((("put", 2), ("k", 4)), (2, 4)), array="s"), Program(answer, "k", setup=(HELPERS,))
    )

    assert "Line 3 leads to `put`." in told.message and (3, 4) == told.lines


def test_who_writes_the_rest_of_an_array_is_a_function_of_another_cell_and_no_line_of_this_one():
    finding = Finding(
        "uninitialised_read",
        "Thread 1 of block 0 reads s[1] at line 4, but nothing has written it: shared memory starts with whatever.",
        (4,),
        array="s",
        remedy="Line 2 writes s, but not this element: compare the indices that are written with those that are read.",
        detail={"function": "k", "writers": (("put", 2),)},
    )
    told = brought_home(finding, Program(ANSWER, "k", setup=(HELPERS,)))

    assert told.remedy.startswith("`put`, which line 3 calls, writes s, but not this element")


def test_an_array_that_the_host_has_another_name_for_is_told_by_that():
    cell = "def add_up(src, partial, total):\n    tree[4, 32](src, partial)\n    tree[1, 32](\n    partial[:], total)\n"
    finding = Finding(
        "uninitialised_read",
        "Thread 1 of block 0 reads src[1] at line 9, but nothing has written it: device memory starts with whatever.",
        (9,),
        array="src",
        remedy="Write every element of src that is read, for example a zero to start with.",
        detail={"function": "tree", "handed": (3, 0), "in_part": True},
    )
    told = brought_home(finding, Program(cell, "add_up"))
    first = brought_home(replace(finding, detail={"handed": (2, 0)}), Program(cell, "add_up"))

    assert "nothing has written it: line 3 hands partial over as src, and device memory starts" in told.message
    assert "a slice such as partial[:n]" in told.remedy
    assert finding == replace(first, detail=finding.detail)
