"""What a user would call instead, timed in the same rounds where it is installed. Nothing here is needed to grade."""

from __future__ import annotations

from collections.abc import Callable

from autograder.contract import Exercise, Values
from autograder.speed.measure import Contender


def _torch_calls(torch) -> dict[str, Callable[[Values], object]]:
    """exercise id -> the library call on its values as torch tensors that share the device memory."""
    return {
        "torch.add": lambda v: torch.add(v["a"], v["b"], out=v["out"]),
        "torch.add(broadcast)": lambda v: torch.add(v["row"], v["col"][:, None], out=v["dst"]),
        "torch.sum": lambda v: torch.sum(v["src"]),
        "torch.argmax": lambda v: torch.argmax(v["src"]),
        "torch.sum(dim)": lambda v: (torch.sum(v["src"], dim=1), torch.sum(v["src"], dim=0)),
        "torch.clone": lambda v: v["dst"].copy_(v["src"]),
        "torch.transpose": lambda v: v["dst"].copy_(v["src"].t()),
    }


def library(exercise: Exercise) -> Contender | None:
    """The exercise's library call as a contender; None where torch is not installed or the exercise names none."""
    if exercise.speed is None or not exercise.speed.library:
        return None
    try:
        import torch
    except ImportError:
        return None
    call = _torch_calls(torch).get(exercise.speed.library)
    if call is None or not torch.cuda.is_available():
        return None
    return Contender(exercise.speed.library, lambda values: call(_as_tensors(torch, values)))


def _as_tensors(torch, values: Values) -> Values:
    """Device arrays as tensors over the same memory, scalars as they are."""
    return {
        name: torch.as_tensor(value, device="cuda") if hasattr(value, "__cuda_array_interface__") else value
        for name, value in values.items()
    }
