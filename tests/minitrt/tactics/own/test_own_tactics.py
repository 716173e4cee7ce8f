"""A reader's own kernels run layers of an engine: chosen by the builder, named in the plan, asked for when it loads."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnx", reason="the extra engine is not installed: these engines are built from ONNX files")

import minitrt as trt
from minitrt import tactics
from minitrt.builder.build import Build, BuildError
from minitrt.kernels.compile import CompileError, Cubin
from minitrt.kernels.pool import cubins
from minitrt.kernels.text import digest_of
from minitrt.runtime.session import RunError, Session
from minitrt.tactics.own.lowering import launches_of
from tests.minitrt.engines import Heard, engine_of, expected_of, layers_of, parsed
from tests.minitrt.operations import H200
from tests.minitrt.tactics.own import tactics as own

X = np.random.default_rng(0).standard_normal((2, 3, 5)).astype(np.float32)


@pytest.fixture(autouse=True)
def nobody_registered():
    with tactics.using():
        yield


def names_of(engine: trt.ICudaEngine) -> list[str]:
    """The tactics of its layers, without the digests."""
    return [layer["TacticName"].partition("@")[0] for layer in layers_of(engine)]


def test_a_layer_runs_on_a_registered_kernel_and_the_inspector_names_it():
    with tactics.using(own.Relu()):
        engine = engine_of(own.relu_model())
        assert ["my_relu"] == names_of(engine)
        np.testing.assert_array_equal(np.maximum(X, 0), Session(engine).run({"x": X})["y"])
    assert [] == tactics.registered()


def test_what_it_does_not_support_stays_with_the_engine():
    with tactics.using(own.Relu()):
        assert ["reference"] == names_of(engine_of(own.relu_model((10, 10, 10))))


def test_a_format_of_its_own_goes_from_layer_to_layer_and_is_converted_at_the_ends():
    with tactics.using(own.Add(), own.Rows()):
        engine = engine_of(model := own.two_sums())
        found = names_of(engine)
        assert (2, 4) == (found.count("my_add"), found.count("rows")), found
        feeds = {"x": X, "w": X[::-1].copy()}
        results = Session(engine).run(feeds)
        for name, expected in expected_of(model, feeds).items():
            np.testing.assert_array_equal(expected, results[name])


def test_padding_that_is_not_written_is_found_without_a_gpu():
    tactic = own.Add()
    tactic.leaves_padding = True
    with tactics.using(tactic, own.Rows()):
        session = Session(engine_of(own.two_sums(), heard := Heard()), heard)
        with pytest.raises(RunError, match="padding of its output is not what layout 'rows_of_eight' has"):
            session.run({"x": X, "w": X})


def test_other_sizes_than_it_supports_are_run_by_the_engine():
    with tactics.using(own.Relu()):
        engine = engine_of(own.relu_model(("n", 3, 5)), x=((1, 3, 5), (2, 3, 5), (100, 3, 5)))
        large = np.resize(X, (100, 3, 5))
        assert ["my_relu"] == names_of(engine)
        np.testing.assert_array_equal(np.maximum(large, 0), Session(engine).run({"x": large})["y"])


# plans


def test_a_plan_is_refused_where_its_tactic_is_not_registered_or_has_another_text():
    with tactics.using(own.Relu()):
        data = bytes(engine_of(own.relu_model()).serialize())
    other = type("Relu", (own.Relu,), {"supports": lambda self, op: True})()
    for registered, problem in (((), "is not registered here"), ((other,), "of text")):
        with tactics.using(*registered):
            assert trt.Runtime(heard := Heard()).deserialize_cuda_engine(data) is None
            assert "'my_relu'" in heard.errors[0] and problem in heard.errors[0]
    with tactics.using(own.Relu()):
        assert trt.Runtime(Heard()).deserialize_cuda_engine(data) is not None


def test_a_text_changes_with_what_it_calls_and_with_its_numbers_and_with_nothing_else(monkeypatch):
    first, second = own.Relu(), own.Relu()
    second.factor = 2
    names = [digest_of(type(one), vars(one)) for one in (first, own.Relu(), second)]
    assert names[0] == names[1] != names[2]
    before = digest_of(own.relu)
    with monkeypatch.context() as patch:
        patch.setattr(own, "above", lambda v: v)
        assert before != digest_of(own.relu)
    assert before == digest_of(own.relu)


# building for a GPU


def built_for_gpu(model, tuner):
    """The plan of a model for an H200 whose times a tuner tells."""
    builder, network, config = parsed(model, Heard())
    config.target = H200
    build = Build(network, config, type("Report", (), {n: lambda *_: None for n in ("info", "verbose", "warning")})())
    build.tuner = tuner
    return build.plan()


class Told:
    """A tuner that was told which tactics are fast, and which fail."""

    def __init__(self, fast: str = "", failing: str = "nothing"):
        self.cache, self.compiled, self.fast, self.failing = None, {}, fast, failing

    def needed(self, asked):
        return []

    def compile(self, keys, done=None):
        self.compiled |= {key.digest: Cubin(b"", key.factory, 0, 0, 0, ()) for key in keys}

    def keep(self, keys):
        pass

    def choose(self, op, found):
        kept = [tactic for tactic in found if not tactic.name.startswith(self.failing)]
        return sorted(((1.0 if t.name.startswith(self.fast) else 2.0, t) for t in kept), key=lambda pair: pair[0])

    def why_none(self, op):
        return f"{op.name}: no kernel can be used."


@pytest.mark.parametrize(
    ("fast", "only", "expected"),
    [("my_", False, "my_relu"), ("pointwise", False, "pointwise"), ("pointwise", True, "my_relu")],
)
def test_it_is_timed_beside_the_engines_own_or_taken_alone(fast, only, expected):
    with tactics.using(own.Relu(), only=only):
        (choice,) = built_for_gpu(own.relu_model(), Told(fast)).profiles[0].choices
    assert choice.tactic.startswith(expected)
    if expected == "my_relu":
        assert (2, 256) == (len(choice.launches), choice.workspace_bytes)  # 120 bytes between, on a place of 256


def test_where_it_alone_may_run_and_does_not_compile_the_build_says_so():
    with tactics.using(own.Relu(), only=True), pytest.raises(BuildError, match="register it without only=True"):
        built_for_gpu(own.relu_model(), Told(failing="my_relu"))


def relu_op():
    with tactics.using():
        return engine_of(own.relu_model())._plan.profiles[0].graph.ops[0]


def test_its_kernels_are_compiled_in_this_process_with_the_bounds_that_they_were_jitted_with(monkeypatch):
    monkeypatch.setenv("MINITRT_CUBIN_CACHE", "")
    launches = launches_of(relu_op(), own.Relu())
    asked = [(one.kernel.factory, dict(one.kernel.constants)) for one in launches]
    made = cubins(asked, (9, 0))
    assert all(isinstance(one, Cubin) for one in made), made
    forgotten = {**asked[0][1], "text": "0" * 12}
    (missing,) = cubins([("own", forgotten)], (9, 0))
    assert isinstance(missing, CompileError) and "register its tactic first" in str(missing)


@pytest.mark.gpu
@pytest.mark.parametrize("only", [False, True])
def test_on_a_gpu_it_is_timed_and_runs(only):
    builder, network, config = parsed(own.two_sums(), heard := Heard())
    config.target = H200
    with tactics.using(own.Add(), own.Rows(), only=only):
        from minitrt.device.driver import device_facts

        config.target = device_facts()
        engine = trt.Runtime(heard).deserialize_cuda_engine(builder.build_serialized_network(network, config))
        results = Session(engine, heard).run({"x": X, "w": X})
    np.testing.assert_array_equal(X + X + X, results["y"])
    if only:
        assert 2 == names_of(engine).count("my_add")
