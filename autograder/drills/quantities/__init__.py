"""Numbers with units as people write them: "1.58 ms", "3 x 650", "2^20 bytes", "20%", "1 950", "about 0.5 MiB"."""

from __future__ import annotations

from autograder.drills.quantities.indices import read_numbers
from autograder.drills.quantities.reading import read_quantity

__all__ = ["read_numbers", "read_quantity"]
