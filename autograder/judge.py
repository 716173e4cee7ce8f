"""The one pipeline: is it attempted, does it compile, is it right in the interpreter, is it right on the GPU?

Notebook, command line, classroom and the exercises' own proof all call `check`. It stops at the first stage that
fails, because that stage has the most useful explanation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import autograder.report  # noqa: F401  # registers what shows an outcome
from autograder import backend, verdict, worker
from autograder.answer import earlier
from autograder.answer.attempted import attempt_of
from autograder.answer.globals_as_source import program_of
from autograder.answer.program import Program, ProgramError
from autograder.contract import Case, Exercise
from autograder.diagnosis.capability import gpu_runs, note_of
from autograder.machine.uncollected import rarely_collected
from autograder.outcome import Crashed, Outcome, TimedOut, Wrong
from autograder.running.examine import Examination, run_stage
from autograder.running.job import Job
from simt.compiling.compiled import forget

DEVICES = ("auto", "simt", "cuda")
Interpreter = Callable[[Job], Examination | Outcome]
AT_FAULT = (Wrong, Crashed, TimedOut)  # what a mistake in an earlier answer may look like
NOT_RIGHT_YET = "It calls {names}, which is not right yet: fix that first."
NO_GPU = "This machine has no GPU that numba-cuda can use, so device='cuda' cannot be judged here."


def check(
    exercise: Exercise,
    answer: Callable | Program,
    *,
    device: str = "auto",
    isolate: bool = True,
    deadline_s: float | None = None,
    secret: str = "",
    interpreter: Interpreter | None = None,
    on_gpu: Interpreter | None = None,
    drawn_from: str = "",
    apart: bool = True,
    cases: Sequence[Case] = (),
) -> Outcome:
    """Judge an answer to an exercise.

    Args: answer: a notebook function or kernel, or a Program; device: "simt", "cuda" or "auto" (simt, then a GPU's);
    isolate: run what could hang or crash in a child process; deadline_s: after which an answer counts as hung;
    secret: what makes the cases' values unknown beforehand, "" for the ones that a notebook's check always uses;
    interpreter, on_gpu: what interprets a program, or runs it on the GPU, instead of this process and its child;
    drawn_from: the text of the answer that `answer` stands for, from which sizes are drawn;
    apart: whether an answer that fails is judged once more with the course's own in place of earlier ones;
    cases: to judge it on, in this process; () for the contract's and those that follow from them.
    Returns: an Outcome; nothing the learner wrote makes this raise.
    """
    if device not in DEVICES:
        raise ValueError(f"device is {device!r}, but must be one of {', '.join(DEVICES)}.")
    try:
        program = answer if isinstance(answer, Program) else program_of(answer)
        attempt = attempt_of(program)
        if attempt.state != "attempted":
            return verdict.not_attempted(exercise, program, attempt)
        live = None if isinstance(answer, Program) else answer
        forget(live)
        job = Job(exercise, program, live, device, isolate, deadline_s, secret, drawn_from, only=tuple(cases))
        with rarely_collected():
            outcome = _judge(job, interpreter, on_gpu)
            return _apart(job, outcome, interpreter) if apart and device != "cuda" else outcome
    except ProgramError as error:
        return verdict.crashed(exercise, Program("", exercise.function), "not_loaded", str(error))


def _judge(job: Job, interpreter: Interpreter | None, on_gpu: Interpreter | None) -> Outcome:
    """Stage after stage, until one has something to say."""
    gpu_here = gpu_runs(job.exercise)
    if job.device == "cuda" and not gpu_here:
        mend = "What is missing and how to mend it: warpbook doctor"
        return verdict.not_checkable(job.exercise, job.program, next(iter(note_of(job.exercise)), NO_GPU), mend)
    interpreted: Examination | None = None
    ran: Examination | None = None
    if job.device != "cuda":
        found = interpreter(job) if interpreter is not None else _stage("interpret", job)
        if isinstance(found, Outcome):
            return found
        interpreted = found
    if gpu_here and job.device != "simt" and (interpreted is None or _goes_on(interpreted)):
        found = on_gpu(job) if on_gpu is not None else _stage("gpu", job)
        if isinstance(found, Outcome):
            return found
        ran = found
    return verdict.conclude(job.exercise, job.program, interpreted, ran)


def apart_from_earlier(
    exercise: Exercise, program: Program, outcome: Outcome, judged: Callable[[Program], Outcome], told_only: bool
) -> Outcome:
    """The outcome, or a better one with the course's own in place of an earlier answer that this one calls.

    The earlier one is told first, and whoever calls it loses nothing for it. judged: judges another program, without a
    GPU. told_only: where a GPU judges, too: the second judging is the interpreter's alone, and whoever breaks an
    earlier answer must not get round the GPU.
    """
    names = earlier.built_on(exercise, program) if isinstance(outcome, AT_FAULT) else ()
    best, guilty = _with_the_courses_own(exercise, program, names, judged), names
    if best is None or best.points <= outcome.points:
        return outcome
    for name in names if len(names) > 1 else ():
        alone = _with_the_courses_own(exercise, program, (name,), judged)
        if alone is not None and alone.points >= best.points:
            best, guilty = alone, (name,)
            break
    says = NOT_RIGHT_YET.format(names=" and ".join(f"`{name}`" for name in guilty))
    if told_only:
        return replace(outcome, notes=(says, *outcome.notes))
    notes = (f"{says} {earlier.IN_ITS_PLACE}", *best.notes)
    return replace(best, notes=notes, source=outcome.source, first_line=outcome.first_line)


def _apart(job: Job, outcome: Outcome, interpreter: Interpreter | None) -> Outcome:
    told_only = job.device != "simt" and gpu_runs(job.exercise)
    again = partial(_interpreted, job, interpreter)
    return apart_from_earlier(job.exercise, job.program, outcome, again, told_only)


def _with_the_courses_own(
    exercise: Exercise, program: Program, names: tuple[str, ...], judged: Callable[[Program], Outcome]
) -> Outcome | None:
    """The outcome with the course's own functions of these names; None where that cannot be had."""
    other = earlier.with_the_courses_own(exercise, program, names) if names else None
    try:
        return None if other is None else judged(other)
    except ProgramError:
        return None


def _interpreted(job: Job, interpreter: Interpreter | None, program: Program) -> Outcome:
    """The outcome of another program, in the interpreter. Raises: ProgramError."""
    return _judge(replace(job, program=program, live=None, device="simt"), interpreter, None)


def _goes_on(interpreted: Examination) -> bool:
    """The GPU is asked when the interpreter found nothing wrong, or could not run the answer."""
    causes = (*interpreted.compiled.causes, *interpreted.trial.causes)
    return all(cause.kind == "unsupported" for cause in causes) and not interpreted.trial.ended


def _stage(stage: str, job: Job) -> Examination | Outcome:
    """Run a stage here where that is safe, else in the child; an Outcome means that it died or hung.

    A live kernel is safe in the interpreter, and a browser has no other process. A host function is interpreted in the
    child wherever there is a GPU, since only there `numba.cuda` means the stand-in.
    """
    kernel_here = stage == "interpret" and job.exercise.kind == "kernel"
    needs_stand_in = stage == "interpret" and job.exercise.kind == "host" and backend.gpu_available()
    if (kernel_here and job.live is not None) or not (job.isolate or needs_stand_in) or not worker.PROCESSES:
        try:
            return run_stage(stage, job)
        except ProgramError:
            raise
        except Exception as error:  # what the learner's code raises is handled where it runs
            return verdict.our_failure(job.exercise, job.program, error)
    return worker.run(stage, job)
