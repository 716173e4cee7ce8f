"""The passes in their order."""

from __future__ import annotations

from collections.abc import Callable

from minitrt.graph.ir import Graph
from minitrt.passes import cleaning, horizontal, integers, patches, patterns, pointwise_fusion, qdq, vertical
from minitrt.passes.editing import Log

Pass = Callable[[Graph, Log], None]
CHAINS = "pointwise chains"


def clean(graph: Graph, log: Log) -> None:
    cleaning.fold_constants(graph, log)
    cleaning.remove_no_ops(graph, log)
    cleaning.merge_twins(graph, log)
    cleaning.remove_dead(graph, log)


def fuse_floating(graph: Graph, log: Log) -> None:
    """What can be fused before types are chosen: after it, the tensors left are those that exist at run time."""
    clean(graph, log)
    patterns.recognise(graph, log)
    vertical.fuse_epilogues(graph, log)
    clean(graph, log)


def fold_the_rest(graph: Graph, log: Log) -> None:
    """Weights that stayed dequantised are constants, too."""
    cleaning.fold_constants(graph, log, everything=True)
    cleaning.remove_dead(graph, log)


PASSES: tuple[tuple[str, Pass], ...] = (
    ("constants, dead and useless layers", clean),
    ("patterns", patterns.recognise),
    ("tensors of integers", integers.keep_integers),
    ("scales of quantised tensors", qdq.mark_scales),
    ("propagation of Q and DQ", qdq.propagate),
    ("twins", cleaning.merge_twins),
    ("INT8 products", qdq.fuse_weighted),
    ("epilogues", vertical.fuse_epilogues),
    ("INT8 residuals", qdq.fuse_residuals),
    ("INT8 results", qdq.fuse_quantize),
    ("INT8 layers without weights", qdq.fuse_unweighted),
    ("pairs of DQ and Q", qdq.erase_pairs),
    ("constants that are left", fold_the_rest),
    ("patches", patches.cut_patches),
    ("products side by side", horizontal.join_products),
    (CHAINS, pointwise_fusion.fuse_pointwise),
    ("constants, dead and useless layers, again", clean),
)


def optimise(graph: Graph, log: Log, step: Callable[[str], bool] = lambda name: True) -> Graph:
    """Run every pass on `graph`, in place. step: told each pass's name before it runs; False cancels.

    Raises: Cancelled when `step` says so.
    """
    for name, run in PASSES:
        if not step(name):
            raise Cancelled(f"cancelled before the pass on {name}")
        before = len(graph.ops)
        run(graph, lambda message, name=name: log(f"{name}: {message}"))
        log(f"{name}: {before} operations, then {len(graph.ops)}")
    graph.sort()
    return graph


class Cancelled(Exception):
    """The user's progress monitor asked to stop."""
