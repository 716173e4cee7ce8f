"""Wrong outputs of unit 11 that betray their cause: what each mistake computes, and what to say about it."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u11_performance import values as data
from autograder.exercises.u11_performance.values import THREADS

IN_PLACE = "scale ran on its own result: each launch doubled it once more."


@cache
def _sm() -> Any:
    """The limits of a Hopper multiprocessor; a list of the exercises does not need the table."""
    from simt.hardware import LIMITS

    return LIMITS[data.HOPPER]


def _first_quarter(values: Values, name: str, right: np.ndarray) -> np.ma.MaskedArray:
    """What is right for the first element of each thread, and written by nobody beyond."""
    grid = data.a_quarter_of(name)(values)[0] * THREADS
    return np.ma.array(right, mask=np.arange(right.size) >= grid)


def constant_first(values: Values) -> dict:
    """The coefficients were taken from the other end."""
    return data.poly(values | {"coefficients": values["coefficients"][::-1]})


def one_step_more(values: Values) -> dict:
    """The chains went one step further."""
    return data.ends_of_chains(values | {"steps": values["steps"] + 1})


def one_step_less(values: Values) -> dict:
    """The chains ended one step early."""
    return data.ends_of_chains(values | {"steps": max(values["steps"] - 1, 0)})


def as_rows(values: Values) -> dict:
    """The row's number was taken for the column's, as // gives it."""
    row = np.minimum(np.arange(values["src"].size) // values["n_cols"], values["mean"].size - 1)
    from_mean = values["src"].astype(np.float64) - values["mean"][row]
    return {"out": np.maximum(from_mean * values["factor"][row], 0)}


def negative_kept(values: Values) -> dict:
    """Nothing was cut off at 0."""
    column = np.arange(values["src"].size) % values["n_cols"]
    return {"out": (values["src"].astype(np.float64) - values["mean"][column]) * values["factor"][column]}


def _warps(values: Values, *limits: int) -> dict:
    """Warps of as many blocks as the strictest limit allows."""
    per_block = -(-values["threads"] // 32)
    return {"warps": np.int64(max(0, min(limits)) * per_block)}


def _by_registers(values: Values) -> int:
    return _sm().registers // (-(-values["registers"] * 32 // 256) * 256) // 4 * 4 // -(-values["threads"] // 32)


def _by_shared(values: Values) -> int:
    if values["shared_bytes"] > _sm().block_shared_bytes:
        return 0
    asked = values["shared_bytes"] + _sm().reserved_shared_bytes
    return _sm().shared_bytes // (-(-asked // _sm().shared_unit_bytes) * _sm().shared_unit_bytes)


def _by_warps(values: Values) -> int:
    return _sm().warps // -(-values["threads"] // 32)


def as_blocks(values: Values) -> dict:
    """Blocks were returned in place of warps."""
    warps = data.resident(values)["warps"]
    return {"warps": np.int64(warps // -(-values["threads"] // 32))}


def without_registers(values: Values) -> dict:
    return _warps(values, _by_warps(values), _sm().blocks, _by_shared(values))


def without_shared(values: Values) -> dict:
    return _warps(values, _by_warps(values), _sm().blocks, _by_registers(values))


def without_block_limit(values: Values) -> dict:
    return _warps(values, _by_warps(values), _by_registers(values), _by_shared(values))


def registers_not_in_units(values: Values) -> dict:
    """Registers were divided as if they were handed out one by one."""
    by_registers = _sm().registers // (values["registers"] * 32 * -(-values["threads"] // 32))
    return _warps(values, _by_warps(values), _sm().blocks, by_registers, _by_shared(values))


def in_one_part(values: Values) -> dict:
    """The registers were divided as if all of them lay together, and not in four parts."""
    by_registers = _sm().registers // (-(-values["registers"] * 32 // 256) * 256) // -(-values["threads"] // 32)
    return _warps(values, _by_warps(values), _sm().blocks, by_registers, _by_shared(values))


def upside_down(values: Values) -> dict:
    """Requests over sectors, and the others likewise."""
    numbers = [
        (values["load_requests"], values["load_sectors"]),
        (values["shared_wavefronts"], values["shared_conflicts"]),
    ]
    numbers.append((values["warp_instructions"], values["thread_instructions"]))
    names = ("sectors_per_request", "conflict_share", "lanes")
    return {name: np.float64(a / b if b else 0) for name, (a, b) in zip(names, numbers, strict=True)}


def laws_swapped(values: Values) -> dict:
    """Each law's result in the other's place."""
    laws = data.both_laws(values)
    return {"amdahl": laws["gustafson"], "gustafson": laws["amdahl"]}


def serial_for_parallel(values: Values) -> dict:
    """The share was taken for the serial one."""
    return data.both_laws(values | {"parallel_share": 1 - values["parallel_share"]})


def scaled_again(values: Values, launches: int) -> np.ndarray:
    """2 x + 1 of 2 x + 1 of ..., as many times."""
    out = values["x"].astype(np.float64)
    for _ in range(launches):
        out = 2 * out + 1
    return out


TIMED = (
    Slip("wrong_formula", "The kernel did not run: out is x.", lambda v: {"out": v["x"]}),
    Slip("output_not_written", "Nothing was copied down: out holds zeros.", lambda v: {"out": np.zeros_like(v["x"])}),
    Slip("times_the_result", IN_PLACE, lambda v: {"out": scaled_again(v, v["times"].size)}),
    Slip("times_the_result", IN_PLACE, lambda v: {"out": scaled_again(v, v["times"].size + 1)}),
)
POLY = (
    Slip(
        "coefficients_reversed",
        "the coefficients are taken from the constant up; the highest power comes first",
        constant_first,
    ),
    Slip(
        "one_point_each",
        "each thread works on one point: three quarters of out are left",
        lambda v: {"out": _first_quarter(v, "x", data.poly(v)["out"])},
    ),
)
CHAINS = (
    Slip("off_by_one", "each chain goes one step too far", one_step_more),
    Slip("off_by_one", "each chain ends one step early", one_step_less),
    Slip(
        "one_chain_each",
        "each thread follows one chain: three quarters of ends are left",
        lambda v: {"ends": _first_quarter(v, "starts", data.ends_of_chains(v)["ends"])},
    ),
    Slip("wrong_formula", "ends holds the starts: no step was taken", lambda v: {"ends": v["starts"]}),
)
TABLE = (
    Slip("row_for_column", "the row's number picks the mean: // gives the row, % the column", as_rows),
    Slip("wrong_formula", "negative results are kept; they should be 0", negative_kept),
)
OCCUPANCY = (
    Slip("blocks_for_warps", "these are blocks; a block of 256 threads is 8 warps", as_blocks),
    Slip(
        "registers_forgotten",
        "the registers are ignored: a warp takes 32 times those of a thread",
        without_registers,
    ),
    Slip("shared_forgotten", "the shared memory is ignored: every resident block holds its own", without_shared),
    Slip("block_limit_forgotten", "small blocks: no more than 32 are resident, however small", without_block_limit),
    Slip("quarters_forgotten", "the registers lie in four parts: of the warps that fit, a multiple of 4", in_one_part),
    Slip("not_in_units", "registers are handed out to a warp in units of 256: round up", registers_not_in_units),
)
PROFILE = (
    Slip("upside_down", "the ratios are upside down: sectors over requests, not requests over sectors", upside_down),
)
LAWS = (
    Slip("laws_swapped", "the two laws have changed places", laws_swapped),
    Slip("serial_share", "parallel_share is taken for the serial one", serial_for_parallel),
)
