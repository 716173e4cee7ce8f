"""Stepping through one block: lines in lock-step order, who works, what variables and memory hold after each."""

import re
import subprocess
import sys

import numpy as np
import pytest
from numba import cuda, float32, int32

import simt
from simt.stepper import NothingToStep
from tests.simt import kernels


def floats(n):
    return np.arange(n, dtype=np.float32)


def zeros(n):
    return np.zeros(n, np.float32)


def tree_sum(**options):
    return simt.step(kernels.tree_sum_without_barrier, 1, 64, floats(64), zeros(1), **options)


def texts(stepper):
    return [stepper.line_text(step) for step in stepper.steps]


def values(stepper, thread=None):
    return {each.name: each.value for each in stepper.variables(thread)}


def out_of(stepper):
    return next(state for state in stepper.arrays() if state.info.name == "out")


def shared(stepper):
    return next(state for state in stepper.arrays() if state.info.space == "shared")


def test_a_loop_comes_by_once_for_every_turn_with_its_condition():
    walk = tree_sum()
    heads = [step for step, text in zip(walk.steps, texts(walk), strict=True) if text == "while d > 0:"]

    assert [64] * 6 + [0] == [int(step.taken.sum()) for step in heads]


def test_the_lanes_at_work_are_those_of_the_branch():
    walk = tree_sum()
    inside = [step for step, text in zip(walk.steps, texts(walk), strict=True) if text.startswith("s[t] +=")]

    assert [32, 16, 8, 4, 2, 1] == [int(step.active.sum()) for step in inside]


def test_variables_are_those_after_the_step_and_know_what_the_step_set():
    walk = tree_sum()
    halved = [k for k, text in enumerate(texts(walk)) if text == "d //= 2"]

    assert [16, 8, 4, 2, 1, 0] == [int(values(walk.to(k))["d"]) for k in halved]
    assert ["d"] == [each.name for each in walk.to(halved[0]).variables() if each.is_new]
    assert 63 == values(walk, thread=63)["t"]


def test_shared_memory_is_that_after_the_step_forward_and_back():
    walk = tree_sum()
    after = {}
    for k in range(len(walk)):
        if walk.to(k).arrays():
            after[k] = shared(walk).values.copy()
    for k in sorted(after, reverse=True):
        np.testing.assert_array_equal(after[k], shared(walk.to(k)).values)

    assert 2016 == shared(walk.last()).values[0]
    assert float(np.arange(64).sum()) == after[max(after)][0]


def test_a_step_knows_which_elements_it_read_and_wrote():
    walk = tree_sum()
    state = shared(walk.to_line(walk.steps[7].line))

    assert list(range(32)) == state.stored.tolist()
    assert list(range(64)) == state.loaded.tolist()


def test_an_element_that_nobody_wrote_is_unknown_until_a_step_writes_it():
    walk = simt.step(kernels.half_written, 1, 64, zeros(64))
    first = next(k for k in range(len(walk)) if walk.to(k).arrays())

    assert not shared(walk.to(first)).known.all()
    assert "?" in walk.text()


def test_a_barrier_says_how_many_threads_it_waits_for():
    walk = tree_sum().to_line(next(step.line for step in tree_sum().steps if step.arrived))

    assert (64, 64) == (walk.step.arrived, walk.step.live)
    assert "Barrier: all 64 threads of the block are here" in walk.text()


def test_a_barrier_that_some_threads_never_reach_says_so():
    walk = simt.step(kernels.tree_sum_barrier_in_if, 1, 64, floats(64), zeros(1))
    short = next(k for k, step in enumerate(walk.steps) if 0 < step.arrived < step.live)

    assert "32 of 64 threads are here; 32 never come" in walk.to(short).text()


def test_a_race_shows_at_the_steps_that_touch_its_element_and_at_no_other():
    walk = tree_sum()
    race = walk.trace.findings[0]
    shown = [k for k in range(len(walk)) if race in walk.to(k).findings()]

    assert shown
    assert {step.line for step in (walk.steps[k] for k in shown)} <= set(race.lines)
    assert race.message.split()[0] in walk.to(shown[0]).text()
    assert not walk.to(3).findings()


@cuda.jit(device=True)
def doubled(value):
    twice = value * 2
    return twice


@cuda.jit
def calls_and_returns(x, out):
    i = cuda.threadIdx.x
    if i >= out.size:
        return
    own = cuda.local.array(2, float32)
    own[0] = x[i]
    for k in range(i):
        own[1] = k
    for _ in range(2):
        out[i] = doubled(own[0]) + i


def test_a_device_function_is_stepped_into_with_its_own_variables():
    walk = simt.step(calls_and_returns, 1, 32, floats(8), zeros(8), thread=3)
    inside = next(k for k, step in enumerate(walk.steps) if step.function == "doubled")
    walk.to(inside)

    assert {"value": 3.0, "twice": 6.0} == values(walk)
    assert "twice = value * 2" == walk.line_text(walk.step)
    assert "in calls_and_returns, which called this:\n  x   = global float32 (8)" in walk.text()
    calls = [k for k, step in enumerate(walk.steps) if step.function == "doubled" and step.line == walk.step.line]
    assert 2 == len(calls)
    assert 9.0 == out_of(walk.to(calls[1])).values[3]


def test_threads_that_returned_are_no_longer_waiting():
    walk = simt.step(calls_and_returns, 1, 32, floats(8), zeros(8)).last()

    assert 24 == int(walk.step.ended.sum())
    assert "8 of 32 threads work, 24 have returned" in walk.text()


def test_a_thread_that_never_entered_a_loop_has_no_loop_variable():
    walk = simt.step(calls_and_returns, 1, 32, floats(8), zeros(8))
    walk.to(next(k for k, step in enumerate(walk.steps) if "range(2)" in walk.line_text(step)))

    assert "k" not in values(walk, thread=0)
    assert 6 == values(walk, thread=7)["k"]


@cuda.jit
def waits_for_memory(x):
    n = 0
    while x[0] > n:
        n += 1


def test_what_the_last_line_of_a_loop_sets_is_seen_when_the_condition_reads_memory():
    walk = simt.step(waits_for_memory, 1, 1, np.array([2], np.int32))

    assert ["n = 0", "while x[0] > n:", "n += 1", "while x[0] > n:", "n += 1", "while x[0] > n:"] == texts(walk)
    assert [0, 0, 1, 1, 2, 2] == [values(walk.to(k))["n"] for k in range(len(walk))]
    assert [1, 1, 0] == [int(step.taken.sum()) for step in walk.steps[1::2]]


def test_a_local_array_is_a_variable_with_the_threads_own_values():
    walk = simt.step(calls_and_returns, 1, 32, floats(8), zeros(8), thread=2)
    stored = next(k for k, step in enumerate(walk.steps) if walk.line_text(step) == "own[0] = x[i]")

    assert 2.0 == values(walk.to(stored))["own"][0]


@cuda.jit
def sparse_turns(out):
    i = cuda.grid(1)
    n = 0
    for k in range(i // 200):
        n += k + 1
    out[i] = n


def test_lanes_that_go_on_alone_in_a_loop_make_no_step_of_their_own():
    walk = simt.step(sparse_turns, 1, 512, zeros(512), thread=511)
    heads = [step for step, text in zip(walk.steps, texts(walk), strict=True) if text.startswith("for")]

    assert [312, 112, 0] == [int(step.taken.sum()) for step in heads]
    assert {"n": 3, "k": 1} == {name: value for name, value in values(walk.last()).items() if name in "nk"}


@cuda.jit
def spread(x, out):
    a = (
        x[cuda.grid(1)]
        + 1
    )  # fmt: skip
    out[cuda.grid(1)] = a


def test_a_statement_over_several_lines_is_one_step():
    walk = simt.step(spread, 1, 4, floats(4), zeros(4))

    assert 2 == len(walk)
    assert ["load"] == [access.kind for access in walk.steps[0].accesses]


@cuda.jit
def two_types(out):
    words = cuda.shared.array(0, int32)
    parts = cuda.shared.array(0, float32)
    words[cuda.threadIdx.x] = 0
    parts[cuda.threadIdx.x] = 1.0
    out[cuda.threadIdx.x] = words[cuda.threadIdx.x]


def test_dynamic_shared_memory_is_the_same_bytes_under_every_type():
    walk = simt.step(two_types, 1, 4, np.zeros(4, np.int32), dynamic_shared_bytes=16).last()
    by_name = {state.info.dtype.str[1:]: state for state in walk.arrays() if state.info.space == "shared"}

    assert [1.0] * 4 == by_name["f4"].values.tolist()
    assert [np.float32(1).view(np.int32)] * 4 == by_name["i4"].values.tolist()


def test_another_block_of_the_grid_is_stepped_through_among_all():
    out = zeros(4)
    walk = simt.step(kernels.tree_sum, 4, 64, floats(256), out, block_index=2)

    assert "block 2 of 4" in walk.text()
    assert sum(range(128, 192)) == out[2] == out_of(walk.last()).values[2]
    assert [2] == out_of(walk).stored.tolist()  # the other blocks write at the same time, but not here
    assert 0.0 != out[3]


def test_steps_beyond_the_limit_are_counted_and_told():
    walk = tree_sum(steps=5)

    assert 5 == len(walk)
    assert "Only the first 5 steps are kept; this block went on for 27 more" in walk.last().text()
    assert 0 == len(walk.step.accesses)


def test_a_line_that_is_never_executed_is_answered_with_those_that_are():
    walk = tree_sum()

    with pytest.raises(NothingToStep) as caught:
        walk.to_line(1)
    assert walk.steps[0].line in caught.value.lines
    assert str(walk.steps[0].line) in str(caught.value)


def test_a_block_or_a_thread_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="block 1 is not one of the grid's 1 block,"):
        tree_sum(block_index=1)
    with pytest.raises(ValueError, match="thread 64 is not one of this block's 64 threads"):
        tree_sum(thread=64)


def test_a_launch_that_cannot_begin_says_why_there_is_no_step():
    with pytest.raises(NothingToStep, match="2048 threads; the limit is 1024"):
        simt.step(kernels.tree_sum, 1, 2048, floats(64), zeros(1))


def test_the_text_of_a_step_holds_all_that_the_step_does():
    walk = simt.step(kernels.tree_sum, 1, 64, floats(64), zeros(1), thread=1)
    last_turn = [k for k, text in enumerate(texts(walk)) if text == "s[t] += s[t + d]"][-1]
    text = re.sub(r"^(->|  ) +\d+  ", r"\1 ", walk.to(last_turn).text(), flags=re.MULTILINE)

    assert TEXT == text


TEXT = """\
tree_sum, block 0 of 1: step 33 of 38

   d = 32
   while d > 0:
       if t < d:
->         s[t] += s[t + d]
       cuda.syncthreads()
       d //= 2
   if t == 0:

1 of 64 threads works, 63 wait (# works, . waits, x has returned)
  warp 0      #...............................
  warp 1      ................................

reads s[0] = 992 in shared memory (thread 0)
reads s[1] = 1024 in shared memory (thread 0)
writes s[0] = 2016 in shared memory (thread 0)

s, shared float32 (64), after the step
   0 | *2016 >1024   512   528   256   264   272   280   128   132   136   140   144   148   152   156
  16 |    64    66    68    70    72    74    76    78    80    82    84    86    88    90    92    94
  32 |    32    33    34    35    36    37    38    39    40    41    42    43    44    45    46    47
  48 |    48    49    50    51    52    53    54    55    56    57    58    59    60    61    62    63

(> read, * written by this step, ? never written)

thread 1, which does not execute this line:
  x   = global float32 (64)
  out = global float32 (1)
  s   = shared float32 (64)
  t   = 1
  d   = 1"""


def test_importing_simt_imports_neither_ipywidgets_nor_ipython():
    code = "import sys, simt.stepper.widget; sys.exit(bool({'ipywidgets', 'IPython'} & set(sys.modules)))"

    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode
