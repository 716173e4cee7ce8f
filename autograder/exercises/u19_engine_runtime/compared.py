"""Where answers to unit 19's choose_profile and spread_work first go another way than the right one, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.contract import Values
from autograder.exercises.u19_engine_runtime.devices import NOTHING, JudgedDevices
from autograder.exercises.u19_engine_runtime.serving_values import HIGH, LOW, OPT, RIGHT, away, chosen, fitting, pulled

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
        return f"{says}: both opts are {far[0]:,} elements away, and of equally near ones the lowest number counts."
    return f"{says}: its opt is {far[1]:,} elements away, and that of profile {mine} is {far[0]:,}."


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
        return f"{devices.n_plans} plans are built, and {right.n_plans} are needed: one for each model."
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
