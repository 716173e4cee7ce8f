"""Writes pages, pictures and notebooks of other places: one module each, `python -m tools.make.NAME --help`."""
