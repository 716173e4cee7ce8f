"""Executes a plan on the GPU: binds launches to addresses once, replays them as a CUDA graph as long as nothing
changes.

What a plan's launches cannot say - other shapes than the optimum's, operations without a kernel - is made up for here:
tactics make launches for the actual shapes, and an operation without a kernel stops the stream and runs with NumPy.
So do those whose sizes only running tells: they hand their results on in host memory. What lies between two stops is
replayed as a graph.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from minitrt.api.enums import TensorLocation
from minitrt.api.interfaces import IProfiler
from minitrt.api.logger import Reporter
from minitrt.device.driver import Event, Memory, PinnedMemory, call, download, sent, upload, use_device
from minitrt.device.launches import Kernels, bind
from minitrt.graph.ir import LINEAR, NUMPY_TYPES, Graph, Op, Value
from minitrt.plan.memory import Placement, place
from minitrt.plan.plan import Choice, Plan, Profile
from minitrt.reference import run_op
from minitrt.runtime.ends import PluginCall, give_outputs
from minitrt.runtime.execution import laid, place_for, show
from minitrt.runtime.host import array_at
from minitrt.runtime.steps import Step, pieces_of
from minitrt.runtime.streaming import Places
from minitrt.shapes import waits
from minitrt.shapes.bodies import settled
from minitrt.tactics.contract import REFERENCE, VIEW, Argument, Launch, Packed, Tactic, Tensor, Workspace
from minitrt.tactics.own.on_host import seen, stored
from minitrt.tactics.reference import idle


class Resident:
    """What all contexts of an engine share on the device: kernels and constants, each sent once."""

    def __init__(self, plan: Plan, report: Reporter):
        self.ordinal = use_device()
        self.plan, self.report = plan, report
        self.kernels = Kernels(plan.cubins)
        self.address = Places(plan, sent, PinnedMemory).address

    def compile(self, launches: list[Launch]) -> None:
        """Machine code that the plan lacks, for shapes that it was not tuned for; slow code is better than none there.
        Raises: CompileError."""
        missing = {one.kernel.digest: one.kernel for one in launches if one.kernel.digest not in self.plan.cubins}
        if not missing:  # an engine that runs as it was built never loads the compiler
            return
        from minitrt.kernels.compile import SlowCode
        from minitrt.kernels.pool import cubins

        requests = [(key.factory, dict(key.constants)) for key in missing.values()]
        for digest, cubin in zip(missing, cubins(requests, self.plan.device.compute_capability), strict=True):
            if isinstance(cubin, SlowCode) and cubin.made is not None:
                self.report.warning(f"{cubin} It runs at these shapes all the same")
                cubin = cubin.made
            if isinstance(cubin, Exception):
                raise cubin
            self.plan.cubins[digest] = cubin.code, cubin.entry
        self.report.warning(f"{len(missing)} kernels compiled for shapes that the engine was not tuned for")


class GpuExecution:
    """Runs a context's plan on the current device."""

    def __init__(self, plan: Plan, report: Reporter):
        if "resident" not in plan.shared:
            plan.shared["resident"] = Resident(plan, report)
        self.resident: Resident = plan.shared["resident"]
        self.arena: Memory | None = None
        self.user_arena = 0
        self.bound_for: tuple | None = None
        self.steps: list[Step] = []
        self.pieces: list[Any] = []
        self.table = None
        self.events: list[tuple[str, Event, Event]] = []
        self.held: dict[Value, np.ndarray] = {}  # what operations on the host hand to each other

    # --- binding ---

    def bind(self, context: Any) -> None:
        """Make steps for the context's shapes and addresses; nothing to do when both are as before."""
        graph = context._specialised()
        key = graph, tuple(sorted(context._addresses.items())), self.user_arena
        if key == self.bound_for:
            return
        profile: Profile = context._profile
        choices = {choice.op: choice for choice in profile.choices}
        tuned = {name: triple[1] for name, triple in profile.shapes.items()}
        as_tuned = all(tuple(tuned.get(v.name, v.shape)) == v.shape for v in graph.inputs) and not profile.elements
        # a branch that the optimum does not take was not tuned
        untuned = {op.name: Choice(op.name, "", [], 0) for op in graph.ops if op.name not in choices}
        pairs = [(op, *self.launches(op, (choices | untuned)[op.name], as_tuned)) for op in graph.ops]
        self.resident.compile([launch for _, launches, _ in pairs for launch in launches or []])
        placement = place(graph, [workspace for _, _, workspace in pairs])
        self.make_arena(placement)
        flat = [
            (launch, self.resolver(op, index, placement, context))
            for index, (op, launches, _) in enumerate(pairs)
            for launch in launches or []
        ]
        bound, self.table = bind(flat, self.resident.kernels)
        self.steps, rest = [], iter(bound)
        for op, launches, _ in pairs:
            address = self.addresser(placement, context)
            if op.kind == "plugin":
                self.steps.append(Step(op, PluginCall(op, address, context).enqueue, True))
            elif launches is None:
                self.steps.append(Step(op, partial(self.on_host, op, address, context), True))
            else:
                mine = [next(rest) for _ in launches]
                self.steps.append(Step(op, lambda stream, mine=mine: [one.enqueue(stream) for one in mine]))
        self.known = [value for value in dict.fromkeys(graph.outputs) if value.is_constant]
        self.ends = set(graph.outputs)
        self.bound_for, self.pieces, self.replays = key, [], 0

    def launches(self, op: Op, choice: Choice, as_tuned: bool) -> tuple[list[Launch] | None, int]:
        """Launches of an operation (None: with NumPy), and its workspace."""
        if idle(op):
            return [], 0
        if choice.tactic == REFERENCE:
            return None, 0
        if as_tuned and choice.launches or choice.tactic.startswith(VIEW):  # a view has none
            return choice.launches, choice.workspace_bytes
        from minitrt.tactics.candidates import last_resorts  # which load the compiler
        from minitrt.tactics.reference import candidates

        device = self.resident.plan.device
        tactic = fitting_tactic(op, choice.tactic, [*candidates(op, device), *last_resorts(op, device)])
        return (None, 0) if tactic.name == REFERENCE else (tactic.make(op), tactic.workspace_bytes)

    def make_arena(self, placement: Placement) -> None:
        if not self.user_arena and (self.arena is None or self.arena.nbytes < placement.arena_bytes):
            self.arena = Memory(placement.arena_bytes)

    def addresser(self, placement: Placement, context: Any) -> Callable[[Value], int]:
        """Where a value lies: with the caller, in the arena, or among the constants."""
        base = self.user_arena or (self.arena.address if self.arena else 0)

        def address(value: Value) -> int:
            if value.is_constant:
                return self.resident.address(value.data)
            return context._addresses[value.name] if value not in placement.offsets else base + placement.offsets[value]

        return address

    def resolver(self, op: Op, index: int, placement: Placement, context: Any) -> Callable[[Argument], int]:
        address, base = self.addresser(placement, context), self.user_arena or (self.arena.address if self.arena else 0)

        def resolve(argument: Argument) -> int:
            if isinstance(argument, Packed):
                return self.resident.address(argument.data)
            if isinstance(argument, Workspace):
                return base + placement.offsets.get(index, 0) + argument.offset_bytes
            assert isinstance(argument, Tensor)
            values = op.inputs if argument.role == "input" else op.outputs
            return address(values[argument.index]) + argument.offset_bytes

        return resolve

    # --- running ---

    def run(self, context: Any, stream: int) -> None:
        use_device(self.resident.ordinal)
        self.events = []
        give_outputs(context, stream)
        self.bind(context)
        self.launch(context, stream)
        self.write_known(context, stream)
        if context._input_consumed_event:
            call("cuEventRecord", context._input_consumed_event, stream)

    def launch(self, context: Any, stream: int) -> None:
        """All steps: one by one, or from the second time on as graphs, one between two stops."""
        if context.profiler is not None or context._listener is not None:
            self.step_by_step(context, stream)
        elif self.replays == 0:  # the first run loads what a graph must not: kernels, tensor maps
            for step in self.steps:
                step.enqueue(stream)
        else:
            self.pieces = self.pieces or pieces_of(self.steps)
            for piece in self.pieces:
                piece.enqueue(stream)
        self.replays += 1

    def write_known(self, context: Any, stream: int) -> None:
        """Outputs that no kernel writes, since their elements were known before: shapes, sizes, constants."""
        for value in self.known:
            there = context._addresses[value.name]
            if value.host:
                array_at(there, value.shape, value.data.dtype)[...] = value.data
            elif value.size:
                call("cuMemcpyAsync", there, self.resident.address(value.data), value.nbytes, stream)

    def step_by_step(self, context: Any, stream: int) -> None:
        """One operation at a time, each between two events where someone measures; debug tensors go to their
        listener."""
        shown = {v.name for v in context._profile.graph.kept if context.get_debug_state(v.name)}
        for step in self.steps:
            begin = Event().record(stream) if context.profiler else None
            step.enqueue(stream)
            if begin is not None:
                self.events.append((step.op.name, begin, Event().record(stream)))
            for value in step.op.outputs:
                if context._listener is not None and value.name in shown:
                    self.wait(stream)
                    self.show(context, value, stream)
        if context.profiler and context.enqueue_emits_profile:
            self.report_to(context.profiler)

    def show(self, context: Any, value: Value, stream: int) -> None:
        if value in self.held:
            show(context, value, self.held[value], stream)
            return
        placement = place(context._specialised(), None)
        address = self.addresser(placement, context)(value)
        where = address, TensorLocation.DEVICE
        context._listener.process_debug_tensor(*where, value.dtype, value.shape, value.name, stream)

    def on_host(self, op: Op, address: Callable[[Value], int], context: Any, stream: int) -> None:
        """An operation without a kernel: its inputs come down, its outputs go up, the stream waits. Outputs of sizes
        that nobody knew stay here. Raises: ValueError for a result of another size than was planned."""
        arrays: list[np.ndarray | None] = []
        for value in op.inputs:
            if value is None or value.is_constant:
                arrays.append(value if value is None else value.data)
            elif value in self.held:
                arrays.append(self.held[value])
            elif value.host:
                arrays.append(array_at(address(value), value.shape, NUMPY_TYPES[value.dtype]))
            else:
                memory = np.empty(value.stored_shape, NUMPY_TYPES[value.dtype])
                arrays.append(seen(download(address(value), memory, stream), value.layout, value.shape))
        sending = []  # alive until the stream has passed
        for value, array in zip(op.outputs, run_op(settled(op, arrays) if waits(op) else op, arrays), strict=False):
            if value.host or -1 in value.shape:
                self.held[value] = array
            if -1 in value.shape:
                if value in self.ends:
                    upload(place_for(context, value, array.shape, array.nbytes, stream), laid(value, array), stream)
            elif array.shape != value.shape:
                raise ValueError(f"{op.name} gives {array.shape}, where {value.shape} was planned")
            elif not value.host:
                sending.append(stored(array, value.layout))
                upload(address(value), sending[-1], stream)
            elif value.name in context._addresses:
                array_at(address(value), array.shape, array.dtype)[...] = array
        self.wait(stream)

    def wait(self, stream: int) -> None:
        call("cuStreamSynchronize", stream)

    def report_to(self, profiler: IProfiler) -> None:
        for name, begin, end in self.events:
            profiler.report_layer_time(name, end.us_since(begin) / 1000)

    def use_arena(self, address: int) -> None:
        self.user_arena = address

    def arena_bytes(self, graph: Graph, profile: Profile) -> int:
        workspaces = {choice.op: choice.workspace_bytes for choice in profile.choices}
        return place(graph, [workspaces.get(op.name, 0) for op in graph.ops]).arena_bytes


def fitting_tactic(op: Op, name: str, tactics: list[Tactic]) -> Tactic:
    """The tactic of this name, else the first that reads and writes what lies there, else NumPy, which knows no layout
    but the linear one.

    Raises: ValueError where nothing can run the operation as its tensors lie.
    """
    from minitrt.tactics.reference import reference_tactic

    layouts = [value.layout if value is not None else LINEAR for value in (op.inputs[0], op.output)]
    named = [tactic for tactic in tactics if tactic.name == name]
    alike = [tactic for tactic in tactics if [tactic.inputs[0], tactic.outputs[0]] == layouts]
    if named or alike:
        return (named or alike)[0]
    if all(value.layout == LINEAR for value in (*op.present, *op.outputs)):
        return reference_tactic(op)
    shapes = ", ".join(f"{value.name} {value.shape}" for value in op.present)
    raise ValueError(
        f"{op.name}: no kernel runs it from {layouts[0]} to {layouts[1]} at {shapes}. Build the engine with a profile "
        "whose optimum is these sizes."
    )
