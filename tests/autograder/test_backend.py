"""What importing the autograder changes in a notebook: warnings go where learners read."""

import warnings

import pytest

import autograder  # importing it is what is tested


@pytest.mark.parametrize("where", ["numba.core.errors", "numba.cuda.core.errors"])
def test_performance_warnings_go_to_stdout_without_paths_or_colours(where, capsys):
    errors = pytest.importorskip(where)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        autograder.backend.say_warnings_on_stdout()
        warnings.warn(errors.NumbaPerformanceWarning("\x1b[1mHost array used\x1b[0m"), stacklevel=1)

    captured = capsys.readouterr()
    assert "Performance: " in captured.out
    assert "Host array used" in captured.out
    assert "\x1b" not in captured.out
    assert "" == captured.err


def test_other_warnings_stay_where_they_were(capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        autograder.backend.say_warnings_on_stdout()
        warnings.warn("something else", UserWarning, stacklevel=1)

    assert "" == capsys.readouterr().out
