"""What a user would call instead, timed in the same rounds where it is installed. Nothing here is needed to grade."""

from __future__ import annotations

from autograder.contract import Exercise, Values
from autograder.speed.measure import Contender


def library(exercise: Exercise) -> Contender | None:
    """The exercise's library call as a contender; None where torch is not installed or the exercise names none."""
    if exercise.speed is None or exercise.speed.library is None:
        return None
    try:
        import torch
    except ImportError:
        return None
    if not torch.cuda.is_available():
        return None
    named = exercise.speed.library
    return Contender(named.name, lambda values: named.call(torch, _as_tensors(torch, values)))


def _as_tensors(torch, values: Values) -> Values:
    """Device arrays as tensors over the same memory, scalars as they are."""
    return {
        name: torch.as_tensor(value, device="cuda") if hasattr(value, "__cuda_array_interface__") else value
        for name, value in values.items()
    }
