"""Runs many seeds on a device in worker processes, each compared with the interpreter, one line of JSON a seed.

A kernel that kills its process, or hangs, costs that seed only: the worker is started again behind it.
"""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from . import execute
from .compare import differences, digest
from .environment import environment_for
from .lines import report
from .program import Program, program_of_seed
from .shrink import shrink

HANG_SECONDS = 90  # without a line, after which a worker counts as hanging
MOST_SHRUNK = 5  # differences that one worker shrinks; the seeds of others tell where to look later
LOST_CONTEXT = re.compile("ILLEGAL_ADDRESS|LAUNCH_FAILED|MISALIGNED|LAUNCH_TIMEOUT|ILLEGAL_INSTRUCTION")
ROOT = Path(__file__).parents[2]


def judge(seed: int, device: str, portable: bool, shrink_seconds: float) -> dict:
    """One seed on a device and on the interpreter.

    Returns: {"seed", "program", "outcome", "digest"}; outcome: "equal", "different", "refused" by numba, or
    "unsupported" by the interpreter; with "report" for all but the first.
    """
    program = program_of_seed(seed, portable)
    result = {"seed": seed, "program": program.fingerprint()}
    try:
        actual = execute.run(program, device)
    except Exception as error:
        if LOST_CONTEXT.search(str(error)):
            return result | {"outcome": "crashed", "report": f"{error}\n{program.text()}"}
        return result | {"outcome": "refused", "report": f"{type(error).__name__}: {error}\n{program.text()}"}
    result["digest"] = digest(actual)
    try:
        ours = execute.run(program, "simt")
    except Exception as error:
        return result | {"outcome": "unsupported", "report": f"{type(error).__name__}: {error}\n{program.text()}"}
    if digest(ours) == result["digest"]:
        return result | {"outcome": "equal"}
    return result | {"outcome": "different", "report": explain(program, device, portable, shrink_seconds)}


def explain(program: Program, device: str, portable: bool, seconds: float) -> str:
    """A shrunken program that still differs, with both results by line."""

    def differs(candidate: Program) -> bool:
        try:
            return bool(differences(candidate, execute.run(candidate, "simt"), execute.run(candidate, device)))
        except Exception:  # what one of the two refuses shows another thing
            return False

    smallest = shrink(program, differs, portable, seconds)
    return report(smallest, lambda p: execute.run(p, "simt"), lambda p: execute.run(p, device), ("simt", device))


def work(seeds: Iterable[int], device: str, portable: bool, shrink_seconds: float) -> None:
    """What a worker process does: a line of JSON to standard output for each seed."""
    differing = 0
    for seed in seeds:
        print(json.dumps({"began": seed}), flush=True)
        result = judge(seed, device, portable, shrink_seconds if differing < MOST_SHRUNK else 0)
        differing += result["outcome"] == "different"
        print(json.dumps(result), flush=True)
        if result["outcome"] == "crashed":
            return  # the process can launch nothing any more


def run_campaign(
    seeds: range,
    device: str,
    out: Path,
    workers: int,
    seconds: float,
    portable: bool = False,
    shrink_seconds: float = 15,
) -> Counter:
    """Run the seeds in so many processes until all are done or the time is over; results go to `out` as they come.

    Returns: how many seeds had each outcome; "crashed" for those that killed their process or hung.
    """  # fmt: skip
    deadline, counts, lock = time.monotonic() + seconds, Counter(), threading.Lock()
    with open(out, "w") as file:

        def note(result: dict) -> None:
            with lock:
                counts[result["outcome"]] += 1
                file.write(json.dumps(result) + "\n")
                file.flush()

        threads = [
            threading.Thread(
                target=supervise, args=(list(seeds[k::workers]), device, portable, shrink_seconds, deadline, note)
            )
            for k in range(workers)
        ]  # fmt: skip
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    missing = len(seeds) - counts.total()
    return counts + Counter({"not run": missing})


def supervise(seeds: list[int], device: str, portable: bool, shrink_seconds: float, deadline: float, note) -> None:
    """Keep a worker busy with these seeds, and start another where it dies."""
    while seeds and time.monotonic() < deadline:
        began, before = None, len(seeds)
        for message in lines_of_worker(seeds, device, portable, shrink_seconds, deadline):
            if "began" in message:
                began = message["began"]
                continue
            note(message)
            began = None
            seeds = [seed for seed in seeds if seed > message["seed"]]
        if began is not None and time.monotonic() < deadline:
            program = program_of_seed(began, portable)
            text = f"The worker died or hung.\n{program.text()}"
            note({"seed": began, "program": program.fingerprint(), "outcome": "crashed", "report": text})
            seeds = [seed for seed in seeds if seed > began]
        elif len(seeds) == before:
            return  # it ended without a word about any seed: nothing would change by trying again


def lines_of_worker(seeds: list[int], device: str, portable: bool, shrink_seconds: float, deadline) -> Iterator[dict]:
    """The messages of one worker process, until it ends, hangs, or the time is over."""
    command = [sys.executable, "-m", "tests.differential", "work", "--device", device]
    command += ["--shrink-seconds", str(shrink_seconds), *(["--portable"] if portable else [])]
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment_for(device), text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    last = time.monotonic()

    def watch() -> None:
        while process.poll() is None:
            if time.monotonic() > deadline or time.monotonic() - last > HANG_SECONDS:
                process.kill()
            time.sleep(0.5)

    watcher = threading.Thread(target=watch)
    watcher.start()
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(json.dumps(seeds))
        process.stdin.close()
    for line in process.stdout:
        last = time.monotonic()
        if line.startswith("{"):
            yield json.loads(line)
    process.wait()
    watcher.join()
