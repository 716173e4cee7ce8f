"""Runs one program of the cookbook on minitrt, each case by itself, on the inputs of TensorRT's log where they are
random: `python -m benchmarks.trt_cookbook.program FOLDER`, with a mended `tensorrt_cookbook` on PYTHONPATH.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import numpy as np

from benchmarks.trt_cookbook import stand_ins
from benchmarks.trt_cookbook.logs import Case, cases
from minitrt.builder.target import default_target
from minitrt.shim import FOLDER, host_cuda


class Inputs:
    """Elements of inputs as a log has them, case by case."""

    def __init__(self, log: list[Case]):
        self.log, self.current, self.place = log, -1, 0

    def next_case(self) -> None:
        self.current, self.place = self.current + 1, 0

    def logged(self, data: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """The inputs of a run, each with the elements that the log shows for it, if it shows them all."""
        tensors = self.log[self.current].tensors if self.current < len(self.log) else []
        found = {}
        for name, array in data.items():
            same = [t for t in tensors[self.place :] if t.mode == "Input" and t.name == name]
            elements = same[0].elements if same else None
            fits = elements is not None and same[0].whole and elements.size == np.size(array)
            found[name] = elements.astype(array.dtype).reshape(array.shape) if fits else array
        self.place += len(tensors) and max(1, len({t.name for t in tensors}))
        return found


def alone(inputs: Inputs, case):
    """A case that another one's failure does not end, marked in what is printed as the cookbook marks it."""

    def run(*args, **kwargs):
        inputs.next_case()
        print("=" * 30 + f" Start [{case.__name__},{args},{kwargs}]")
        try:
            case(*args, **kwargs)
        except Exception as error:
            print(f"ERROR {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}")
        else:
            print("=" * 30 + f" End   [{case.__name__}]")
        sys.stdout.flush()

    return run


def main(folder: Path) -> None:
    sys.path.insert(0, FOLDER)
    stand_ins.install()
    if default_target() is None:
        host_cuda.install()
    import tensorrt_cookbook as book

    inputs = Inputs(cases((folder / "log-main.py.log").read_text(encoding="utf-8")))
    book.case_mark = lambda case: alone(inputs, case)
    for wrapper in {kind for name in dir(book) if name.startswith("TRTWrapper") for kind in getattr(book, name).mro()}:
        if "setup" in vars(wrapper):
            wrapper.setup = with_logged_inputs(wrapper.setup, inputs)
    runpy.run_path(str(folder / "main.py"), run_name="__main__")


def with_logged_inputs(setup, inputs: Inputs):
    return lambda self, data=None, **more: setup(self, inputs.logged(data or {}), **more)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
