"""Mutants of the course's own answers, and which of them pass: holes, each with the smallest input that shows it.

    python -m tools.matrices.harden --unit 16_engine_graph
    python -m tools.matrices.harden --exercise atomics.last_block_sum --sample 40 --jobs 8
    python -m tools.matrices.harden --seconds 600 --record

Prints a line for each hole and a score for each exercise: of the mutants that run and are wrong somewhere in the
domain, how many are not right for the judge. Ends with a failure below the goals. What was tried is kept, and tried
again when something changed that it follows from: a run that was ended goes on from there. With --record the scores of
these exercises are written down in benchmarks/results/harden.json, from which docs/harden.md is made.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import replace

from tools.check_exercises import exercises_named
from tools.matrices.harden.page import record
from tools.matrices.harden.scored import GOAL, GOAL_EACH, TOGETHER, Score, mutants_in_json, score_in_json
from tools.parts.pieces import WHOLE, Kept, Run


def main(arguments: list[str] | None = None) -> int:
    """Print holes and scores. Returns: 0 where the goals are met, 1 where they are not."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--unit", action="append", help="only this unit, as in 06_reductions")
    parser.add_argument("--exercise", action="append", help="only this exercise, as in reductions.block_sum")
    parser.add_argument("--sample", type=int, default=0, help="mutants of each exercise; default: all")
    parser.add_argument("--record", action="store_true", help="keep the scores, and write docs/harden.md")
    run, wanted = Run.asked_for(parser, arguments)
    scores = asked([one.id for one in exercises_named(wanted.unit, wanted.exercise)], wanted.sample, run)
    for score in scores:
        print(score)
    total = Score.together(scores)
    print(total)
    if wanted.record:
        record(scores)
    return int(total.share < GOAL or any(score.share < GOAL_EACH for score in scores))


def asked(names: Iterable[str], sample: int, run: Run = WHOLE) -> list[Score]:
    """The scores of exercises, by id, whose mutants are spread over processes; holes are printed as they come.

    A run that begins nothing new after some seconds has tried a fair sample of each: the order tells nothing, and
    every exercise is given its turn before any is given another. sample: of the mutants of an exercise; 0 for all.
    """
    made = run.over(mutants_in_json, [(name,) for name in names], Kept("mutants"))
    known = {name: len(found) for (name,), found in made}
    most = {name: min(sample or n, n) for name, n in known.items()}
    rounds = range(0, max(most.values(), default=0), TOGETHER)
    pieces = [(name, at, min(at + TOGETHER, most[name])) for at in rounds for name in known if at < most[name]]
    parts: dict[str, list[Score]] = {name: [] for name in known}
    for (name, *_), found in run.over(score_in_json, pieces, Kept("harden")):
        parts[name].append(score := Score.from_json(found))
        for hole in score.holes:
            print(f"  hole  {name}: {hole}", flush=True)
    return [replace(Score.together(found, name), mutants=known[name]) for name, found in parts.items()]


if __name__ == "__main__":
    sys.exit(main())
