"""Run NVIDIA's samples on minitrt, unchanged, and say how many of each tier pass.

    python -m benchmarks.nvidia_samples --checkout PATH/TO/TensorRT [--only WORD] [--gpu] [--jobs 8]

The checkout stays outside and is not written to. Without a GPU the reference backend runs, memory is the host's, and
samples that talk to CUDA themselves are counted apart, as are those whose Python packages are missing. The count is
recorded in benchmarks/results/nvidia-samples.json.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from importlib.metadata import version
from pathlib import Path

import minitrt.shim
from autograder.machine.scratch import ScratchFolder
from benchmarks.nvidia_samples import data
from benchmarks.nvidia_samples.catalogue import SAMPLES, Sample
from minitrt.builder.target import default_target

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results" / "nvidia-samples.json"
LIMIT_S, LINES_TOLD = 180, 3
TOOLKIT = "/usr/local/cuda"
ON_THE_HOST = "from minitrt.shim.host_polygraphy import install\ninstall()\n"  # as sitecustomize, where there is no GPU


def paths(checkout: Path, scratch: Path) -> list[str]:
    """PYTHONPATH: our tensorrt first, then what the samples import from their own repository."""
    tools = [str(checkout / "tools" / name) for name in ("Polygraphy", "onnx-graphsurgeon")]
    return [minitrt.shim.FOLDER, str(scratch / "site"), *tools, str(ROOT), os.environ.get("PYTHONPATH", "")]


def as_script(notebook: Path) -> None:
    """The code of a notebook, without the lines that install packages, beside it as a script."""
    cells = [cell for cell in json.loads(notebook.read_text())["cells"] if cell["cell_type"] == "code"]
    lines = [line for cell in cells for line in "".join(cell["source"]).splitlines() if not line.startswith("%")]
    notebook.with_name(notebook.name + ".py").write_text("\n".join(lines))


def missing(sample: Sample, on_gpu: bool, environment: dict[str, str]) -> str:
    """What a sample needs and does not find here."""
    code = f"import importlib.util as u; print(*[n for n in {sample.needs!r} if u.find_spec(n) is None])"
    absent = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True
    ).stdout.split()
    absent += ["a GPU"] if sample.gpu and not on_gpu else []
    return ", ".join(absent)


def run(sample: Sample, checkout: Path, scratch: Path, environment: dict[str, str]) -> tuple[str, str]:
    """("passed" or "failed", the last lines of what it said)."""
    folder = scratch / "run" / sample.name.replace("/", "-")
    shutil.copytree(checkout / sample.folder, folder)
    for notebook in folder.glob("*.ipynb"):
        as_script(notebook)
    said = ""
    for command in sample.commands:
        words = [word.replace("{data}", str(scratch / "data")) for word in command]
        words = [str(checkout / word[1:]) if word.startswith("@") else word for word in words]
        words[0] = sys.executable
        try:
            done = subprocess.run(
                words,
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                timeout=LIMIT_S,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            return "failed", f"{words[1]} took more than {LIMIT_S} s"
        said = done.stdout + done.stderr
        if done.returncode:
            return "failed", why_of(said, checkout)
    return ("passed", "") if sample.says in said else ("failed", f"it does not say {sample.says!r}")


def why_of(said: str, checkout: Path) -> str:
    """What a sample said of its failure: the last error that a logger heard, and the last lines, without our paths."""
    lines = said.strip().splitlines()
    heard = [line for line in lines[:-LINES_TOLD] if line.startswith("[E]")][-1:]
    return "\n".join([*heard, *lines[-LINES_TOLD:]]).replace(str(checkout), "TensorRT")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkout", type=Path, required=True, help="folder of NVIDIA's TensorRT repository")
    parser.add_argument("--only", default="", help="run samples whose name holds this; record nothing")
    parser.add_argument("--gpu", action="store_true", help="run samples that talk to CUDA")
    parser.add_argument("--tier", default="AB", help="tiers to run [AB]")
    parser.add_argument("--jobs", type=int, default=1, help="samples that run at the same time")
    asked = parser.parse_args()
    device = default_target()
    with ScratchFolder("samples") as folder:
        scratch, checkout = Path(folder), asked.checkout.resolve()
        (scratch / "site").mkdir()
        if device is None:
            (scratch / "site" / "sitecustomize.py").write_text(ON_THE_HOST)
        data.make(scratch / "data")
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths(checkout, scratch)))}
        environment.setdefault("CUDA_HOME", TOOLKIT)  # samples that compile CUDA C++ ask for its headers by this name
        writing = threading.Lock()

        def told(sample: Sample) -> dict[str, str]:
            began, absent = time.monotonic(), missing(sample, device is not None, environment)
            outcome, why = ("not run", f"needs {absent}") if absent else run(sample, checkout, scratch, environment)
            print(f"{sample.tier} {outcome:8} {time.monotonic() - began:6.1f} s  {sample.name}  {why}", flush=True)
            result = {"name": sample.name, "tier": sample.tier, "outcome": outcome, "why": why}
            if not asked.only:
                with writing:  # at once: who ends this run keeps what it found
                    record(result, device.name if device else "reference backend")

        chosen = [
            sample
            for sample in SAMPLES
            if asked.only in sample.name and (sample.gpu or not asked.gpu) and sample.tier in asked.tier
        ]
        with ThreadPoolExecutor(asked.jobs) as threads:
            list(threads.map(told, chosen))
    if not asked.only:
        for tier, found in json.loads(RESULTS.read_text())["count"].items():
            print(f"tier {tier}: " + ", ".join(f"{number} {kind}" for kind, number in found.items()))


def record(result: dict[str, str], device: str) -> None:
    """Enter what one sample did here into the record.

    What could not run here keeps an earlier outcome, so that two machines may share the samples.
    """
    versions = {name: version(name) for name in ("onnx", "numpy")}
    here = {"device": device, "date": date.today().isoformat(), "versions": versions}
    kept = {each["name"]: each for each in json.loads(RESULTS.read_text())["samples"]} if RESULTS.exists() else {}
    if result["outcome"] != "not run" or kept.get(result["name"], {}).get("outcome", "not run") == "not run":
        kept[result["name"]] = {**result, **(here if result["outcome"] != "not run" else {})}
    samples = [annotated(sample, kept[sample.name]) for sample in SAMPLES if sample.name in kept]
    count = {
        tier: {kind: sum(r["tier"] == tier and r["outcome"] == kind for r in samples) for kind in OUTCOMES}
        for tier in "AB"
    }
    RESULTS.write_text(json.dumps({"count": count, "samples": samples}, indent=1) + "\n")


def annotated(sample: Sample, result: dict[str, str]) -> dict[str, str]:
    """A result with what is known of a sample that fails."""
    return result | ({"known": sample.known} if sample.known and result["outcome"] == "failed" else {})


OUTCOMES = ("passed", "failed", "not run")

if __name__ == "__main__":
    main()
