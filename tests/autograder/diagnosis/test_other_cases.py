"""What right cases say about wrong ones names every size that tells them apart."""

from autograder.contract import Case
from autograder.diagnosis.other_cases import in_their_view
from autograder.outcome import Cause

FORMULA = Cause("wrong_output", "wrong_formula", "No element is right.", "Work it out by hand.")
RIGHT = [Case({"n_images": images, "n_channels": n}) for images, n in ((1, 1), (2, 30), (1, 60), (2, 7))]


def told(**sizes: int) -> str:
    cause = in_their_view(FORMULA, RIGHT, [Case(sizes)], None, {})
    return f"{cause.misconception}: {cause.says} {cause.remedy}"


def test_where_two_sizes_tell_them_apart_neither_is_blamed_alone():
    says = told(n_images=3, n_channels=64)

    assert "Larger there, too: n_channels." in says and "what it does with n_images or n_channels" in says


def test_where_one_does_it_is_the_one():
    says = told(n_images=3, n_channels=31)

    assert says.startswith("fitted_to_cases: Every case with n_images = 1 or 2 is right, and with n_images = 3")
    assert "n_channels" not in says


def test_an_input_with_a_name_is_not_told_by_its_size():
    """A graph of long chains has more layers than the others, and that is not what is wrong with it."""
    chains = Case({"n_images": 9, "n_channels": 99}, corner="long chains", last=True)
    cause = in_their_view(FORMULA, RIGHT, [chains], None, {})

    assert "wrong_formula" == cause.misconception
    assert cause.says.startswith("Every other case is right, and only the one with long chains is not:")
