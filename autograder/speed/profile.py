"""What a device can do, measured by the judge's own kernels and kept for a while in a file a device.

The file is `<cache>/warpbook/devices/<uuid>.json`, where <cache> is XDG_CACHE_HOME or ~/.cache. A device on which two
measurements do not agree, as where somebody else computes on it, is noisy: nothing is graded by its times.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autograder import plain_data
from autograder.backend import cuda, name_of
from autograder.speed.clock import Clock
from autograder.speed.footprint import Device
from autograder.speed.gpu_lock import this_device
from autograder.speed.probes import copier, multiplier, nothing, reader

SCHEMA = 1
MAX_AGE_S = 900.0
ROUNDS = 15
PROBE_BYTES = 512 << 20
AGREES = 0.03  # relative difference of two measurements
STATE = "uuid,driver_version,power.limit,clocks.sm,clocks.max.sm,ecc.mode.current,mig.mode.current,temperature.gpu"
SMI_S = 10.0


def device_profile(max_age_s: float = MAX_AGE_S) -> Device:
    """This process's device: from its file where that is not older than max_age_s, else measured and written there."""
    path = path_of(this_device())
    known = read(path, max_age_s)
    if known is not None:
        return known
    device, state = measured()
    write(path, device, state)
    return device


def path_of(uuid: str) -> Path:
    """The file of a device."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "warpbook" / "devices" / f"{uuid or 'unnamed'}.json"


def read(path: Path, max_age_s: float) -> Device | None:
    """The profile in a file; None where there is none, or an old one, or one of another version."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        age_s = time.time() - float(document["measured"])
        if document["schema"] != SCHEMA or not 0 <= age_s <= max_age_s:
            return None
        return plain_data.from_json(Device, document["device"])
    except (OSError, ValueError, TypeError, KeyError):
        return None


def write(path: Path, device: Device, state: Mapping[str, str]) -> None:
    """Keep a profile. Where nothing can be written, the next process measures again."""
    document = {"schema": SCHEMA, "measured": time.time(), "device": asdict(device), "state": dict(state)}
    scratch = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        scratch.write_text(json.dumps(document, indent=1), encoding="utf-8")
        os.replace(scratch, path)
    except OSError:
        pass


def measured() -> tuple[Device, dict[str, str]]:
    """The device by two measurements, and what the driver says of its state."""
    clock = Clock(_l2_bytes())
    clock.warm()
    probes = _probes()
    first, second = ({name: probe(clock) for name, probe in probes.items()} for _ in range(2))
    return _device(second, noise(first, second)), _state(this_device())


def noise(first: Mapping[str, float], second: Mapping[str, float]) -> str:
    """Why nothing can be timed on a device with these two measurements; "" where nothing speaks against it."""
    for name in ("copy_rate", "read_rate", "flops_per_s"):
        apart = abs(second[name] / first[name] - 1)
        if apart > AGREES:
            return f"two measurements of its {name.replace('_', ' ')} differ by {apart:.0%}"
    return ""


def _probes() -> dict[str, Callable[[Clock], float]]:
    half = min(PROBE_BYTES, int(cuda.current_context().get_memory_info().total) // 16)
    copy, read_all, (multiply, n_fused) = copier(half), reader(2 * half), multiplier()

    def empty() -> None:
        nothing[1, 1]()

    for call in (copy, read_all, multiply, empty):  # compiled, and once on the device
        call()
    cuda.synchronize()
    return {
        "copy_rate": lambda clock: 2 * half / (1e-6 * _usual(clock, copy)),
        "read_rate": lambda clock: 2 * half / (1e-6 * _usual(clock, read_all)),
        "flops_per_s": lambda clock: 2 * n_fused / (1e-6 * _usual(clock, multiply)),
        "launch_us": lambda clock: _usual(clock, empty),
        "gap_us": lambda clock: _gap(clock, empty),
    }


def _usual(clock: Clock, call: Callable[[], object]) -> float:
    return statistics.median(clock.time(call).event_us for _ in range(ROUNDS))


def _gap(clock: Clock, call: Callable[[], object]) -> float:
    """Microseconds by which the host's clock says more than the events."""
    taken = [clock.time(call) for _ in range(2 * ROUNDS)]
    return statistics.median(sample.wall_us - sample.event_us for sample in taken)


def _device(rates: Mapping[str, float], noisy: str) -> Device:
    device = cuda.get_current_device()
    return Device(
        name=name_of(device),
        compute_capability=tuple(device.compute_capability),
        l2_bytes=_l2_bytes(),
        memory_bytes=int(cuda.current_context().get_memory_info().total),
        multiprocessors=int(device.MULTIPROCESSOR_COUNT),
        uuid=this_device(),
        noisy=noisy,
        **rates,
    )


def _l2_bytes() -> int:
    return int(cuda.get_current_device().L2_CACHE_SIZE)


def _state(uuid: str) -> dict[str, str]:
    """What nvidia-smi says of this device: clocks, power, temperature. Empty where there is no nvidia-smi."""
    keys = STATE.split(",")
    rows = (dict(zip(keys, row, strict=False)) for row in _smi(f"--query-gpu={STATE}"))
    return next((row for row in rows if row.get("uuid") == uuid), {})


def _smi(query: str) -> list[list[str]]:
    command = ["nvidia-smi", query, "--format=csv,noheader,nounits"]
    try:
        said: Any = subprocess.run(command, capture_output=True, text=True, timeout=SMI_S)
    except (OSError, subprocess.SubprocessError):
        return []
    return [[cell.strip() for cell in line.split(",")] for line in said.stdout.splitlines() if not said.returncode]
