"""The imports that must never exist, read from the syntax tree of every file.

    python -m tools.check_arrows

A new rule is a line in `RULES`. Each says who must not import what, and what to do instead.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.parts.import_graph import statements
from tools.parts.units import ROOT

PACKAGES = ("autograder", "simt", "minitrt")
AS_A_CALL = ("__import__", "importlib.import_module")
ANALYSES_OF_SIMT = (
    "simt.analyses", "simt.host_order", "simt.tracing", "simt.text", "simt.figures", "simt.stepper", "simt.programs",
)  # fmt: skip

JUDGING = ("autograder.judge", "autograder.worker", "autograder.child", "autograder.compare", "autograder.verdict")
INSIDE = tuple(  # of the jail: what loads or runs a student's text
    f"autograder.classroom.jail.inside.{part}" for part in ("compiling", "interpreting", "plans", "recorder", "warden")
)
AFTER_JUDGING = ("autograder.classroom.grade", "autograder.classroom.judging", "autograder.classroom.pages")


@dataclass(frozen=True)
class Rule:
    """Modules below `source`, but for `excepting`, must not import anything at or below `targets`.

    lazily: module (or package) in which the import is allowed inside a function.
    """

    source: str
    targets: tuple[str, ...]
    instead: str
    excepting: tuple[str, ...] = ()
    lazily: str = ""


@dataclass(frozen=True)
class Import:
    """One import statement. module: who imports; target: what; line: 1-based; lazy: inside a function."""

    module: str
    path: Path
    line: int
    target: str
    lazy: bool


RULES = (
    Rule(
        "simt",
        ("numba", "numba_cuda_mlir", "llvmlite", "minitrt"),
        "simt needs NumPy and the standard library only; pass what it needs from outside.",
        excepting=("simt.compilers.low_level",),
    ),
    Rule(
        "simt",
        ("autograder",),
        "simt knows nobody who uses it; only `python -m simt` is `warpbook run`.",
        lazily="simt.__main__",
    ),
    Rule(
        "simt",
        ("matplotlib",),
        "Draw in simt/figures, and import matplotlib inside the function that draws.",
        lazily="simt.figures",
    ),
    Rule(
        "simt",
        ("ipywidgets",),
        "Build widgets in simt/stepper/widget.py, and import inside the function that builds.",
        lazily="simt.stepper.widget",
    ),
    Rule("simt", ("IPython",), "Show things through simt/text/notebook.py.", lazily="simt.text.notebook"),
    Rule(
        "simt",
        ("simt.analyses",),
        "The core emits events (simt/events/__init__.py); let the analysis listen to them.",
        excepting=ANALYSES_OF_SIMT,
    ),
    Rule(
        "minitrt.kernels",
        ("minitrt.graph", "minitrt.passes", "minitrt.builder", "minitrt.runtime"),
        "A kernel knows arrays, not networks; pass it what it needs.",
    ),
    Rule(
        "minitrt.runtime",
        ("minitrt.builder", "minitrt.passes", "minitrt.network", "minitrt.onnx_import", "minitrt.onnx_backend", "onnx"),
        "The runtime runs plans; whatever it needs to know belongs in the plan.",
    ),
    Rule(
        "minitrt",
        ("onnx",),
        "Only the importer and the ONNX backend may need the onnx package; give other stages the network.",
        excepting=("minitrt.onnx_import", "minitrt.onnx_backend"),
    ),
    Rule(
        "minitrt.graph",
        (
            "minitrt.network",
            "minitrt.passes",
            "minitrt.tactics",
            "minitrt.kernels",
            "minitrt.builder",
            "minitrt.runtime",
        ),
        "The graph is what the stages exchange; it knows none of them.",
    ),
    Rule(
        "minitrt",
        ("numba",),
        "Take cuda from minitrt/backend.py, so that another compiler can be put in its place.",
        excepting=("minitrt.kernels", "minitrt.backend"),
    ),
    Rule("minitrt", ("autograder",), "minitrt is judged by nobody; move the shared part into minitrt or simt."),
    *(
        Rule(
            package,
            ("solutions", "course", "tests", "tools", "benchmarks"),
            "A package must work when it is installed without the repository; read the file as data, or move the code.",
        )
        for package in PACKAGES
    ),
    Rule(
        "autograder.classroom",
        ("pickle", "cloudpickle", "dill", "shelve", "marshal", "runpy"),
        "What crosses a process travels as JSON and bytes: autograder.plain_data, classroom/messages/frames.py.",
    ),
    Rule(
        "autograder.classroom.reading",
        (*JUDGING, "numba", "simt", "autograder.backend", "autograder.running", "autograder.classroom.jail"),
        "Reading a submission runs nothing; return data, and let classroom/judging.py have it judged.",
    ),
    Rule(
        "autograder.classroom.jail.inside",
        (
            *JUDGING,
            *AFTER_JUDGING,
            "autograder.running.trial",
            "autograder.running.examine",
            "autograder.classroom.reading",
        ),
        "The jail sees inputs, and neither expected values nor verdicts; compare outside, in classroom/jail.",
    ),
    *(
        Rule(
            f"autograder.classroom.jail.{outside}",
            ("autograder.classroom.jail.inside", "numba", "simt.run", "autograder.running.run_simt"),
            "The judge's side of the jail loads nothing of a student's; ask the jail by a message.",
        )
        for outside in ("host_functions", "interpreter", "visit", "namespaces", "plan")
    ),
    Rule(
        "autograder.classroom.sealed",
        ("numba", "simt", "autograder.backend", "autograder.classroom.reading", *INSIDE, *AFTER_JUDGING),
        "What stands between the jail and the GPU loads nothing of a student's; ask the jail by a message.",
        excepting=("autograder.classroom.sealed.abi",),  # asks which compiler is in use, which loads none
    ),
    *(
        Rule(
            f"autograder.classroom.sealed.{part}",
            (*JUDGING, "autograder.exercises", "autograder.contract", "autograder.answer", "autograder.running"),
            "The launcher owns the GPU and knows neither exercises nor answers; send it what it needs as data.",
        )
        for part in ("launcher", "carry_out", "arena", "region", "abi", "driver", "own_kernels", "gpu_jail")
    ),
    Rule(
        "autograder.classroom.pages",
        (*JUDGING, "numba", "simt", "autograder.backend", "autograder.running", "autograder.classroom.jail"),
        "Pages are made from verdicts; put what they need into the verdict.",
    ),
    Rule(
        "autograder.classroom.ledger",
        (*JUDGING, *AFTER_JUDGING, "numba", "simt", "autograder.classroom.jail"),
        "The ledger writes down what it is given; what judges is classroom/judging.py.",
    ),
    Rule(
        "autograder.classroom.for_nbgrader",
        (*JUDGING, "numba", "simt", "autograder.backend", "autograder.running", "autograder.classroom.jail"),
        "nbgrader's steps read verdicts; what judges a submission is classroom/grade.py.",
    ),
)


def imports_of(path: Path, module: str) -> Iterator[Import]:
    """Every import of one file, relative ones resolved.

    path: the file; module: its dotted name, a package's without ``__init__``.
    """
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text, filename=str(path))
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    may_call = any(name in text for name in AS_A_CALL)
    nodes = statements(tree, below=ast.iter_child_nodes) if may_call else statements(tree)
    for node, lazy in nodes:
        for target in targets_of(node, package):
            yield Import(module, path, node.lineno, target, lazy)


def targets_of(node: ast.AST, package: str) -> list[str]:
    """The dotted names one node imports: ``from a import b`` counts as a and as a.b, since b may be a module."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        parts = package.split(".")
        above = parts[: len(parts) - node.level + 1] if node.level else []
        base = ".".join(above + ([node.module] if node.module else []))
        return [base] + [f"{base}.{alias.name}" for alias in node.names]
    if isinstance(node, ast.Call) and ast.unparse(node.func) in AS_A_CALL:
        named = node.args[0] if node.args else None
        return [named.value] if isinstance(named, ast.Constant) and isinstance(named.value, str) else []
    return []


def within(module: str, names: tuple[str, ...]) -> bool:
    """True when `module` is one of the names or below one."""
    return any(module == name or module.startswith(name + ".") for name in names)


def breaks(rule: Rule, found: Import) -> bool:
    """True when this import is one that the rule forbids."""
    if not within(found.module, (rule.source,)) or within(found.module, rule.excepting):
        return False
    return within(found.target, rule.targets) and not (found.lazy and within(found.module, (rule.lazily,)))


def violations(root: Path, rules: tuple[Rule, ...] = RULES) -> list[str]:
    """One line for each forbidden import below `root`: where, what, and what to do."""
    found = []
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            named = path.relative_to(root).with_suffix("")
            module = ".".join(named.parts[:-1] if named.name == "__init__" else named.parts)
            seen = set()
            for each in imports_of(path, module):
                for rule in rules:
                    if breaks(rule, each) and (each.line, rule) not in seen:
                        seen.add((each.line, rule))
                        place = f"{path.relative_to(root)}:{each.line}"
                        found.append(f"{place}: {module} must not import {each.target}. {rule.instead}")
    return found


def main(arguments: list[str] | None = None) -> int:
    """Print the violations; exit 1 when there are any."""
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args(arguments)
    found = violations(ROOT)
    if found:
        sys.exit("\n".join(found))
    print(f"no forbidden import below {', '.join(name for name in PACKAGES if (ROOT / name).exists())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
