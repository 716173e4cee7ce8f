"""Start a new unit: its source and its contract, from which everything else is built.

    python -m tools.new_unit 03_memory_access "See sectors" --exercise count_sectors

What it writes builds and runs, and says "not attempted" until you replace it.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from tools.units import ROOT

SOURCE = '''\
# %% [markdown]
# # {title}
#
# **The promise:** one measurable sentence, kept in the last cell.

# %% tags=["setup"]
import numpy as np
from numba import cuda, float32

from autograder import exercise

# %% [markdown]
# ## 1. The first rung
#
# **Why**, in 25 to 80 words: what hurts, in numbers. Then the task in two sentences.

# %%
q = exercise("{topic}.{function}")

# %% solution="{function}"
@cuda.jit
def {function}(src, dst):
    """dst = src. src, dst: (n,) float32."""
    # about 3 lines
    ### BEGIN SOLUTION
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[i]
    ### END SOLUTION


# %% check="{function}"
q.check({function}).points
'''

CONTRACT = '''\
"""Unit {number}, {title_lower}: contracts, oracles, cases, naive kernels, costs and hints."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Case, Exercise, Hint

UNIT = "{unit}"
THREADS = 256  # threads per block in every launch of this unit


def make_{function}(sizes, values, rng):
    """src: (n,) float32 of whole numbers; dst: (n,) float32."""
    return {{"src": rng.integers(-9, 10, sizes["n"]).astype(np.float32), "dst": np.zeros(sizes["n"], np.float32)}}


def {function}_oracle(values):
    """dst = src."""
    return {{"dst": values["src"]}}


def {function}_launch(values):
    """One thread an element, and at least one block."""
    return max(1, -(-values["dst"].size // THREADS)), THREADS


{function_upper} = Exercise(
    id="{topic}.{function}",
    unit=UNIT,
    title="The first rung",
    task="Copy src to dst. One thread an element.",
    function="{function}",
    arguments=(
        Argument("src", "in", "float32", "(n,)"),
        Argument("dst", "out", "float32", "(n,)", "src"),
    ),
    make=make_{function},
    oracle={function}_oracle,
    cases=tuple(Case({{"n": n}}) for n in (0, 1, 31, 32, 33, 1023, 1025)),
    points=5.0,
    hints=(Hint("start", ("Which element is this thread's?",)),),
    topics=(),
    launch={function}_launch,
)

EXERCISES = ({function_upper},)
'''

ANSWERS = '''\
"""What people write for `{function}`: wrong answers with the sentence each must earn, and other right ones."""

from numba import cuda

from autograder.exercises.catalogue import right, wrong


@wrong("no_guard", misconception="no_guard", says="outside", outcome="Wrong")
@cuda.jit
def {function}(src, dst):
    i = cuda.grid(1)
    dst[i] = src[i]


@right("grid_stride")
@cuda.jit
def {function}(src, dst):
    for i in range(cuda.grid(1), dst.size, cuda.gridsize(1)):
        dst[i] = src[i]
'''


def files_for(unit: str, title: str, function: str) -> dict[str, str]:
    """The files of a new unit, by path below the repository's root."""
    number, topic = unit.split("_", 1)
    words = {"unit": unit, "number": number, "topic": topic, "title": title, "title_lower": title.lower()}
    words |= {"function": function, "function_upper": function.upper()}
    return {
        f"solutions/{unit}/{unit}.py": SOURCE.format(**words),
        f"autograder/exercises/u{unit}.py": CONTRACT.format(**words),
        f"tests/wrong_answers/u{unit}/__init__.py": "",
        f"tests/wrong_answers/u{unit}/{function}.py": ANSWERS.format(**words),
    }


def create(root: Path, unit: str, title: str, function: str) -> list[Path]:
    """Write the files of a new unit. Returns: their paths.

    Raises: ValueError for a name of another form; FileExistsError rather than touch a unit that exists.
    """
    if not re.fullmatch(r"\d\d_[a-z][a-z0-9_]*", unit):
        raise ValueError(f"{unit!r} is no unit's name. Use two digits and a topic, as in 03_memory_access.")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", function):
        raise ValueError(f"{function!r} is no function's name. Use lower case, as in count_sectors.")
    contents = {root / name: text for name, text in files_for(unit, title, function).items()}
    taken = [str(path) for path in contents if path.exists()]
    if taken:
        raise FileExistsError(f"{', '.join(taken)} exists already. Choose another unit, or edit it.")
    for path, text in contents.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return list(contents)


def main() -> None:
    """Create the unit and say what comes next."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("unit", help="as in 03_memory_access")
    parser.add_argument("title", help="as in 'Memory access'")
    parser.add_argument("--exercise", default="copy", help="the first exercise's function")
    options = parser.parse_args()
    try:
        written = create(ROOT, options.unit, options.title, options.exercise)
    except (ValueError, FileExistsError) as problem:
        sys.exit(str(problem))
    print("\n".join(str(path.relative_to(ROOT)) for path in written))
    print("Write the contract, then the source; then: make course check-exercises. CONTRIBUTING.md says how.")


if __name__ == "__main__":
    main()
