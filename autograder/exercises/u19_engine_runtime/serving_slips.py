"""Wrong results of unit 19's choose_profile and spread_work that betray their cause, or where they go another way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.common_slips import but_for
from autograder.exercises.u19_engine_runtime.devices import NOTHING, JudgedDevices
from autograder.exercises.u19_engine_runtime.serving_values import (
    HIGH,
    LOW,
    OPT,
    RIGHT,
    away,
    by,
    chosen,
    fitting,
    load_all,
    pulled,
)
from autograder.words import count_text

without = but_for(chosen, RIGHT)


CHOICES = (
    without("least_not_asked", "requests below a profile's min are served: its kernels begin there", low=False),
    without("most_not_asked", "requests above a profile's max are served: its memory ends there", high=False),
    without("ends_left_out", "a request at a profile's min or max is refused: both belong to the range", ends=False),
    without("one_axis_alone", "one axis that fits is taken for both: batch and length have to lie inside", both=False),
    without(
        "first_that_fits", "the first profile that fits is taken: of those that fit, the nearest opt wins", first=True
    ),
    without(
        "nearest_then_asked",
        "the nearest of all profiles is looked for, and then whether it fits: another one may fit, so ask that first",
        asked_late=True,
    ),
    without(
        "axes_added",
        "distances along both axes are added: work goes with batch times length, so compare numbers of elements",
        by_elements=False,
    ),
    without("nearest_to_max", "the distance is taken to max: kernels were chosen for opt", to=HIGH),
    without("nearest_to_min", "the distance is taken to min: kernels were chosen for opt", to=LOW),
    without("last_of_equals", "of equally near profiles the last one is taken: the lower number wins", ties_low=False),
)


def in_turns(devices: JudgedDevices, n: int) -> list[int]:
    """Request r on device r % count, each device through its own."""
    return _each_its_own(devices, [r % devices.count for r in range(n)])


def in_blocks(devices: JudgedDevices, n: int) -> list[int]:
    """Equal parts, one after the other."""
    part = -(-n // devices.count)
    return _each_its_own(devices, [r // part for r in range(n)])


def _each_its_own(devices: JudgedDevices, owner: list[int]) -> list[int]:
    """Every device works through the requests that are its own."""
    load_all(devices)
    queues = {d: [r for r, mine in enumerate(owner) if mine == d] for d in range(devices.count)}
    for _ in range(devices.count + len(owner)):
        d = devices.wait()
        if queues[d]:
            devices.start(d, queues[d].pop(0))
    return owner


def all_waited_for(devices: JudgedDevices, n: int) -> list[int]:
    """A request on each device, and the next ones once all of them are done."""
    load_all(devices)
    owner: list[int] = []
    while len(owner) < n:
        for d in sorted(_idle(devices)):
            if len(owner) < n:
                devices.start(d, len(owner))
                owner.append(d)
    _idle(devices)
    return owner


def _idle(devices: JudgedDevices) -> list[int]:
    """Waits for everything."""
    done = []
    while devices.busy:
        done.append(devices.wait())
    return done


def one_device(devices: JudgedDevices, n: int) -> list[int]:
    """Device 0 alone."""
    devices.load(0, devices.build(0))
    for r in range(n):
        devices.wait()
        devices.start(0, r)
    devices.wait()
    return [0] * n


def one_at_a_time(devices: JudgedDevices, n: int) -> list[int]:
    """Each request is waited for before the next one starts, on device after device."""
    load_all(devices)
    _idle(devices)
    for r in range(n):
        devices.start(r % devices.count, r)
        devices.wait()
    return [r % devices.count for r in range(n)]


def last_not_waited_for(devices: JudgedDevices, n: int) -> list[int]:
    """The clock is read as soon as the last request has begun."""
    load_all(devices)
    owner: list[int] = []
    while len(owner) < n:
        d = devices.wait()
        devices.start(d, len(owner))
        owner.append(d)
    return owner


def told(misconception: str, says: str, procedure: Callable[[JudgedDevices, int], list[int]]) -> Slip:
    """A slip of spread_work."""
    return Slip(misconception, says, by(procedure))


WORK = (
    told(
        "in_turns",
        "requests are dealt out in turns, so fast devices wait for nothing while slow ones have a queue: whoever is "
        "done takes the next one",
        in_turns,
    ),
    told("in_blocks", "each device gets an equal part beforehand: whoever is done takes the next one", in_blocks),
    told(
        "all_waited_for",
        "all devices are waited for before the next requests begin: give the next one to the device that wait() names",
        all_waited_for,
    ),
    told("one_device", "device 0 does everything", one_device),
    told("one_at_a_time", "one request runs at a time: start returns at once, so start on all of them", one_at_a_time),
    told(
        "last_not_waited_for",
        "the clock was read when the last request began, not when it was done: wait for all that runs",
        last_not_waited_for,
    ),
    told(
        "plan_per_device",
        "a plan is built for every device: devices of one model share a plan, and a build takes long",
        lambda devices, n: pulled(devices, n, one_plan=False),
    ),
)


AXES = ("batch", "length")


def of_choices(values: Values, got: Mapping[str, Any], _: Mapping[str, Any]) -> str:
    """The first request that gets another profile, and the rule; "" where none does."""
    right, profiles = chosen(values)["chosen"], values["profiles"]
    wrong = np.flatnonzero(got["chosen"] != right)
    if not wrong.size:
        return ""
    r = int(wrong[0])
    shape, mine, best = values["shapes"][r], int(got["chosen"][r]), int(right[r])
    says = f"Request {r}, {_pair(shape)}, gets {mine} in your answer, and should get {best}"
    if not 0 <= mine < len(profiles):
        low, high = profiles[best, LOW], profiles[best, HIGH]
        return f"{says}: profile {best} serves {_pair(low)} to {_pair(high)}, both ends included."
    if not fitting(shape, profiles[mine], RIGHT):
        return f"{says}: profile {mine} does not serve it, since {_outside(shape, profiles[mine])}."
    far = [away(shape, profiles[k, OPT], RIGHT) for k in (mine, best)]
    if far[0] == far[1]:
        away_by = count_text(far[0], "element")
        return f"{says}: both opts are {away_by} away, and of equally near ones the lowest number counts."
    return f"{says}: its opt is {count_text(far[1], 'element')} away, and that of profile {mine} is {far[0]:,}."


def _outside(shape: np.ndarray, profile: np.ndarray) -> str:
    """Why a profile does not serve a request."""
    for axis, name in enumerate(AXES):
        if shape[axis] < profile[LOW, axis]:
            return f"its {name}, {shape[axis]}, is below the min, {profile[LOW, axis]}"
        if shape[axis] > profile[HIGH, axis]:
            return f"its {name}, {shape[axis]}, is above the max, {profile[HIGH, axis]}"
    return "it lies outside"


def _pair(shape: np.ndarray) -> str:
    return f"({int(shape[0])}, {int(shape[1])})"


def of_work(values: Values, got: Mapping[str, Any], stand_ins: Mapping[str, Any]) -> str:
    """The first request that begins elsewhere or later than it could; "" for none."""
    devices, right = stand_ins.get("devices"), JudgedDevices.of(values["devices"])
    if not isinstance(devices, JudgedDevices):
        return ""
    pulled(right, int(values["n_requests"]))
    if devices.n_plans != right.n_plans:
        return f"Built: {count_text(devices.n_plans, 'plan')}. Needed: {right.n_plans}, one for each model."
    begun = [{one.request: one for one in log if one.request != NOTHING} for log in (devices.log, right.log)]
    for r, best in sorted(begun[1].items()):
        mine = begun[0].get(r)
        if mine is None:
            return f"Request {r} is never started."
        if mine != best:
            could = f"device {best.device} has nothing to do from {best.at:,} us on, and could begin it then"
            says = f"Request {r} begins on device {mine.device} at {mine.at:,} us in your answer, but {could}"
            between = [one for one in devices.log if one.request == NOTHING and best.at < one.at <= mine.at]
            waited = f": your function waits for device {between[0].device} first, until {between[0].at:,} us"
            return f"{says}{waited if between else ''}."
    if int(got["time"]) != right.clock():
        done = f"Every request begins where it should, and the last one is done at {right.clock():,} us"
        return f"{done}: you return {int(got['time']):,}."
    wrong = np.flatnonzero(got["owner"] != [begun[1][r].device for r in sorted(begun[1])])
    return f"Request {wrong[0]} ran on another device than you return." if wrong.size else ""
