"""Which NVIDIA driver this machine has, and so which CUDA extra to install. Standard library only, as it runs first.

As a program it prints the extra ("cu12", "cu13" or "none") and one sentence that says why.
"""

import ctypes
import platform
import re
import subprocess
import sys
from collections.abc import Iterator

LIBRARIES = ("libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1", "nvcuda.dll")
WITHOUT_GPU = "cu13"  # brings NVVM and nvJitLink, so that kernels compile for real without a GPU


def _libraries() -> Iterator[ctypes.CDLL]:
    """Those of LIBRARIES that load here, each loaded when its turn comes."""
    for name in LIBRARIES:
        try:
            library = ctypes.CDLL(name)
        except OSError:
            continue
        yield library


def cuda_version_of_library() -> int | None:
    """The newest CUDA the driver library runs, as in 13010 for 13.1; None where there is no such library."""
    for library in _libraries():
        version = ctypes.c_int(0)
        if library.cuDriverGetVersion(ctypes.byref(version)) == 0 and version.value:
            return version.value
    return None


def cuda_version_of_smi() -> int | None:
    """The same from ``nvidia-smi``'s heading, for drivers whose library is not on the loader's path."""
    try:
        shown = subprocess.run(["nvidia-smi"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=20)
    except (OSError, subprocess.SubprocessError):
        return None
    found = re.search(rb"CUDA Version:\s*(\d+)\.(\d+)", shown.stdout)
    return int(found.group(1)) * 1000 + int(found.group(2)) * 10 if found else None


def extra_for(system: str, cuda_version: int | None) -> tuple[str, str]:
    """The extra to install, and why.

    system: as `platform.system()` says it; cuda_version: as 13010 for CUDA 13.1, or None without a driver.
    """
    if system not in ("Linux", "Windows"):
        name = {"Darwin": "macOS", "Emscripten": "a browser"}.get(system, system)
        return "none", f"{name} has no numba-cuda; kernels run in the interpreter"
    if cuda_version is None:
        return WITHOUT_GPU, "no NVIDIA driver here; numba-cuda compiles kernels for real, and the interpreter runs them"
    shown = f"CUDA {cuda_version // 1000}.{cuda_version % 1000 // 10}"
    if cuda_version >= 13000:
        return "cu13", f"the NVIDIA driver runs {shown}"
    if cuda_version >= 12000:
        return "cu12", f"the NVIDIA driver runs {shown}"
    return (
        WITHOUT_GPU,
        f"the NVIDIA driver runs {shown} only; to use the GPU, update it to one for CUDA 12 or newer",
    )


def detect() -> tuple[str, str]:
    """The extra for this machine, and why."""
    return extra_for(platform.system(), cuda_version_of_library() or cuda_version_of_smi())


def device_count() -> int:
    """How many GPUs the driver offers. Initialises the driver, so call it in a process of its own."""
    for library in _libraries():
        count = ctypes.c_int(0)
        if library.cuInit(0) == 0 and library.cuDeviceGetCount(ctypes.byref(count)) == 0:
            return count.value
    return 0


def device_uuids() -> list[str]:
    """Of the GPUs the driver offers, as CUDA_VISIBLE_DEVICES takes them. Initialises the driver, as `device_count`."""
    for library in _libraries():
        return [_uuid(library, ordinal) for ordinal in range(device_count())]
    return []


def _uuid(library: ctypes.CDLL, ordinal: int) -> str:
    device, found = ctypes.c_int(0), (ctypes.c_ubyte * 16)()
    library.cuDeviceGet(ctypes.byref(device), ordinal)
    ask = getattr(library, "cuDeviceGetUuid_v2", library.cuDeviceGetUuid)  # of the part, where a GPU is in parts
    if ask(ctypes.byref(found), device):
        return str(ordinal)
    text = bytes(found).hex()
    return f"GPU-{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def smallest_memory() -> int:
    """Bytes of the GPU that has the least; 0 where there is none. Initialises the driver, as `device_count`."""
    found = []
    for library in _libraries():
        for ordinal in range(device_count()):
            device, n_bytes = ctypes.c_int(0), ctypes.c_size_t(0)
            library.cuDeviceGet(ctypes.byref(device), ordinal)
            if library.cuDeviceTotalMem_v2(ctypes.byref(n_bytes), device) == 0:
                found.append(n_bytes.value)
        break
    return min(found, default=0)


if __name__ == "__main__":
    if "--devices" in sys.argv:
        print(device_count())
    elif "--uuids" in sys.argv:
        print("\n".join(device_uuids()))
    elif "--memory" in sys.argv:
        print(smallest_memory())
    else:
        print(": ".join(detect()))
