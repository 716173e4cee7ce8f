"""Formulas of cards that no kernel can measure, held to something that was worked out in another way."""

from __future__ import annotations

import random

import numpy as np
import pytest

from autograder.drills import kinds
from autograder.drills.load import all_cards, find_card

DRAWS = 5
THIS_FILE = "tests/autograder/drills/test_formulas.py"


def questions(name: str):
    """A few questions of a card, with their values."""
    return [kinds.pose(find_card(name), "en", random.Random(number)).values for number in range(DRAWS)]


def a3_roundtrips(v):
    return sum(v["mib"] * 2 for _ in range(v["turns"]) for _ in range(v["arrays"]))


def pipelined(chunks: int, stages: tuple[float, ...]) -> float:
    """When the last chunk leaves the last stage, each stage doing one chunk at a time, simulated."""
    free = [0.0] * len(stages)
    done = 0.0
    for _ in range(chunks):
        done = 0.0
        for stage, time in enumerate(stages):
            done = free[stage] = max(done, free[stage]) + time
    return done


def b1_three_stage(v):
    return pipelined(v["chunks"], (v["t"],) * 3)


def b3_slowest(v):
    return pipelined(v["chunks"], (v["a"], v["k"], v["b"]))


def b2_launch_hidden(v):
    last = pipelined(v["launches"], (v["launch_us"], v["kernel_us"]))
    return last - min(v["launch_us"], v["kernel_us"])  # the first launch's own delay


def b4_gain(v):
    done, gpu_free, cpu_free, step = 0, 0.0, 0.0, 0.01
    while done < v["n"] / step:
        if gpu_free <= cpu_free:
            gpu_free += step / v["gpu_rate"]
        else:
            cpu_free += step / v["cpu_rate"]
        done += 1
    return max(gpu_free, cpu_free)


def b6_pages(v):
    return len({at // v["page_kib"] for at in range(v["mib"] * 1024)})


def b9_in_flight(v):
    return sum(v["width"] for _ in range(v["warps"]) for _lane in range(32) for _load in range(v["loads"]))


def b10_waves(v):
    left, waves = v["blocks"], 0
    while left > 0:
        left, waves = left - v["sms"] * v["per_sm"], waves + 1
    return waves


HELD = {
    "a3.roundtrips": a3_roundtrips,
    "b1.three_stage": b1_three_stage,
    "b2.launch_hidden": b2_launch_hidden,
    "b3.slowest": b3_slowest,
    "b4.gain": b4_gain,
    "b6.pages": b6_pages,
    "b9.in_flight": b9_in_flight,
    "b10.waves": b10_waves,
}


@pytest.mark.parametrize("name", sorted(HELD))
def test_a_formula_agrees_with_a_second_way_to_the_same_number(name):
    for values in questions(name):
        assert HELD[name](values) == pytest.approx(values["truth"], rel=2e-3), values


def test_every_card_that_says_it_is_held_here_is_and_no_other():
    said = {card.id for card in all_cards().values() if card.data.get("held_by") == THIS_FILE}

    assert said == set(HELD)


def test_numpy_rounds_halves_to_the_even_one_as_the_cards_say():
    assert [0, 2, 2, 4, -2] == [int(each) for each in np.rint([0.5, 1.5, 2.5, 3.5, -2.5])]
