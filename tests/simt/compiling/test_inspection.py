"""What listeners can read of a running launch: variables by lane, before each statement and after it."""

import numpy as np
from numba import cuda, float32

import simt
from simt.events import Listener


class Looks(Listener):
    """Asks at every statement for every variable; memory before every access."""

    def __init__(self):
        self.before, self.assigns, self.depths, self.memory = {}, {}, {}, []

    def statement(self, event):
        self.before.setdefault(event.line, event.look.variables())
        self.assigns[event.line] = event.assigns
        self.depths[event.line] = event.look.depth

    def access(self, event):
        self.memory.append((event.kind, event.memory.copy()))


def looked(kernel, block, *args):
    looks = Looks()
    simt.launch(kernel, 1, block, *args, listeners=[looks])
    return looks


def line_of(kernel, text):
    import inspect

    lines, first = inspect.getsourcelines(kernel.py_func)
    return first + next(k for k, line in enumerate(lines) if text in line)


@cuda.jit(device=True)
def plus_one(value):
    bigger = value + 1
    return bigger


@cuda.jit
def many_kinds(out):
    i = cuda.threadIdx.x
    half, twice = i // 2, i * 2
    own = cuda.local.array(2, float32)
    own[0] = i
    own[1] = 7.0
    if i >= 2:
        only_some = (
            twice
            + half
        )  # fmt: skip
        out[i] = only_some
    n = 3
    for k in range(2):
        n += k
    out[i] = plus_one(n)


def test_a_statement_knows_the_variables_it_can_set_and_where_it_ends():
    looks = looked(many_kinds, 4, np.zeros(4, np.float32))

    assert ("half", "twice") == looks.assigns[line_of(many_kinds, "half, twice")]
    assert ("k",) == looks.assigns[line_of(many_kinds, "for k")]
    assert () == looks.assigns[line_of(many_kinds, "if i >= 2")]


def test_variables_are_those_of_the_active_lanes_before_the_line_runs():
    looks = looked(many_kinds, 4, np.zeros(4, np.float32))
    inside = looks.before[line_of(many_kinds, "only_some = (")]

    assert [2, 3] == inside["i"].tolist()
    assert [4, 6] == inside["twice"].tolist()
    assert "only_some" not in inside
    assert [[2.0, 7.0], [3.0, 7.0]] == inside["own"].tolist()


def test_a_device_function_has_variables_and_a_depth_of_its_own():
    looks = looked(many_kinds, 4, np.zeros(4, np.float32))
    line = line_of(plus_one, "return bigger")

    assert {"value", "bigger"} == set(looks.before[line])
    assert (1, 0) == (looks.depths[line], looks.depths[line_of(many_kinds, "n = 3")])


@cuda.jit
def few_of_many(out):
    i = cuda.threadIdx.x
    if i < 3:
        j = i + 10
        out[i] = j


def test_a_branch_that_runs_on_its_own_lanes_sees_the_variables_from_before_it():
    looks = looked(few_of_many, 512, np.zeros(3, np.float32))

    assert [0, 1, 2] == looks.before[line_of(few_of_many, "j = i")]["i"].tolist()
    assert [10, 11, 12] == looks.before[line_of(few_of_many, "out[i] = j")]["j"].tolist()


def test_an_access_shows_the_memory_as_it_is_before_a_store():
    looks = looked(few_of_many, 4, np.zeros(3, np.float32))

    assert ["store"] == [kind for kind, _ in looks.memory]
    assert [0.0, 0.0, 0.0] == looks.memory[0][1].tolist()
