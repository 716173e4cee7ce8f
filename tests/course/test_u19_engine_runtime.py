"""What only unit 19 says, held to its rules and to the engine."""

import numpy as np
import pytest

import minitrt as trt
from autograder.exercises import catalogue
from autograder.exercises.u19_engine_runtime import arena_values, plan_values, serving_values
from autograder.exercises.u19_engine_runtime.devices import JudgedDevices
from autograder.exercises.u19_engine_runtime.layer import host as plugin_host
from autograder.exercises.u19_engine_runtime.layer.host import JudgedPlugins, Objection, Refused
from autograder.exercises.u19_engine_runtime.layer.slips import PLUGGED
from autograder.exercises.u19_engine_runtime.lives_values import lived, make_lives
from autograder.exercises.u19_engine_runtime.own.engine import JudgedEngine
from autograder.exercises.u19_engine_runtime.own.layers import Layer
from autograder.exercises.u19_engine_runtime.own.slips import Wiring
from autograder.exercises.u19_engine_runtime.plugins import THRESHOLD_PLUGIN
from autograder.exercises.u19_engine_runtime.serving import GATHER_REQUESTS
from autograder.exercises.u19_engine_runtime.threads.scheduler import Fault
from autograder.exercises.u19_engine_runtime.threads.slips import GATHERED
from autograder.exercises.u19_engine_runtime.uneven import values as uneven_values
from autograder.running.buffers import make_values
from tests.course.released import notebook


def said(start: str) -> list[str]:
    """What cells of the solved notebook print, where a text is in it."""
    outputs = (one for cell in notebook("solutions", "19_engine_runtime").cells for one in cell.get("outputs", []))
    return [one.text for one in outputs if one.output_type == "stream" and start in one.text]


def test_no_plan_overlaps_in_time_and_place_and_none_is_below_the_least():
    for case in arena_values.ARENA_CASES:
        values = arena_values.make_arena(case.sizes, "exact", np.random.default_rng(1))
        plan = arena_values.planned(values)
        up = -(-values["sizes"] // values["align"]) * values["align"]
        for i in range(len(up)):
            for j in range(i):
                apart = values["last"][i] < values["first"][j] or values["last"][j] < values["first"][i]
                begin_i, begin_j = plan["offsets"][[i, j]]
                assert apart or begin_i + up[i] <= begin_j or begin_j + up[j] <= begin_i
        assert plan["least"] <= plan["arena"] <= up.sum()


def test_the_greedy_plan_of_the_text_comes_to_the_least_and_beats_the_one_in_order():
    (text,) = said("largest first")
    n_bytes = {line[:13].strip(): int(line.split()[-2].replace(",", "")) for line in text.splitlines()}

    assert n_bytes["largest first"] == n_bytes["the least"] < n_bytes["as they come"] < n_bytes["each its own"]


def test_every_reason_to_refuse_a_plan_comes_up_and_only_a_whole_one_is_taken():
    reasons = {}
    for name, state in plan_values.STATES.items():
        values = plan_values.spoiled(state, 9, np.random.default_rng(3))
        reasons[name] = int(plan_values.read(values)["reason"])

    assert set(range(6)) == set(reasons.values())
    assert ["whole"] == [name for name, reason in reasons.items() if reason == 0]


def test_the_plugin_was_made_once_for_the_build_and_once_from_the_plan():
    (text,) = said("made for BUILD")

    assert ["made for BUILD", "made for RUNTIME"] == [
        line[: line.index(" with")] for line in text.splitlines() if "made" in line
    ]


def test_work_by_pull_ends_within_a_request_of_the_best_that_any_spread_could_do():
    devices = JudgedDevices([0, 1, 1], [1, 2, 2], [100] * 40)
    serving_values.pulled(devices, 40)
    begin = 2 * 9_000  # of two models

    assert 100 * 40 / (1 + 1 / 2 + 1 / 2) <= devices.clock() - begin <= 100 * 40 / 2 + 2 * 100 + 60


def test_the_units_way_to_gather_is_right_on_real_threads_too():
    (text,) = said("every caller has its own answer")

    assert text.strip().endswith("True")


def test_every_fault_of_gathering_is_found_by_some_schedule_and_told():
    faults = {slip.misconception for slip in GATHERED}
    found = {
        int(slip.produces(make_values(GATHER_REQUESTS, case))["fault"])
        for slip in GATHERED
        for case in GATHER_REQUESTS.cases[:4]
    }

    assert set(Fault) - found == set() and len(faults) == len(Fault) - 1


def test_an_engine_runs_own_kernels_where_they_say_yes_and_what_goes_wrong_in_them_is_told_as_it_was():
    engine = JudgedEngine(5, [Layer(), Layer(stride=2)])
    right = Wiring(engine)
    taken, proofs = engine.tries(right.supports, right.arguments)
    assert [1, 0] == taken.tolist() and [engine.proofs()[0], 0] == proofs.tolist()
    with pytest.raises(ZeroDivisionError):
        engine.tries(lambda op: 1 // 0, right.arguments)
    with pytest.raises(TypeError, match=r"gives a tuple of 11 .*, and gave 1 value$"):
        engine.tries(right.supports, lambda op: (1,))
    with pytest.raises(ValueError, match="kind 'reformat', which is no convolution"):
        engine.tries(lambda op: True, right.arguments)
    narrow = Wiring(engine, change=lambda named, op: named | {"weights": named["weights"].astype(np.float32)})
    with pytest.raises(ValueError, match=r"weights is an array of int8 \(1, 9, 8, 32\) for this layer"):
        engine.tries(narrow.supports, narrow.arguments)


def test_places_that_lives_give_are_planned_without_overlap():
    values = make_lives({"n": 80}, "exact", np.random.default_rng(2))
    found = lived(values)
    place, last = found["place"], found["last"]
    for i, (_, a, b, _) in enumerate(values["steps"].tolist()):
        assert all(last[place[tensor]] >= i for tensor in (a, b) if tensor >= 0)
        assert place[place[i]] == place[i] and (last[i] == -1) == (place[i] != i)


def test_every_fault_of_a_plugin_is_told_and_earned_by_an_answer():
    earned = {answer.misconception for answer in catalogue.answers_for(THRESHOLD_PLUGIN) if answer.outcome == "Wrong"}

    assert {fault.name.lower() for fault in Objection} - {"fine"} == earned
    assert earned == {slip.misconception for slip in PLUGGED}


def test_a_plugin_is_judged_alike_without_the_onnx_package_and_the_registry_is_left_as_it_was(monkeypatch):
    right = catalogue.answers_for(THRESHOLD_PLUGIN)[0].function
    before = trt.get_plugin_registry().all_creators
    with_files = right(JudgedPlugins(5, 3))
    monkeypatch.setattr(plugin_host, "file_of", lambda thresholds: None)

    assert with_files == right(JudgedPlugins(5, 3)) == (0, JudgedPlugins(5, 3).proof())
    assert before == trt.get_plugin_registry().all_creators


def test_no_array_of_a_plugin_reaches_other_memory():
    host = JudgedPlugins(5, 3)
    numbers = np.zeros(6, np.float32)
    with pytest.raises(ValueError, match="no tensor begins at address"):
        host.array(numbers.ctypes.data, (6,))
    with host._memory({numbers.ctypes.data: 6}):
        assert (2, 3) == host.array(numbers.ctypes.data, (2, 3)).shape
        with pytest.raises(Refused):
            host.array(numbers.ctypes.data, (7,))


def test_buckets_run_as_few_batches_as_there_can_be_and_no_more_padding_than_their_ends_ask():
    values = uneven_values.make_uneven({"n": 80, "most": 8, "n_ends": 4}, "exact", np.random.default_rng(4))
    lengths, ends = np.diff(values["starts"]), values["engine"][1:]
    fits = lengths[lengths <= ends[-1]]
    own = ends[np.searchsorted(ends, fits)]
    found = uneven_values.batched(values)

    assert own.sum() == found["elements"] >= fits.sum()
    assert sum(-(-np.count_nonzero(own == end) // 8) for end in ends) == found["runs"]
    assert np.count_nonzero(found["answers"] == -1) == len(lengths) - len(fits)
