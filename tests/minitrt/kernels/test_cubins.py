"""Cubins by name: factories, worker processes, and what is kept on disk."""

from __future__ import annotations

import pytest

from minitrt.kernels import factories, pool, worker
from minitrt.kernels.compile import CompileError, Cubin, SlowCode, architecture_of


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
    for request, error in ((slow, SlowCode("hopper_conv", "spills")), (broken, CompileError("hopper_conv", "died"))):
        pool._keep(request, (9, 0), error)
    found = pool.cubins([slow], (9, 0), workers=0)[0]

    assert isinstance(found, SlowCode) and str(found) == "hopper_conv cannot be used: spills"
    assert pool._kept(broken, (9, 0)) is None and pool._kept(slow, (10, 0)) is None


@pytest.mark.parametrize(("error", "slow"), [(SlowCode("k", "spills"), True), (CompileError("k", "no such"), False)])
def test_a_worker_says_which_errors_are_refusals_and_the_name_once(monkeypatch, error, slow):
    def fail(*_):
        raise error

    monkeypatch.setattr(worker, "cubin", fail)
    answer = worker.answer({"name": "k", "constants": {}, "capability": [9, 0]})
    back = pool._cubin_of(answer, "k")

    assert answer == {"error": error.log, "slow": slow} and (type(back), str(back)) == (type(error), str(error))


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
