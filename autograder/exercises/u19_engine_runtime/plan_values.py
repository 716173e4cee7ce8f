"""Inputs, oracle and cases of unit 19's load_plan: plans as bytes, whole and not."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from autograder.contract import Argument, Case, Sizes, Values

MAGIC = b"WBPL"
HEADER = struct.Struct("<4sIIII")  # magic, version, checksum, device, number of weights
COVERED = 12  # the checksum is of all bytes from here on
FINE, NO_PLAN, CUT, VERSION, DAMAGED, DEVICE = range(6)
NEWEST, HERE = 3, 90  # versions and devices of the plans below
PLAN_ARGUMENTS = (
    Argument("data", "in", "uint8", "(n_bytes,)", "the file, or what is left of it"),
    Argument("version", "scalar", "int64", "", "the only version of plans that this runtime reads"),
    Argument("device", "scalar", "int64", "", "the compute capability of the device here, 90 for 9.0"),
    Argument("weights", "inout", "float32", "(n_weights,)", "the plan's, where it is taken; else as they were"),
    Argument("reason", "out", "int64", "", "0 where the plan is taken, or the first reason to refuse it"),
)


@dataclass(frozen=True)
class Checks:
    """What is checked, and in which order; as the text says, for a right answer."""

    magic: bool = True
    shortened: bool = True  # a header that is cut
    version: bool = True
    newer: bool = True  # a newer version is refused, too
    length: bool = True
    longer: bool = True  # more bytes than the header says are refused, too
    checksum: bool = True
    header_covered: bool = True  # by the checksum: device and number of weights
    device: bool = True
    better_device: bool = False  # a newer device takes plans of an older one
    written_early: bool = False  # weights are written before the checksum is known
    order: tuple[int, ...] = (VERSION, CUT, DAMAGED, DEVICE)


RIGHT = Checks()


def written(weights: np.ndarray, version: int = NEWEST, device: int = HERE) -> bytes:
    """A plan as bytes. weights: (n_weights,) float32."""
    body = struct.pack("<II", device, len(weights)) + weights.astype("<f4").tobytes()
    return HEADER.pack(MAGIC, version, zlib.crc32(body), 0, 0)[:COVERED] + body


def read(values: Values, ways: Checks = RIGHT) -> dict:
    """The reason, and the weights of a plan that is taken, or those that were there."""
    data, weights = values["data"].tobytes(), values["weights"]
    reason = refused(data, int(values["version"]), int(values["device"]), ways)
    if reason == FINE or ways.written_early and reason in (DAMAGED, DEVICE):
        weights = np.frombuffer(data[HEADER.size :], "<f4")
    return {"weights": weights, "reason": np.int64(reason)}


def refused(data: bytes, version: int, device: int, ways: Checks) -> int:
    """The first reason to refuse these bytes, or 0."""
    if ways.magic and data[:4] != MAGIC:
        return NO_PLAN
    if len(data) < HEADER.size:
        return CUT if ways.shortened else DAMAGED
    _, theirs, checksum, made_for, n_weights = HEADER.unpack_from(data)
    at = COVERED if ways.header_covered else HEADER.size
    covered = data[COVERED:] if ways.header_covered else data[at:]
    ends = HEADER.size + 4 * n_weights
    wrong = {
        VERSION: ways.version and (theirs != version if ways.newer else theirs < version),
        CUT: ways.length and (len(data) != ends if ways.longer else len(data) < ends),
        DAMAGED: ways.checksum and zlib.crc32(covered) != checksum,
        DEVICE: ways.device and (made_for > device if ways.better_device else made_for != device),
    }
    return next((reason for reason in ways.order if wrong[reason]), FINE)


Spoiled = Callable[[bytes, np.random.Generator], bytes]


def flipped(data: bytes, byte: int, bit: int = 0) -> bytes:
    """One bit the other way round."""
    return data[:byte] + bytes([data[byte] ^ 1 << bit]) + data[byte + 1 :]


def of_weights(data: bytes, rng: np.random.Generator) -> bytes:
    """One bit of the weights turned, or of their number where there are none."""
    at = int(rng.integers(HEADER.size, len(data))) if len(data) > HEADER.size else 16
    return flipped(data, at, int(rng.integers(0, 8)))


def relabelled(version: int = NEWEST, device: int = HERE) -> Spoiled:
    """A whole plan of another version or for another device."""
    return lambda data, rng: written(np.frombuffer(data[HEADER.size :], "<f4"), version, device)


STATES: dict[str, Spoiled] = {
    "whole": lambda data, rng: data,
    "another file": lambda data, rng: b"PK\x03\x04" + data[4:],
    "one byte of a magic is another": lambda data, rng: flipped(data, 3),
    "empty": lambda data, rng: b"",
    "cut in the header": lambda data, rng: data[: int(rng.integers(4, HEADER.size))],
    "cut in the weights": lambda data, rng: data[:-1] if len(data) > HEADER.size else data[:-3],
    "with bytes at the end": lambda data, rng: data + b"\0",
    "older": relabelled(version=NEWEST - 1),
    "newer": relabelled(version=NEWEST + 1),
    "newer, and of another form": lambda data, rng: flipped(relabelled(NEWEST + 1)(data, rng), 13),
    "older, for another device": relabelled(NEWEST - 1, 75),
    "a bit of the weights turned": of_weights,
    "a bit of the device turned": lambda data, rng: flipped(data, COVERED, 2),
    "a bit of the checksum turned": lambda data, rng: flipped(data, 9),
    "for a lesser device": relabelled(device=75),
    "for a newer device": relabelled(device=100),
}
NAMES = tuple(STATES)


def make_plan(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """The bytes of a plan in one of STATES, by its number."""
    return spoiled(STATES[NAMES[sizes["state"] % len(NAMES)]], sizes["n_weights"], rng)


def spoiled(state: Spoiled, n_weights: int, rng: np.random.Generator) -> Values:
    """All arguments of load_plan for a plan to which this was done."""
    data = state(written(np.round(rng.uniform(-9, 9, n_weights), 3).astype(np.float32)), rng)
    return {
        "data": np.frombuffer(data, np.uint8).copy(),
        "version": np.int64(NEWEST),
        "device": np.int64(HERE),
        "weights": rng.integers(-9, 10, n_weights).astype(np.float32),
        "reason": np.int64(0),
    }


FAULTS: dict[str, Spoiled] = {  # in the order in which they can be put into one plan
    "another version": relabelled(version=NEWEST - 1),
    "another device": lambda data, rng: written(np.frombuffer(data[HEADER.size :], "<f4"), version_of(data), 75),
    "a byte too many": lambda data, rng: data + b"\0",
    "another checksum": lambda data, rng: flipped(data, 9),
    "other letters": lambda data, rng: b"PK\x03\x04" + data[4:],
}


def version_of(data: bytes) -> int:
    """What a header says."""
    return int(HEADER.unpack_from(data)[1])


def with_faults(*names: str) -> Spoiled:
    """Several faults in one plan: the first reason counts."""

    def spoil(data: bytes, rng: np.random.Generator) -> bytes:
        for name, fault in FAULTS.items():
            data = fault(data, rng) if name in names else data
        return data

    return spoil


ODD = np.array([np.nan, np.inf, -np.inf, -0.0, 1e-42, 3.5], np.float32)  # what a plan may hold all the same

RARE: dict[str, Spoiled] = {
    **{f"{a} and {b}": with_faults(a, b) for a, b in combinations(FAULTS, 2)},
    "with weights that are no numbers": lambda data, rng: written(np.resize(ODD, len(data) // 4 - HEADER.size // 4)),
    "its letters further on": lambda data, rng: b"PK" + data[:-2],
    "a version of which the lower half is right": relabelled(version=NEWEST + (1 << 16)),
    "a device of which the lower half is right": relabelled(device=HERE + (1 << 16)),
}


def for_a_runtime(version: int, device: int, of_version: int, made_for: int) -> Callable[..., Values]:
    """A whole plan of one version and device, for a runtime that reads another one, or the same, elsewhere."""

    def made(sizes: Sizes, rng: np.random.Generator) -> Values:
        relabel = relabelled(of_version, made_for)
        return spoiled(relabel, sizes["n_weights"], rng) | {"version": np.int64(version), "device": np.int64(device)}

    return made


PLAN_CASES = tuple(
    Case({"n_weights": 5 + 3 * (state % 4), "state": state}, trace=False) for state in range(len(NAMES))
) + (Case({"n_weights": 0, "state": 0}, trace=False), Case({"n_weights": 300, "state": 11}, trace=False))
