"""Compile the tensor-core kernels that the engine tries first for ResNet-50, for a T4, an A100 and an H100.

    python -m tools.compile_engine_kernels

Batches of 1 and 128, INT8 and FP16. Prints what each architecture's kernels need at most; exits 1 where ptxas
serialises a product, where a kernel spills, and where one does not compile. Needs numba-cuda, no GPU, and minutes.
"""

from __future__ import annotations

import argparse
import sys

from minitrt.kernels.compile import CompileError
from minitrt.kernels.factories import TENSOR_CORES
from minitrt.kernels.pool import cubins
from minitrt.tactics.candidates import device_candidates
from minitrt.tactics.contract import Device, KernelKey
from tests.minitrt.operations import in_float16, resnet50

DEVICES = (
    Device("Tesla T4", (7, 5), 40, 65536),
    Device("NVIDIA A100", (8, 0), 108, 166912),
    Device("NVIDIA H100", (9, 0), 132, 232448),
)
BATCHES, TACTICS = (1, 128), 2  # the best guesses; a build refuses what this would find in the others


def kernels_for(device: Device) -> dict[str, KernelKey]:
    """digest -> key of the tensor-core kernels among the first candidates."""
    found = {}
    for batch in BATCHES:
        for int8 in resnet50(batch).values():
            for op in (int8, in_float16(int8)):
                keys = [
                    launch.kernel for tactic in device_candidates(op, device)[:TACTICS] for launch in tactic.make(op)
                ]
                found.update({key.digest: key for key in keys if key.factory.startswith(TENSOR_CORES)})
    return found


def main(arguments: list[str] | None = None) -> int:
    """Compile them all; exit 1 where one fails, or where nothing was compiled."""
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args(arguments)
    failed = 0
    for device in DEVICES:
        keys = list(kernels_for(device).values())
        made = cubins([(key.factory, dict(key.constants)) for key in keys], device.compute_capability)
        errors = [cubin for cubin in made if isinstance(cubin, CompileError)]
        registers = [cubin.registers for cubin in made if not isinstance(cubin, CompileError)]
        print(f"{device.name}: {len(registers)} of {len(keys)} kernels, at most {max(registers, default=0)} registers")
        for error in errors:
            print(f"  {error}")
        failed += len(errors) + (not keys)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
