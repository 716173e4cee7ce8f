"""Inputs, oracles, launches, cases and costs of unit 16's kernels."""

from __future__ import annotations
