"""`numba.cuda.random` where numba is absent: xoroshiro128+ states, and device functions that draw from them.

The generator is Blackman's and Vigna's; as in numba, thread i starts 2**64 draws after thread i - 1, so that no two
threads ever draw the same stretch. The numbers are those of numba, bit for bit where only integers are involved.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from simt.cuda_api.device_array import DeviceArray, to_device
from simt.cuda_api.dispatcher import jit
from simt.cuda_api.in_words import in_words
from simt.cuda_api.types import NAMES

uint64, int64, float32, float64 = (NAMES[name] for name in ("uint64", "int64", "float32", "float64"))
xoroshiro128p_dtype = np.dtype([("s0", np.uint64), ("s1", np.uint64)], align=True)
xoroshiro128p_type = xoroshiro128p_dtype

JUMP = (0xBEAC0467EBA5FACB, 0xD86B048B86AA9922)  # the polynomial of 2**64 draws, lowest bits first
UNIT = 1.0 / (1 << 53)
TWO_PI = 2 * math.pi

__all__ = [
    "create_xoroshiro128p_states",
    "init_xoroshiro128p_states",
    "xoroshiro128p_dtype",
    "xoroshiro128p_next",
    "xoroshiro128p_normal_float32",
    "xoroshiro128p_normal_float64",
    "xoroshiro128p_type",
    "xoroshiro128p_uniform_float32",
    "xoroshiro128p_uniform_float64",
]


# What kernels call


@jit(device=True)
def xoroshiro128p_next(states, index):
    """The next 64 random bits of one state, which moves on."""
    index = int64(index)
    s0 = states[index]["s0"]
    s1 = states[index]["s1"]
    result = s0 + s1
    s1 ^= s0
    states[index]["s0"] = ((s0 << uint64(55)) | (s0 >> uint64(9))) ^ s1 ^ (s1 << uint64(14))
    states[index]["s1"] = (s1 << uint64(36)) | (s1 >> uint64(28))
    return result


@jit(device=True)
def xoroshiro128p_uniform_float64(states, index):
    """A float64 in [0, 1)."""
    return (xoroshiro128p_next(states, int64(index)) >> uint64(11)) * UNIT


@jit(device=True)
def xoroshiro128p_uniform_float32(states, index):
    """A float32 in [0, 1]."""
    return float32(xoroshiro128p_uniform_float64(states, int64(index)))


@jit(device=True)
def xoroshiro128p_normal_float64(states, index):
    """A float64 from the normal distribution of mean 0 and standard deviation 1 (Box-Muller); takes two draws.

    As in numba, what is drawn are float32 values.
    """
    u1 = xoroshiro128p_uniform_float32(states, int64(index))
    u2 = xoroshiro128p_uniform_float32(states, int64(index))
    return math.sqrt(-float64(2.0) * math.log(u1)) * math.cos(TWO_PI * u2)


@jit(device=True)
def xoroshiro128p_normal_float32(states, index):
    """The same in float32."""
    u1 = xoroshiro128p_uniform_float32(states, int64(index))
    u2 = xoroshiro128p_uniform_float32(states, int64(index))
    return math.sqrt(-float32(2.0) * math.log(u1)) * math.cos(float32(TWO_PI) * u2)


# What the host calls


@partial(in_words, name="cuda.random.create_xoroshiro128p_states")
def create_xoroshiro128p_states(n: int, seed: int, subsequence_start: int = 0, stream=0) -> DeviceArray:
    """A device array of `n` states, one per thread. seed: the same seed gives the same numbers.

    subsequence_start: skip the states of that many threads, so that several arrays do not overlap.
    """
    states = np.empty(n, xoroshiro128p_dtype)
    init_xoroshiro128p_states(states, seed, subsequence_start)
    return to_device(states)


@partial(in_words, name="cuda.random.init_xoroshiro128p_states")
def init_xoroshiro128p_states(states, seed: int, subsequence_start: int = 0, stream=0) -> None:
    """Fill an array of states, on the host or the device, in place."""
    memory = states.simt_host_array if isinstance(states, DeviceArray) else states
    with np.errstate(over="ignore"):
        bits = _seeded(seed)
        jump = _jump_columns()
        bits = _times(_power(jump, subsequence_start), bits)
        while bits.shape[1] < len(memory):  # states 0 to k - 1, then those that are k jumps further on
            bits = np.concatenate([bits, _times(jump, bits)], axis=1)
            jump = _times(jump, jump)
    memory["s0"], memory["s1"] = bits[:, : len(memory)]
    if isinstance(states, DeviceArray):
        states.simt_mark_written()


def _seeded(seed: int) -> np.ndarray:
    """(2, 1) uint64, the first state: one step of splitmix64 gives both halves."""
    z = np.uint64((int(seed) + 0x9E3779B97F4A7C15) % (1 << 64))
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return np.array([[z], [z]], np.uint64)


def _jump_columns() -> np.ndarray:
    """(2, 128) uint64, where 2**64 draws take each single bit: the generator is linear, so that says it all."""
    bit = np.arange(128, dtype=np.uint64)
    one = np.uint64(1)
    s0 = np.where(bit < 64, one << bit % np.uint64(64), np.uint64(0))
    s1 = np.where(bit >= 64, one << bit % np.uint64(64), np.uint64(0))
    far = np.zeros((2, 128), np.uint64)
    for position in range(128):
        if JUMP[position // 64] >> position % 64 & 1:
            far ^= (s0, s1)
        mixed = s0 ^ s1
        s0 = (s0 << np.uint64(55) | s0 >> np.uint64(9)) ^ mixed ^ (mixed << np.uint64(14))
        s1 = mixed << np.uint64(36) | mixed >> np.uint64(28)
    return far


def _times(columns: np.ndarray, states: np.ndarray) -> np.ndarray:
    """(2, n) states after the linear step whose image of bit k is columns[:, k]."""
    result = np.zeros_like(states)
    for position in range(128):
        chosen = (states[position // 64] >> np.uint64(position % 64)) & np.uint64(1)
        result ^= columns[:, position, None] * chosen
    return result


def _power(columns: np.ndarray, exponent: int) -> np.ndarray:
    """The step taken `exponent` times: (2, 128)."""
    bit = np.arange(128, dtype=np.uint64)
    single = np.uint64(1) << bit % np.uint64(64)
    result = np.stack([np.where(bit < 64, single, np.uint64(0)), np.where(bit >= 64, single, np.uint64(0))])
    while exponent > 0:  # none below 0, as in numba's range(subsequence_start); and shifted it would never end
        if exponent & 1:
            result = _times(columns, result)
        columns = _times(columns, columns)
        exponent >>= 1
    return result
