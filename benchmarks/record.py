"""Keeping a measurement: one JSON file in benchmarks/results, with what it was measured on and when."""

from __future__ import annotations

import datetime
import json
import os
import platform
import re
from pathlib import Path
from typing import Any

from autograder.backend import name_of
from autograder.speed.bench import versions

RESULTS = Path(__file__).parent / "results"


def machine() -> str:
    """The processor and the number of cores, as in "Intel(R) Xeon(R) ..., 2 cores"."""
    try:
        found = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())
    except OSError:
        found = None
    return f"{found[1].strip() if found else platform.machine()}, {os.cpu_count()} cores"


def device_name() -> str:
    """The name of the GPU in use, as in "NVIDIA H200". Raises: CudaSupportError without one."""
    from numba import cuda

    return name_of(cuda.get_current_device())


def slug(device: str) -> str:
    """A device's name as in a file's, as in "nvidia-h200"."""
    return re.sub(r"[^a-z0-9]+", "-", device.lower()).strip("-")


def record(name: str, measured: dict[str, Any], folder: Path = RESULTS) -> Path:
    """Write `measured` to results/<name>.json beside machine, date (UTC) and versions. Returns the path."""
    document = {
        "machine": machine(),
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "versions": versions(),
        **measured,
    }
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(json.dumps(document, indent=2) + "\n")
    return path
