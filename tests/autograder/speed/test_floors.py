"""A time that cannot be is for review: it earns no zero, and no full points."""

from autograder import exercises
from autograder.answer.program import Program
from autograder.outcome import Passed
from autograder.speed.decision import decision
from autograder.speed.floors import doubts
from autograder.speed.footprint import Device, timed_sizes
from autograder.speed.profile import noise, read, write
from autograder.speed.race import graded, race

DEVICE = Device("a GPU", (9, 0), l2_bytes=50 << 20, memory_bytes=80 << 30, copy_rate=4e12, read_rate=4.4e12, gap_us=10)
EXERCISE = next(e for e in exercises.all_exercises() if e.speed)
BYTES = 1 << 30
COPY_US = 1e6 * BYTES / DEVICE.copy_rate


def result(yours_us: float, wall_us: float | None = None, **changed):
    """What a timing process says of an answer that takes this long, on its events and on the host's clock."""
    usual = {"yours": yours_us, "reference": 1.1 * COPY_US, "naive": 4 * COPY_US, "copy": COPY_US}
    wall = yours_us + DEVICE.gap_us if wall_us is None else wall_us
    return {
        "device": DEVICE.name, "profile": vars(DEVICE) | {"compute_capability": [9, 0]}, "bytes": BYTES,
        "sizes": {"n": 1}, "library": None, "inputs_intact": True, "wrong": {"yours": 0},
        "times_us": {name: [time_us] * 30 for name, time_us in usual.items()}, "walls_us": {"yours": [wall] * 30},
        **changed,
    }  # fmt: skip


def kinds(said, device: Device = DEVICE) -> list[str]:
    return [doubt.kind for doubt in doubts(said, device, decision(EXERCISE.speed, said["times_us"]))]


def test_a_time_at_the_copy_rate_is_believed_and_graded():
    speed = graded(EXERCISE, result(COPY_US))

    assert [] == kinds(result(COPY_US))
    assert speed.graded and "" == speed.review
    assert EXERCISE.speed.points == speed.points


def test_faster_than_the_data_can_move_is_for_review_and_no_zero():
    speed = graded(EXERCISE, result(0.5 * COPY_US))

    assert ["implausible"] == kinds(result(0.5 * COPY_US))
    assert not speed.graded and "needs to move the data" in speed.review
    assert "says nothing against your answer" in speed.says


def test_where_the_reference_too_is_faster_than_the_contract_counts_nobody_is_doubted():
    said = result(0.5 * COPY_US)
    said["times_us"]["reference"] = [0.52 * COPY_US] * 30

    assert [] == kinds(said)


def test_events_that_say_less_than_the_host_s_clock_are_for_review():
    assert ["clocks"] == kinds(result(COPY_US, wall_us=3 * COPY_US))
    assert [] == kinds(result(COPY_US, wall_us=0.0)), "host code that waits by itself has an early clock, and no gain"


def test_a_machine_that_looks_late_at_its_clock_in_every_launch_is_no_reason_to_doubt():
    """Ten workers on a GPU: the host's clock counted 87 us more for a right answer, and for the reference as well."""
    said = result(COPY_US, wall_us=COPY_US + DEVICE.gap_us + 87)
    said["walls_us"]["reference"] = [1.1 * COPY_US + DEVICE.gap_us + 80] * 30

    assert [] == kinds(said)
    assert ["clocks"] == kinds(said | {"walls_us": said["walls_us"] | {"yours": [COPY_US + DEVICE.gap_us + 150] * 30}})


def test_a_doubt_that_the_machine_may_have_caused_is_looked_at_again_and_another_is_not(monkeypatch):
    late, right = result(COPY_US, wall_us=3 * COPY_US), result(COPY_US)
    passed = Passed(EXERCISE.id, 1.0, 1.0, "right")
    monkeypatch.setattr("autograder.speed.race.gpu_runs", lambda exercise: True)

    def raced(*results):
        left = list(results)
        speed = race(EXERCISE, Program("", EXERCISE.function), passed, timing=lambda *_: left.pop(0))
        return speed.graded, len(left)

    assert (True, 0) == raced(late, right)
    assert (False, 0) == raced(late, late, late)
    assert (False, 1) == raced(result(0.5 * COPY_US), right)


def test_a_noisy_device_and_rounds_whose_copies_differ_are_for_review():
    said = result(COPY_US)
    said["times_us"]["copy"] = [COPY_US, 1.5 * COPY_US] * 15
    noisy = Device(**vars(DEVICE) | {"noisy": "two measurements differ"})

    assert ["noisy"] == kinds(said)
    assert ["noisy"] == kinds(result(COPY_US), noisy)


def test_two_measurements_that_do_not_agree_make_a_device_noisy():
    calm = {"copy_rate": 4e12, "read_rate": 4.4e12, "flops_per_s": 5e13}

    assert "" == noise(calm, {name: 1.02 * rate for name, rate in calm.items()})
    assert "flops per s differ by 10%" in noise(calm, calm | {"flops_per_s": 5.5e13})


def test_a_profile_is_read_back_until_it_is_old(tmp_path):
    path = tmp_path / "devices" / "GPU-1.json"
    write(path, DEVICE, {"clocks.sm": "1980"})

    assert DEVICE == read(path, max_age_s=60)
    assert read(path, max_age_s=-1) is None
    path.write_text("{")
    assert read(path, max_age_s=60) is None


def test_where_arithmetic_is_the_limit_arrays_may_be_small_and_take_long_enough_all_the_same():
    device = Device(**vars(DEVICE) | {"flops_per_s": 5e13})
    cube = {"flops": lambda sizes: 2 * sizes["n"] ** 3, "sizes": lambda n_bytes: {"n": int((n_bytes / 12) ** 0.5)}}

    busy = timed_sizes(cube["sizes"], cube["flops"], device)["n"]
    plain = timed_sizes(cube["sizes"], lambda sizes: sizes["n"], device)["n"]

    assert 1 <= 2 * busy**3 / device.flops_per_s / device.least_time_s < 4
    assert 12 * plain**2 >= 0.99 * 8 * device.l2_bytes > 12 * busy**2
