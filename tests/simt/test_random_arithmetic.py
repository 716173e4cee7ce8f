"""Random programs again: the operations that all threads do, line by line, are those that each thread alone does."""

from __future__ import annotations

import ast
from collections import Counter

import numpy as np
import pytest

import simt
from simt.analyses.costs.counted_arithmetic import ArithmeticOperations
from simt.cuda_api import cuda
from tests.simt.test_random_programs import OneThread, Writer, define

THREADS = 300  # enough that branches with few lanes run on those alone


class CountOperations(ast.NodeTransformer):
    """Turns ``a + b`` into ``count(line, a + b)`` and counts ``a += b`` beside it, but for sums of literals."""

    def visit_BinOp(self, node):
        if all(isinstance(leaf, (ast.Constant, ast.BinOp, ast.operator)) for leaf in ast.walk(node)):
            return node
        self.generic_visit(node)
        return self._told(node.lineno, node)

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        return [node, ast.Expr(self._told(node.lineno, ast.Constant(0)))]

    @staticmethod
    def _told(line: int, value: ast.expr) -> ast.Call:
        return ast.Call(ast.Name("count", ast.Load()), [ast.Constant(line), value], [])


def one_by_one(text: str, src: np.ndarray) -> Counter:
    """Operations by line, each thread run alone in Python."""
    done = Counter()

    def count(line, value):
        done[line] += 1
        return value

    tree = ast.fix_missing_locations(CountOperations().visit(ast.parse(text)))
    namespace = {"count": count}
    exec(compile(tree, "<counting>", "exec"), namespace)
    out = np.zeros((len(src), 3), np.int64)
    with np.errstate(over="ignore"):
        for index in range(len(src)):
            namespace["cuda"] = OneThread(index)
            namespace["kernel"](src, out)
    return done


@pytest.mark.parametrize("seed", range(100, 130))
def test_all_threads_at_once_count_what_each_thread_alone_does(seed):
    text = Writer(seed).program()
    src = np.random.default_rng(seed).integers(0, 100, THREADS)

    operations = ArithmeticOperations()
    simt.launch(
        define(text, cuda), -(-THREADS // 64), 64, src, np.zeros((THREADS, 3), np.int64), listeners=[operations]
    )

    counted = Counter()
    for place, row in operations.tally.rows.items():
        assert {"integer_operations"} == row.keys()
        counted[place.line] += row["integer_operations"]
    assert one_by_one(text, src) == counted, text
