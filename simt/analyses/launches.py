"""Does the launch ask for something that a GPU gives only on request?"""

from __future__ import annotations

from simt.analyses.findings import FindingBook
from simt.events import Finding, Launch, Listener
from simt.hardware import MAX_STATIC_SHARED_BYTES


class Launches(Listener):
    """A note on dynamic shared memory beyond what every kernel may have.

    Up to 48 KiB per block come unasked; more need cuKernelSetAttribute with MAX_DYNAMIC_SHARED_SIZE_BYTES, which numba
    does not call. Launches that no GPU accepts are refused before they begin (`simt.launching.geometry`).
    """

    def __init__(self) -> None:
        self.book = FindingBook()

    def launch_begins(self, launch: Launch) -> None:
        asked = launch.dynamic_shared_bytes
        if asked <= MAX_STATIC_SHARED_BYTES:
            return
        self.book.add(
            ("dynamic", launch.kernel),
            Finding(
                kind="invalid_launch",
                message=(
                    f"The launch of {launch.kernel} asks for {asked:,} bytes of dynamic shared memory per block. "
                    f"Beyond {MAX_STATIC_SHARED_BYTES:,} bytes it fails on a GPU, until the kernel's limit is raised."
                ),
                remedy=(
                    f"Keep to {MAX_STATIC_SHARED_BYTES:,} bytes, or raise the limit before the launch, with "
                    "cuKernelSetAttribute and MAX_DYNAMIC_SHARED_SIZE_BYTES."
                ),
                detail={"dynamic_shared_bytes": asked},
                note=True,
            ),
        )
