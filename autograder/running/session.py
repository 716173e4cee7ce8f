"""The state of one trial, case after case: what each shows is kept, and read together at the end."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from dataclasses import dataclass, field

from autograder.answer.program import Program
from autograder.contract import Case, Exercise, Values
from autograder.diagnosis import budget, work, work_causes
from autograder.diagnosis.advice.swaps import retried_cell
from autograder.diagnosis.outputs import compared_in
from autograder.diagnosis.room import DeviceRoom
from autograder.outcome import CaseResult, Cause
from autograder.running import buffers, exceptions, promised
from autograder.running.evidence import (
    BY_LUCK,
    Failure,
    cause_of_change,
    cause_of_damage,
    has_elements,
    holds_in_a_sample,
    is_mistake,
    never_written,
    right_but,
    wrong_outputs,
)
from autograder.running.held_to import Held, mismatches_in
from autograder.running.host_code import another_call
from autograder.running.listening import Listening
from autograder.running.orders import Orders
from autograder.running.printed import as_shown
from autograder.running.runs import Run, launched, line_of
from autograder.running.trial_result import Trial
from simt.events import Finding
from simt.lanes.meter import Meter, worked_s

KEPT_FAILURES, KEPT_OF_NUMBERS = 3, 8  # of a function of a few numbers each case shows one
STEPS = 2_000_000  # of the interpreter, for all cases together; the course's right answers take up to 23,000
STEPS_A_RUN = 100_000  # these take up to 5,400
STEPS_AFTER_FAILURE = 30_000  # for the cases after the first that fails: they refine the diagnosis, no more
STEPS_UNSHARED = 10_000  # for what is left once the work is seen to be left to others: one thread needs many
TRACED_STEP = 5  # steps that one counts for where everything is listened to: it takes about that much longer

Runner = Callable[..., Run]  # runs an exercise's function once: see autograder.running.run_simt.run


@dataclass
class Session:
    """The state of one trial, case after case."""

    exercise: Exercise
    function: Callable
    runner: Runner
    trial: Trial
    program: Program
    deadline: float
    secret: str = ""
    steps_left: float = STEPS
    unshared: bool = False  # True: one thread does all the work, or every thread all of it
    failures: list[Failure] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    remarks: list[Finding] = field(default_factory=list)
    of_nothing: list[Cause] = field(default_factory=list)  # errors in cases without elements, told last
    case_of: dict[int, Case] = field(default_factory=dict)  # by id of a finding
    tried: list[Case] = field(default_factory=list)
    rooms: list[DeviceRoom] = field(default_factory=list)  # of the calls of a host function
    observed: dict[str, str] = field(default_factory=dict)  # by case name: what the learner sees where it is not right
    repeated: list[Cause] = field(default_factory=list)  # work that is done again and again, without harm
    failed_searches: list[str] = field(default_factory=list)  # for the line to change, in words
    stopped: set[str] = field(default_factory=set)  # names of cases that the learner's code did not get through
    listening: Listening = field(default_factory=Listening)
    orders: Orders = field(default_factory=Orders)

    def __post_init__(self) -> None:
        self.agreed = self.exercise  # with the launch of the case that is being tried
        self.untraced = not any(case.trace for case in self.exercise.cases)  # a host function of a few numbers

    def next_of(self, cases: list[Case]) -> int:
        """Which case to try next: the first; where steps are few, the first with values of a kind not tried so far."""
        known = {case.values for case in self.tried} if self.unshared else set()
        return next((place for place, case in enumerate(cases) if case.values not in known), 0)

    def try_case(self, case: Case) -> None:
        """Run one case twice and record what it shows."""
        self.tried.append(case)
        tried_enough = case.demanding and not self.trial.nothing_wrong
        if self.trial.ended or self.steps_left <= 0 or tried_enough or self._did_no_work():
            self.record(case, "not_run")
            return
        self.agreed = self.exercise.launched_for(case)
        values = buffers.make_values(self.exercise, case, self.secret)
        held = Held.to(self.exercise, case, values)
        traced = case.trace and self.trial.device == "simt" and not self.unshared
        sampled = not traced and self.trial.device == "simt" and self.listening.wants(case)
        before = self.steps_left
        first = self.run(values, poison=0, seed=None if case.corner else 0, traced=traced, sampled=sampled)
        self.trial.printed = self.trial.printed or as_shown(first.printed, case.name)
        if traced or sampled:
            self.listening.heard(case, before - self.steps_left)
        if traced:
            self._read_trace(case, values, first)
        elif sampled:
            first.findings = [finding for finding in first.findings if holds_in_a_sample(finding)]
            self._blame([finding for finding in first.findings if is_mistake(finding)], case)
        lenient = any(finding.kind == "out_of_bounds" for finding in first.findings)
        settled = self.orders.told(self.exercise, case, first, traced, self.program.text)
        once = bool(first.error) or settled and not held.mismatches(first.outputs)
        second = first if once else self.run(values, poison=1, seed=1, lenient=lenient)
        for run in (first, second):
            if run.error is not None:
                self._record_error(case, run.error)
                return
        self._judge(case, values, held, first, second)

    def _did_no_work(self) -> bool:
        """Whether the cases so far told that the host made the result, which ends the trial.

        Where they told that it comes from one thread, or from all of them alike, the other cases are run for their
        values alone and in few steps: such an answer is told that it is right, if it is.
        """
        if self.unshared or not self.trial.nothing_wrong:
            return False
        causes = work.evaluate(self.exercise, self.trial.counters)
        self.unshared = bool(causes)
        if self.unshared:
            self.steps_left = min(self.steps_left, STEPS_UNSHARED)
        return any(cause.kind == "no_work" for cause in causes)

    def run(
        self,
        values: Values,
        poison: int | None,
        seed: int | None,
        steps: float | None = None,
        scratch: bool = True,
        **options: bool,
    ) -> Run:
        """One run on fresh buffers. steps: that it may take, by default what is left; scratch: as in `buffers.fresh`;
        options: traced, lenient, altered."""
        run_values = buffers.fresh(self.exercise, values, poison, scratch)
        seconds = max(self.deadline - worked_s(), 0.01)
        weight = TRACED_STEP if options.get("traced") else 1
        meter = Meter(min(steps or self.steps_left, STEPS_A_RUN) // weight)
        options = {"traced": False, "sampled": False, "lenient": False, **options}
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            run = self.runner(
                self.agreed, self.function, run_values, seed=seed, seconds=seconds, meter=meter, **options
            )
        run.printed = printed.getvalue()
        self.rooms += [run.room] if run.room else []
        self.steps_left -= 0 if steps else meter.steps * weight
        return run

    def _read_trace(self, case: Case, values: Values, run: Run) -> None:
        """Keep findings as causes, notes as notes, counters by case name."""
        self.remarks += [finding for finding in run.findings if finding.note]
        self._blame([finding for finding in run.findings if is_mistake(finding)], case)
        if run.error is None:
            self.trial.counters.setdefault(case.name, run.counters)
            self.trial.lines.setdefault(case.name, run.lines)
            self.trial.compulsory.setdefault(case.name, budget.compulsory_bytes(self.exercise, values))
        if run.launches and not self.trial.launches:
            self.trial.launches = run.launches

    def _blame(self, mistakes: list[Finding], case: Case) -> None:
        """Hold findings of a case against the answer."""
        self.findings += mistakes
        self.case_of.update({id(finding): case for finding in mistakes})

    def _judge(self, case: Case, values: Values, held: Held, first: Run, second: Run) -> None:
        """Compare both runs with the oracle, inputs with what they were, guard bands with their sentinels."""
        runs = (first,) if second is first else (first, second)
        mismatches = [held.mismatches(run.outputs) for run in runs] * (2 // len(runs))
        changed = [name for run in runs for name in buffers.changed_inputs(self.exercise, values, run.after)]
        damage = first.damage + second.damage
        if any(mismatches):
            self._blame([finding for finding in first.findings if finding.detail.get("stale")], case)
            once = not mismatches[0]
            mismatch = next(iter((mismatches[0] or mismatches[1]).values()))
            says = never_written(mismatch, first, second) or mismatch.says
            self.record(case, "wrong", f"on a second call, {says}" if once else says)
            self.keep(case, values, held, first, second, mismatches)
            if changed and self.exercise.kind == "host":
                self.trial.causes.append(cause_of_change(changed[0]))
        elif changed:
            self.trial.causes.append(of_change := cause_of_change(changed[0]))
            seen = f"The result is right at {case.name}, but an input is not what it was."
            self.record(case, "wrong", of_change.says, seen)
        elif damage:
            self.trial.causes.append(cause_of_damage(damage[0]))
            self.record(case, "wrong", f"something was written outside `{damage[0]}`", BY_LUCK.format(case=case.name))
        elif mistake := next((finding for finding in first.findings if is_mistake(finding)), None):
            self.record(case, "wrong", mistake.message, right_but(case, mistake))
        elif broken := promised.broken(self.exercise, first, second):
            self.trial.causes.append(broken)
            seen = f"Every value is right at {case.name}, but not what else the task asks for."
            self.record(case, "wrong", broken.says, seen)
        elif not another_call.refuted(self, case, held, first):
            self.record(case, "right")

    def keep(self, case: Case, values: Values, held: Held, first: Run, second: Run, mismatches) -> None:
        """Hold on to a failing case for diagnosis, with a few more runs that tell what it depends on."""
        if self.failures and not (case in self.exercise.cases and (case.trace or self.untraced)):
            return  # the contract's own cases are those whose mistakes are easiest to tell apart

        def is_right(poison: int | None, seed: int, scratch: bool = True) -> bool:
            run = self.run(values, poison, seed=seed, lenient=True, steps=STEPS_A_RUN, scratch=scratch)
            return run.error is None and not mismatches_in(self.exercise, run.outputs, held.expected, held.bounds)

        from_zero = is_right(None, seed=0)
        in_order = from_zero and bool(mismatches[0]) and is_right(0, seed=0)  # of the blocks, whatever there was before
        depends_on = ""
        room = [argument.name for argument in self.exercise.arguments if argument.role == "scratch"]
        in_scratch = " or ".join(room) if from_zero and room and is_right(0, seed=0, scratch=False) else ""
        if not mismatches[0]:
            depends_on = "calls" if not from_zero else "contents" if is_right(0, seed=1) else "order"
            first, second, mismatches = second, first, mismatches[::-1]
        returned = self.exercise.kind == "host" and self.exercise.arrays == "host"
        to_fill = self.exercise.kind == "host" and self.exercise.arrays == "pinned"
        known = (
            from_zero and not in_order,
            depends_on,
            launched(self.agreed, values, first),
            case.name,
            returned,
            in_scratch,
            to_fill,
        )
        outputs, odd = wrong_outputs(mismatches[0], first, second, held.expected, values, *known)
        most = KEPT_OF_NUMBERS if self.untraced else KEPT_FAILURES
        del self.failures[most - 1 :]  # the smallest ones and the last stay
        compared = "" if odd else compared_in(self.exercise, values, first.outputs, first.seen)
        self.failures.append(Failure(case, values, outputs, odd, compared))

    def record(self, case: Case, status: str, detail: str = "", observed: str = "") -> None:
        """Append a result; the first that is not right is what the learner observes (default: the detail)."""
        self.trial.cases.append(CaseResult(case.name, self.trial.device, status, detail))
        if status not in ("wrong", "crashed", "timed_out"):
            return
        self.observed[case.name] = observed or f"Wrong at {case.name}: {detail}."
        if not self.trial.observed:
            self.trial.observed = self.observed[case.name]
            self.steps_left = min(self.steps_left, STEPS_AFTER_FAILURE)

    def _tries_again(self, case: Case, cause: Cause) -> bool:
        """Whether an answer that is right so far spends its steps on swaps that lose: that is slow, and ends."""
        cell, line = retried_cell(self.program, cause.lines[0]) if cause.lines and self.tried[1:] else ("", 0)
        if not cell or not self.trial.nothing_wrong:
            return False
        self.repeated.append(work_causes.retried(case.name, cell, line))
        self.steps_left = min(self.steps_left, STEPS_AFTER_FAILURE)  # each of the others may go round as often
        self.record(case, "not_run")
        return True

    def _record_error(self, case: Case, error: BaseException) -> None:
        """Turn what the learner's code raised into a status and a cause; a hang ends the trial."""
        line = line_of(error, self.function)
        status, cause = exceptions.cause_of_error(error, line, self.program, case.sizes)
        idle = self.trial.nothing_wrong and budget.leaves_idle(self.exercise, self.trial.counters)
        if (self.unshared or idle) and cause.kind == "too_much_work":
            self.steps_left = 0
            self.record(case, "not_run")
            return
        if cause.kind == "too_much_work" and self._tries_again(case, cause):
            return
        if status == "timed_out":
            self.trial.ended = status
            if self.trial.observed and cause.kind == "too_much_work":  # a case before it is wrong, and left few steps
                self.record(case, "not_run")
                return
        elif exceptions.loses_context(error):
            self.trial.ended = "crashed"
        if not (status == "wrong" and self.findings):
            (self.trial.causes if has_elements(case) else self.of_nothing).append(cause)
        self.stopped.add(case.name)
        self.record(case, status, cause.says, f"It did not get through {case.name}.")
