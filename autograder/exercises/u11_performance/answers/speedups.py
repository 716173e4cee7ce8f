"""Answers to performance.speedups."""

from autograder.exercises.catalogue import right, wrong


@right("as_the_laws_are_written")
def speedups(parallel_share, workers):
    amdahl = 1 / ((1 - parallel_share) + parallel_share / workers)
    gustafson = workers - (1 - parallel_share) * (workers - 1)
    return amdahl, gustafson


@right("over_a_common_denominator")
def speedups(parallel_share, workers):
    amdahl = workers / (workers * (1 - parallel_share) + parallel_share)
    return amdahl, 1 + parallel_share * (workers - 1)


@right("a_list")
def speedups(parallel_share, workers):
    serial = 1.0 - parallel_share
    return [1.0 / (serial + parallel_share / workers), serial + parallel_share * workers]


@right("times_by_hand")
def speedups(parallel_share, workers):
    one, many = 1.0, 1.0 - parallel_share + parallel_share / workers
    grown = 1.0 - parallel_share + parallel_share * workers
    return one / many, grown / one


@right("a_helper")
def speedups(parallel_share, workers):
    def after(p, n):
        return 1 - p * (1 - 1 / n)

    return 1 / after(parallel_share, workers), 1 - parallel_share * (1 - workers)


@right("a_power")
def speedups(parallel_share, workers):
    return (1 - parallel_share + parallel_share / workers) ** -1, 1 - parallel_share + workers * parallel_share


@wrong("swapped", misconception="laws_swapped", says="changed places")
def speedups(parallel_share, workers):
    serial = 1 - parallel_share
    return serial + parallel_share * workers, 1 / (serial + parallel_share / workers)


@wrong("the_serial_share", misconception="serial_share", says="taken for the serial one")
def speedups(parallel_share, workers):
    serial = parallel_share
    return 1 / (serial + (1 - serial) / workers), serial + (1 - serial) * workers


@wrong("times_for_speedups", misconception="a_step_off", says="amdahl is 1 divided by")
def speedups(parallel_share, workers):
    serial = 1 - parallel_share
    return serial + parallel_share / workers, serial + parallel_share * workers


@wrong("everything_is_parallel", misconception="a_step_off", says="gustafson is workers itself")
def speedups(parallel_share, workers):
    return workers * parallel_share, workers


@wrong("one_law", misconception="wrong_return", says="expected 2 values")
def speedups(parallel_share, workers):
    return 1 / (1 - parallel_share + parallel_share / workers)


@wrong("whole_numbers", misconception="wrong_formula", says="amdahl")
def speedups(parallel_share, workers):
    serial = 1 - parallel_share
    return round(1 / (serial + parallel_share / workers)), round(serial + parallel_share * workers)


@wrong("prints_and_returns_nothing", misconception="wrong_return", says="returned None")
def speedups(parallel_share, workers):
    serial = 1 - parallel_share
    print(1 / (serial + parallel_share / workers), serial + parallel_share * workers)
