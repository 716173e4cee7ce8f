"""Cubins by name: factories, worker processes, and what is kept on disk."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from minitrt.kernels import factories, pool, worker
from minitrt.kernels.compile import CompileError, Cubin, SlowCode, architecture_of
from minitrt.runtime.gpu import Resident
from minitrt.tactics.contract import KernelKey
from tests.minitrt.operations import H200

MADE = Cubin(b"code", "kernel", 168, 96, 0, ("a warning",))


def test_a_name_that_no_factory_has_is_refused_with_the_names_there_are():
    with pytest.raises(factories.UnknownKernel, match="hopper_conv"):
        factories.kernel("int9_conv", {})


@pytest.mark.parametrize("name", factories.FACTORIES)
def test_every_factory_can_be_found(name):
    module, _, function = factories.FACTORIES[name].rpartition(".")
    assert callable(getattr(factories.import_module(f"minitrt.kernels.{module}"), function))


def test_hopper_gets_its_own_instructions_and_older_ones_do_not():
    assert ["sm_90a", "sm_75"] == [architecture_of((9, 0)), architecture_of((7, 5))]


def test_workers_answer_in_order_and_the_second_build_reads_the_disk(tmp_path, monkeypatch):
    monkeypatch.setenv(pool.CACHE_VARIABLE, str(tmp_path))
    requests, told = [("global_average", {}), ("no_such_kernel", {})], []
    first = pool.cubins(requests, (9, 0), workers=1, done=told.append)
    monkeypatch.setattr(pool, "_Worker", None)  # nothing may be compiled now
    second = pool.cubins(requests[:1], (9, 0))

    assert isinstance(first[0], Cubin) and first[0].code[:4] == b"\x7fELF"
    assert isinstance(first[1], CompileError) and "no_such_kernel" in str(first[1])
    assert first[0] == second[0] and [0, 1] == told


def test_code_that_is_refused_is_not_made_again(tmp_path, monkeypatch):
    """Here a worker process answers from the disk too; what it says arrives as it would from the assembler."""
    monkeypatch.setenv(pool.CACHE_VARIABLE, str(tmp_path))
    slow, broken = ("hopper_conv", {"n": 1}), ("hopper_conv", {"n": 2})
    pool._keep(slow, (9, 0), SlowCode("hopper_conv", "spills", MADE))
    pool._keep(broken, (9, 0), CompileError("hopper_conv", "died"))
    found = pool.cubins([slow], (9, 0), workers=0)[0]

    assert isinstance(found, SlowCode) and str(found) == "hopper_conv cannot be used: spills" and found.made == MADE
    assert pool._kept(broken, (9, 0)) is None and pool._kept(slow, (10, 0)) is None


@pytest.mark.parametrize("error", [SlowCode("k", "spills", MADE), CompileError("k", "no such")])
def test_a_worker_says_which_errors_are_refusals_and_the_name_once(monkeypatch, error):
    def fail(*_):
        raise error

    monkeypatch.setattr(worker, "cubin", fail)
    answer = worker.answer({"name": "k", "constants": {}, "capability": [9, 0]})
    back = pool._cubin_of(answer, "k")

    assert (type(back), back.__dict__, str(back)) == (type(error), error.__dict__, str(error))


def test_at_shapes_that_an_engine_was_not_tuned_for_slow_code_runs_rather_than_none(monkeypatch):
    warnings, one = [], SimpleNamespace(kernel=KernelKey.of("hopper_conv"))
    resident = object.__new__(Resident)
    resident.__dict__ = dict(
        plan=SimpleNamespace(cubins={}, device=H200), report=SimpleNamespace(warning=warnings.append)
    )
    monkeypatch.setattr(pool, "cubins", lambda asked, _: [SlowCode(name, "spills.", MADE) for name, _ in asked])
    resident.compile([one])

    assert resident.plan.cubins == {one.kernel.digest: (MADE.code, MADE.entry)}
    assert "hopper_conv cannot be used: spills. It runs at these shapes all the same" == warnings[0]
    resident.plan.cubins.clear()
    monkeypatch.setattr(pool, "cubins", lambda asked, _: [CompileError(name, "no room") for name, _ in asked])
    with pytest.raises(CompileError, match="no room"):
        resident.compile([one])


def test_who_is_told_of_each_kernel_can_end_the_work(tmp_path, monkeypatch):
    def stop(index):
        raise KeyboardInterrupt

    monkeypatch.setenv(pool.CACHE_VARIABLE, str(tmp_path))
    with pytest.raises(KeyboardInterrupt):
        pool.cubins([("no_such_kernel", {"n": n}) for n in range(50)], (9, 0), workers=1, done=stop)


def test_a_worker_that_cannot_start_leaves_errors_and_no_hang(tmp_path, monkeypatch):
    def broken():
        raise OSError("no more processes")

    monkeypatch.setenv(pool.CACHE_VARIABLE, str(tmp_path))
    monkeypatch.setattr(pool, "_Worker", broken)
    monkeypatch.setattr(pool.threading, "excepthook", lambda args: None)

    assert isinstance(pool.cubins([("int8_global_average", {})], (9, 0))[0], CompileError)


def test_half_a_file_in_the_cache_counts_as_none(tmp_path, monkeypatch):
    monkeypatch.setenv(pool.CACHE_VARIABLE, str(tmp_path))
    request = ("global_average", {})
    (tmp_path / pool.digest_of(request, (9, 0))).write_text('{"code": "AA')

    assert pool._kept(request, (9, 0)) is None


def test_another_architecture_is_another_cubin():
    request = ("global_average", {})
    assert pool.digest_of(request, (9, 0)) != pool.digest_of(request, (8, 0))
