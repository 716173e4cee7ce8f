"""A race that comes to the same in every order is a note; held to what all orders of small programs come to."""

import itertools
import random
import textwrap

import pytest

from simt.programs.session import Session
from simt.programs.settled import Entry, in_any_order

IMPORTS = "import numpy as np\nfrom simt.cuda_api import cuda\nfrom simt.cuda_api.cuda import float32\n"


def outcomes(threads: list[list[str]], before: str) -> set:
    """What each order leaves in the element, and what each load of each thread reads. threads: "load" or a value."""
    turns = [who for who, steps in enumerate(threads) for _ in steps]
    found = set()
    for order in set(itertools.permutations(turns)):
        value, place, read = before, [0] * len(threads), []
        for who in order:
            step = threads[who][place[who]]
            if step == "load":
                read.append((who, place[who], value))
            else:
                value = step
            place[who] += 1
        found.add((value, tuple(sorted(read))))
    return found


@pytest.mark.parametrize("seed", range(150))
def test_it_is_settled_exactly_where_all_orders_come_to_the_same_whatever_was_there(seed):
    draw = random.Random(seed)
    values = ["load", "a", draw.choice("ab")]
    threads = [[draw.choice(values) for _ in range(draw.randint(1, 3))] for _ in range(draw.randint(2, 3))]
    entries = [
        Entry(0, 0, who, "load" if step == "load" else "store", b"" if step == "load" else step.encode())
        for who, program in enumerate(threads)
        for step in program
    ]
    one_outcome = all(1 == len(outcomes(threads, before)) for before in "abc")
    assert one_outcome == in_any_order(entries), threads


def races(kernel: str, launch: str) -> list:
    names: dict = {"__name__": "program"}
    with Session() as session:
        exec(f"{IMPORTS}@cuda.jit\n{textwrap.dedent(kernel)}\n{launch}\n", names)
    return [report for report in session.reports if report.kind == "race"]


HARMLESS = {
    "the same thread's next store writes what the others store": """
        def k(a):
            i = cuda.grid(1)
            a[i] = i + 5
            a[0] = 7
            a[32 + i] = a[i]
        """,
    "all store one value, one of them twice": """
        def k(a):
            if cuda.grid(1) == 3:
                a[0] = 1
            a[0] = 2
        """,
    "what is read is what everybody stores": """
        def k(a):
            i = cuda.grid(1)
            a[1] = 4
            a[i + 32] = a[1]
        """,
}
HARMFUL = {
    "one thread stores another value last": """
        def k(a):
            i = cuda.grid(1)
            a[0] = 7
            if i == 3:
                a[0] = 8
        """,
    "another thread may read what is overwritten": """
        def k(a):
            i = cuda.grid(1)
            a[i] = i + 5
            a[0] = 7
            a[32 + i] = a[0] + a[(i + 1) % 32]
        """,
    "all read what one of them changes": """
        def k(a):
            i = cuda.grid(1)
            v = a[0]
            if i == 31:
                a[0] = v + 1
            a[i + 32] = v
        """,
    "the value before is still there for some": """
        def k(a):
            i = cuda.grid(1)
            a[i + 32] = a[0]
            a[0] = 3
        """,
    "by accident of the data the same": """
        def k(a):
            i = cuda.grid(1)
            a[i] = 2 * a[i + 1]
        """,
    "who read between two others": """
        def k(a):
            i = cuda.grid(1)
            v = a[(i + 1) % 32]
            if a[i] >= 0:
                a[i] = v + i
        """,
    "all read all, and each stores its own": """
        def k(a):
            i = cuda.grid(1)
            total = 0.0
            for k in range(32):
                total += a[k] - a[i]
            a[i] += total + i
        """,
    "of one block many and of another one": """
        def k(a):
            i = cuda.grid(1)
            v = a[0] + a[i]
            cuda.syncthreads()
            if i == 0:
                a[0] = v + 1
            a[32 + i] = v + a[i]
        """,
    "an update is lost": """
        def k(a):
            a[0] += 1
        """,
}
LAUNCHES = ["k[1, 32](np.zeros(64))", "k[4, 8](np.zeros(64))", "k[2, 16](cuda.to_device(np.zeros(64)))"]


@pytest.mark.parametrize("launch", LAUNCHES)
@pytest.mark.parametrize("kernel", HARMLESS)
def test_a_harmless_race_is_a_note(kernel, launch):
    found = races(HARMLESS[kernel], launch)
    assert found and all(report.note for report in found), [report.finding.message for report in found]


ORDERED_IN_ONE_BLOCK = "of one block many and of another one"


@pytest.mark.parametrize("launch", LAUNCHES)
@pytest.mark.parametrize("kernel", HARMFUL)
def test_a_harmful_race_is_a_finding(kernel, launch):
    found = any(not report.note for report in races(HARMFUL[kernel], launch))
    assert found != (kernel == ORDERED_IN_ONE_BLOCK and launch == LAUNCHES[0])


def test_a_barrier_begins_anew():
    kernel = """
        def k(a):
            i = cuda.grid(1)
            a[0] = 1
            a[i + 32] = a[0]
            cuda.syncthreads()
            a[0] = 2
            a[i + 32] += a[0]
        """
    assert all(report.note for report in races(kernel, "k[1, 32](np.zeros(64))"))
    of_blocks = races(kernel, "k[4, 8](np.zeros(64))")  # which no barrier orders
    assert not all(report.note for report in of_blocks)
