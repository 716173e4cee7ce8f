"""What only unit 16 says, held to its kernels and to the engine."""

import numpy as np

from autograder import exercises
from autograder.contract import Case
from autograder.exercises.u16_engine_graph import step_values
from autograder.running.buffers import make_values
from minitrt.graph.ir import Op
from minitrt.reference.recurrent import lstm
from tests.course.profiles import counted, rows_of
from tests.course.released import notebook


def said(start: str) -> list[str]:
    """What cells of the solved notebook print, from a text on."""
    printed = [
        output.text
        for cell in notebook("solutions", "16_engine_graph").cells
        for output in cell.get("outputs", [])
        if output.output_type == "stream"
    ]
    return [text for text in printed if start in text]


def test_the_profile_that_the_unit_asks_about_is_what_its_kernels_count():
    kernels = {
        "A": ("query_key_value", {"n_rows": 16, "n_in": 24, "n_query": 40, "n_key": 12}),
        "B": ("run_chain", {"n": 1024, "n_steps": 6}),
        "C": ("lstm_step", {"n_rows": 8, "n_in": 8, "n_units": 32}),
        "D": ("network_head", {"n_images": 4, "n_channels": 32, "n_pixels": 64, "n_classes": 64}),
    }
    counters = "float32_flops global_load_requests global_load_sectors shared_load_requests barriers global_store_bytes"

    for name, *told in rows_of("16_engine_graph"):
        function, sizes = kernels[name]
        assert told == counted(exercises.find(f"engine_graph.{function}"), None, sizes, counters.split()), name


def test_the_solved_notebook_comes_to_the_engines_kernels():
    (mine,) = said("the engine's kernels, and no others")
    (engine,) = said("in the engine:")

    assert mine.splitlines()[2:-1] == engine.splitlines()[1:]
    assert any("conv3 + add + relu3" in line for line in mine.splitlines())


def test_every_rule_of_the_graph_comes_up_in_its_cases():
    shapes, cleaning, groups = (
        exercises.find(f"engine_graph.{name}") for name in ("infer_shapes", "clean_graph", "fuse_groups")
    )

    for case in shapes.cases:
        given = make_values(shapes, case)
        assert np.all(given["layers"][:, 1:3] < np.arange(len(given["layers"]))[:, None]), "operands come first"
    for case in cleaning.cases:
        rows = make_values(cleaning, case)
        places = cleaning.expected_of(rows)["stands_for"]
        sums = {(int(places[a]), int(places[b])) for kind, a, b, *_ in rows["layers"].tolist() if kind == 4}
        assert not [pair for pair in sums if pair[0] > pair[1]], "a + b and b + a would be twins that no rule names"
    for case in groups.cases:
        rows = make_values(groups, case)["layers"]
        assert not [row for row in rows.tolist() if row[1] == row[2] >= 0], "a + a has one reader, or two"


def test_a_step_is_the_engines_and_onnxs():
    given = make_values(exercises.find("engine_graph.lstm_step"), Case({"n_rows": 5, "n_in": 7, "n_units": 9}))
    x, h, c, w, r, bias = (given[name].astype(np.float64) for name in ("x", "h", "c", "w", "r", "bias"))
    bias = np.concatenate([bias, np.zeros_like(bias)])[None]  # ONNX has one of x and one of h

    _, of_engine_h, of_engine_c = lstm(Op("lstm", "step", [], [], {"hidden": 9}), x[None], w.T[None], r.T[None], bias,
                                       None, h[None], c[None])  # fmt: skip

    expected = step_values.stepped(given)
    np.testing.assert_allclose(of_engine_h[0], expected["new_h"], rtol=1e-9)
    np.testing.assert_allclose(of_engine_c[0], expected["new_c"], rtol=1e-9)
