"""What processes of one machine wait for in the driver: contexts that are made and ended, on one GPU and on all.

    python benchmarks/bench_contexts.py [--seconds 3]      writes contexts.json into benchmarks/results; needs a GPU

A launcher of a class's answer has a context of its own, which ends with its process. Here processes do nothing else:
they make a context, fill a mebibyte and are killed, again and again; and one measures calls of its own beside them.
All are forked by a process that has not opened the driver.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import signal
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cuda.bindings import driver

from autograder.classroom.cluster.devices import VISIBLE, uuids
from benchmarks.record import record

PROCESSES = 8  # of each GPU, as a class has launchers
SETTINGS = {"as the driver does it": {}, "with one queue": {"CUDA_DEVICE_MAX_CONNECTIONS": "1"}}
MIB = 1 << 20
TRIES = 5
LEAD_S = 1.0


def ask(call: str, *arguments: Any) -> Any:
    """A call of the driver. Raises RuntimeError where it is refused."""
    error, *results = getattr(driver, call)(*arguments)
    if int(error):
        raise RuntimeError(f"{call}: {error}")
    return results[0] if results else None


def begun(gpu: str, settings: dict[str, str]) -> list[float]:
    """Open the driver and make a context, in this process. Returns the milliseconds of each, and of a first fill."""
    os.environ.update({VISIBLE: gpu, **settings})
    marks = [time.monotonic()]
    ask("cuInit", 0)
    marks.append(time.monotonic())
    ask("cuCtxSetCurrent", ask("cuDevicePrimaryCtxRetain", ask("cuDeviceGet", 0)))
    marks.append(time.monotonic())
    ask("cuMemsetD8", ask("cuMemAlloc", MIB), 1, MIB)
    ask("cuCtxSynchronize")
    marks.append(time.monotonic())
    return [1e3 * (after - before) for before, after in zip(marks, marks[1:], strict=False)]


def life(gpu: str, settings: dict[str, str]) -> dict[str, float]:
    """One context in a process of its own, which is killed then. Returns ms: of "init", "make", "fill" and "end"."""
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(writes, json.dumps(begun(gpu, settings)).encode() + b"\n")
        finally:
            os.kill(os.getpid(), signal.SIGKILL)
    os.close(writes)
    with os.fdopen(reads) as said:
        words = said.readline()
    killed = time.monotonic()
    os.waitpid(child, 0)
    return dict(
        zip(("init", "make", "fill", "end"), [*json.loads(words), 1e3 * (time.monotonic() - killed)], strict=True)
    )


def again_and_again(gpus: Sequence[str], settings: dict[str, str], until: float) -> tuple[list[int], int]:
    """PROCESSES for each GPU at work until then. Returns them, and where their lives come as lines of JSON."""
    reads, writes = os.pipe()
    children = []
    for gpu in [gpu for gpu in gpus for _ in range(PROCESSES)]:
        child = os.fork()
        if not child:
            while time.monotonic() < until:
                os.write(writes, json.dumps({**life(gpu, settings), "at": time.monotonic()}).encode() + b"\n")
            os._exit(0)
        children.append(child)
    os.close(writes)
    return children, reads


def rate(gpus: Sequence[str], settings: dict[str, str], seconds: float) -> dict[str, float]:
    """Contexts a second, and the median of each part of one in ms, once all are at work."""
    begin = time.monotonic() + LEAD_S
    children, reads = again_and_again(gpus, settings, begin + seconds)
    with os.fdopen(reads) as said:
        lives = [json.loads(line) for line in said]
    for child in children:
        os.waitpid(child, 0)
    lives = [one for one in lives if begin <= one.pop("at") <= begin + seconds]
    return {"a_second": round(len(lives) / seconds, 1), **_medians(lives)}


def _medians(lives: Sequence[dict[str, float]]) -> dict[str, float]:
    return {f"{part}_ms": round(statistics.median(one[part] for one in lives), 1) for part in lives[0]} if lives else {}


def calls(gpu: str) -> dict[str, Callable[[], object]]:
    """Calls that a launcher makes around a launch, by name, in this process."""
    begun(gpu, SETTINGS["with one queue"])
    at, host = ask("cuMemAlloc", MIB), (ctypes.c_uint8 * MIB)()
    return {
        "give and take 2 MiB": lambda: ask("cuMemFree", ask("cuMemAlloc", 2 * MIB)),
        "copy 1 MiB": lambda: ask("cuMemcpyHtoD", at, ctypes.addressof(host), MIB),
    }


def measured_calls(gpu: str, beside: Sequence[str], seconds: float) -> dict[str, float]:
    """The median ms of each call in a process of its own, while contexts are made and ended on `beside`."""
    children, lives = again_and_again(beside, SETTINGS["as the driver does it"], time.monotonic() + LEAD_S + seconds)
    reads, writes = os.pipe()
    measuring = os.fork()
    if not measuring:
        known = calls(gpu)
        time.sleep(LEAD_S / 2)
        os.write(writes, json.dumps({name: _median_ms(act, seconds / 3) for name, act in known.items()}).encode())
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads) as said, os.fdopen(lives) as others:
        found = json.loads(said.read() or "{}")
        others.read()  # so that nobody waits to be heard
    for child in (*children, measuring):
        os.waitpid(child, 0)
    return found


def _median_ms(act: Callable[[], None], seconds: float) -> float:
    took, until = [], time.monotonic() + seconds
    act()
    while not took or time.monotonic() < until:
        began = time.monotonic()
        act()
        took.append(1e3 * (time.monotonic() - began))
    return round(statistics.median(took), 3)


def main() -> int:
    """Measure and record. Returns 1 where there is no GPU."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="of each measurement")
    seconds, gpus = parser.parse_args().seconds, uuids()
    if not gpus:
        print("There is no GPU here.", file=sys.stderr)
        return 1
    found: dict[str, Any] = {
        "gpus": len(gpus),
        "processes_a_gpu": PROCESSES,
        "seconds": seconds,
        "alone": {},
        "many": {},
    }
    for name, settings in SETTINGS.items():
        found["alone"][name] = _medians([life(gpus[0], settings) for _ in range(TRIES)])
        found["many"][name] = {str(n): rate(gpus[:n], settings, seconds) for n in sorted({1, len(gpus)})}
        print(name, found["alone"][name], found["many"][name], flush=True)
    found["calls_ms"] = {
        name: measured_calls(gpus[0], beside, seconds)
        for name, beside in (("alone", ()), ("contexts beside", gpus[-1:]))
    }
    print(found["calls_ms"])
    print(record("contexts", found))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
