"""Wrong outputs of unit 16's kernels that betray their cause."""

from __future__ import annotations
