"""What a GPU left, one line a case, and where `simt` leaves something else."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from tests.corners.cases import Case
from tests.corners.running import operands_of
from tests.differential.compare import canonical

RECORD = Path(__file__).parents[1] / "golden" / "corners.json"


def packed(left: np.ndarray | None) -> str | None:
    """An array as text; any NaN as one and the same."""
    if left is None:
        return None
    return base64.b64encode(zlib.compress(canonical(left).tobytes(), 9)).decode()


def unpacked(text: str | None, case: Case) -> np.ndarray | None:
    """What `packed` made text of."""
    return None if text is None else np.frombuffer(zlib.decompress(base64.b64decode(text)), case.out)


def write(path: Path, where: Mapping[str, object], left: Mapping[str, np.ndarray | None]) -> None:
    """where: device, versions, date."""
    path.write_text(json.dumps({**where, "left": {name: packed(one) for name, one in left.items()}}, indent=0) + "\n")


def read(path: Path = RECORD) -> dict[str, str | None]:
    """What a GPU left, packed, by the name of the case. Raises: OSError where nothing is recorded."""
    return json.loads(path.read_text())["left"]


def told(case: Case, gpu: Mapping[str, str | None], here: Mapping[str, np.ndarray | None]) -> Iterator[str]:
    """A line for each difference of one case; one that only one of the two runs is one."""
    if case.name not in gpu:
        yield f"{case.name} is not recorded"
        return
    left, ours = unpacked(gpu[case.name], case), here[case.name]
    if left is None or ours is None:
        if (left is None) != (ours is None):
            yield f"{case.name}: refused {'by numba' if left is None else 'here'} alone"
        return
    yield from differences(case, left, ours)


def differences(case: Case, gpu: np.ndarray, here: np.ndarray) -> Iterator[str]:
    """A line for each element that differs by more than the case allows."""
    operands = operands_of(case)
    for lane in np.flatnonzero(~_equal(case, gpu, here)):
        given = ", ".join(f"{letter}={values[lane]!r}" for letter, values in zip("ab", operands, strict=False))
        yield f"{case.text!r} of {given}: {gpu[lane]!r} on the GPU, {here[lane]!r} here"


def _equal(case: Case, gpu: np.ndarray, here: np.ndarray) -> np.ndarray:
    same = canonical(gpu).view(f"V{gpu.itemsize}") == canonical(here).view(f"V{gpu.itemsize}")
    if not case.tolerance:
        return same
    with np.errstate(all="ignore"):
        near = np.abs(gpu - here) <= case.tolerance * np.maximum(np.abs(gpu), 1e-30)
    return same | (near & (np.signbit(gpu) == np.signbit(here)))
