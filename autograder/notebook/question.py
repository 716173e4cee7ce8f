"""One exercise as a learner meets it in a notebook: predict, check, race, hint, show, step, solution."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from autograder import backend, exercises, worker
from autograder.answer import given
from autograder.answer.program import Program
from autograder.contract import Exercise
from autograder.drills.learning import notices
from autograder.machine.work_log import entries
from autograder.notebook import display, progress, standing
from autograder.notebook.predicted import predictions
from autograder.notebook.races_on_record import HEADER, as_cells, race_on_record, source_of
from autograder.notebook.waiting import no_interrupt_is_lost, stops_in_a_line, waiting
from autograder.outcome import Outcome, Speed
from autograder.programs import own_frames
from autograder.repair.hints import ladder_of


class Question(standing.Spelt):
    """What `exercise("unit.name")` returns. Every method displays what a learner reads and returns it as data."""

    def __init__(self, exercise: Exercise):
        self.exercise = exercise
        self._function: Callable | None = None  # the last function checked, raced or shown
        self._checked: Outcome | None = None  # of the last check by this question, of a draft too

    def __repr__(self) -> str:
        return f"{self.exercise.id}: {self.exercise.title}\n{self.exercise.task}\nWrite {self.exercise.signature}."

    @property
    def _record(self) -> progress.Record:
        return progress.record(self.exercise.id)

    @property
    def _last(self) -> Outcome | None:
        """What hints and pictures are about: the last verdict read here, or the one on record."""
        return self._checked or self._record.outcome

    @property
    def _told_sizes(self) -> dict[str, int] | None:
        """The sizes of the case that the last verdict told of, so that pictures show that one."""
        outcome = self._last
        return dict(outcome.facts.get("told_sizes") or {}) or None if outcome is not None else None

    def check(self, function: Callable | None = None) -> Outcome:
        """Judge a function: its source, the real compiler, the interpreter, then the GPU if there is one.

        A draft by another name is judged, too, and goes on record only where it is right.
        Returns: Outcome; `.points` is a float in [0, exercise.points], which is what a graded cell ends with.
        """
        from autograder import judge, verdict

        self._function = function = standing.a_function(function, "check", self.exercise.function)
        other, instead = standing.of_another_exercise(function, self.exercise)
        if other:
            outcome = verdict.not_checkable(self.exercise, Program("", self.exercise.function), other, instead)
            display.show(outcome)
            return display.shown(outcome)
        try:
            with waiting() as line:
                outcome = standing.told(given.told(judge.check(self.exercise, function), self.exercise), function)
        except KeyboardInterrupt:
            stopped = f"Stopped at {line.at}." if line.at else "Stopped before the first case."
            outcome = verdict.not_checkable(self.exercise, Program("", self.exercise.function), stopped)
            display.text(stopped)
            return display.shown(outcome)
        self._checked = outcome
        if outcome.passed or outcome.costly:
            self._record.right = _program(function), outcome
        display.show(outcome)
        self._remember(outcome, function)
        return display.shown(outcome)

    @stops_in_a_line
    def _remember(self, outcome: Outcome, function: Callable) -> None:
        """Put a verdict on record, and show what it says of predictions and why a right answer is right."""
        if outcome.passed or standing.is_answer(function, self.exercise.function):
            self._record.outcome = outcome
            notices.note_outcome(self.exercise, outcome.status)
            entries.note(outcome)
            predictions.compare(self.exercise, self._record, outcome, function)
            if outcome.passed and self.exercise.why:
                display.text(f"Why: {self.exercise.why}")
        else:
            self._record.draft = outcome

    def race(self, function: Callable | None = None) -> Speed:
        """Time a function on this GPU against the naive version, the reference and a copy.

        Returns: Speed; `.points` is 0.0 and `.graded` False where there is no GPU or the answer is not right.
        """
        from autograder.speed.race import race

        self._function = function = standing.a_function(function, "race", self.exercise.function)
        try:
            with no_interrupt_is_lost():
                result = race(self.exercise, program := _program(function), self._found_right(program))
        except KeyboardInterrupt:
            stopped = Speed(False, "Stopped before the race was over.")
            display.show(stopped)
            return display.shown(stopped)
        self._record.speed = result
        display.show(result)
        if result.time_us is None and (row := race_on_record(self.exercise)):
            display.text(source_of(row))
            display.table(HEADER, [as_cells(self.exercise, row)])
        return display.shown(result)

    def _found_right(self, program: Program) -> Outcome | None:
        """The verdict of a check that found this very program right; None where it must be judged first."""
        found = self._record.right
        return found[1] if found and found[0] == program else None

    def hint(self, level: int | None = None) -> str:
        """The next hint for the mistake that the last check found; `level` (1 is the gentlest) asks for a given one."""
        outcome = self._last
        said = standing.did_not_run(self.exercise.function) if level is None else ""
        if level is None and (said := said or (self._says_it_all(outcome) if outcome is not None else "")):
            display.text(said)
            return display.Shown(said)
        ladder = ladder_of(self.exercise, outcome)
        seen = self._record.hints_shown
        wanted = level if level is not None else seen.get(ladder.misconception, 0) + 1
        if not isinstance(wanted, int) or wanted < 1:
            raise ValueError(
                f"hint(level): level is {level!r}, but levels are 1 to {len(ladder.ladder)}. Try q.hint(1)."
            )
        rung = min(wanted, len(ladder.ladder))
        seen[ladder.misconception] = rung
        more = (
            f"More: q.hint({rung + 1})"
            if rung < len(ladder.ladder)
            else "That was the last one; q.solution() shows ours."
        )
        text = f"Hint {rung} of {len(ladder.ladder)}: {ladder.ladder[rung - 1]}\n{more}"
        notices.note(self.exercise, "hint")
        display.text(text)
        return display.Shown(text)

    def _says_it_all(self, outcome: Outcome) -> str:
        """What a hint is where there is none to give: the answer is right, or the verdict names the repair itself."""
        if outcome.passed:
            return f"{self.exercise.function} is right. Compare it with ours: q.solution()"
        if not outcome.causes:
            return ""
        cause, keys = outcome.causes[0], {hint.misconception for hint in self.exercise.hints}
        general = cause.kind == "compile_error" and cause.misconception == "not_compiled"
        if cause.edit or not cause.remedy or cause.misconception in keys and not general:
            return ""
        place = f"Line {cause.lines[0]}: " if cause.lines else ""
        return f"The verdict says it all. {place}{cause.says} {cause.remedy}"

    @stops_in_a_line
    def explain(self, *replies: float):
        """Three questions on your own right answer, drawn from what it does; called again with replies, it marks them.

        replies: one number a question, in their order; `...` leaves one out. No points hang on them.
        Returns: autograder.notebook.explain.asked.Explained; None where questions were asked, or none can be yet.
        Raises: autograder.notebook.explain.asked.ReplyError.
        """
        from autograder.notebook.explain.chosen import asked_or_marked

        return asked_or_marked(self.exercise, self._record.right, replies)

    def solution(self) -> str:
        """Our solution and why it is right, read from the solved notebook where it is present. Shown, never run."""
        from autograder.answer import reference

        text = reference.solution_source(self.exercise)
        display.code(text or reference.ABSENT.format(unit=self.exercise.unit))
        if text and self.exercise.why:
            display.text(f"Why: {self.exercise.why}")
        return display.Shown(text or reference.ABSENT.format(unit=self.exercise.unit))

    @stops_in_a_line
    def show(self, function: Callable | None = None, line: int | None = None):
        """Draw the memory accesses of a kernel on the exercise's smallest telling case, or the task on a few numbers.

        function: what to draw; default: what was checked last; before that, the task. line: the source line to draw.
        Returns: matplotlib Figure; None, with the reason shown, where there is nothing that can be drawn.
        """
        from autograder.notebook import picture
        from simt.figures import NothingToDraw

        outcome = self._last
        if function is None and (self._function is None or outcome is not None and outcome.status == "NotAttempted"):
            return self._show_task()
        function = function or self._function
        self._function = function
        if stub := standing.stub(function):
            display.text(f"There is no picture to draw yet: {stub}")
            return None
        try:
            return display.at_once(picture.draw(self.exercise, function, line, self._told_sizes))
        except NothingToDraw as error:
            display.text(f"There is no picture to draw: {error}")
            return None

    def _show_task(self):
        """The task's picture; None, with a table of results shown, where it is about no arrays or too long ones."""
        from autograder.notebook import task
        from autograder.notebook.tasks import calls, figure

        if self.exercise.calls:
            return display.at_once(calls.draw(self.exercise))
        known = task.task_of(self.exercise)
        if known is None:
            display.text(f"{self.exercise.function} has no picture of its task. On a few numbers:")
            display.table(*task.table_of(self.exercise))
            return None
        return display.at_once(figure.draw(self.exercise, known))

    @stops_in_a_line
    def photograph(self, function: Callable):
        """What a right kernel makes of a photograph, beside it: where an exercise turns one picture into another.

        Returns: matplotlib Figure; None, with the reason shown, where the kernel is not right yet.
        """
        from autograder.notebook import photograph

        outcome = self._last
        if outcome is None or not (outcome.passed or outcome.costly):
            display.text(f"Once {self.exercise.function} is right, this cell shows what it makes of a photograph.")
            return None
        try:
            return display.at_once(photograph.draw(self.exercise, *photograph.through(self.exercise, function)))
        except photograph.NoPicture as error:
            display.text(str(error))
            return None

    @stops_in_a_line
    def step(
        self,
        function: Callable | None = None,
        block: int | None = None,
        thread: int | None = None,
        launch: int = 0,
    ):
        """Go through one block of a kernel line by line, on the case that `show` draws: a widget in JupyterLab.

        function: the kernel; default: what was checked last. block, thread: counted from 0, x fastest; default: where
        the first mistake shows. launch: which launch of a host function, counted from 0.
        Returns: simt.stepper.Stepper; None, with the reason shown, where the block executes no line.
        Raises: NotImplementedError for a stub, as calling it on a host does: a cell may then show something else.
        """
        from autograder.notebook import picture
        from simt.stepper import NothingToStep

        function = function or self._function
        if function is None:
            raise ValueError("step() has no kernel yet. Pass one, as in q.step(my_kernel), or run q.check first.")
        self._function = function
        if stub := standing.stub(function):
            raise NotImplementedError(f"{stub} There is nothing to step through yet.")
        try:
            return display.at_once(picture.walk(self.exercise, function, block, thread, launch, self._told_sizes))
        except NothingToStep as error:
            display.text(str(error))
            return None

    def predict(self, *unnamed: object, **values: float | str) -> None:
        """Commit to numbers, places or words before running your kernel; `check` shows them beside the truth.

        Raises: PredictionError where a name is none of the exercise's predictions, or a value none that it can have.
        """
        predictions.noted(self.exercise, self._record, values, unnamed)


def exercise(exercise_id: str, folder: str | Path = "") -> Question:
    """The exercise with this id, as in ``exercise("vector_add.vector_add")``.

    folder: where it lies, if it is none of the course's; a relative one counts from the notebook's.
    Raises: autograder.exercises.UnknownExerciseError, naming the nearest ids; autograder.exercises.own.OwnFolderError.
    """
    if folder:
        exercises.add_folder(folder)
    found = exercises.find(exercise_id)
    own_frames.hide_ours()
    _warm_up(found)
    return Question(found)


def _warm_up(exercise: Exercise) -> None:
    """Start the child processes that a check of this exercise will use, so that they are ready when it comes."""
    if exercise.kind == "host" and worker.PROCESSES:
        worker.warm("simt")
    if backend.gpu_available():
        worker.warm("cuda")


def _program(function: Callable) -> Program:
    """A function as what is judged: its source and what it names."""
    from autograder.answer.globals_as_source import program_of

    return program_of(function)
