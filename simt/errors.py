"""One exception class for each mistake; the parts of a message also travel as attributes."""

from __future__ import annotations

from simt.refusals import Refusal


class SimtError(Exception):
    """Base of everything the interpreter raises on purpose."""


class InvalidLaunchError(SimtError):
    """A launch that no GPU accepts. swapped: True when exchanging grid and block would make it valid.

    message: what is wrong; remedy: what to write instead.
    """

    def __init__(self, message: str, grid=None, block=None, swapped: bool = False, remedy: str = ""):
        super().__init__(f"{message} {remedy}".rstrip())
        self.message, self.remedy = message, remedy
        self.grid, self.block, self.swapped = grid, block, swapped


class GridDoesNotFitError(InvalidLaunchError):
    """A grid whose blocks wait for each other, of more blocks than any GPU holds at once."""


class DeviceFunctionLaunchError(InvalidLaunchError, RuntimeError):
    """A device function launched as a kernel; numba raises a RuntimeError."""


class NotLaunchedError(SimtError, ValueError):
    """A kernel, or a device function, called by the host as if it were a function; numba raises a ValueError.

    message: what is wrong; remedy: what to write instead; kernel: the name of what was called.
    """

    def __init__(self, message: str, remedy: str, kernel: str = ""):
        super().__init__(f"{message} {remedy}")
        self.message, self.remedy, self.kernel = message, remedy, kernel


class DeadlineExceeded(SimtError):
    """The launch ran past the deadline its caller set: a guard against a hang, since a time depends on the machine."""


class ListenerError(SimtError):
    """An analysis failed; the kernel is not to blame. Its own exception is the cause."""


class KernelError(SimtError):
    """A mistake inside a kernel, with its place.

    message: what is wrong, or a Refusal with the remedy beside it.
    function, line: where; line is 1-based in the file or cell that defines the function.
    block, thread: (x, y, z) of the first thread that did it, or None when it concerns them all.
    calls: (function, line) of the calls on the way to `function`, the kernel's own first, where somebody listens.
    reason: the kind of the refusal, as in "index_type": numba does not compile this either. "" for other mistakes.
    remedy: what to write instead; "" where the message says it.
    """

    remedy: str

    def __init__(
        self, message: str | Refusal, function: str = "", line: int = 0, block=None, thread=None, remedy: str = ""
    ):
        super().__init__(message.says if isinstance(message, Refusal) else message)
        self.function, self.line, self.block, self.thread = function, line, block, thread
        self.calls: list[tuple[str, int]] = []
        self.become(message)
        self.remedy = self.remedy or remedy

    def become(self, message: str | Refusal) -> None:
        """Say this instead."""
        self.reason, self.message, self.remedy = message if isinstance(message, Refusal) else ("", message, "")

    def locate(self, function: str, line: int) -> None:
        """Fill in the place, unless a more precise one is known."""
        if not self.line:
            self.function, self.line = function, line

    def __str__(self) -> str:
        place = [self.function] if self.function else []
        if self.line:
            place.append(f"line {self.line}")
        if self.block is not None:
            place.append(f"block {self.block}, thread {self.thread}")
        ends = "." if self.remedy and self.message[-1:] not in ".!?:" else ""
        says = f"{self.message}{ends} {self.remedy}".rstrip()
        return f"{', '.join(place)}: {says}" if place else says


class UnsupportedError(KernelError):
    """A construct that numba does not compile, with a `reason`, or that only the interpreter does not run, without."""


class KernelTypeError(KernelError, TypeError):
    """Operands of types that numba's inference refuses."""


class OperandError(KernelTypeError):
    """An operator that numba does not have for these types. operator: "<<"; left, right: dtypes."""

    def __init__(self, message: str | Refusal, operator: str, left, right):
        super().__init__(message)
        self.operator, self.left, self.right = operator, left, right


class KernelNameError(KernelError, NameError):
    """A name without a value."""


class OutOfBoundsError(KernelError, IndexError):
    """An index outside its array. array: name; index and shape: tuples; kind: "load", "store" or "atomic"."""

    def __init__(self, message: str, array: str, index: tuple, shape: tuple, kind: str, **place):
        super().__init__(message, **place)
        self.array, self.index, self.shape, self.kind = array, index, shape, kind


class MisalignedError(KernelError):
    """An access of 16 bytes at an address that is no multiple of 16."""


class PlacesOutOfOrderError(KernelError):
    """A sparse product of tensor cores is told places that no two stored elements can have."""


class TileNotShownError(KernelError):
    """A product of a warpgroup reads tiles that were copied, and not shown to the tensor cores since."""


class ProductUnderWayError(KernelError):
    """The sums of a product, or the tiles it reads, are used before anybody waited for it."""


class TooMuchWork(KernelError):
    """The launch did more steps than its caller allows. turn, of: of its longest loop; working, threads: in it."""

    def __init__(self, message: str, *place, turn: int = 0, of: int = 0, working: int = 0, threads: int = 0):
        super().__init__(message, *place)
        self.turn, self.of, self.working, self.threads = turn, of, working, threads


class DeadlockError(KernelError):
    """A loop that can never end, because an iteration of it changes nothing any more."""


class BarrierDivergenceError(KernelError):
    """syncthreads reached by some of a block's live threads only. arrived, live: counts of the first such block."""

    def __init__(self, message: str, arrived: int, live: int, **place):
        super().__init__(message, **place)
        self.arrived, self.live = arrived, live
