"""Rewrites of a graph, each in a file of its own; `pipeline.py` says in which order they run.

A pass takes a graph and a log, changes the graph in place, and says what it did. It neither knows devices nor times.
"""

from minitrt.passes.pipeline import optimise

__all__ = ["optimise"]
