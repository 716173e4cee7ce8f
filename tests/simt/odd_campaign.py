"""Runs odd kernels and programs by their seeds, and tells what ended in words of the inside.

    python -m tests.simt.odd_campaign --programs 0:8000 --kernels 20000:22000 --workers 16 --out FILE

It needs NumPy alone. FILE gets the counts, processor time of each, and every fault with its seed and text.
"""

from __future__ import annotations

import argparse
import ast
import collections
import contextlib
import io
import itertools
import json
import linecache
import multiprocessing
import os
import sys
import time
import traceback
import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

import simt
from simt.errors import ListenerError, SimtError
from simt.host_order import host_arrays
from simt.programs.session import FAILED, Session
from tests.simt.odd_kernels import NAMES as OF_KERNELS
from tests.simt.odd_kernels import THREADS, OddKernel, arguments
from tests.simt.odd_programs import NAMES, OddProgram

OURS = os.path.join(os.path.dirname(os.path.abspath(simt.__file__)), "")
NUMPYS = os.path.join(os.path.dirname(os.path.abspath(np.__file__)), "")
ARRAYS = host_arrays.__file__  # hands operations of the program on to NumPy, whose words are for the program
INSIDE = "the interpreter cannot run this statement"  # and why, in Python's words: what no refusal of ours knew


def fault_of(error: BaseException, program: str) -> str:
    """What kind of fault of ours an error is, that a statement of a program ended in; "" for none."""
    if isinstance(error, ListenerError):
        return "an analysis failed"
    if isinstance(error, SimtError):
        return "words of the inside" if INSIDE in str(error) else ""
    frames = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    behind = list(itertools.takewhile(lambda frame: frame[0] != program, reversed(frames)))  # the program's last line
    if next((file for file, _ in behind if file.startswith(OURS)), ARRAYS) == ARRAYS:  # which hands things on
        return ""
    if not behind[0][0].startswith((OURS, NUMPYS)):
        return ""
    return "" if linecache.getline(*behind[0]).strip().startswith("raise") else "an error of the inside"


def judged(seed: int) -> list[tuple[str, str]]:
    """(what became of it, its text) for each statement of a program: "ran", "refused", "no Python" or a fault."""
    text, file = OddProgram(seed).text(), f"<odd program {seed}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    try:
        tree = ast.parse(text)
        compile(tree, file, "exec")
    except (SyntaxError, SyntaxWarning):
        return [("no Python", text)]
    told, names, silent = [], dict(NAMES), io.StringIO()
    with contextlib.redirect_stdout(silent), contextlib.redirect_stderr(silent), Session() as session:
        for statement in tree.body:
            source = ast.get_source_segment(text, statement) or ""
            told.append((_run(compile(ast.Module([statement], []), file, "exec"), names, file), source))
    assert all(report.to_json() for report in session.reports)
    return told + [(remark, text) for remark in session.remarks if FAILED in remark]


def judged_kernel(seed: int) -> list[tuple[str, str]]:
    """The same for a kernel of `odd_kernels`, launched once."""
    text, file = OddKernel(seed).text(), f"<odd kernel {seed}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names: dict[str, Any] = dict(OF_KERNELS, given=arguments().values())
    try:
        exec(compile(text, file, "exec"), names)
    except (SyntaxError, SyntaxWarning, TypeError):  # TypeError: a default of a parameter
        return [("no Python", text)]
    with contextlib.redirect_stdout(io.StringIO()), Session() as session:
        told = [(_run(compile(f"odd[1, {THREADS}](*given)", file, "exec"), names, file), text)]
    return told + [(remark, text) for remark in session.remarks if FAILED in remark]


def _run(code: Any, names: dict[str, Any], file: str) -> str:
    try:
        exec(code, names)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        fault = fault_of(error, file)
        return f"{fault}: {type(error).__name__}: {error}" if fault else "refused"
    return "ran"


def tried(job: tuple[str, int]) -> dict[str, Any]:
    """One seed: how many statements ran and were refused, the faults, and seconds of processor time."""
    kind, seed = job
    before = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            told = (judged if kind == "programs" else judged_kernel)(seed)
        except Exception as error:
            told = [(f"the session failed: {traceback.format_exception(error)[-1].strip()}", "")]
    counts = collections.Counter(what if what in ("ran", "refused", "no Python") else "fault" for what, _ in told)
    faults = [(what, text) for what, text in told if what not in ("ran", "refused", "no Python")]
    return {"kind": kind, "seed": seed, "counts": counts, "faults": faults, "cpu_s": time.process_time() - before}


def seeds(text: str) -> range:
    first, _, end = text.partition(":")
    return range(int(first), int(end))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=seeds, default=range(0), metavar="FIRST:END")
    parser.add_argument("--kernels", type=seeds, default=range(0), metavar="FIRST:END")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    jobs = [(kind, seed) for kind in ("programs", "kernels") for seed in getattr(options, kind)]
    new = multiprocessing.get_context("spawn")  # a fork shares what a GPU's driver holds, and may wait for ever
    with ProcessPoolExecutor(options.workers, new) as pool:  # and one that dies ends the run
        results = list(pool.map(tried, jobs, chunksize=25))
    told: dict[str, Any] = {"python": sys.version.split()[0], "numpy": np.__version__}
    for kind in ("programs", "kernels"):
        mine = [one for one in results if one["kind"] == kind]
        cpu_s = sorted(one["cpu_s"] for one in mine) or [0.0]
        counts = sum((one["counts"] for one in mine), collections.Counter())
        times = {"mean": float(np.mean(cpu_s)), "median": cpu_s[len(cpu_s) // 2], "most": cpu_s[-1]}
        told[kind] = {"tried": len(mine), "statements": dict(counts), "processor_s": times}
    print(json.dumps(told))
    told["faults"] = [{key: one[key] for key in ("kind", "seed", "faults")} for one in results if one["faults"]]
    options.out.write_text(json.dumps(told, indent=1))
    return 1 if told["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
