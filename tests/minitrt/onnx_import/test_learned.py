"""Models of classical machine learning, as exporters write them, against ONNX Runtime."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest

from minitrt.runtime.session import Session
from tests.minitrt.engines import Heard, engine_of, expected_of, model_of, parsed

F, WHOLE = np.float32, np.int64
rng = np.random.default_rng(5)
X = np.array([[-1, 0.1], [0.2, -1], [0.2, 0.3], [-0.4, 0.5], [0, 0], [3, -2], [np.nan, 1]], F)
NUMBERS = np.array([[0, 3], [2, 2], [7, 1], [-5, 0]], WHOLE)
MODES = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"]
POSTS = ["NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO"]


def made(kind: str, outputs: str, x: np.ndarray = X, **attrs: Any) -> onnx.ModelProto:
    """A model of one operator, whose rows are open."""
    node = onnx.helper.make_node(kind, ["x"], outputs.split(), domain="ai.onnx.ml", **attrs)
    model = model_of([node], {"x": (x.dtype, ["rows", *x.shape[1:]])}, outputs.split())
    model.opset_import.append(onnx.helper.make_opsetid("ai.onnx.ml", 4))
    return model


def same(model: onnx.ModelProto, x: np.ndarray = X) -> None:
    """An engine gives what ONNX Runtime gives, of all rows and of one."""
    logger = Heard()
    session = Session(engine_of(model, logger, x=((1, *x.shape[1:]), x.shape, x.shape)), logger)
    for some in (x, x[:1]):
        found = session.run({"x": some})
        for name, expected in expected_of(model, {"x": some}).items():
            assert (expected.shape, expected.dtype) == (found[name].shape, found[name].dtype)
            np.testing.assert_allclose(found[name], expected, rtol=1e-5, atol=1e-6)


def stumps(modes: list[str], what: str, columns: list[int], weights: np.ndarray, missing: bool = False) -> dict:
    """A tree of one question for each mode; both leaves give each column a weight."""
    attrs: dict[str, list] = {f"nodes_{name}": [] for name in ("treeids", "nodeids", "featureids", "values", "modes")}
    attrs |= {"nodes_truenodeids": [], "nodes_falsenodeids": [], "nodes_missing_value_tracks_true": []}
    attrs |= {f"{what}_{name}": [] for name in ("treeids", "nodeids", "ids", "weights")}
    numbers = iter(np.ravel(weights).tolist())
    for tree, mode in enumerate(modes):
        for place, (kind, yes, no) in enumerate([(mode, 1, 2), ("LEAF", 0, 0), ("LEAF", 0, 0)]):
            row = (tree, place, tree % 2, 0.2 * (place == 0), kind, yes, no, int(missing))
            for name, value in zip([*attrs][:8], row, strict=True):
                attrs[name].append(value)
            for column in columns if place else []:
                for name, value in zip(
                    "treeids nodeids ids weights".split(), (tree, place, column, next(numbers)), strict=True
                ):
                    attrs[f"{what}_{name}"].append(value)
    return attrs


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("mode", MODES)
def test_a_question_of_a_tree_is_answered_as_it_is_asked(mode, missing):
    same(made("TreeEnsembleRegressor", "y", n_targets=1, **stumps([mode] * 2, "target", [0], rng.random(4), missing)))


@pytest.mark.parametrize("how", ["SUM", "AVERAGE", "MIN", "MAX"])
def test_trees_are_put_together_and_base_values_added(how):
    trees = stumps(MODES, "target", [0, 1], rng.standard_normal(24))

    same(made("TreeEnsembleRegressor", "y", n_targets=2, aggregate_function=how, base_values=[0.5, -1.0], **trees))


@pytest.mark.parametrize("post", POSTS)
@pytest.mark.parametrize(
    ("labels", "columns", "base", "least"),
    [
        ([4, 9], [0], [], 0.0),
        ([4, 9], [0], [0.25], -0.5),
        ([4, 9], [1], [], -0.5),
        ([0, 1], [0, 1], [], -0.5),
        ([3, 5, 7], [0, 1, 2], [], -0.5),
        ([3, 5, 7], [0, 1, 2], [0.1, 0.4, 0.2], 0.0),
        ([1], [0], [0.25], -0.5),
    ],
)
def test_a_forest_classifies(labels, columns, base, least, post):
    trees = stumps(MODES[:3], "class", columns, rng.random(6 * len(columns)) + least)
    base = {"base_values": base} if base else {}

    same(made("TreeEnsembleClassifier", "l s", classlabels_int64s=labels, post_transform=post, **base, **trees))


def test_a_tree_of_several_levels_and_one_that_is_a_leaf():
    attrs = {
        "nodes_treeids": [0, 0, 0, 0, 0, 1], "nodes_nodeids": [0, 1, 2, 3, 4, 0],
        "nodes_featureids": [0, 1, 0, 0, 0, 0], "nodes_values": [0.1, 0.2, 0.0, 0.0, 0.0, 0.0],
        "nodes_modes": ["BRANCH_LEQ", "BRANCH_LEQ", "LEAF", "LEAF", "LEAF", "LEAF"],
        "nodes_truenodeids": [1, 2, 0, 0, 0, 0], "nodes_falsenodeids": [4, 3, 0, 0, 0, 0],
        "target_treeids": [0, 0, 0, 1], "target_nodeids": [2, 3, 4, 0], "target_ids": [0, 0, 0, 0],
        "target_weights": [1.0, 2.0, 4.0, 8.0],
    }  # fmt: skip

    same(made("TreeEnsembleRegressor", "y", n_targets=1, **attrs))


SIMPLE: dict[str, tuple[str, np.ndarray, str, dict]] = {
    "scaler": ("Scaler", X, "y", {"offset": [0.5, 1.0], "scale": [2.0, -1.0]}),
    "scaler of integers": ("Scaler", NUMBERS, "y", {"offset": [0.5], "scale": [2.0]}),
    **{f"norm {norm}": ("Normalizer", X[:6], "y", {"norm": norm}) for norm in ("MAX", "L1", "L2")},
    "imputer": ("Imputer", X, "y", {"imputed_value_floats": [5.0, 6.0], "replaced_value_float": float("nan")}),
    "imputer of integers": ("Imputer", NUMBERS, "y", {"imputed_value_int64s": [8, 9], "replaced_value_int64": 2}),
    "binarizer": ("Binarizer", X[:6], "y", {"threshold": 0.2}),
    "one hot": ("OneHotEncoder", NUMBERS, "y", {"cats_int64s": [0, 2, 3]}),
    "labels": ("LabelEncoder", NUMBERS, "y", {"keys_int64s": [2, 0], "values_int64s": [7, 8], "default_int64": -3}),
    "labels of floats": (
        "LabelEncoder", X, "y", {"keys_floats": [float("nan"), 0.0], "values_floats": [1.5, 2.0], "default_float": 9.0},
    ),
    "regression": ("LinearRegressor", X, "y", {"coefficients": [1.0, 2, 3, 4], "intercepts": [0.5, 1.0], "targets": 2}),
    **{
        f"three classes {post}": (
            "LinearClassifier", X[:6], "l s",
            {"coefficients": [1.0, 2, -3, 4, 1, 1], "intercepts": [0.5, 1.0, 0.0], "classlabels_ints": [3, 1, 2],
             "post_transform": post},
        )
        for post in POSTS
    },
    **{
        f"two classes {post}": (
            "LinearClassifier", X[:6], "l s",
            {"coefficients": [1.0, 2], "intercepts": [0.5], "classlabels_ints": [3, 1], "post_transform": post},
        )
        for post in ("NONE", "LOGISTIC")
    },
    **{
        f"support vectors {kind}": (
            "SVMRegressor", X[:6], "y",
            {"coefficients": [1.0, -2, 3], "support_vectors": [0.1, 0.2, -0.3, 1, 1, 2], "n_supports": 3, "rho": [0.5],
             "kernel_type": kind, "kernel_params": [0.5, 0.1, 3.0]},
        )
        for kind in ("LINEAR", "POLY", "RBF", "SIGMOID")
    },
    "inside or outside": (
        "SVMRegressor", X[:6], "y",
        {"coefficients": [1.0, -2], "support_vectors": [0.1, 0.2, -0.3, 1], "n_supports": 2, "rho": [0.1],
         "kernel_type": "RBF", "kernel_params": [0.5, 0.0, 3.0], "one_class": 1},
    ),
    **{
        f"{len(labels)} classes with probabilities": (
            "SVMClassifier", X[:6], "l s",
            {"coefficients": rng.standard_normal((len(labels) - 1) * 4).tolist(),
             "rho": [0.1, -0.2, 0.3][: 2 * len(labels) - 3], "support_vectors": rng.standard_normal(8).tolist(),
             "prob_a": [-1.5, -2.0, -0.5][: 2 * len(labels) - 3], "prob_b": [0.1, -0.4, 0.2][: 2 * len(labels) - 3],
             "vectors_per_class": counts, "classlabels_ints": labels, "kernel_type": "RBF",
             "kernel_params": [0.5, 0.0, 3.0]},
        )
        for labels, counts in (([3, 8], [1, 3]), ([3, 8, 4], [1, 2, 1]))
    },
    **{
        f"{len(labels)} classes by votes": (
            "SVMClassifier", X[:6], "l s",
            {"coefficients": rng.standard_normal((len(labels) - 1) * 4).tolist(),
             "rho": [0.1, -0.2, 0.3][: 2 * len(labels) - 3], "support_vectors": rng.standard_normal(8).tolist(),
             "vectors_per_class": counts,
             "classlabels_ints": labels, "kernel_type": "RBF", "kernel_params": [0.5, 0.0, 3.0]},
        )
        for labels, counts in (([3, 8], [1, 3]), ([3, 8, 4], [1, 2, 1]))
    },
}  # fmt: skip


@pytest.mark.parametrize("name", SIMPLE)
def test_an_operator_of_learning_is_what_onnx_runtime_makes_of_it(name):
    kind, x, outputs, attrs = SIMPLE[name]

    same(made(kind, outputs, x, **attrs), x)


def test_columns_are_taken_and_put_side_by_side():
    nodes = [
        onnx.helper.make_node("ArrayFeatureExtractor", ["x", "places"], ["some"], domain="ai.onnx.ml"),
        onnx.helper.make_node("FeatureVectorizer", ["some", "x"], ["y"], domain="ai.onnx.ml", inputdimensions=[3, 2]),
    ]
    model = model_of(nodes, {"x": (F, ["rows", 2])}, ["y"], {"places": np.array([1, 0, 1], WHOLE)})
    model.opset_import.append(onnx.helper.make_opsetid("ai.onnx.ml", 1))

    same(model, X[:6])


def test_a_node_that_leads_back_to_itself_is_told():
    attrs = {
        **stumps(["BRANCH_LEQ"] * 2, "target", [0], np.ones(4)),
        "nodes_treeids": [0] * 6,
        "nodes_nodeids": [*range(6)],
    }
    attrs |= {"nodes_truenodeids": [3, 0, 0, 3, 0, 0], "nodes_falsenodeids": [2, 0, 0, 5, 0, 0]}
    attrs |= {"target_treeids": [0] * 4, "target_nodeids": [1, 2, 4, 5]}
    logger = Heard()

    with pytest.raises(AssertionError):
        parsed(made("TreeEnsembleRegressor", "y", n_targets=1, **attrs), logger)

    assert "a node of its trees leads back to itself" in logger.errors[-1]


REFUSED = [
    ("ZipMap", {"classlabels_int64s": [0, 1]}, "options={id(model): {'zipmap': False}}"),
    ("OneHotEncoder", {"cats_strings": ["a"]}, "engines have no strings"),
    (
        "LabelEncoder",
        {"keys_strings": ["a"], "values_int64s": [1]},
        "its keys are strings",
    ),
    ("LinearClassifier", {"coefficients": [1.0, 2], "classlabels_strings": ["a", "b"]}, "its labels are strings"),
    ("LinearRegressor", {"coefficients": [1.0, 2], "post_transform": "PROBIT"}, "PROBIT is not supported"),
    ("Scaler", {"scale": [1, 2]}, "attribute 'scale' is INTS, but must be FLOATS"),
    ("TreeEnsemble", {}, "trees, linear models, support vectors"),
    (
        "TreeEnsembleRegressor",
        {**stumps(["BRANCH_LEQ"], "target", [0], np.ones(2)), "nodes_truenodeids": [0, 0, 0]},
        "nothing leads to a node",
    ),
]


@pytest.mark.parametrize(("kind", "attrs", "said"), REFUSED, ids=[kind for kind, _, _ in REFUSED])
def test_what_an_engine_has_no_numbers_for_is_refused_with_what_to_do(kind, attrs, said):
    logger = Heard()

    with pytest.raises(AssertionError):
        parsed(made(kind, "y z" if "Classifier" in kind else "y", X, **attrs), logger)

    assert said in logger.errors[-1]
