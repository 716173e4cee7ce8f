"""IExecutionContext: addresses and shapes of one run at a time."""

from __future__ import annotations

import operator
from typing import Any

from minitrt.api import enums as e
from minitrt.api.common import Reporting
from minitrt.api.interfaces import IProfiler
from minitrt.api.sealed import sealed
from minitrt.api.without_effect import ONE_STREAM, say
from minitrt.runtime.choosing import make_execution
from minitrt.runtime.execution import Execution
from minitrt.runtime.sizes import Sizes
from minitrt.runtime.watching import Debugging


@sealed
class IExecutionContext(Sizes, Debugging, Reporting):
    """The state of a run: profile, shapes, addresses. Use one context a thread; contexts of one engine share
    weights."""

    def __init__(self, engine, strategy: e.ExecutionContextAllocationStrategy):
        Debugging.__init__(self, engine._report)
        Sizes.__init__(self)
        self._engine, self._plan = engine, engine._plan
        self._strategy = strategy
        self._addresses: dict[str, int] = {}
        self._allocators: dict[str, Any] = {}
        self._execution: Execution = make_execution(self._plan, self._report)
        self._device_memory = 0
        self._input_consumed_event = 0
        self._report_due = False
        self.name = ""
        self.debug_sync = False
        self.nvtx_verbosity = engine.profiling_verbosity
        self.persistent_cache_limit = 0
        self.temporary_allocator = None
        self.enqueue_emits_profile = True
        self.profiler: IProfiler | None = None

    def _restart(self) -> None:
        """Forget what was prepared: the engine's weights are new."""
        self._execution, self._concrete = make_execution(self._plan, self._report), None

    @property
    def engine(self):
        return self._engine

    # --- addresses ---

    def set_tensor_address(self, name: str, memory: int) -> bool:
        """Where a tensor lies: device memory (host memory for the reference backend, and for shape tensors)."""
        if name not in self._engine._tensors:
            return self._refuse(f"the engine has no tensor {name!r}")
        self._addresses[name] = operator.index(memory)
        return True

    def get_tensor_address(self, name: str) -> int:
        return self._addresses.get(name, 0)

    def set_output_allocator(self, name: str, output_allocator) -> bool:
        """Who gives memory for an output once its size is known; None takes it back."""
        if name not in self._engine._outputs:
            return self._refuse(f"{name!r} is no output of the engine")
        self._allocators[name] = output_allocator
        return True

    def get_output_allocator(self, name: str):
        return self._allocators.get(name)

    def set_input_consumed_event(self, event: int) -> bool:
        self._input_consumed_event = int(event)
        return True

    def get_input_consumed_event(self) -> int:
        return self._input_consumed_event

    # --- memory ---

    def _take_memory(self, address: int) -> None:
        self.set_device_memory(address, self._engine.device_memory_size_v2)

    device_memory = property(None, _take_memory)  # the bindings let nobody read it

    def set_device_memory(self, memory: int, size: int) -> None:
        """Give the arena of a USER_MANAGED context."""
        if size < self._profile.arena_bytes:
            self._refuse(f"the arena needs {self._profile.arena_bytes} bytes, but {size} were given")
            return
        self._device_memory = int(memory)
        self._execution.use_arena(self._device_memory)

    # --- running ---

    def execute_async_v3(self, stream_handle) -> bool:
        """Enqueue a run on a stream. False, and an error, when something is missing or fails."""
        missing = [name for name in self._engine._inputs if not self._addresses.get(name)]
        outputs = self._engine._outputs
        missing += [name for name in outputs if not self._addresses.get(name) and not self._allocators.get(name)]
        shapeless = self._missing()
        if missing or shapeless:
            what = f"addresses of {missing}" if missing else f"shapes or elements of {shapeless}"
            return self._refuse(f"execute_async_v3: {what} are not set", e.ErrorCodeTRT.INVALID_STATE)
        if self._strategy == e.ExecutionContextAllocationStrategy.USER_MANAGED and self._needs_arena():
            return self._refuse("execute_async_v3: this context needs set_device_memory first")
        try:
            if self._profile.elements:
                self._elements()  # refuses those outside the profile before anything is written
            self._execution.run(self, int(stream_handle))
        except Exception as error:  # nothing is thrown: who enqueued asks for False, as with TensorRT
            return self._refuse(f"the run failed: {error}", e.ErrorCodeTRT.FAILED_EXECUTION)
        return True

    def _needs_arena(self) -> bool:
        return self._profile.arena_bytes > 0 and not self._device_memory and self._plan.device is not None

    def execute_v2(self, bindings: list[int]) -> bool:
        """Run and wait. bindings: addresses in the order of the engine's tensors; False for fewer than those."""
        if len(bindings) < self._engine.num_io_tensors:
            tensors = list(self._engine)
            return self._refuse(f"execute_v2 takes addresses of {tensors}, in this order, but got {len(bindings)}")
        for name, address in zip(self._engine, bindings, strict=False):
            self._addresses[name] = operator.index(address)
        done = self.execute_async_v3(0)
        self._execution.wait(0)
        return done

    def set_aux_streams(self, aux_streams: list[int]) -> None:
        """Streams for branches that run side by side; this runtime uses one."""
        if aux_streams:
            say(self, "IExecutionContext.set_aux_streams", ONE_STREAM)

    def set_communicator(self, communicator) -> bool:
        return self._refuse("an engine runs on one GPU; use a pool of engines for several")

    def get_runtime_config(self):
        return self._engine.create_runtime_config()

    def report_to_profiler(self) -> bool:
        """Give the last run's layer times to the profiler (with enqueue_emits_profile False)."""
        if self.profiler is None:
            return False
        self._execution.report_to(self.profiler)
        return True
