"""Kernels of readers as tactics: what one is (`tactic.py`), who knows it (`registry.py`), how it runs on a GPU
(`lowering.py`) and without one (`interpreted.py`)."""
