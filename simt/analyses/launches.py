"""Does the launch ask for something that a GPU gives only on request?"""

from __future__ import annotations

from simt.analyses.findings import FindingBook
from simt.events import ArrayInfo, Finding, Launch, Listener, Site
from simt.hardware import MAX_STATIC_SHARED_BYTES


class Launches(Listener):
    """A note on shared memory beyond what every kernel may have, where some of it is dynamic.

    Up to 48 KiB per block come unasked, the kernel's own arrays among them; more need cuKernelSetAttribute with
    MAX_DYNAMIC_SHARED_SIZE_BYTES, which numba does not call. Launches that no GPU accepts are refused before they
    begin (`simt.launching.geometry`).
    """

    def __init__(self) -> None:
        self.book = FindingBook()
        self.kernel, self.dynamic, self.static = "", 0, 0

    def launch_begins(self, launch: Launch) -> None:
        self.kernel, self.dynamic, self.static = launch.kernel, launch.dynamic_shared_bytes, 0
        if self.dynamic > MAX_STATIC_SHARED_BYTES:
            self._tell(f"{self.dynamic:,} bytes of dynamic shared memory per block.")

    def shared_allocated(self, array: ArrayInfo, site: Site) -> None:
        if not array.memory:  # dynamic arrays are in the bytes that the launch asks for
            self.static = max(self.static, array.base_address + array.n_cells * array.dtype.itemsize)

    def launch_ends(self, launch: Launch) -> None:
        dynamic, both = self.dynamic, self.static + self.dynamic
        if 0 < dynamic <= MAX_STATIC_SHARED_BYTES < both:
            own = f"and the kernel's own shared arrays take {self.static:,}."
            self._tell(f"{dynamic:,} bytes of dynamic shared memory per block, {own}")

    def _tell(self, asked: str) -> None:
        self.book.add(
            ("dynamic", self.kernel),
            Finding(
                kind="invalid_launch",
                message=(
                    f"The launch of {self.kernel} asks for {asked} "
                    f"Beyond {MAX_STATIC_SHARED_BYTES:,} bytes it fails on a GPU, until the kernel's limit is raised."
                ),
                remedy=(
                    f"Keep to {MAX_STATIC_SHARED_BYTES:,} bytes, or raise the limit before the launch, with "
                    "cuKernelSetAttribute and MAX_DYNAMIC_SHARED_SIZE_BYTES."
                ),
                detail={"dynamic_shared_bytes": self.dynamic},
                note=True,
            ),
        )
