"""A method that a question has not is told with the one that is meant."""

import pytest

from autograder import exercise


@pytest.mark.parametrize(("written", "meant"), (("chek", "check"), ("Check", "check"), ("hints", "hint")))
def test_a_misspelt_method_is_told_with_the_one_that_is_meant(written, meant):
    with pytest.raises(AttributeError, match=rf"There is no q\.{written}\. Did you mean q\.{meant}\?"):
        getattr(exercise("vector_add.vector_add"), written)
