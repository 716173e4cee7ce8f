"""Two runs of a project's tests, compared: what passes in both, what a true finding stopped, what is lost."""

from __future__ import annotations

from typing import Any

from benchmarks.public_projects.projects import Project
from benchmarks.public_projects.running import CUDASIM, OURS

Run = dict[str, Any]


def compared(project: Project, there: Run, here: Run) -> dict[str, Any]:
    """What is recorded of a project. there, here: as `running.suite` returns them.

    A test that fails here because something was found counts as told where all that was found is judged true.
    """
    findings = [one | {"true": project.true.get(f"{one['at']} {one['kind']}", "")} for one in here["findings"]]
    all_true = all(one["true"] for one in findings)
    passed = [name for name, one in there["tests"].items() if one["outcome"] == "passed"]
    both = told = 0
    lost = {}
    for name in passed:
        one = here["tests"].get(name, {"outcome": "not run", "found": False, "why": "it did not come to it"})
        if one["outcome"] == "passed":
            both += 1
        elif one["found"] and all_true:
            told += 1
        else:
            lost[name] = project.known.get(name) or f"{one['outcome']}: {one['why']}"
    alone = sum(
        one["outcome"] == "passed" and there["tests"].get(name, {}).get("outcome") != "passed"
        for name, one in here["tests"].items()
    )
    return {
        "repository": project.repository,
        "commit": project.commit,
        "there": len(passed),
        "both": both,
        "told": told,
        "here_alone": alone,
        "cpu_s": {CUDASIM: there["cpu_s"], OURS: here["cpu_s"]},
        "ended": {CUDASIM: there["ended"], OURS: here["ended"]},
        "findings": findings,
        "lost": lost,
    }
