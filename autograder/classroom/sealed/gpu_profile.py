"""What this machine's GPU can do, for whoever times on it: as a file has it, or measured by a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys

from autograder import plain_data
from autograder.classroom.cluster import devices
from autograder.classroom.cluster.devices import bound
from autograder.classroom.sealed.launching import LauncherError
from autograder.speed import profile as profile_file
from autograder.speed.footprint import Device
from autograder.speed.gpu_lock import alone_on_the_gpu

PROFILE = (
    "import json\n"
    "from autograder import plain_data\n"
    "from autograder.speed.gpu_lock import alone_on_the_gpu\n"
    "from autograder.speed.profile import device_profile\n"
    "with alone_on_the_gpu():\n"
    "    device = device_profile()\n"
    "print(json.dumps(plain_data.to_json(device)))\n"
)
PROFILE_S = 120.0


def profiled() -> Device:
    """This machine's GPU: as its file has it where that is not old, else measured by a process that has nothing to do
    with any answer, and takes seconds to start: one for all workers of a GPU. Raises LauncherError.
    """
    uuid = _name_of_gpu()

    def known() -> Device | None:
        return profile_file.read(profile_file.path_of(uuid), profile_file.MAX_AGE_S)

    found = known()
    if found is None:
        with alone_on_the_gpu(f"{uuid}-profile"):  # not the lock of the GPU itself, which the measurement takes
            found = known() or _profiled_now()
    return found


def _name_of_gpu() -> str:
    """The UUID of the GPU that this process sees first, as `gpu_lock.this_device` says it."""
    return bound() if bound().startswith("GPU-") else next(iter(devices.uuids()), "")


def _profiled_now() -> Device:
    try:
        done = subprocess.run([sys.executable, "-c", PROFILE], capture_output=True, text=True, timeout=PROFILE_S)
        return plain_data.from_json(Device, json.loads(done.stdout))
    except (subprocess.SubprocessError, ValueError, TypeError) as error:
        raise LauncherError("no_gpu", f"This GPU could not be measured ({error}).") from None
