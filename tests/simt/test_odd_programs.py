"""Programs that nobody would write run, or are refused in words, statement by statement: never in words of ours."""

import collections

import pytest

from simt.cuda_api import cuda
from tests.simt.odd_campaign import tried
from tests.simt.odd_programs import OddProgram

A_COMMIT, A_RELEASE, AT_ONCE = 200, 10_000, 100


def faults_among(seeds: range) -> collections.Counter:
    counts = collections.Counter()
    for seed in seeds:
        told = tried(("programs", seed))
        assert not told["faults"], f"seed {seed}: {told['faults']}\n{OddProgram(seed).text()}"
        counts += told["counts"]
    return counts


@pytest.mark.parametrize("first", range(0, A_COMMIT, AT_ONCE))
def test_an_odd_program_runs_or_is_refused_in_words(first):
    counts = faults_among(range(first, first + AT_ONCE))
    assert counts["ran"] > AT_ONCE and counts["refused"] > AT_ONCE, counts


@pytest.mark.release
@pytest.mark.parametrize("first", range(A_COMMIT, A_RELEASE, 20 * AT_ONCE))
def test_many_odd_programs_run_or_are_refused_in_words(first):
    faults_among(range(first, first + 20 * AT_ONCE))


def test_what_the_host_cannot_have_is_told_of_its_call():
    with pytest.raises(TypeError) as told:
        cuda.device_array((2, 2), "nonsense")
    says = str(told.value)
    assert says.startswith("cuda.device_array((2, 2), 'nonsense'): ") and "nonsense" in says
    assert says.endswith("It is called as cuda.device_array(shape, dtype=<class 'numpy.float64'>, strides=None, "
                         "order='C', stream=0).")  # fmt: skip


def test_errors_of_the_program_and_ours_on_purpose_go_on_as_they_are():
    ours, theirs = cuda.device_array(4), KeyError("mine")

    def callback(*given):
        raise theirs

    with pytest.raises(KeyError) as told:
        cuda.stream().add_callback(callback)
    assert told.value is theirs
    with pytest.raises(ValueError, match="^There is one stride for each axis"):
        cuda.device_array((2, 2), strides=(8,))
    with pytest.raises(AttributeError, match="^A device array has no nonsense"):
        ours.nonsense  # noqa: B018


def test_no_code_of_an_argument_runs_to_tell_of_it():
    class Hostile:
        def __repr__(self):
            raise RuntimeError("asked")

        __str__ = __format__ = __len__ = __repr__

    with pytest.raises(AttributeError, match=r"^cuda.device_array_like\(<Hostile>\): "):
        cuda.device_array_like(Hostile())
