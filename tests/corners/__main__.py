"""Corners of arithmetic, on a GPU and here.

python -m tests.corners record --out FILE [--workers 8]     what the GPU of this machine leaves
python -m tests.corners compare [FILE]                      where simt leaves something else
python -m tests.corners compiled                            which cases numba-cuda compiles; needs no GPU
"""

from __future__ import annotations

import argparse
import datetime
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from tests.corners import record, running
from tests.corners.more_cases import cases
from tests.differential.environment import device_name, versions


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.corners", description=__doc__.split("\n")[0])
    parser.add_argument("do", choices=("record", "compare", "compiled"))
    parser.add_argument("file", type=Path, nargs="?", default=record.RECORD)
    parser.add_argument("--out", type=Path, default=record.RECORD)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--only", default="", help="of the names of cases")
    arguments = parser.parse_args()
    chosen = [case for case in cases() if arguments.only in case.name]
    if arguments.do == "record":
        return taken(chosen, arguments.out, arguments.workers)
    return compared(chosen, arguments.file) if arguments.do == "compare" else compiled(chosen)


def taken(chosen, out: Path, workers: int) -> int:
    """Every case on the GPU; what fails there is tried again, each kernel in a process of its own."""
    groups, left = list(running.groups(chosen)), {}
    failed = _by_processes(groups, left, workers, None)
    failed = _by_processes(failed, left, 1, 1) if failed and left else failed
    if not left:
        return 1
    where = {"device": device_name(), "versions": versions(), "date": datetime.date.today().isoformat()}
    record.write(out, where, left)
    print(
        f"{len(left)} cases, {sum(one is None for one in left.values())} refused by numba, on {where['device']}: {out}"
    )
    return len(failed)


def _by_processes(groups: list, left: dict, workers: int, each: int | None) -> list:
    """Put what the kernels leave into `left`; return those that failed. each: kernels after which a process ends."""
    failed = []
    with ProcessPoolExecutor(workers, get_context("spawn"), max_tasks_per_child=each) as pool:
        for number, (group, one) in enumerate(zip(groups, pool.map(running.tried_on_gpu, groups), strict=True), 1):
            if isinstance(one, str):
                print(f"failed: {group[0].name} and {len(group) - 1} more: {one}", flush=True)
                failed.append(group)
            else:
                left.update(one)
            if number % 20 == 0:
                print(f"{number} of {len(groups)} kernels", flush=True)
    return failed


def compiled(chosen) -> int:
    for group in running.groups(chosen):
        for name, left in running.left_by(group, running.compiled_only).items():
            print("refused" if left is None else "compiled", name, flush=True)
    return 0


def compared(chosen, file: Path) -> int:
    gpu, counts = record.read(file), Counter()
    for group in running.groups(chosen):
        here = running.left_by(group, running.on_simt)
        for case in group:
            for line in record.told(case, gpu, here):
                counts[case.name] += 1
                print(line)
    print(f"{len(chosen)} cases, {len(counts)} differ in {counts.total()} elements")
    return bool(counts)


if __name__ == "__main__":
    sys.exit(main())
