"""Hides numba from every process that has this folder in PYTHONPATH: Python runs this file when it starts."""

import importlib.machinery
import sys

HIDDEN = {"numba", "numba_cuda", "numba_cuda_mlir", "llvmlite"}
find_spec = importlib.machinery.PathFinder.find_spec


def without_numba(name, path=None, target=None):
    return None if name.partition(".")[0] in HIDDEN else find_spec(name, path, target)


importlib.machinery.PathFinder.find_spec = without_numba
sys.meta_path = [finder for finder in sys.meta_path if "numba" not in type(finder).__module__]  # numba-cuda redirects
