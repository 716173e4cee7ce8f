"""What speed in unit 16 is measured against."""

from __future__ import annotations
