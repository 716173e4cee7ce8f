"""Hides numba-cuda, and makes numba's own CUDA target absent or broken, in every process that has this folder in
PYTHONPATH: Python runs this file when it starts."""

import importlib.abc
import importlib.machinery
import os
import sys

HIDDEN = {"numba_cuda", "numba_cuda_mlir"}
TARGET = "numba.cuda"
find_spec = importlib.machinery.PathFinder.find_spec


class Broken(importlib.abc.Loader):
    def create_module(self, spec):
        return None

    def exec_module(self, module):
        raise RuntimeError("numba's CUDA target is no longer maintained")


class WithoutCuda:  # no function, which pytest would make a method of a class of its own
    def __call__(self, name, path=None, target=None):
        if name.partition(".")[0] in HIDDEN or name.startswith(f"{TARGET}."):
            return None
        if name == TARGET:
            broken = os.environ["NO_CUDA_TARGET"] == "raises"
            return importlib.machinery.ModuleSpec(name, Broken()) if broken else None
        return find_spec(name, path, target)


importlib.machinery.PathFinder.find_spec = WithoutCuda()
sys.meta_path = [finder for finder in sys.meta_path if "numba" not in type(finder).__module__]  # numba-cuda redirects
