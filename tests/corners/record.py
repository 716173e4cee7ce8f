"""What a GPU left, and where `simt` leaves something else."""

from __future__ import annotations

import base64
import json
import lzma
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from tests.corners.cases import Case
from tests.corners.known import expected
from tests.corners.more_cases import cases
from tests.corners.running import operands_of
from tests.differential.compare import canonical

RECORD = Path(__file__).parents[1] / "golden" / "corners.json"


def write(path: Path, where: Mapping[str, object], left: Mapping[str, np.ndarray | None]) -> None:
    """The arrays of all cases, end to end and compressed. where: device, versions, date."""
    together = b"".join(canonical(one).tobytes() for one in left.values() if one is not None)
    content = {
        **where,
        "cases": [name for name, one in left.items() if one is not None],
        "refused": [name for name, one in left.items() if one is None],
        "left": base64.b64encode(lzma.compress(together, preset=9)).decode(),
    }
    path.write_text(json.dumps(content, indent=0) + "\n")


def read(path: Path = RECORD) -> dict[str, np.ndarray | None]:
    """What a GPU left, by the name of the case; None for what numba refused. Raises: OSError where none is recorded."""
    content, known = json.loads(path.read_text()), {case.name: case for case in cases()}
    together, left, start = lzma.decompress(base64.b64decode(content["left"])), {}, 0
    for name in content["cases"]:
        case = known[name]
        count = len(operands_of(case)[0])
        left[name] = np.frombuffer(together, case.out, count, start)
        start += left[name].nbytes
    return {**left, **dict.fromkeys(content["refused"])}


def told(case: Case, gpu: Mapping[str, np.ndarray | None], here: Mapping[str, np.ndarray | None]) -> Iterator[str]:
    """A line for each difference of one case that is not known; one that only one of the two runs is one."""
    if case.name not in gpu:
        yield f"{case.name} is not recorded"
        return
    left, ours = gpu[case.name], here[case.name]
    if left is None or ours is None:
        if (left is None) != (ours is None):
            yield f"{case.name}: refused {'by numba' if left is None else 'here'} alone"
        return
    operands = operands_of(case)
    for lane in np.flatnonzero(differs(case, left, ours) & ~expected(case)):
        given = ", ".join(f"{letter}={values[lane]!r}" for letter, values in zip("ab", operands, strict=False))
        yield f"{case.text!r} of {given}: {left[lane]!r} on the GPU, {ours[lane]!r} here"


def differs(case: Case, gpu: np.ndarray, here: np.ndarray) -> np.ndarray:
    """Which elements differ by more than the case allows."""
    same = canonical(gpu).view(f"V{gpu.itemsize}") == canonical(here).view(f"V{gpu.itemsize}")
    if not case.tolerance:
        return ~same
    with np.errstate(all="ignore"):
        near = np.abs(gpu - here) <= case.tolerance * np.maximum(np.abs(gpu), 1e-30)
    return ~(same | (near & (np.signbit(gpu) == np.signbit(here))))
