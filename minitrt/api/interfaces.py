"""Classes that users derive from: what minitrt calls back."""

from __future__ import annotations

from minitrt.api.enums import APILanguage, ErrorCodeTRT


class InterfaceInfo:
    """Which interface an object implements. kind: name; major, minor: version."""

    def __init__(self, kind: str = "", major: int = 1, minor: int = 0):
        self.kind, self.major, self.minor = kind, major, minor


class IVersionedInterface:
    """Base of interfaces that have versions."""

    api_language = APILanguage.PYTHON

    @property
    def interface_info(self) -> InterfaceInfo:
        return InterfaceInfo(type(self).__name__)


class IErrorRecorder(IVersionedInterface):
    """Collects errors. Override report_error and what reads them back; an object may serve several threads."""

    MAX_DESC_LENGTH = 127

    def num_errors(self) -> int:
        raise NotImplementedError

    def get_error_code(self, index: int) -> ErrorCodeTRT:
        raise NotImplementedError

    def get_error_desc(self, index: int) -> str:
        raise NotImplementedError

    def has_overflowed(self) -> bool:
        return False

    def clear(self) -> None:
        raise NotImplementedError

    def report_error(self, code: ErrorCodeTRT, desc: str) -> bool:
        """Take one error. Returns whether it ends the current call."""
        raise NotImplementedError


class IProgressMonitor(IVersionedInterface):
    """Hears how far a build is. Phases nest; step_complete answers whether to go on."""

    def phase_start(self, phase_name: str, parent_phase: str | None, num_steps: int) -> None:
        pass

    def step_complete(self, phase_name: str, step: int) -> bool:
        return True

    def phase_finish(self, phase_name: str) -> None:
        pass


class IProfiler:
    """Hears each layer's time after a run. Override report_layer_time(name, milliseconds)."""

    def report_layer_time(self, layer_name: str, ms: float) -> None:
        raise NotImplementedError


class Profiler(IProfiler):
    """Prints each layer's time."""

    def report_layer_time(self, layer_name: str, ms: float) -> None:
        print(f"{layer_name}: {ms:.4f} ms")


class IDebugListener(IVersionedInterface):
    """Sees debug tensors. Override process_debug_tensor; it returns whether to go on."""

    def process_debug_tensor(self, addr: int, location, type, shape, name: str, stream: int) -> bool:
        raise NotImplementedError


class IOutputAllocator(IVersionedInterface):
    """Gives memory for outputs whose size is known only after a run."""

    def reallocate_output(self, tensor_name: str, memory: int, size: int, alignment: int) -> int:
        """An address of at least `size` bytes; `memory` is the address it has now (0 for none)."""
        raise NotImplementedError

    def reallocate_output_async(self, tensor_name: str, memory: int, size: int, alignment: int, stream: int) -> int:
        return self.reallocate_output(tensor_name, memory, size, alignment)

    def notify_shape(self, tensor_name: str, shape) -> None:
        raise NotImplementedError


class IGpuAllocator(IVersionedInterface):
    """Gives the engine's memory. Override allocate, reallocate and deallocate."""

    def allocate(self, size: int, alignment: int, flags: int) -> int:
        raise NotImplementedError

    def reallocate(self, address: int, alignment: int, new_size: int) -> int:
        return 0

    def deallocate(self, memory: int) -> bool:
        raise NotImplementedError

    def allocate_async(self, size: int, alignment: int, flags: int, stream: int) -> int:
        return self.allocate(size, alignment, flags)

    def deallocate_async(self, memory: int, stream: int) -> bool:
        return self.deallocate(memory)


class IGpuAsyncAllocator(IGpuAllocator):
    """Gives the engine's memory in the order of a stream. Override allocate_async and deallocate_async."""

    def allocate(self, size: int, alignment: int, flags: int) -> int:
        return self.allocate_async(size, alignment, flags, 0)

    def deallocate(self, memory: int) -> bool:
        return self.deallocate_async(memory, 0)


class IStreamWriter(IVersionedInterface):
    """Takes a serialised engine piece by piece. write returns how many bytes it took."""

    def write(self, data: bytes) -> int:
        raise NotImplementedError


class IStreamReader(IVersionedInterface):
    """Gives a serialised engine. read(size) returns at most that many bytes."""

    def read(self, size: int) -> bytes:
        raise NotImplementedError


class IStreamReaderV2(IVersionedInterface):
    """Gives a serialised engine at any position, to host or device memory."""

    def read(self, num_bytes: int, stream: int) -> bytes:
        raise NotImplementedError

    def seek(self, offset: int, where) -> bool:
        raise NotImplementedError
