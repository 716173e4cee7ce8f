"""Refitter: replaces weights of an engine that was built with BuilderFlag.REFIT or STRIP_PLAN.

The plan keeps the network as it was before the passes. A refit puts the new weights there, runs the passes again, and
takes over the constants they give: folded scales, quantised weights and packed tiles all follow from one place. If
the passes come to another structure - say, because two scales that were equal no longer are - the refit is refused.
"""

from __future__ import annotations

import numpy as np

from minitrt.api.arguments import checked
from minitrt.api.common import Logged
from minitrt.api.deprecation import removed_in_11
from minitrt.api.enums import TensorLocation, WeightsRole
from minitrt.api.logger import ILogger, Reporter, given_logger
from minitrt.api.sealed import sealed
from minitrt.api.weights import Weights, as_array
from minitrt.builder.weak_typing import apply_after_passes, apply_before_passes
from minitrt.graph.copying import copy_graph
from minitrt.graph.ir import DATA_TYPES, NUMPY_TYPES, Graph, Op, Value, joint_name
from minitrt.passes.pipeline import optimise
from minitrt.passes.pooled import fuse_pools
from minitrt.passes.quantising import fuse_quantisers
from minitrt.passes.shortcuts import fuse_shortcuts
from minitrt.passes.tails import fuse_tails
from minitrt.plan.plan import Plan, Profile
from minitrt.shapes import specialise
from minitrt.tactics.candidates import last_resorts
from minitrt.tactics.contract import REFERENCE, VIEW, Launch
from minitrt.tactics.reference import candidates


class RefitRefused(ValueError):
    """Weights that do not fit, or that would change what the passes did."""


@sealed
@checked
class Refitter(Logged):
    """Collects new weights, then puts all of them in at once. Errors go to the logger, calls answer False.

    Raises: TypeError when it is made for an engine that cannot be refitted, as the bindings do.
    """

    def __init__(self, engine, logger: ILogger):
        self._engine, self._logger = engine, logger
        self._report = Reporter(given_logger(logger, "Refitter"))
        self._new: dict[str, tuple[np.ndarray, TensorLocation]] = {}
        self.weights_validation = True
        self.max_threads = 1
        if not engine.refittable:
            why = "the engine cannot be refitted: build it with BuilderFlag.REFIT or STRIP_PLAN"
            self._report.error(why)
            raise TypeError(f"Refitter: {why}")

    # --- names ---

    @property
    def _weights(self) -> dict[str, Value]:
        original = self._engine._plan.original
        return {value.weights: value for value in original.constants() if value.weights} if original else {}

    def get_all_weights(self) -> list[str]:
        return list(self._weights)

    def get_missing_weights(self) -> list[str]:
        """Weights that the engine was stripped of, and that were not set yet."""
        return [name for name in self._engine._plan.missing if name not in self._new]

    def get_all(self) -> tuple[list[str], list[WeightsRole]]:
        """Weights that belong to a layer's role, as two lists."""
        pairs = [role_of(name) for name in self.get_all_weights()]
        return [layer for layer, _ in pairs], [role for _, role in pairs]

    def get_missing(self) -> tuple[list[str], list[WeightsRole]]:
        pairs = [role_of(name) for name in self.get_missing_weights()]
        return [layer for layer, _ in pairs], [role for _, role in pairs]

    def get_weights_prototype(self, weights_name: str) -> Weights:
        """Zeros of the size and type that a name needs; empty, and an error, for a name that the engine lacks."""
        value = self._weights.get(weights_name)
        if value is None:
            self._report.error(f"the engine has no refittable weights {weights_name!r}")
            return Weights()
        return Weights(np.zeros(value.size, NUMPY_TYPES[value.dtype]))

    def get_named_weights(self, weights_name: str) -> Weights:
        """What was set under a name; empty if nothing was."""
        return Weights(self._new[weights_name][0]) if weights_name in self._new else Weights()

    def get_weights_location(self, weights_name: str) -> TensorLocation:
        return self._new[weights_name][1] if weights_name in self._new else TensorLocation.HOST

    # --- setting ---

    def set_named_weights(self, name: str, weights, location: TensorLocation = TensorLocation.HOST) -> bool:
        """New weights of a name, of the same number of elements and type."""
        value, array = self._weights.get(name), as_array(weights)
        if value is None:
            return self._refuse(f"the engine has no refittable weights {name!r}; it has {len(self._weights)} others")
        if array is None or array.size != value.size:
            return self._refuse(
                f"weights {name!r} need {value.size} elements, but have {0 if array is None else array.size}"
            )
        if DATA_TYPES[array.dtype] != value.dtype:
            return self._refuse(f"weights {name!r} must be {value.dtype}, but are {DATA_TYPES[array.dtype]}")
        self._new[name] = array.reshape(value.shape), location
        return True

    def set_weights(self, layer_name: str, role: WeightsRole, weights) -> bool:
        """New weights of a layer's role."""
        return self.set_named_weights(f"{layer_name} {role.name}", weights)

    def unset_named_weights(self, weights_name: str) -> bool:
        return self._new.pop(weights_name, None) is not None

    # --- refitting ---

    def refit_cuda_engine(self) -> bool:
        """Put the new weights in. False, with the reason in the log, leaves the engine as it was."""
        missing = self.get_missing_weights()
        if missing:
            return self._refuse(f"{len(missing)} weights are missing still: {', '.join(missing[:5])}")
        if not self._engine.refittable:
            return self._refuse("the engine cannot be refitted: build it with BuilderFlag.REFIT or STRIP_PLAN")
        try:
            refit(self._engine._plan, {name: array for name, (array, _) in self._new.items()}, self._report)
        except RefitRefused as error:
            return self._refuse(str(error))
        self._engine._weights_changed()
        self._new = {}
        return True

    def refit_cuda_engine_async(self, stream_handle: int) -> bool:
        return self.refit_cuda_engine()

    # --- dynamic ranges, gone in TensorRT 11 ---

    def get_dynamic_range(self, tensor_name: str) -> tuple[float, float]:
        removed_in_11("Refitter.get_dynamic_range")
        scale = self._engine._plan.settings.get("scales", {}).get(tensor_name, 0.0)
        return (-127 * scale, 127 * scale)

    def set_dynamic_range(self, tensor_name: str, range: tuple[float, float]) -> bool:
        removed_in_11("Refitter.set_dynamic_range")
        return self._refuse("ranges are fixed when the engine is built; build it again")

    def get_tensors_with_dynamic_range(self) -> list[str]:
        removed_in_11("Refitter.get_tensors_with_dynamic_range")
        return list(self._engine._plan.settings.get("scales", {}))


def role_of(name: str) -> tuple[str, WeightsRole]:
    """Layer and role of weights that bear no name of their own; a named one has any role."""
    layer, _, role = name.rpartition(" ")
    return (layer, WeightsRole[role]) if role in WeightsRole.__members__ and layer else (name, WeightsRole.ANY)


def refit(plan: Plan, new: dict[str, np.ndarray], report: Reporter) -> None:
    """Put new weights into a plan's unoptimised graph, and what follows from them into its profiles.

    Raises: RefitRefused, and changes nothing, when the passes would come to another structure.
    """
    original = copy_graph(plan.original)
    for value in original.constants():
        if value.weights in new:
            value.data = np.array(new[value.weights])
    renewed = copy_graph(original)
    apply_before_passes(renewed, plan.settings, report)
    optimise(renewed, report.verbose)
    apply_after_passes(renewed, plan.settings, report)
    remade = [
        launches_of(plan, profile, with_constants(copy_graph(profile.graph), renewed)) for profile in plan.profiles
    ]
    for profile, launches in zip(plan.profiles, remade, strict=True):  # from here on nothing is refused
        with_constants(profile.graph, renewed)
        for choice in profile.choices:
            choice.launches = launches.get(choice.op, choice.launches)
    plan.original, plan.missing = original, []


def with_constants(tuned: Graph, renewed: Graph) -> Graph:
    """The tuned graph with the constants and scales of the renewed one put in. Raises: RefitRefused before it is."""
    for old, fresh in matched(tuned, fused_alike(renewed, tuned)):
        take_over(old, fresh)
    return tuned


def fused_alike(renewed: Graph, tuned: Graph) -> Graph:
    """The renewed graph with what tuning fused fused, too."""
    copy, names = copy_graph(renewed), {op.name for op in tuned.ops}
    fuse_pools(copy, lambda message: None, lambda *pair: is_last(joint_name(*pair), names))
    fuse_quantisers(copy, lambda message: None, lambda *pair: joint_name(*pair) in names)
    names |= {" + ".join(name.split(" + ")[:count]) for name in names for count in range(1, name.count(" + ") + 1)}
    fuse_shortcuts(copy, lambda message: None, lambda *pair: joint_name(*pair) in names)
    fuse_tails(copy, lambda message: None, lambda *pair: joint_name(*pair) in names)
    return copy


def is_last(name: str, names: set[str]) -> bool:
    """Whether an operation bears this name, alone or behind that of what quantises for it."""
    return any(each == name or each.endswith(f" + {name}") for each in names)


def matched(tuned: Graph, renewed: Graph) -> list[tuple[Op, Op]]:
    """Operations of both graphs by name; reformats that tuning added have no partner. Raises: RefitRefused."""
    fresh = {op.name: op for op in renewed.ops}
    found = [(op, fresh.pop(op.name)) for op in tuned.ops if op.name in fresh]
    strangers = [op.name for op in tuned.ops if op.kind != "reformat" and op.name not in {old.name for old, _ in found}]
    differing = [old.name for old, new in found if (old.kind, asked(old)) != (new.kind, new.attrs)]
    if strangers or fresh or differing:
        names = [*strangers, *fresh, *differing][:3]
        raise RefitRefused(
            f"these weights change how the network is optimised ({', '.join(names)}): build the engine again."
            " Scales that were equal must stay equal, and the sign of folded scales must stay."
        )
    return found


def asked(op: Op) -> dict:
    """An operation's attributes without what tuning said of its place in memory."""
    return {key: value for key, value in op.attrs.items() if key != "view"}


def take_over(old: Op, new: Op) -> None:
    """Constants and scales of one operation."""
    for mine, theirs in zip(old.inputs, new.inputs, strict=False):
        if mine is not None and theirs is not None and mine.is_constant and theirs.is_constant:
            mine.data, mine.scale, mine.shape = theirs.data, theirs.scale, theirs.shape
    for mine, theirs in zip(old.outputs, new.outputs, strict=True):
        mine.scale = theirs.scale


def launches_of(plan: Plan, profile: Profile, graph: Graph) -> dict[str, list[Launch]]:
    """The launches of the tactics that were chosen, by operation, with this graph's constants. Raises: RefitRefused."""
    if plan.device is None:
        return {}
    shapes = {name: triple[1] for name, triple in profile.shapes.items()}
    elements = {name: np.array(triple[1]) for name, triple in profile.elements.items()}
    concrete = {op.name: op for op in specialise(graph, shapes, elements).ops}
    found = {}
    for choice in profile.choices:
        if choice.tactic != REFERENCE and not choice.tactic.startswith(VIEW):  # a view has none
            op = concrete[choice.op]
            tactics = [*candidates(op, plan.device), *last_resorts(op, plan.device)]
            tactic = next((t for t in tactics if t.name == choice.tactic), None)
            if tactic is None:
                raise RefitRefused(
                    f"{op.name}: {choice.tactic} cannot compute it with these weights: build the engine again"
                )
            found[choice.op] = tactic.make(op)
    return found
