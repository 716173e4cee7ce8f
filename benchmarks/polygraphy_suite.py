"""Polygraphy's own tests of its TensorRT backend, run on minitrt: how many of its functions pass.

    python -m benchmarks.polygraphy_suite --checkout PATH/TO/TensorRT

The checkout (of NVIDIA's repository, with tools/Polygraphy) stays outside. Without a GPU, memory is the host's and the
reference backend runs. onnx-graphsurgeon comes from the checkout; torch is used where it is installed, and tests that
need it are counted apart otherwise. The count is recorded in benchmarks/results/polygraphy-suite.json.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from datetime import date
from importlib.metadata import version
from pathlib import Path

import minitrt
import minitrt.shim
from autograder.machine.scratch import ScratchFolder

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results" / "polygraphy-suite.json"
PLUGIN = """
import sys
import _pytest.fixtures
marked = _pytest.fixtures.FixtureFunctionMarker.__call__
def unmarked(self, function):  # newer versions of pytest refuse marks on fixtures, which this suite has
    vars(function).pop("pytestmark", None)
    return marked(self, function)
_pytest.fixtures.FixtureFunctionMarker.__call__ = unmarked
"""
NO_TORCH = """
class Tensor: ...
class dtype: ...
def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return dtype()
"""


def run(checkout: Path, scratch: Path) -> Path:
    """Run the suite; the path of its JUnit file."""
    (scratch / "minitrt_plugin.py").write_text(PLUGIN)
    if importlib.util.find_spec("torch") is None:
        (scratch / "torch.py").write_text(NO_TORCH)  # so that files that import it can be collected
    folder, report = checkout / "tools" / "Polygraphy", scratch / "report.xml"
    tools = [str(folder), str(folder.with_name("onnx-graphsurgeon"))]
    paths = [minitrt.shim.FOLDER, str(scratch), *tools, str(ROOT), os.environ.get("PYTHONPATH", "")]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "minitrt_plugin",
        "tests/backend/trt",
        f"--junitxml={report}",
    ]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    subprocess.run(command, cwd=folder, env=environment, check=False)
    return report


def counted(report: Path) -> dict[str, dict[str, list[str]]]:
    """function -> outcome -> reasons, one a case."""
    functions: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for case in ElementTree.parse(report).iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name').partition('[')[0]}".removeprefix("tests.")
        bad = case.find("failure") if case.find("failure") is not None else case.find("error")
        outcome = "failed" if bad is not None else "skipped" if case.find("skipped") is not None else "passed"
        functions[name][outcome].append(bad.get("message", "").strip().splitlines()[0][:160] if bad is not None else "")
    return functions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkout", type=Path, required=True, help="folder of NVIDIA's TensorRT repository")
    asked = parser.parse_args()
    with ScratchFolder("polygraphy") as scratch:
        functions = counted(run(asked.checkout.resolve(), Path(scratch)))
    failed = {name: sorted(set(found["failed"])) for name, found in functions.items() if found.get("failed")}
    cases = {
        kind: sum(len(found.get(kind, [])) for found in functions.values()) for kind in ("passed", "failed", "skipped")
    }
    passed = [name for name, found in functions.items() if found.get("passed") and name not in failed]
    record = {
        "date": date.today().isoformat(),
        "device": "reference backend" if minitrt.Builder(minitrt.Logger())._target is None else "GPU",
        "versions": {name: version(name) for name in ("polygraphy", "onnx", "numpy")},
        "torch": importlib.util.find_spec("torch") is not None,
        "functions": {"all": len(functions), "passed": len(passed), "failed": len(failed)},
        "cases": cases,
        "failures": dict(sorted(failed.items())),
    }
    RESULTS.write_text(json.dumps(record, indent=1) + "\n")
    print(f"{len(passed)} of {len(functions)} functions pass; cases: {cases}")
    for name, reasons in record["failures"].items():
        print(f"  {name}: {'; '.join(reasons)}")


if __name__ == "__main__":
    main()
