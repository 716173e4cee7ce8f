"""Run a program that was written for TensorRT, unchanged: `python -m minitrt.shim PROGRAM.py [ARGUMENTS]`.

`import tensorrt` gives minitrt; where there is no GPU, cuda-python's runtime is a stand-in over host memory.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from minitrt.builder.target import default_target
from minitrt.shim import FOLDER, host_cuda


def main() -> int:
    if len(sys.argv) < 2 or not Path(sys.argv[1]).is_file():
        print(f"{__doc__}\nThere is no file {sys.argv[1]}." if len(sys.argv) > 1 else __doc__, file=sys.stderr)
        return 2
    del sys.argv[0]
    sys.path[:1] = [str(Path(sys.argv[0]).resolve().parent), FOLDER]
    if default_target() is None:
        host_cuda.install()
    runpy.run_path(sys.argv[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main())
