"""Kernels that nobody would write run, or are refused in words: never an error of ours, no word of Python inside."""

import contextlib
import io
import linecache
import warnings

import pytest

from simt.errors import ListenerError, SimtError
from simt.programs.session import FAILED, Session
from tests.simt.odd_kernels import NAMES, THREADS, OddKernel, arguments

A_COMMIT, A_RELEASE, AT_ONCE = 300, 10_000, 100
INSIDE = "the interpreter cannot run this statement"  # and why, in Python's words: what no refusal of ours knew


def defined(seed: int):
    """The kernel of a seed; None where Python itself does not take its text."""
    text, name = OddKernel(seed).text(), f"<odd kernel {seed}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    try:
        names = dict(NAMES)
        exec(compile(text, name, "exec"), names)
    except (SyntaxError, SyntaxWarning, TypeError):  # TypeError: a default of a parameter
        return None
    return names["odd"]


def outcome(seed: int) -> str:
    """ "ran", "refused" or "no Python" of one kernel. Raises: whatever is a fault of ours."""
    kernel = defined(seed)
    if kernel is None:
        return "no Python"
    try:
        with Session() as session, contextlib.redirect_stdout(io.StringIO()):
            kernel[1, THREADS](*arguments().values())
        assert all(report.to_json() for report in session.reports)
        assert not any(FAILED in remark for remark in session.remarks)
    except ListenerError:
        raise
    except SimtError as refusal:
        assert INSIDE not in str(refusal), refusal
        return "refused"
    return "ran"


def tried(seeds: range) -> dict[str, int]:
    found = {"ran": 0, "refused": 0, "no Python": 0}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for seed in seeds:
            try:
                found[outcome(seed)] += 1
            except Exception as fault:
                raise AssertionError(f"seed {seed}\n{OddKernel(seed).text()}") from fault
    return found


@pytest.mark.parametrize("first", range(0, A_COMMIT, AT_ONCE))
def test_an_odd_kernel_runs_or_is_refused_in_words(first):
    found = tried(range(first, first + AT_ONCE))
    assert found["ran"] > 10 and found["refused"] > 10, found


@pytest.mark.release
@pytest.mark.parametrize("first", range(A_COMMIT, A_RELEASE, 20 * AT_ONCE))
def test_many_odd_kernels_run_or_are_refused_in_words(first):
    tried(range(first, first + 20 * AT_ONCE))
