"""Mutants of the course's own answers, and which of them pass: holes, each with the smallest input that shows it.

    python -m tools.matrices.harden --unit 16_engine_graph
    python -m tools.matrices.harden --exercise atomics.last_block_sum --sample 40 --jobs 8
    python -m tools.matrices.harden --seconds 600 --record

Prints a line for each hole and a score for each exercise: of the mutants that run and are wrong somewhere in the
domain, how many are not right for the judge. Ends with a failure below the goals. What was tried is kept, and tried
again when something changed that it follows from: a run that was ended goes on from there.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterable

from autograder import exercises
from tools.matrices.harden.page import write
from tools.matrices.harden.scored import GOAL, GOAL_EACH, PARTS, Score, score_in_json
from tools.parts.pieces import WHOLE, Kept, Run


def main(arguments: list[str] | None = None) -> int:
    """Print holes and scores. Returns: 0 where the goals are met, 1 where they are not."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--unit", action="append", help="only this unit, as in 06_reductions")
    parser.add_argument("--exercise", action="append", help="only this exercise, as in reductions.block_sum")
    parser.add_argument("--sample", type=int, default=0, help="mutants of each exercise; default: all")
    parser.add_argument("--record", action="store_true", help="write docs/harden.md")
    run, wanted = Run.asked_for(parser, arguments)
    chosen = [exercises.find(name) for name in wanted.exercise or ()]
    chosen += [one for unit in wanted.unit or () for one in exercises.of_unit(unit)]
    scores = asked([one.id for one in chosen or exercises.all_exercises()], wanted.sample, run)
    for score in scores:
        print(score)
    total = Score.together(scores)
    print(total)
    if wanted.record:
        write(scores, whole=not wanted.sample and run.seconds == math.inf)
    return int(total.share < GOAL or any(score.share < GOAL_EACH for score in scores))


def asked(names: Iterable[str], sample: int, run: Run = WHOLE) -> list[Score]:
    """The scores of exercises, by id, whose mutants are spread over processes; holes are printed as they come.

    A run that begins nothing new after some seconds has tried a fair sample: the order tells nothing.
    """
    parts: dict[str, list[Score]] = {name: [] for name in names}
    pieces = [(name, part, sample) for part in range(PARTS) for name in parts]
    for (name, *_), made in run.over(score_in_json, pieces, Kept("harden")):
        parts[name].append(score := Score.from_json(made))
        for hole in score.holes:
            print(f"  hole  {name}: {hole}", flush=True)
    return [Score.together(found, name) for name, found in parts.items() if found]


if __name__ == "__main__":
    sys.exit(main())
