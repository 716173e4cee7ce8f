"""A walk through what one block did, step by step: forward, back, to a line; without any window to show it in."""

from __future__ import annotations

from simt.analyses.block_recording import BlockRecording, Step
from simt.analyses.wording import block_text, unravel
from simt.events import Finding, Launch
from simt.source.counts import count_text
from simt.stepper.listing import Listing, line_text
from simt.stepper.states import ArrayState, States, Variable
from simt.tracing import Trace

HOW_TO_MOVE = (
    "Go on with .forward(), .back(), .first(), .last() or .to_line(N); look at another thread with .thread = N."
)


class NothingToStep(ValueError):
    """The block executed no line, or the wanted line was never executed. lines: those that were."""

    def __init__(self, message: str, lines: tuple[int, ...] = ()):
        super().__init__(message)
        self.lines = lines


class Stepper:
    """One block of a launch, line by line in the order in which its threads ran in lock-step.

    position: 0-based number of the step shown; trace: what every analysis found about the whole launch;
    thread: linear id of the thread whose variables are shown; stopped: why the kernel did not run to its end, "" if it
    did. `forward`, `back`, `first`, `last`, `to` and `to_line`
    move and return the stepper itself, so that a prompt shows the new step.
    """

    def __init__(self, recording: BlockRecording, trace: Trace, listing: Listing, thread: int = 0, stopped: str = ""):
        if recording.launch is None or not recording.steps:
            why = stopped or (trace.findings[0].message if trace.findings else "The kernel has nothing to execute.")
            raise NothingToStep(f"There is no step to show. {why}")
        self.recording, self.trace, self.listing, self.stopped = recording, trace, listing, stopped
        self.position = 0
        self.thread = thread
        self._states = States(recording)

    def __len__(self) -> int:
        return len(self.recording.steps)

    def __repr__(self) -> str:
        return f"{self.text()}\n\n{HOW_TO_MOVE}"

    def _ipython_display_(self) -> None:
        from simt.stepper import widget

        widget.show(self)

    @property
    def launch(self) -> Launch:
        return self.recording.launch

    @property
    def steps(self) -> list[Step]:
        return self.recording.steps

    @property
    def step(self) -> Step:
        """The step at `position`."""
        return self.steps[self.position]

    @property
    def thread(self) -> int:
        return self._thread

    @thread.setter
    def thread(self, thread: int) -> None:
        count = self.launch.threads_per_block
        if not 0 <= thread < count:
            threads = count_text(count, "thread")
            raise ValueError(f"thread {thread} is not one of this block's {threads}, 0 to {count - 1}")
        self._thread = int(thread)

    # Moving

    def to(self, position: int) -> Stepper:
        """Go to a step by its number from 0; beyond either end, to that end."""
        self.position = max(0, min(int(position), len(self) - 1))
        return self

    def forward(self, count: int = 1) -> Stepper:
        return self.to(self.position + count)

    def back(self, count: int = 1) -> Stepper:
        return self.to(self.position - count)

    def first(self) -> Stepper:
        return self.to(0)

    def last(self) -> Stepper:
        return self.to(len(self) - 1)

    def to_line(self, line: int) -> Stepper:
        """Go to the next step that executes a line, from here on and then from the first step.

        Raises: NothingToStep, naming the lines that were executed.
        """
        later = [*range(self.position + 1, len(self)), *range(self.position + 1)]
        found = next((k for k in later if self.steps[k].line == line), None)
        if found is None:
            lines = tuple(sorted({step.line for step in self.steps}))
            executed = f"lines executed: {', '.join(map(str, lines))}"
            raise NothingToStep(f"This block never executes line {line}; {executed}.", lines)
        return self.to(found)

    # What the step shows

    @property
    def block(self) -> str:
        """ "block 3 of 8", as the kernel counts blocks; after "launch 2 of 3, " where there are several launches."""
        grid, launches = self.launch.grid, self.trace.launches
        number = next((k for k, launch in enumerate(launches, 1) if launch is self.launch), 1)
        which = f"launch {number} of {len(launches)}, " if len(launches) > 1 else ""
        return f"{which}{block_text(self.launch, self.recording.block)} of {grid[0] * grid[1] * grid[2]}"

    def line_text(self, step: Step) -> str:
        return line_text(self.listing, step.function, step.line)

    def variables(self, thread: int | None = None) -> list[Variable]:
        """A thread's variables of the function at work, after the step. thread: linear id; default: `self.thread`."""
        return self.variables_of(self.position, self.step.function, self.step.depth, thread)

    def variables_of(self, position: int, function: str, depth: int, thread: int | None = None) -> list[Variable]:
        """The same after any step and of any function. depth: 0 for the kernel, 1 for what it calls, and so on."""
        return self._states.variables(position, function, depth, self.thread if thread is None else thread)

    def arrays(self) -> list[ArrayState]:
        """Arrays after the step, shared ones first. Global ones only up to `MOST_GLOBAL_CELLS` elements."""
        return self._states.arrays(self.position)

    def thread_name(self, thread: int) -> str:
        """ "thread 5", or "thread 5 = (1, 1)" where the block has more dimensions."""
        if self.launch.block[1:] == (1, 1):
            return f"thread {thread}"
        index = unravel(thread, self.launch.block)
        return f"thread {thread} = ({', '.join(map(str, index[: 3 if self.launch.block[2] > 1 else 2]))})"

    def findings(self) -> list[Finding]:
        """Mistakes that this step takes part in."""
        return [finding for finding in self.trace.findings if _concerns(finding, self.step)]

    def cut(self) -> str:
        """Sentences about steps that were not kept, and about why the kernel did not run to its end; "" for neither."""
        dropped = self.recording.n_dropped
        said = [f"The kernel stopped: {self.stopped}"] if self.stopped else []
        if dropped:
            said.append(
                f"Only the first {len(self):,} steps are kept; this block went on for {dropped:,} more. "
                "Take smaller sizes, or ask for more with steps=."
            )
        return " ".join(said)

    def text(self) -> str:
        """The step as text for a terminal."""
        from simt.stepper.text import render

        return render(self)


def _concerns(finding: Finding, step: Step) -> bool:
    """Whether a finding is about this line, and about an element that the step touches where it names one."""
    if not any(step.line <= line <= max(step.line, step.last_line) for line in finding.lines):
        return False
    touched = [access for access in step.accesses if access.array.name == finding.array]
    if not finding.array or not touched:
        return not finding.array or finding.kind == "out_of_bounds"
    index = tuple(finding.detail.get("index", ()))
    if finding.kind != "race" or not index:
        return True
    return any(access.array.index_of(int(cell)) == index for access in touched for cell in access.cells)
