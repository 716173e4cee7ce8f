"""Which operations of an engine run on the host, because no kernel computes them: docs/minitrt-tour.md's table.

    python -m benchmarks.host_operations [--check]

No GPU is asked: networks are imported and optimised as a build does it, and each operation asked for its kernels on an
H200. Looked at are the onnx package's node tests of the fixed list, and the networks of benchmarks/models.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import onnx

from benchmarks.models.networks import NETWORKS
from benchmarks.onnx_suite import LIST, array_of, cases
from minitrt import onnx_backend
from minitrt.builder.builder import Builder
from minitrt.graph.ir import Op
from minitrt.network.lower import lower
from minitrt.onnx_import.parser import OnnxParser
from minitrt.passes.pipeline import optimise
from minitrt.shapes import specialise
from minitrt.tactics.contract import REFERENCE, Device
from minitrt.tactics.reference import candidates, idle

PAGE = Path(__file__).parents[1] / "docs" / "minitrt-tour.md"
BEGIN, END = "<!-- host operations -->\n", "<!-- end of host operations -->\n"
H200 = Device("NVIDIA H200", (9, 0), 132, 232448, 50 << 20, 140 << 30)
BATCH = 2
SMALL = {"resnet18": 64, "resnet50": 64, "mobilenet_v2": 64, "vit_small": 64, "bert_base": 16}


def operations(model: onnx.ModelProto, sizes: dict[str, tuple[int, ...]] | None = None) -> list[Op]:
    """The operations of an engine, optimised."""
    listener = onnx_backend.Listener()
    network = Builder(listener).create_network(onnx_backend.STRONG)
    if not OnnxParser(network, listener).parse(model.SerializeToString()):
        raise onnx_backend.BackendError("; ".join(listener.heard))
    graph = optimise(lower(network), lambda message: None)
    return specialise(graph, sizes or {}).ops


def on_host(ops: list[Op]) -> list[Op]:
    """Those without a kernel that have something to compute."""
    return [op for op in ops if not idle(op) and candidates(op, H200)[0].name == REFERENCE]


def of_cases() -> Iterator[tuple[str, list[str]]]:
    """(the operator that a node test is of, kinds of operation that run on the host) of every listed test."""
    for name in LIST.read_text().split():
        case = cases()[name]
        operator = case.model.graph.node[-1].op_type
        rep = onnx_backend.MinitrtRep.__new__(onnx_backend.MinitrtRep)
        rep.describe(case.model)
        arrays = dict(zip(rep.input_names, map(array_of, case.data_sets[0][0]), strict=False))
        baked = {key: arrays[key] for key in rep.needed_while_building() if key in arrays}
        yield operator, [op.kind for op in on_host(operations(rep.fixed(baked, arrays)))]


def of_models() -> Iterator[tuple[str, int, list[str]]]:
    """(network, its operations, kinds of those that run on the host)."""
    for name, size in SMALL.items():
        for int8 in (False, True):
            ops = operations(NETWORKS[name](int8=int8, batch=BATCH, size=size))
            yield f"{name} {'INT8' if int8 else 'FP32'}", len(ops), [op.kind for op in on_host(ops)]


def table() -> str:
    tests: dict[str, list[list[str]]] = defaultdict(list)
    for operator, kinds in of_cases():
        tests[operator].append(kinds)
    rows = []
    for operator, found in sorted(tests.items()):
        with_host = [kinds for kinds in found if kinds]
        if with_host:
            kinds = Counter(kind for kinds in with_host for kind in set(kinds))
            rows.append(f"| {operator} | {len(with_host)} of {len(found)} | {', '.join(sorted(kinds))} |")
    without = sorted(operator for operator, found in tests.items() if not any(found))
    models = {name: (len(kinds), count) for name, count, kinds in of_models()}
    listed = sum(map(len, tests.values()))
    return "\n".join(
        [
            f"Of {len(tests)} operators in {listed} node tests, {len(without)} run with kernels alone in every test:",
            f"{', '.join(without)}.",
            "",
            "| network, type | operations on the host |",
            "|---|---|",
            *(f"| {name} | {few} of {count} |" for name, (few, count) in models.items()),
            "",
            "| operator | tests with an operation on the host | kinds |",
            "|---|---|---|",
            *rows,
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="fail if the page is another")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    text = PAGE.read_text()
    before, _, rest = text.partition(BEGIN)
    new = before + BEGIN + table() + END + rest.partition(END)[2]
    if asked.check and new != text:
        sys.exit(f"{PAGE.name} is not what its generator writes. Run: python -m benchmarks.host_operations")
    PAGE.write_text(new)


if __name__ == "__main__":
    main()
