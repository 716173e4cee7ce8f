"""The page on speed says what was recorded."""

from __future__ import annotations

import copy
import json
from types import SimpleNamespace

from benchmarks.engine.engines import Built, Pairs, same_numerics
from benchmarks.engine.layers import label, limit
from benchmarks.engine.page import PAGE, RESULT, networks, tables
from benchmarks.tables import with_tables
from minitrt.graph.ir import Graph
from minitrt.plan.plan import Choice, Plan, Profile
from tests.minitrt.operations import CHAINS, HEADS, POOLED


def test_the_tables_are_those_of_the_recorded_run():
    """`python -m benchmarks.engine.page` writes them."""
    text = PAGE.read_text()

    assert text == with_tables(text, tables(json.loads(RESULT.read_text())))


def test_a_time_of_torch_from_another_run_has_a_star():
    def row(**more):
        found = {name: {"burst_us": 1.0, "images_per_s": 1} for name in ("bert_base INT8 1", "resnet50 INT8 1")}
        found["bert_base INT8 1"] |= more
        return networks(found | {"torch.compile FP16, us": {"bert_base:1": 8.0}})[-1]

    assert row().endswith("| 8.0 * | 8.00 |")
    assert row(torch_us=4.0).endswith("| 4.0 | 4.00 |")


def test_numbers_are_kept_beside_the_layers_that_they_were_taken_of_and_no_others():
    def engine(*tactics: str) -> Built:
        choices = [Choice(f"layer {index}", tactic) for index, tactic in enumerate(tactics)]
        plan = Plan("e", [Profile(Graph("g", [], [], []), choices)])
        return Built(SimpleNamespace(_plan=plan), None, b"", 0, 0.0, 0.0, [])

    row = {"burst_us": 1, "numerics": {"of": engine("a", "b").made_of, "layers": 2}}

    assert {"numerics": row["numerics"]} == same_numerics(row, engine("a", "b"))
    assert {} == same_numerics(row, engine("a", "c")) == same_numerics({"numerics": {"layers": 2}}, engine("a"))


def test_what_the_builder_says_of_two_layers_is_kept_without_their_weights():
    said = Pairs()
    said.log(said.VERBOSE, "a.weight + a + relu and b.weight + b: 1.50 us as one operation, 2.00 us as two")
    said.log(said.VERBOSE, "c and d: 1000000.00 us as one operation, 2.00 us as two")
    said.log(said.VERBOSE, "fuse a and b: done")

    assert [{"layers": ["a + relu", "b"], "one_us": 1.5, "two_us": 2.0}] == said.found


def test_the_limit_of_a_joint_operation_counts_what_all_its_layers_compute():
    name = "many pixels of 512 channels, residual, then 128"
    head, tail = HEADS[name]
    operations = sum(2 * op.output.size * op.inputs[0].shape[1] for op in (head, tail))
    together, apart = limit(CHAINS[name]), [limit(op) for op in (head, tail)]

    assert max(time for time, _ in apart) < together[0] < sum(time for time, _ in apart)
    assert together[0] >= 1e6 * operations / 1925e12
    assert label(CHAINS[name]) == "conv + tail"


def test_the_limit_of_a_pooled_convolution_counts_the_products_of_every_pixel():
    op = copy.deepcopy(POOLED["3x3 of many images and its pool"])
    images, (rows, columns) = op.output.shape[0], (32, 56)
    op.inputs[1].shape, op.output.shape = (640, 300, 3, 3), (images, 640, 16, 28)  # operations count, not bytes
    op.inputs[0].shape = (images, 300, 2 * rows, 2 * columns)

    assert limit(op) == (1e6 * 2 * images * rows * columns * 640 * 9 * 300 / 1925e12, "operations")
