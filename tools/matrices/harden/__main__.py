"""Mutants of the course's own answers, and which of them pass: holes, each with the smallest input that shows it.

    python -m tools.matrices.harden --unit 16_engine_graph
    python -m tools.matrices.harden --exercise atomics.last_block_sum --sample 40 --jobs 8
    python -m tools.matrices.harden --seconds 600 --record

Prints a line for each hole and a score for each exercise: of the mutants that run and are wrong somewhere in the
domain, how many are not right for the judge. Ends with a failure below the goals.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import sys
import time
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import islice

from autograder import exercises
from tools.matrices.harden.page import write
from tools.matrices.harden.scored import GOAL, GOAL_EACH, PARTS, Score, score_of


def main(arguments: list[str] | None = None) -> int:
    """Print holes and scores. Returns: 0 where the goals are met, 1 where they are not."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--unit", action="append", help="only this unit, as in 06_reductions")
    parser.add_argument("--exercise", action="append", help="only this exercise, as in reductions.block_sum")
    parser.add_argument("--sample", type=int, default=0, help="mutants of each exercise; default: all")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin nothing new after so long")
    parser.add_argument("--record", action="store_true", help="write docs/harden.md")
    wanted = parser.parse_args(arguments)
    chosen = [exercises.find(name) for name in wanted.exercise or ()]
    chosen += [one for unit in wanted.unit or () for one in exercises.of_unit(unit)]
    scores = asked([one.id for one in chosen or exercises.all_exercises()], wanted.sample, wanted.jobs, wanted.seconds)
    for score in scores:
        print(score)
    total = Score.together(scores)
    print(total)
    if wanted.record:
        write(scores)
    return int(total.share < GOAL or any(score.share < GOAL_EACH for score in scores))


def asked(names: Iterable[str], sample: int, jobs: int, seconds: float = math.inf) -> list[Score]:
    """The scores of exercises, by id, whose mutants are spread over processes; holes are printed as they come.

    After so many seconds nothing new is begun: the order tells nothing, so that what was tried is a fair sample.
    """
    ends = time.monotonic() + seconds
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    parts: dict[str, list[Score]] = {name: [] for name in names}
    context = multiprocessing.get_context("spawn")
    tasks = iter([(name, part, sample) for part in range(PARTS) for name in parts])
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        running = {pool.submit(score_of, *task) for task in islice(tasks, jobs)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for score in (one.result() for one in done):
                parts[score.exercise].append(score)
                for hole in score.holes:
                    print(f"  hole  {score.exercise}: {hole}", flush=True)
            if time.monotonic() < ends:
                running |= {pool.submit(score_of, *task) for task in islice(tasks, len(done))}
    return [Score.together(found, name) for name, found in parts.items() if found]


if __name__ == "__main__":
    sys.exit(main())
