"""The program that docs/many-gpus.md gives for Slurm: what it asks for, and a class that it grades.

Slurm's two commands are stand-ins; the program ran with Slurm itself, as the page says.
"""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys

import pytest

from autograder import cli
from benchmarks.invented_class import hand_in
from tests.patience import PATIENCE_S
from tools.parts.units import ROOT

dask_jobqueue = pytest.importorskip("dask_jobqueue", reason="dask-jobqueue is not installed")

UNIT = "01_vector_add"
INSTALLED, HERE = '["warpbook", ', '[sys.executable, "-m", "autograder.cli", '
SBATCH = """#!/bin/sh
cp "$1" job$$.sh  # it is deleted as soon as this returns
setsid bash job$$.sh > job$$.out 2>&1 < /dev/null &
echo "Submitted batch job $!"
"""
SCANCEL = """#!/bin/sh
for job; do kill -- "-$job"; done
"""


def program() -> str:
    """As the page has it."""
    page = (ROOT / "docs" / "many-gpus.md").read_text(encoding="utf-8")
    return re.search(r"^## Slurm$.*?^```python$(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)[1]


class NoSlurm:
    """A cluster of which nothing is started: what it was asked for, in order."""

    scheduler_address = "tls://192.0.2.1:8786"

    def __init__(self, **asked):
        self.asked, self.done = asked, []
        NoSlurm.last = self

    def scale(self, jobs: int) -> None:
        self.done.append(f"{jobs} jobs")

    def wait_for_workers(self, n_workers: int) -> None:
        self.done.append(f"{n_workers} worker is here")

    def graded(self, command: list[str]) -> int:
        self.done.append("graded")
        self.command = command
        return 3


def run_with(monkeypatch, *arguments: str) -> NoSlurm:
    monkeypatch.setattr(dask_jobqueue, "SLURMCluster", NoSlurm)
    monkeypatch.setattr(subprocess, "call", lambda command: NoSlurm.last.graded(command))
    monkeypatch.setattr(sys, "argv", ["on_slurm.py", *arguments])
    with pytest.raises(SystemExit) as ended:
        exec(compile(program(), "on_slurm.py", "exec"), {"__name__": "__main__"})
    assert 3 == ended.value.code, "how grading ended is how the program ends"
    return NoSlurm.last


def test_a_job_gets_a_gpu_its_cores_and_workers_that_judge_one_answer_at_a_time_behind_certificates(
    monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    cluster = run_with(monkeypatch)

    script = dask_jobqueue.slurm.SLURMJob("tls://192.0.2.1:8786", name="0", **cluster.asked).job_script()

    for line in ("--gres=gpu:1", "--cpus-per-task=8", "--mem=30G", "-t 02:00:00", "-n 1"):
        assert f"#SBATCH {line}\n" in script
    (worker,) = re.findall(r"^\S+ -m distributed.cli.dask_worker tls://.*$", script, flags=re.MULTILINE)
    for flags in ("--nthreads 1 ", "--nworkers 4 ", "--nanny", "--protocol tls://", "--tls-key certificates/key.pem"):
        assert flags in worker
    assert script.index("source .venv/bin/activate") < script.index(worker)


def test_nothing_is_graded_while_jobs_queue_and_a_second_time_goes_on_with_the_same_certificates(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    run_with(monkeypatch)
    first = (tmp_path / "certificates" / "key.pem").read_bytes()

    cluster = run_with(monkeypatch, "--resume")

    assert ["2 jobs", "1 worker is here", "graded"] == cluster.done
    assert first == (tmp_path / "certificates" / "key.pem").read_bytes()
    asked = cli.parser().parse_args(cluster.command[1:])
    assert asked.resume and asked.scheduler == NoSlurm.scheduler_address and asked.tls == "certificates"
    assert "certificates/" in (ROOT / ".gitignore").read_text().splitlines(), "a key that nobody commits"


@pytest.mark.release
def test_the_program_grades_a_class_with_jobs(tmp_path):
    """Jobs are processes here, of one core each and no GPU; all else is the page's."""
    hand_in(tmp_path / "build" / "submitted", UNIT, 1)
    for name, text in {"bin/sbatch": SBATCH, "bin/scancel": SCANCEL, ".venv/bin/activate": ""}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
    text = program().replace(INSTALLED, HERE).replace("processes=4", "processes=1").replace("cores=4", "cores=1")
    (tmp_path / "on_slurm.py").write_text(text.replace("32GB", "4GB"))
    environment = os.environ | {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}

    ran = subprocess.run(
        [sys.executable, "on_slurm.py", "--unit", UNIT],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )

    assert 0 == ran.returncode, ran.stderr + "".join(each.read_text() for each in tmp_path.glob("job*.out"))
    rows = list(csv.DictReader((tmp_path / "build" / "gradebook.csv").open()))
    assert 8 == len(rows) and "right" in {row["status"] for row in rows}
