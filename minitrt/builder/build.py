"""The build, step by step: lower, quantise, optimise, tune, place, plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minitrt.api.enums import BuilderFlag
from minitrt.api.logger import Reporter
from minitrt.builder.algorithms import IAlgorithm, IAlgorithmContext, report_algorithms
from minitrt.builder.branches import beside_branches, linear
from minitrt.builder.config import IBuilderConfig
from minitrt.builder.fusing import fuse_every_pool, fuse_where_faster
from minitrt.builder.io_formats import hwc_names, reformat_of, with_ends
from minitrt.builder.known_sizes import narrow
from minitrt.builder.late import tell_who_waits
from minitrt.builder.least_sizes import check_minimum
from minitrt.builder.limits import anything, few, keeps_limits, offered
from minitrt.builder.monitor import Progress
from minitrt.builder.plugin_tactics import choose_plugin_tactics
from minitrt.builder.profile import MAXIMUM, OPTIMUM, check_sizes, concrete_at, limits_of
from minitrt.builder.select import Selector, Timed, with_layouts
from minitrt.builder.stages import Unwatched, keep_debug_tensors
from minitrt.builder.views import mark_views, moves, name_of, without_places, without_saved_copies
from minitrt.builder.weak_typing import WeakTypes, apply_after_passes
from minitrt.graph.copying import copy_graph
from minitrt.graph.ir import Graph, Op, Value
from minitrt.network.definition import INetworkDefinition
from minitrt.network.lower import lower
from minitrt.passes.pipeline import PASSES, optimise
from minitrt.passes.why_not import Reasons
from minitrt.plan.memory import place
from minitrt.plan.plan import Choice, Plan, Profile
from minitrt.shapes import waits
from minitrt.tactics.contract import REFERENCE, Tactic
from minitrt.tactics.own.registry import takes
from minitrt.tactics.reference import candidates, idle, reference_tactic
from minitrt.tactics.timing_cache import TimingCache, header_of

Wish = Callable[[Tactic], bool]
REFERENCE_US = 1e6  # an operation on the host stops the device: never by choice


class BuildError(ValueError):
    """The build cannot go on."""


def build(network: INetworkDefinition, config: IBuilderConfig, report: Reporter) -> Plan:
    """The plan of a network.

    Raises: BuildError, InvalidNetwork; Cancelled when the progress monitor says so.
    """
    return Build(network, config, report).plan()


class Build:
    """One build: what its steps share."""

    def __init__(self, network: INetworkDefinition, config: IBuilderConfig, report: Reporter):
        self.network, self.config, self.report = network, config, report
        self.device = config.target
        self.progress = Progress(config.progress_monitor)
        self.flags = [flag.name for flag in BuilderFlag if config.get_flag(flag)]
        self.tuner = self.make_tuner()

    def plan(self) -> Plan:
        with self.progress.phase("Building Engine", 4) as step:
            graph = lower(self.network, limits_of(self.network, self.config))
            keep_debug_tensors(graph, self.network)
            original = copy_graph(graph) if self.refittable else None
            types = WeakTypes(self.network, self.config, self.flags, self.report)
            settings = types.apply(graph, self.calibration_shapes(graph))
            step()
            graph = self.optimised(graph)
            apply_after_passes(graph, settings, self.report)
            settings["why_not"] = self.reasons.after()
            for sentence in settings["why_not"]:
                self.report.verbose(f"why not: {sentence}")
            step()
            profiles = [self.tuned(graph, index) for index in range(max(1, self.config.num_optimization_profiles))]
            step()
            plan = Plan(
                name=self.network.name,
                profiles=profiles,
                device=self.device,
                flags=self.flags,
                verbosity=self.config.profiling_verbosity.name,
                cubins=self.cubins(profiles),
                original=original,
                tactic_sources=self.config.get_tactic_sources(),
                hardware=self.config.hardware_compatibility_level.name,
                settings=settings,
            )
            step()
        return plan

    @property
    def refittable(self) -> bool:
        return any(name in self.flags for name in ("REFIT", "REFIT_IDENTICAL", "REFIT_INDIVIDUAL", "STRIP_PLAN"))

    def optimised(self, graph: Graph) -> Graph:
        self.reasons, stages = Reasons(graph), self.config._stages or Unwatched()
        with self.progress.phase("Graph Optimization", len(PASSES)) as step:

            def before(name: str) -> bool:
                return self.reasons.before(name) or stages.before(name, graph) or step() or True

            optimise(graph, self.report.verbose, before)
        stages.after(graph)
        self.report.info(f"{len(graph.ops)} layers after optimisation")
        return graph

    def calibration_shapes(self, graph: Graph) -> dict[str, tuple[int, ...]]:
        """Shapes of the inputs for calibration: of the calibration profile, else of the first profile's optimum."""
        profile = self.config._calibration_profile or (self.config._profiles or [None])[0]
        given = {value.name: profile.get_shape(value.name) if profile else [] for value in graph.inputs}
        return {v.name: tuple(given[v.name][OPTIMUM]) if given[v.name] else v.shape for v in graph.inputs}

    # --- tuning ---

    def make_tuner(self):
        if self.device is None:
            return None
        from minitrt.tactics.tuner import Tuner

        if self.config.get_timing_cache() is None and "DISABLE_TIMING_CACHE" not in self.flags:
            self.config.set_timing_cache(self.config.create_timing_cache(b""), False)
        held = self.config.get_timing_cache()
        cache = held.cache if held else TimingCache(header_of(self.device))
        return Tuner(self.device, cache, self.report.warning, self.report.verbose)

    def tuned(self, graph: Graph, index: int) -> Profile:
        """One profile: tactics at its optimum, memory for its maximum."""
        shapes, elements = self.sizes(graph, index)
        check_minimum(graph, shapes, elements, self.report.warning)
        graph = copy_graph(graph)
        if elements:
            narrow(graph, elements, lambda which: concrete_at(graph, shapes, elements, which))
        with_ends(graph, hwc_names(self.network))
        concrete = concrete_at(graph, shapes, elements, OPTIMUM)
        concrete = self.fused(graph, concrete, lambda: concrete_at(graph, shapes, elements, OPTIMUM))
        if self.device is not None:
            tell_who_waits(concrete, self.report)
        cache = self.tuner.cache if self.tuner else None
        choose_plugin_tactics(graph, concrete, cache, self.device is not None, self.report.verbose)
        with self.progress.phase("Tactic Selection", len(concrete.ops)) as step:
            self.prepare(concrete.ops)
            plain = without_places(concrete, graph)
            wishes = {op: moves if op in plain else anything for op in concrete.ops}
            wishes |= dict.fromkeys(beside_branches(concrete, graph), linear)
            timed = [self.selected(op, self.timed(op, step, wish)) for op, wish in wishes.items()]
        selection = Selector(concrete, without_saved_copies(concrete, timed), self.can_reformat).best()
        picked = {op.name: selection.timed(i) for i, op in enumerate(concrete.ops)}
        report_algorithms(self.config._algorithm_selector, concrete, picked)
        chosen = {name: tactic for name, (_, tactic) in picked.items()}
        with_layouts(graph, chosen)
        mark_views(graph, chosen)
        graph.sort()
        concrete = concrete_at(graph, shapes, elements, OPTIMUM)
        choices = [self.choice(op, chosen.get(op.name)) for op in concrete.ops]
        workspaces = [choice.workspace_bytes for choice in choices]
        arena = place(self.largest(graph, shapes, elements, concrete), workspaces).arena_bytes
        self.report.info(f"profile {index}: {len(choices)} layers, an arena of {arena} bytes")
        return Profile(graph, choices, shapes, elements, arena)

    def largest(self, graph: Graph, shapes: dict[str, Any], elements: dict[str, Any], optimum: Graph) -> Graph:
        """The graph at a profile's maxima, which must not fit together where elements decide shapes: then the
        optimum's."""
        try:
            return concrete_at(graph, shapes, elements, MAXIMUM)
        except ValueError as error:
            if not elements:
                raise
            self.report.verbose(
                f"the maxima of all inputs do not go together ({error}); contexts allocate what they need"
            )
            return optimum

    def fused(self, graph: Graph, concrete: Graph, sizes: Callable[[], Graph]) -> Graph:
        """The concrete graph after the fusions that depend on shapes and device. sizes: `graph` with shapes put in."""
        if self.tuner is None:
            fuse_every_pool(graph, self.report.verbose, {op.name for op in concrete.ops if self.taken(op)})
            return sizes()
        return fuse_where_faster(graph, concrete, self, self.report.verbose, sizes)

    def taken(self, op: Op) -> bool:
        """Whether a reader's tactic runs it whatever else there is."""
        return takes(op, self.device)

    def best_us(self, op: Op) -> float:
        """Microseconds of an operation's fastest kernel; more than any kernel's where none keeps the limits."""
        allowed = [tactic for tactic in self.found(op) if tactic.name != REFERENCE]
        timed = self.tuner.choose(op, allowed) if allowed else []
        return timed[0][0] if timed else REFERENCE_US

    def selected(self, op: Op, timed: Timed) -> Timed:
        """What the user's algorithm selector leaves. Raises: BuildError when that is nothing."""
        selector = self.config._algorithm_selector
        if selector is None:
            return timed
        offered = [IAlgorithm(op, tactic, time_us) for time_us, tactic in timed]
        kept = list(selector.select_algorithms(IAlgorithmContext(op), offered))
        if not kept or any(not 0 <= index < len(timed) for index in kept):
            raise BuildError(f"{op.name}: the algorithm selector chose {kept} of {len(timed)} algorithms")
        return [timed[index] for index in kept]

    def sizes(self, graph: Graph, index: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """min, opt and max of inputs' shapes, and of shape tensors' elements. Raises: BuildError, WrongSizes."""
        profile = self.config._profiles[index] if index < len(self.config._profiles) else None
        shapes: dict[str, Any] = {}
        elements: dict[str, Any] = {}
        for value in graph.inputs:
            given = profile.get_shape(value.name) if profile else []
            if given:
                shapes[value.name] = tuple(tuple(shape) for shape in given)
                check_sizes(index, value.name, value.shape, shapes[value.name])
            elif -1 in value.shape:
                raise BuildError(
                    f"input {value.name!r} has dynamic shape {value.shape}, but profile {index} does not say its sizes."
                    " Add IOptimizationProfile.set_shape(name, min, opt, max)."
                )
            if value.host and profile and profile.get_shape_input(value.name):
                elements[value.name] = profile.get_shape_input(value.name)
        return shapes, elements

    def prepare(self, ops: list[Op]) -> None:
        """Compile what will be timed in one go: kernels of different operations side by side."""
        if self.tuner is not None:
            keys = self.tuner.needed((op, [t for t in self.found(op) if t.name != REFERENCE]) for op in ops)
            with self.progress.phase("Kernel Compilation", len(keys)) as step:
                self.tuner.compile(keys, lambda index: step())

    def found(self, op: Op, wish: Wish = anything) -> list[Tactic]:
        """The tactics of an operation that the configuration allows."""
        return few(self.config, [tactic for tactic in self.offered(op) if wish(tactic)])

    def offered(self, op: Op) -> list[Tactic]:
        return offered(candidates(op, self.device), self.tuner is not None)

    def timed(self, op: Op, step: Callable[[], None] = lambda: None, wish: Wish = anything) -> Timed:
        """The tactics of an operation that meet a wish, with their times, fastest first; never none."""
        found = [tactic for tactic in self.offered(op) if wish(tactic)] or [reference_tactic(op)]
        step()
        if self.tuner is None or found[0].name == REFERENCE:
            if self.device is not None and op.kind != "plugin" and not idle(op) and not waits(op):
                why = f"no kernel computes this {op.kind!r}, so it runs on the host with NumPy"
                self.report.warning(f"{op.name}: {why}")
            return [(REFERENCE_US if self.device else 0.0, tactic) for tactic in found]
        allowed = self.found(op, wish)
        if not allowed:
            raise BuildError(
                f"{op.name}: none of its {len(found)} tactics fits the limits of workspace, shared memory and sources."
                " Raise IBuilderConfig.set_memory_pool_limit, or allow more tactic sources."
            )
        chosen = self.tuner.choose(op, allowed)
        if not chosen and all(tactic.notes.get("only") for tactic in allowed):
            raise BuildError(f"{self.tuner.why_none(op)} Mend it, or register it without only=True.")
        chosen = chosen or self.tuner.choose(op, self.resorts(op))
        if not chosen:
            self.report.warning(self.tuner.why_none(op))
            return [(REFERENCE_US, reference_tactic(op))]
        return chosen

    def resorts(self, op: Op) -> list[Tactic]:
        """What is left where ptxas made something of every tactic that we refuse."""
        from minitrt.tactics.candidates import last_resorts

        return [tactic for tactic in last_resorts(op, self.device) if keeps_limits(self.config, tactic)]

    def can_reformat(self, value: Value, made: str, wanted: str) -> bool:
        """Whether some kernel converts between two layouts."""
        if self.device is None:
            return True
        return any(
            t.inputs[0] == made and t.outputs[0] == wanted
            for t in candidates(reformat_of(value, made, wanted), self.device)
        )

    def choice(self, op: Op, tactic: Tactic | None) -> Choice:
        """What the plan says of an operation; reformats that were added choose their tactic here."""
        if tactic is None:
            made, wanted = op.inputs[0].layout, op.output.layout
            _, tactic = self.timed(op, wish=lambda t: (t.inputs[0], t.outputs[0]) == (made, wanted))[0]
        launches = tactic.make(op) if tactic.name != REFERENCE else []
        return Choice(op.name, name_of(op, tactic, launches), launches, tactic.workspace_bytes)

    def cubins(self, profiles: list[Profile]) -> dict[str, tuple[bytes, str]]:
        """The machine code of every kernel that the plan launches; the timing cache keeps it, too."""
        if self.tuner is None:
            return {}
        launches = [launch for p in profiles for choice in p.choices for launch in choice.launches]
        keys = {launch.kernel.digest: launch.kernel for launch in launches}
        self.tuner.compile(list(keys.values()))
        if "DISABLE_COMPILATION_CACHE" not in self.flags:
            self.tuner.keep(keys.values())
        return {digest: (self.tuner.compiled[digest].code, self.tuner.compiled[digest].entry) for digest in keys}
