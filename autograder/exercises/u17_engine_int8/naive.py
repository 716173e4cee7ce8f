"""Kernels that speed in unit 17 is measured against: none, nothing here is raced."""
