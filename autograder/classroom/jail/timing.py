"""The timing process of a classroom: a host function is recorded at the timed size, then its replay timed.

``python -m autograder.classroom.jail.timing`` takes the jobs of `autograder.speed.child`. The host function itself runs
in the jail only, once and without data; what the GPU runs are the kernels that were read from source.
"""

from __future__ import annotations

from autograder.answer.program import Program
from autograder.classroom.jail import host_functions as jailed
from autograder.contract import Exercise, Values
from autograder.speed import child
from autograder.speed.measure import Contender


def replay(exercise: Exercise, name: str, program: Program, host: Values) -> Contender:
    """The recorded plan of a host function as a contender. host: the timed values, for their geometry.

    Raises: what `jailed.recorded` raises.
    """
    return Contender(name, jailed.recorded(exercise, program, host))


if __name__ == "__main__":
    child.main(replay)
