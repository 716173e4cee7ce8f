"""A cluster of one's own: a GPU a worker, encrypted, and a GPU that is lost takes nobody's judgement with it."""

import os
from pathlib import Path

import pytest

from autograder.classroom import workers
from autograder.classroom.cluster import devices, duty, embedded, tls
from autograder.classroom.cluster.duty import DeviceLost
from autograder.speed import canary
from tests.autograder.classroom.test_workers import wait_until

needs_dask = pytest.mark.skipif(not embedded.is_installed(), reason="the extra cluster is not installed")
GPUS = ("GPU-a", "GPU-b")


def kind_task(task: bytes) -> bytes:
    """What the tests give a worker to do instead of judging: say which GPU it sees."""
    device = os.environ[devices.VISIBLE]
    if task == b"lost" and device == GPUS[1] or task == b"lost everywhere":
        return duty.lost_reply(device)
    if task.startswith(b"meet "):
        folder = Path(os.fsdecode(task.removeprefix(b"meet ")))
        (folder / device).touch()
        wait_until(lambda: all((folder / each).exists() for each in GPUS))
    return device.encode()


@needs_dask
def test_each_worker_sees_one_gpu_and_what_is_lost_goes_to_another(monkeypatch, tmp_path):
    monkeypatch.setattr(workers, "judge_task", kind_task)
    monkeypatch.setattr(devices, "uuids", lambda: GPUS)
    meet = b"meet " + os.fsencode(tmp_path)
    tasks = {"m0": meet, "m1": meet} | {f"l{n}": b"lost" for n in range(6)}

    seen = {answer.key: answer.reply for answer in workers.answers(tasks, n_workers=2)}

    assert tasks.keys() == seen.keys()
    assert {name.encode() for name in GPUS} == {seen["m0"], seen["m1"]}
    assert {b"GPU-a"} == {seen[f"l{n}"] for n in range(6)}


@needs_dask
def test_nobody_without_the_certificate_talks_to_the_cluster(tmp_path):
    import distributed

    with embedded.cluster([]) as (address, _security):
        assert address.startswith("tls://127.0.0.1")
        tls.make(tmp_path / "tls")
        stranger = tls.security_of(str(tmp_path / "tls"))
        with pytest.raises(OSError):
            distributed.Client(address, security=stranger, timeout=2)


@needs_dask
def test_certificates_are_made_once_for_this_user_only_and_a_missing_one_is_told(tmp_path):
    paths = tls.make(tmp_path)

    assert {0o600} == {path.stat().st_mode & 0o777 for path in paths}
    assert tls.security_of(str(tmp_path)).require_encryption
    with pytest.raises(tls.TlsError, match="has certificates"):
        tls.make(tmp_path)
    with pytest.raises(workers.SchedulerError, match="cluster.tls"):
        workers.answers({"key": b"{}"}, "tls://127.0.0.1:1", certificates=str(tmp_path / "none"))


def test_without_dask_each_worker_of_the_pool_has_a_gpu_of_its_own(monkeypatch, tmp_path):
    monkeypatch.setattr(workers, "judge_task", kind_task)
    monkeypatch.setattr(devices, "uuids", lambda: GPUS)
    monkeypatch.setattr(embedded, "is_installed", lambda: False)

    meet = b"meet " + os.fsencode(tmp_path)

    tasks = {"m0": meet, "m1": meet, "all": b"lost everywhere"}

    seen = {answer.key: answer.reply for answer in workers.answers(tasks, n_workers=2)}

    assert isinstance(seen.pop("all"), DeviceLost)
    assert {name.encode() for name in GPUS} == set(seen.values())


def test_one_gpu_or_none_binds_nobody_and_several_share_the_cores():
    one_core, few, many = (devices.Capacity(n_cores) for n_cores in (1, 2, 32))

    assert ["", ""] == devices.workers_for((), few)
    assert 8 == len(devices.workers_for((), many)) and 3 == len(devices.workers_for((), many, n_workers=3))
    assert [""] == devices.workers_for(("GPU-a",), one_core)
    assert [""] * 4 == devices.workers_for(("GPU-a",), devices.Capacity(8))
    assert list(GPUS) * 8 == devices.workers_for(GPUS, many)
    assert list(GPUS) * 2 == devices.workers_for(GPUS, few)


def test_no_more_workers_share_a_gpu_than_find_memory_in_the_machine_and_on_it():
    gib = 1 << 30

    assert 8 == devices.Capacity(64, 512 * gib, 141 * gib).workers_a_gpu(2)
    assert 4 == devices.Capacity(64, 64 * gib, 141 * gib).workers_a_gpu(2)
    assert 2 == devices.Capacity(64, 512 * gib, 24 * gib).workers_a_gpu(2)
    assert 2 == devices.Capacity(64, 8 * gib, 8 * gib).workers_a_gpu(1)


def test_a_gpu_on_which_no_canary_lives_is_in_quarantine_until_one_does(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(canary, "SECONDS", 0.01)
    monkeypatch.setattr(duty.backend, "gpu_available", lambda: True)
    alive = [False]
    monkeypatch.setattr(canary, "device_is_back", lambda: alive[0])
    done = []

    def judge(task: bytes) -> bytes:
        done.append(task)
        canary.ask_for_one("a kernel hung")
        return b"{}"

    assert b"{}" == duty.on_duty(judge, b"1"), "what was judged counts, whatever became of the GPU"
    assert "first" == duty.lost_device(duty.on_duty(judge, b"2"))
    alive[0] = True
    assert b"{}" == duty.on_duty(judge, b"3")
    assert [b"1", b"3"] == done


def test_a_canary_that_hangs_takes_no_longer_than_it_may(monkeypatch, tmp_path):
    hangs = tmp_path / "python"
    hangs.write_text("#!/bin/sh\nexec sleep 900\n")
    hangs.chmod(0o755)
    monkeypatch.setattr(canary.sys, "executable", str(hangs))

    assert not canary.device_is_back(0.5)
