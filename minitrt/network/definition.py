"""INetworkDefinition: layers and tensors in the order in which they were added.

The methods that add layers are in `adding.py`; loops and conditionals in `control.py`.
"""

from __future__ import annotations

import numpy as np

from minitrt.api.arguments import checked
from minitrt.api.common import Named, Reporting
from minitrt.api.enums import DataType, NetworkDefinitionCreationFlag
from minitrt.api.logger import Reporter
from minitrt.api.sealed import sealed
from minitrt.api.weights import as_array, place_of
from minitrt.graph.ir import NUMPY_TYPES
from minitrt.network.adding import AddingLayers
from minitrt.network.facts import Facts
from minitrt.network.layer import ILayer
from minitrt.network.tensor import ITensor

UNNAMED = "Unnamed Network 0"


@sealed
@checked
class INetworkDefinition(AddingLayers, Named, Reporting):
    """A network under construction. Made by ``Builder.create_network``."""

    def __init__(self, builder=None, flags: int = 0, logger=None):
        self._builder, self._flags = builder, int(flags)
        self._report = Reporter(logger)
        self._name = UNNAMED
        self._layers: list[ILayer] = []
        self._inputs: list[ITensor] = []
        self._outputs: list[ITensor] = []
        self._shape_outputs: list[ITensor] = []
        self._debug: list[ITensor] = []
        self._weights_names: dict[tuple, str] = {}
        self._kept: list[np.ndarray] = []  # named arrays stay alive, since their identity is what bears the name
        self._refittable: set[str] = set()
        self._loops: list = []
        self._facts = Facts(self)

    # --- what changes ---

    def _append(self, layer: ILayer) -> ILayer:
        self._layers.append(layer)
        return layer

    def _changed(self, layer: ILayer | None = None) -> None:
        """Forget what was worked out, unless only a layer changed of which nothing was."""
        if layer is None or self._facts.knows(layer):
            self._facts.forget()

    # --- inputs and outputs ---

    def add_input(self, name: str, dtype: DataType, shape) -> ITensor | None:
        """A new input; -1 in the shape for a dimension known at run time. None, and an error, for a name that is
        taken."""
        if any(tensor.name == name for tensor in self._inputs):
            self._report.error(f"the network has an input {name!r} already; inputs need different names")
            return None
        if dtype not in NUMPY_TYPES:
            self._report.error(f"input {name!r} cannot be {dtype}; take one of {[t.name for t in NUMPY_TYPES]}")
            return None
        tensor = ITensor(self, name, None, dtype, shape)
        self._inputs.append(tensor)
        self._changed()
        return tensor

    def mark_output(self, tensor: ITensor) -> None:
        """Make a tensor an output. An input is none: that is an error, and changes nothing."""
        if tensor in self._inputs:
            self._report.error(f"input {tensor.name!r} cannot be an output, too: mark what add_identity makes of it")
        elif tensor not in self._outputs:
            self._outputs.append(tensor)

    def unmark_output(self, tensor: ITensor) -> None:
        self._outputs = [each for each in self._outputs if each is not tensor]

    def mark_output_for_shapes(self, tensor: ITensor) -> bool:
        """Make a shape tensor an output that lies in host memory."""
        self.mark_output(tensor)
        self._shape_outputs.append(tensor)
        return True

    def unmark_output_for_shapes(self, tensor: ITensor) -> bool:
        self._shape_outputs = [each for each in self._shape_outputs if each is not tensor]
        self.unmark_output(tensor)
        return True

    def remove_tensor(self, tensor: ITensor) -> None:
        """Take an input or output away."""
        self._inputs = [each for each in self._inputs if each is not tensor]
        self.unmark_output(tensor)
        self._changed()

    @property
    def num_inputs(self) -> int:
        return len(self._inputs)

    @property
    def num_outputs(self) -> int:
        return len(self._outputs)

    @property
    def num_layers(self) -> int:
        return len(self._layers)

    def get_input(self, index: int) -> ITensor | None:
        return self._inputs[index] if 0 <= index < len(self._inputs) else None

    def get_output(self, index: int) -> ITensor | None:
        return self._outputs[index] if 0 <= index < len(self._outputs) else None

    def get_layer(self, index: int) -> ILayer | None:
        """Layer `index` as plain ILayer."""
        if not 0 <= index < len(self._layers):
            self._report.error(f"there is no layer {index}: the network has {len(self._layers)}")
            return None
        return self._layers[index]._as_base()

    def __len__(self) -> int:
        return len(self._layers)

    def __getitem__(self, index: int) -> ILayer:
        """Layer `index`. Raises: IndexError, which ends a loop over the network."""
        return self._layers[index]._as_base()

    def _computed_with(self) -> set[ITensor]:
        """The tensors that outputs are computed from, themselves included."""
        found: set[ITensor] = set()
        stack = list(self._outputs)
        while stack:
            tensor = stack.pop()
            if tensor not in found:
                found.add(tensor)
                layer = tensor._producer
                stack += [t for t in (layer._inputs if layer is not None else []) if t is not None]
        return found

    # --- names, flags, weights ---

    @property
    def builder(self):
        return self._builder

    @property
    def flags(self) -> int:
        return self._flags

    def get_flag(self, flag: NetworkDefinitionCreationFlag) -> bool:
        return bool(self._flags >> int(flag) & 1)

    @property
    def has_implicit_batch_dimension(self) -> bool:
        return False

    def set_weights_name(self, weights, name: str) -> bool:
        """Name weights, for refitting. weights: those given to a layer, or as its attribute gives them back."""
        array = as_array(weights)
        if array is None:
            return False
        self._weights_names[place_of(array)] = name
        self._kept.append(array)
        return True

    def mark_weights_refittable(self, name: str) -> bool:
        self._refittable.add(name)
        return True

    def unmark_weights_refittable(self, name: str) -> bool:
        self._refittable.discard(name)
        return True

    def are_weights_marked_refittable(self, name: str) -> bool:
        return name in self._refittable

    # --- debugging ---

    def mark_debug(self, tensor: ITensor) -> bool:
        """Let a debug listener see this tensor; it is kept through fusions."""
        self._debug.append(tensor)
        return True

    def unmark_debug(self, tensor: ITensor) -> bool:
        self._debug = [each for each in self._debug if each is not tensor]
        return True

    def is_debug_tensor(self, tensor: ITensor) -> bool:
        return tensor in self._debug

    def mark_unfused_tensors_as_debug_tensors(self) -> bool:
        self._unfused_debug = True
        return True

    def unmark_unfused_tensors_as_debug_tensors(self) -> bool:
        self._unfused_debug = False
        return True
