"""Nothing is collected while a block runs, and afterwards all is as it was."""

import gc

import pytest

from autograder.machine.uncollected import uncollected


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
