"""Fresh programs, drawn and shrunk by hypothesis: the interpreter against numba's own simulator, thread by thread."""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings

from tests.differential import execute
from tests.differential.compare import differences
from tests.differential.environment import adopt, environment_for
from tests.differential.lines import report
from tests.differential.strategies import programs
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.release  # numba has its simulator in a process of its own

SIMULATOR = "numba-simulator"
FRESH = int(os.environ.get("WARPBOOK_FRESH_PROGRAMS", "40"))


@pytest.fixture(scope="module")
def child():
    """A process whose numba.cuda is the simulator, which must be chosen before numba is imported."""
    pytest.importorskip("numba.cuda")
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context, initializer=adopt, initargs=(environment_for(SIMULATOR),)) as pool:
        assert pool.submit(execute.simulated).result(), "numba would be compared with a GPU or with nothing"
        yield pool


def interpreted(program):
    return execute.run(program, "simt")


def test_fresh_programs_leave_the_same_bytes_on_numbas_simulator(child):
    def simulated(program):
        return child.submit(execute.run, program, SIMULATOR).result(timeout=PATIENCE_S)

    @settings(max_examples=FRESH, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(programs(portable=True))
    def holds(program):
        if differences(program, interpreted(program), simulated(program)):
            raise AssertionError(report(program, interpreted, simulated, ("simt", "numba's simulator")))

    holds()
