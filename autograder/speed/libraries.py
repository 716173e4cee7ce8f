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
    named, known = exercise.speed.library, _Tensors(torch)
    return Contender(named.name, lambda values: named.call(torch, known.of(values)))


class _Tensors:
    """The arguments that were seen, as tensors: made once, in a warm-up, so that no timed call waits for the host."""

    def __init__(self, torch):
        self._torch, self._seen = torch, {}

    def of(self, values: Values) -> Values:
        """Tensors over the memory of these values, which are kept with them: an address alone would be used again."""
        if id(values) not in self._seen:
            self._seen[id(values)] = values, _as_tensors(self._torch, values)
        return self._seen[id(values)][1]


def _as_tensors(torch, values: Values) -> Values:
    """Device arrays as tensors over the same memory, scalars as they are."""
    return {
        name: torch.as_tensor(value, device="cuda") if hasattr(value, "__cuda_array_interface__") else value
        for name, value in values.items()
    }
