"""What a text says of a measurement is what the record says; recorded anew, a sentence that no longer holds fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from tools.parts.units import ROOT

KERNELS, COMPRESSION, RUNTIME, LANGUAGE = (
    "18_engine_kernels",
    "20_compression",
    "19_engine_runtime",
    "21_language_models",
)


@cache
def record(name: str) -> Any:
    """benchmarks/results/NAME.json."""
    return json.loads((ROOT / "benchmarks" / "results" / f"{name}.json").read_text(encoding="utf-8"))


def number(cell: str) -> float:
    """What a cell of a table stands for: "2,944", "82 %", "1.00x"."""
    return float(cell.replace(",", "").rstrip(" %x"))


def row(name: str, part: str, *begins: str) -> list[str]:
    """The row of a recorded table that begins with these cells."""
    document = record(name)
    rows = (document["parts"][part] if part else document)["rows"]
    return next(one for one in rows if tuple(one[: len(begins)]) == begins)


def product_us(way: str, size: str) -> float:
    return number(row("compression", "products", way, size)[2])


def of_its_tensor_cores(way: str, instruction: str) -> float:
    """The rate of a product beside that of its instruction from registers alone."""
    rates = [row("compression", "products", *one)[3] for one in ((way, "4096 x 4096 x 4096"), (instruction,))]
    return number(rates[0]) / number(rates[1])


def network(name: str) -> dict[str, Any]:
    return next(one for one in record("compressed")["found"] if one["network"] == name)


def share_of_bytes(name: str) -> float:
    return network(name)["bytes"] / network("whole, FP16")["bytes"]


def engine_us(name: str) -> float:
    return network(name)["engine"]["us"]


def layer_by_cudnn(place: int) -> float:
    """How many times as fast as cuDNN's FP16 the last rung runs a layer."""
    times = record("engine_kernels")["layers"][place]["times_us"]
    return times["cudnn"] / times["conv_warpgroup"]


def attention_us(places: str, kernels: str = "both launches") -> float:
    return number(row("language_models", "", f"attention, {kernels}", f"{places} places, 32 heads, 8 shared")[2])


def of_int8(kernels: str, batch: int) -> dict[str, Any]:
    asked = (kernels, "INT8", batch)
    return next(one for one in record("capstone")["runs"] if (one["kernels"], one["type"], one["batch"]) == asked)


HALVES = ("half anywhere", "half of the channels inside blocks", "two of every four")
SAYS: tuple[tuple[str, str, Callable[[], bool]], ...] = (
    (KERNELS, "your INT8 convolution runs ResNet-50's 3 x 3 layer with the largest", lambda: layer_by_cudnn(0) > 1.2),
    (
        KERNELS,
        "in the other two the library's FP16 is about as fast as yours",
        lambda: all(0.9 < layer_by_cudnn(k) < 1.15 for k in (1, 2)),
    ),
    (
        RUNTIME,
        "In the recorded rows `conv_split` runs at batch 1 alone",
        lambda: (
            {
                batch: "conv_split" in {one["tactic"] for one in of_int8("the course's", batch)["layers"]}
                for batch in (1, 128)
            }
            == {1: True, 128: False}
        ),
    ),
    (
        RUNTIME,
        "INT8 hardly ever does here, with the engine's kernels as with the course's",
        lambda: all(
            number(one[-1]) < 5
            for one in record("capstone")["parts"]["measured"]["rows"]
            if one[1] == "INT8" and one[-1]
        ),
    ),
    (
        COMPRESSION,
        "the network misreads 13 of these 1,000 digits",
        lambda: record("trained_digits")["wrong_of_1000"]["held out"] == network("whole, FP16")["wrong"] == 13,
    ),
    (
        COMPRESSION,
        "all ways come to about half, and weights of 3 bits to about a fifth",
        lambda: (
            all(0.45 < share_of_bytes(one) < 0.6 for one in HALVES)
            and 0.18 < share_of_bytes("the same, weights of 3 bits") < 0.22
        ),
    ),
    (
        COMPRESSION,
        "and yet the time is the same",
        lambda: all(abs(engine_us(one) / engine_us("whole, FP16") - 1) < 0.03 for one in HALVES),
    ),
    (
        COMPRESSION,
        "INT8 even takes longer",
        lambda: engine_us("INT8 between the first layer and the last") > 1.1 * engine_us("whole, FP16"),
    ),
    (
        COMPRESSION,
        "INT8 lost nothing to begin with",
        lambda: network("INT8 between the first layer and the last")["wrong"] <= network("whole, FP16")["wrong"],
    ),
    (
        COMPRESSION,
        "about half as much again, not twice as much",
        lambda: (
            1.4
            < number(row("compression", "products", "mma_sparse")[3]) / number(row("compression", "products", "mma")[3])
            < 1.6
        ),
    ),
    (
        COMPRESSION,
        "for more than half of the time and the sparse one for less than half",
        lambda: (
            of_its_tensor_cores("same tile, dense", "mma") > 0.5 > of_its_tensor_cores("sparse_products", "mma_sparse")
        ),
    ),
    (
        COMPRESSION,
        "a call takes about half a millisecond, for 128 columns as well as for 4,096",
        lambda: all(450 < product_us("torch.mm, 2:4", f"4096 x 4096 x {n}") < 550 for n in (128, 4096)),
    ),
    (
        COMPRESSION,
        "At 8192 the product takes longer than that, and there the sparse one wins",
        lambda: (
            550
            < product_us("torch.mm, 2:4", "8192 x 8192 x 8192")
            < product_us("torch.mm, dense", "8192 x 8192 x 8192")
        ),
    ),
    (
        COMPRESSION,
        "A threshold by four rounds takes a third of the time of a sort",
        lambda: (
            0.28
            < number(row("compression", "thresholds", "count_digits, four rounds")[1])
            / number(row("compression", "thresholds", "torch.sort")[1])
            < 0.38
        ),
    ),
    (
        LANGUAGE,
        "four times as many places take only about half as long again",
        lambda: 1.35 < attention_us("32,768") / attention_us("8,192") < 1.65,
    ),
    (
        LANGUAGE,
        "Its row stands in the table, too",
        lambda: attention_us("32,768", "on tensor cores") < 0.8 * attention_us("32,768"),
    ),
)


@pytest.mark.parametrize(("unit", "sentence", "holds"), SAYS, ids=[sentence[:40] for _, sentence, _ in SAYS])
def test_what_a_text_says_of_a_measurement_is_on_record(unit, sentence, holds):
    text = (ROOT / "solutions" / unit / f"{unit}.py").read_text(encoding="utf-8")

    assert sentence in text and holds(), sentence
