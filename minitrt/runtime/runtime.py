"""Runtime: turns bytes into engines, and refuses what cannot run here."""

from __future__ import annotations

from collections.abc import Callable

from minitrt.api.common import Logged
from minitrt.api.deprecation import absent
from minitrt.api.enums import ErrorCodeTRT, TempfileControlFlag
from minitrt.api.interfaces import IStreamReaderV2
from minitrt.api.logger import ILogger, Reporter, given_logger
from minitrt.api.sealed import sealed
from minitrt.plan.encoding import MAGIC, PlanError, decode
from minitrt.plan.plan import Plan
from minitrt.runtime.engine import ICudaEngine
from minitrt.tactics.own.registry import check_registered

CHUNK = 1 << 20


@sealed
class Runtime(Logged):
    """Loads engines. A bad engine is logged and answered with None."""

    def __init__(self, logger: ILogger):
        self._logger = logger
        self._report = Reporter(given_logger(logger, "Runtime"))
        self.gpu_allocator = None
        self.max_threads = 1
        self.DLA_core = -1
        self.engine_host_code_allowed = False
        self.temporary_directory = ""
        self.tempfile_control_flags = 1 << int(TempfileControlFlag.ALLOW_IN_MEMORY_FILES)

    def deserialize_cuda_engine(
        self, serialized_engine=None, *, stream_reader=None, stream_reader_v2=None
    ) -> ICudaEngine | None:
        """An engine from bytes, IHostMemory, an IStreamReader or an IStreamReaderV2; None after an error.

        Raises: TypeError for what has no bytes, as the bindings do.
        """
        given = [each for each in (serialized_engine, stream_reader, stream_reader_v2) if each is not None]
        source = given[0] if given else None
        if not hasattr(source, "read"):
            source = buffer_of(source)
        try:
            plan = decode(everything(source))
            check_version_compatible(plan, self.engine_host_code_allowed)
            check_device(plan)
            check_registered(choice.tactic for profile in plan.profiles for choice in profile.choices)
        except (PlanError, ValueError, KeyError, TypeError) as error:
            self._report.error(f"cannot load the engine: {error}", ErrorCodeTRT.INVALID_ARGUMENT)
            return None
        return ICudaEngine(plan, self._report)

    @property
    def num_DLA_cores(self) -> int:
        return 0

    load_runtime = absent("Runtime.load_runtime", "there is one runtime, and it is Python")

    def get_plugin_registry(self):
        from minitrt.plugins.registry import get_plugin_registry

        return get_plugin_registry()


def buffer_of(source) -> memoryview:
    """The bytes of something that has some. Raises: TypeError."""
    try:
        return memoryview(source)
    except TypeError:
        raise TypeError(
            "deserialize_cuda_engine takes the engine's bytes or a stream reader, but got"
            f" {'None: the build has failed, and the logger knows why' if source is None else repr(source)[:80]}"
        ) from None


def everything(source) -> bytes:
    """All bytes of a buffer or a stream reader."""
    if isinstance(source, IStreamReaderV2):  # a reader of the first kind may have a `seek` of its own
        from minitrt.api.enums import SeekPosition

        source.seek(0, SeekPosition.SET)
        return joined(lambda: bytes(source.read(CHUNK, 0)))
    if hasattr(source, "read"):
        return joined(lambda: bytes(source.read(CHUNK)))
    return bytes(source)


def joined(read: Callable[[], bytes]) -> bytes:
    """What a reader gives until it gives nothing. Raises: PlanError for one that begins again, and never ends."""
    parts = [read()]
    while parts[-1] and parts[0].startswith(MAGIC[: len(parts[0])]):
        parts.append(read())
        if parts[-1].startswith(MAGIC):
            raise PlanError("the reader gives the engine's first bytes again: read() must go on where it stopped")
    return b"".join(parts)


def check_version_compatible(plan: Plan, allowed: bool) -> None:
    if "VERSION_COMPATIBLE" in plan.flags and "EXCLUDE_LEAN_RUNTIME" not in plan.flags and not allowed:
        raise PlanError(
            "a version-compatible engine carries host code: set Runtime.engine_host_code_allowed = True first"
        )


def check_device(plan: Plan) -> None:
    """A plan for a GPU runs on that model; on others of its compute capability if it was built to."""
    if plan.device is None:
        return
    from minitrt.device.driver import device_count, device_facts

    if not device_count():
        raise PlanError(f"the engine was built for {plan.device.name}, and there is no NVIDIA GPU here")
    here = device_facts()
    same = here.name == plan.device.name and here.sm_count == plan.device.sm_count
    alike = here.compute_capability == plan.device.compute_capability
    if not (same or alike and plan.hardware != "NONE"):
        raise PlanError(
            f"the engine was built for {plan.device.name}, and this is {here.name}. Build it here, or with"
            " hardware_compatibility_level SAME_COMPUTE_CAPABILITY for GPUs of one compute capability."
        )
