"""The timing cache and the tuner's choice, without a GPU: a full cache decides alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from minitrt.tactics import hopper_conv
from minitrt.tactics.contract import signature
from minitrt.tactics.timing_cache import CacheMismatch, TimingCache, header_of
from minitrt.tactics.tuner import Tuner
from tests.minitrt.operations import H200, RAGGED

OP = RAGGED["3x3 of 128 channels"]


def full_cache() -> TimingCache:
    cache = TimingCache(header_of(H200))
    for place, tactic in enumerate(hopper_conv.candidates(OP, H200)):
        cache.update(signature(OP), tactic.name, 10.0 + abs(place - 3))
    return cache


def test_a_full_cache_decides_without_compiling_or_timing():
    tactics = hopper_conv.candidates(OP, H200)
    tuner = Tuner(H200, full_cache())
    ranked = tuner.choose(OP, tactics)

    assert tactics[3].name == ranked[0][1].name
    assert {} == tuner.compiled


def test_equal_times_go_to_the_lower_id_whatever_the_order_of_candidates():
    tactics, cache = hopper_conv.candidates(OP, H200), TimingCache(header_of(H200))
    for tactic in tactics:
        cache.update(signature(OP), tactic.name, 7.0)
    first = Tuner(H200, cache).choose(OP, tactics)
    second = Tuner(H200, cache).choose(OP, tactics[::-1])

    assert [tactic.name for _, tactic in first] == [tactic.name for _, tactic in second]
    assert min(tactic.id for tactic in tactics) == first[0][1].id


def test_a_cache_comes_back_from_its_bytes_and_equal_caches_have_equal_bytes():
    cache = full_cache()
    back = TimingCache.deserialize(cache.serialize(), H200)

    assert back == cache
    assert back.serialize() == cache.serialize()


def test_empty_bytes_are_an_empty_cache_of_this_device():
    assert TimingCache(header_of(H200)) == TimingCache.deserialize(b"", H200)


def test_times_of_another_device_are_refused_unless_asked_for():
    mine, other = full_cache(), TimingCache(header_of(replace(H200, name="NVIDIA L4")), {"op": {"tactic": 1.0}})
    with pytest.raises(CacheMismatch, match="NVIDIA L4"):
        mine.combine(other)
    mine.combine(other, ignore_mismatch=True)

    assert 1.0 == mine.query("op", "tactic")


def test_combining_keeps_the_times_that_are_already_known():
    one, two = TimingCache({}, {"op": {"a": 1.0}}), TimingCache({}, {"op": {"a": 2.0, "b": 3.0}})
    one.combine(two)

    assert {"op": {"a": 1.0, "b": 3.0}} == one.times


def test_bytes_of_another_format_are_refused_with_what_to_do():
    with pytest.raises(ValueError, match="Delete it"):
        TimingCache.deserialize(b'{"format": 99}', H200)
