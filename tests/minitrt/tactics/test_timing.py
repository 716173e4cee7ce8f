"""The timing cache and the tuner's choice, without a GPU: a full cache decides alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from minitrt.kernels.compile import CompileError, Cubin, SlowCode
from minitrt.tactics import hopper_conv, tuner
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


def test_times_of_other_kernels_are_refused(monkeypatch):
    """A cache that outlived a change of a kernel had decided builds by the times of the old one."""
    before = full_cache()
    monkeypatch.setattr("minitrt.kernels.pool.code_version", lambda: "another version")

    with pytest.raises(CacheMismatch, match="another version"):
        TimingCache(header_of(H200)).combine(before)


def test_combining_keeps_the_times_that_are_already_known():
    one, two = TimingCache({}, {"op": {"a": 1.0}}), TimingCache({}, {"op": {"a": 2.0, "b": 3.0}})
    one.combine(two)

    assert {"op": {"a": 1.0, "b": 3.0}} == one.times


def test_bytes_of_another_format_are_refused_with_what_to_do():
    with pytest.raises(ValueError, match="Delete it"):
        TimingCache.deserialize(b'{"format": 99}', H200)


class Assembler:
    """Stands for the compiling processes: every kernel ends in an error of one class."""

    def __init__(self, error: type[CompileError]):
        self.error, self.asked = error, []

    def __call__(self, requests, capability, done):
        self.asked += requests
        return [self.error(name, "28 bytes spill.") for name, _ in requests]


@pytest.mark.parametrize(("error", "again"), [(SlowCode, False), (CompileError, True)])
def test_slow_code_is_made_once_and_told_beside_the_warnings(monkeypatch, error, again):
    """The second build has the first one's cache; a process that died, say, may do better the second time."""
    assembler, warnings, details = Assembler(error), [], []
    monkeypatch.setattr(tuner, "cubins", assembler)
    tactics = hopper_conv.candidates(OP, H200)[:3]
    first = Tuner(H200, TimingCache(header_of(H200)), warnings.append, details.append)
    assert [] == first.choose(OP, tactics)
    cache = TimingCache.deserialize(first.cache.serialize(), H200)
    tried, second = len(assembler.asked), Tuner(H200, cache, warnings.append, details.append)

    assert tried == 3 and bool(second.needed([(OP, tactics)])) == again
    assert [] == second.choose(OP, tactics) and len(assembler.asked) == tried * (2 if again else 1)
    assert len(warnings if again else details) == tried * (2 if again else 1) and not (details if again else warnings)
    assert all("hopper_conv cannot be used: 28 bytes spill. Its constants: " in said for said in warnings + details)
    for tactic in tactics:
        assert f"{tactic.name}: hopper_conv cannot be used: 28 bytes spill." in second.why_none(OP)


def test_a_refusal_by_other_compilers_or_for_another_gpu_counts_for_nothing(monkeypatch):
    assembler, tactic = Assembler(SlowCode), hopper_conv.candidates(OP, H200)[0]
    monkeypatch.setattr(tuner, "cubins", assembler)
    cache = TimingCache(header_of(H200))
    Tuner(H200, cache).choose(OP, [tactic])

    for changed in (lambda: None, lambda: monkeypatch.setattr("minitrt.kernels.pool.code_version", lambda: "13.9")):
        changed()
        tried = len(assembler.asked)
        Tuner(H200, cache).choose(OP, [tactic])
        Tuner(replace(H200, compute_capability=(10, 0)), cache).choose(OP, [tactic])
    assert [(OP, 4)] == [(OP, len(assembler.asked))] and tried == 2


def test_refusals_are_combined_and_forgotten_with_the_times():
    one, two = TimingCache({}, refused={"a": "spills"}), TimingCache({}, refused={"a": "", "b": "runs one by one"})
    two.code = {"c": {"entry": "conv"}}
    one.combine(two)
    assert {"a": "spills", "b": "runs one by one"} == one.refused and two.code == one.code

    one.clear()
    assert one == TimingCache({})


def test_a_cache_holds_the_machine_code_of_what_was_built_and_no_build_with_it_compiles_that_again(monkeypatch):
    """With the times alone a build of ResNet-50 on a machine that had compiled none of its kernels took 8 s."""
    made, asked = Cubin(b"\x7fELF", "conv", 168, 0, 0, ("C7510",)), []
    monkeypatch.setattr(tuner, "cubins", lambda requests, *_, **__: asked.extend(requests) or [made] * len(requests))
    chosen, other = (tactic.make(OP)[0].kernel for tactic in hopper_conv.candidates(OP, H200)[:2])
    first = Tuner(H200, TimingCache(header_of(H200)))
    first.compile([chosen, other])
    first.keep([chosen])
    second = Tuner(H200, TimingCache.deserialize(first.cache.serialize(), H200))
    second.compile([chosen, other])

    assert 3 == len(asked) and made == second.compiled[chosen.digest]
    for changed in (replace(H200, compute_capability=(10, 0)), H200):  # other code for another GPU, none once cleared
        third = Tuner(changed, second.cache)
        third.compile([chosen])
        second.cache.clear()
    assert 5 == len(asked)
