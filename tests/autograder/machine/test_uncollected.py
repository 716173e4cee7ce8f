"""Nothing is collected while a block runs, and afterwards all is as it was."""

import gc

import pytest

from autograder.machine.uncollected import RARELY, rarely_collected, uncollected


@pytest.mark.parametrize("before", [True, False])
def test_collection_is_as_it_was_before_even_after_an_error(before):
    found = gc.isenabled()
    try:
        (gc.enable if before else gc.disable)()
        with pytest.raises(ImportError), uncollected():
            assert not gc.isenabled()
            raise ImportError
        assert before == gc.isenabled()
    finally:
        (gc.enable if found else gc.disable)()


def test_while_an_answer_is_judged_garbage_is_looked_for_rarely_and_then_as_before():
    before = gc.get_threshold()
    with pytest.raises(ValueError), rarely_collected():
        assert RARELY == gc.get_threshold()
        raise ValueError
    assert before == gc.get_threshold()
