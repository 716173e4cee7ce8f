"""The launcher, on a stand-in for the device: what is right comes back as bytes, what is not is seen or ends it."""

from dataclasses import replace

import numpy as np
import pytest

from autograder.classroom.sealed import carried, carry_out, launching
from autograder.classroom.sealed.carried import Bench
from autograder.classroom.sealed.launching import LauncherError
from autograder.classroom.sealed.plan import LaunchPlan, NotPossible
from autograder.speed import canary
from tests.autograder.classroom.sealed import at_hand

TRIES = 20


@pytest.fixture
def launcher():
    with at_hand.launcher() as one:
        yield one


@pytest.fixture(scope="module")
def lasting():
    """One that goes on after each of the plans that it refuses."""
    with at_hand.launcher() as one:
        yield one


def inputs(seed=0):
    return {name: array for name, array in at_hand.values(seed).items() if name != "out"}


def bench(launcher, behaviour="adds", n_sets=1):
    found = Bench(launcher, {"yours": at_hand.adding(behaviour)}, n_sets)
    for number in range(n_sets):
        found.put(number, inputs(number))
    return found


def out(found, number=0, **options):
    options = {"back": ["out"], "like": at_hand.values(), **options}
    return found.once("yours", number, **options)


def test_a_plan_gives_the_bytes_that_its_kernel_wrote(launcher):
    given = inputs()

    sample = out(bench(launcher))

    np.testing.assert_array_equal(given["a"] + given["b"], sample.arrays["out"])
    assert () == sample.damaged
    assert sample.event_us > 0


def test_what_is_written_beside_an_array_is_told_by_its_name(launcher):
    assert ("out",) == out(bench(launcher, "writes_beside")).damaged


def test_an_output_that_nobody_writes_holds_another_pattern_each_time(launcher):
    found = bench(launcher, "nothing")

    seen = {out(found).arrays["out"].tobytes()[:4] for _ in range(4)}

    assert {bytes([byte]) * 4 for byte in carried.POISONS} == seen


def test_inputs_are_as_they_were_before_every_launch(launcher):
    found = bench(launcher, "writes_to_its_input")

    first, second = (out(found).arrays["out"].copy() for _ in range(2))

    np.testing.assert_array_equal(first, second)


def test_a_result_that_a_module_keeps_is_gone_at_the_next_launch(launcher):
    found = bench(launcher, "stashes", n_sets=2)

    out(found, 0)
    other = inputs(1)

    np.testing.assert_array_equal(other["a"] + other["b"], out(found, 1).arrays["out"])


def test_no_expected_value_lies_in_the_devices_memory(launcher):
    given = inputs()

    sample = out(bench(launcher, "aims_at_the_answer"))

    assert not np.array_equal(given["a"] + given["b"], sample.arrays["out"])


def test_rounds_carry_out_each_plan_once_a_round_on_the_rounds_inputs(launcher):
    found = bench(launcher, n_sets=2)
    ours = Bench(at_hand.launcher(), {"reference": at_hand.adding()}, 2)
    for number in range(2):
        ours.put(number, inputs(number))

    with ours.launcher:
        seen = []
        for turn, name, sample in carried.rounds({"yours": found, "reference": ours}, 4, 2, {"yours": ["a"]}):
            seen.append((turn, name))
            if name == "yours":
                np.testing.assert_array_equal(inputs(turn % 2)["a"], sample.arrays["a"])

    assert [turn for turn in range(4) for _ in range(2)] == [turn for turn, _ in seen]
    assert {(turn, name) for turn in range(4) for name in ("yours", "reference")} == set(seen)


def test_a_kernel_that_hangs_is_killed_in_time_and_the_device_is_back(launcher, monkeypatch):
    monkeypatch.setattr(carried, "GRACE_S", 0.5)
    found = bench(launcher, "hangs")

    with pytest.raises(LauncherError) as caught:
        out(found, seconds=0.5)

    assert "timed_out" == caught.value.kind
    assert launcher.process.poll() is not None
    assert canary.is_asked_for(), "whoever is on duty looks after the device, and puts it into quarantine"
    assert launching.back_after_s(command=at_hand.command, mode="stand-in") < launching.BACK_S


def test_a_kernel_that_takes_its_time_is_waited_for(monkeypatch):
    monkeypatch.setattr(launching, "SILENT_S", 0.9)  # it says more often than that that it still waits
    for _ in range(TRIES):
        try:
            with at_hand.launcher() as launcher:
                sample = out(bench(launcher, "takes_a_second"), seconds=0.0)  # and `GRACE_S`
            break
        except LauncherError as error:
            assert "late" == error.kind  # the machine let the launcher wait for as long: a judge tries again, too

    assert 1e6 < sample.event_us <= sample.wall_us


def test_a_launcher_that_does_not_come_to_look_is_no_kernel_that_hangs(launcher, monkeypatch):
    monkeypatch.setattr(launching, "SILENT_S", 0.3)
    found = bench(launcher, "stops_its_launcher")

    with pytest.raises(LauncherError) as caught:
        out(found, seconds=0.0)

    assert "late" == caught.value.kind
    assert caught.value.kind in launching.OURS


def test_a_launcher_that_sleeps_has_not_seen_a_kernel_at_work_for_as_long():
    looks = iter([False, False, True])
    said = []
    watch = carry_out._Watch(said.append)
    watch.said -= 1e3

    def done():
        watch.looked -= 100.0  # as if it had been stopped for so long since the last look
        return next(looks)

    watch.until(done)

    assert [{"begun": True}, {"runs_s": pytest.approx(carry_out.SEEN_S, abs=0.1)}] == said
    assert 2 * carry_out.SEEN_S == pytest.approx(watch.seen_s, abs=0.1)


def test_a_machine_that_is_slow_to_load_code_is_no_kernel_that_hangs(launcher, monkeypatch):
    found = carried.Bench(launcher, {"yours": at_hand.adding_with(at_hand.code("adds", b"slow to load"))})
    found.put(0, at_hand.values())
    monkeypatch.setattr(launching, "START_S", 1.0)
    monkeypatch.setattr(carried, "GRACE_S", 0.1)

    with pytest.raises(LauncherError) as caught:
        out(found, seconds=0.1)

    assert "late" == caught.value.kind
    assert caught.value.kind in launching.OURS


@pytest.mark.parametrize(
    ("behaviour", "kind"), [("traps", "device"), ("leaves", "died"), ("finds_no_memory", "machine")]
)
def test_a_launcher_that_lost_its_device_or_ended_is_gone(launcher, behaviour, kind):
    found = bench(launcher, behaviour)

    with pytest.raises(LauncherError) as caught:
        out(found)

    assert kind == caught.value.kind
    assert launcher.process.poll() is not None


def test_code_that_is_not_the_code_that_was_recorded_is_not_loaded(launcher):
    plan = at_hand.adding()
    (code,) = plan.codes
    tampered = LaunchPlan(plan.buffers, (replace(code, image=b"other"),), plan.operations)

    with pytest.raises(LauncherError, match="hash") as caught:
        Bench(launcher, {"yours": tampered})

    assert "refused" == caught.value.kind


@pytest.mark.parametrize(
    "changed",
    [
        {"grid": [2**31, 1, 1]},
        {"grid": [0, 1, 1]},
        {"grid": [1, 10**6, 1]},
        {"block": [1025, 1, 1]},
        {"block": [64, 64, 1]},
        {"shared": 1 << 30},
        {"shared": -1},
        {"grid": [1.5, 1, 1]},
    ],
    ids=str,
)
def test_a_plan_with_an_absurd_launch_is_refused_before_the_device_sees_it(lasting, changed):
    with pytest.raises(NotPossible, match="launch|block"):
        Bench(lasting, {"yours": at_hand.adding(**changed)})


@pytest.mark.parametrize("n_bytes", [1 << 40, 1 << 29])
def test_a_plan_with_absurd_arrays_is_refused(lasting, n_bytes):
    plan = at_hand.adding()

    with pytest.raises(NotPossible, match="bytes"):
        Bench(lasting, {"yours": LaunchPlan({**plan.buffers, "more": n_bytes}, plan.codes, plan.operations)})


@pytest.mark.parametrize(
    "arguments",
    [[], [0] * 20, [["at", "nowhere", 0]] * 21, [["at", "a", 1 << 40]] * 21, ["ff"] * 21, [None] * 21],
    ids=range(6),
)
def test_arguments_that_do_not_fit_the_kernel_are_refused_and_the_launcher_lives(lasting, arguments):
    with pytest.raises(LauncherError) as caught:
        Bench(lasting, {"yours": at_hand.adding(arguments=arguments)})

    assert "refused" == caught.value.kind
    assert out(bench(lasting)).arrays["out"].size == at_hand.N
