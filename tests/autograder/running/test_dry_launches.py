"""What a host function launches for long arrays is looked at, and no longer than that tells anything."""

from autograder import exercises
from autograder.running.host_code import dry_launches
from autograder.running.host_code.dry_launches import MOST_LAUNCHES, refused
from tools.check_exercises import solution_of

BUFFERS = exercises.find("streams.two_buffers")
FROM_A_HELPER = """
def in_turns(batches, sums, row):
    for k in range(len(batches)):
        add_up[1, THREADS](row, sums, k)


def two_buffers(batches):
    sums = cuda.to_device(np.zeros(len(batches), np.float32))
    in_turns(batches, sums, cuda.to_device(batches[0]))
    return sums.copy_to_host()
"""


def test_a_loop_over_the_data_in_a_helper_is_looked_at_for_so_many_launches(monkeypatch):
    program = solution_of(BUFFERS)
    program = type(program)(FROM_A_HELPER, program.function, setup=program.setup)
    looked = []
    check = dry_launches.check_launch
    monkeypatch.setattr(dry_launches, "check_launch", lambda *launch: looked.append(launch) or check(*launch))
    with program.loaded() as (_, function):
        assert refused(BUFFERS, function) is None

    cases = sum(1 for _ in dry_launches._long_cases(BUFFERS))
    assert MOST_LAUNCHES <= len(looked) <= MOST_LAUNCHES * cases
