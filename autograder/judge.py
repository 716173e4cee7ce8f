"""The one pipeline: is it attempted, does it compile, is it right in the interpreter, is it right on the GPU?

Notebook, command line, classroom and the exercises' own proof all call `check`. It stops at the first stage that
fails, because that stage has the most useful explanation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import autograder.report  # noqa: F401  # registers what shows an outcome
from autograder import backend, verdict, worker
from autograder.answer import earlier
from autograder.answer.attempted import attempt_of
from autograder.answer.globals_as_source import program_of
from autograder.answer.program import Program, ProgramError
from autograder.contract import Exercise
from autograder.diagnosis.capability import gpu_runs, note_of
from autograder.outcome import Crashed, Outcome, TimedOut, Wrong
from autograder.running.examine import Examination, run_stage
from autograder.running.job import Job
from simt.compiling.compiled import forget

DEVICES = ("auto", "simt", "cuda")
Interpreter = Callable[[Job], Examination | Outcome]
AT_FAULT = (Wrong, Crashed, TimedOut)  # what a mistake in an earlier answer may look like
NOT_RIGHT_YET = "It calls {names}, which is not right yet: mend that first."
IN_ITS_PLACE = "Here the course's own stands in its place, so that this answer loses nothing for it."
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
) -> Outcome:
    """Judge an answer to an exercise.

    Args: answer: a notebook function or kernel, or a Program; device: "simt", "cuda" or "auto" (simt, then the GPU if
    there is one); isolate: run what could hang or crash in a child process; deadline_s: seconds after which an
    answer counts as hung, on each device; None for the usual ones;
    secret: what makes the cases' values unknown beforehand, "" for the ones that a notebook's check always uses;
    interpreter, on_gpu: what interprets a program, or runs it on the GPU, instead of this process and its child;
    drawn_from: the text of the answer that `answer` stands for, from which sizes are drawn.
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
        job = Job(exercise, program, live, device, isolate, deadline_s, secret, drawn_from)
        return _apart_from_earlier(job, _judge(job, interpreter, on_gpu), interpreter)
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


def _apart_from_earlier(job: Job, outcome: Outcome, interpreter: Interpreter | None) -> Outcome:
    """The outcome, or a better one with the course's own in place of an earlier answer that this one calls.

    The earlier one is told first, and whoever calls it loses nothing for it. Where a GPU judges, too, it is only told:
    the second judging is the interpreter's alone, and whoever breaks an earlier answer must not get round the GPU.
    """
    names = earlier.built_on(job.exercise, job.program) if isinstance(outcome, AT_FAULT) else ()
    if not names or job.device == "cuda":
        return outcome
    best, guilty = _with_the_courses_own(job, names, interpreter), names
    if best is None or best.points <= outcome.points:
        return outcome
    for name in names if len(names) > 1 else ():
        alone = _with_the_courses_own(job, (name,), interpreter)
        if alone is not None and alone.points >= best.points:
            best, guilty = alone, (name,)
            break
    says = NOT_RIGHT_YET.format(names=" and ".join(f"`{name}`" for name in guilty))
    if job.device != "simt" and gpu_runs(job.exercise):
        return replace(outcome, notes=(says, *outcome.notes))
    notes = (f"{says} {IN_ITS_PLACE}", *best.notes)
    return replace(best, notes=notes, source=outcome.source, first_line=outcome.first_line)


def _with_the_courses_own(job: Job, names: tuple[str, ...], interpreter: Interpreter | None) -> Outcome | None:
    """The outcome in the interpreter; None where that cannot be had."""
    program = earlier.with_the_courses_own(job.exercise, job.program, names)
    if program is None:
        return None
    try:
        return _judge(replace(job, program=program, live=None, device="simt"), interpreter, None)
    except ProgramError:
        return None


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
