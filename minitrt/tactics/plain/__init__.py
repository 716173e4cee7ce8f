"""Tactics of plain kernels: any type, any layout that they name, every GPU."""
