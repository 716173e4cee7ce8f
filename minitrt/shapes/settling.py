"""Put values into attributes: shape-like inputs once they are known, automatic padding, negative axes, open ends.

After `settle` an operation says everything in attributes, with the shapes of its inputs put in; tactics see only such.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minitrt.graph.ir import Op
from minitrt.shapes.choices import above, at_least_zero, chosen, largest, scaled, smallest
from minitrt.shapes.dims import axis_of, broadcast, is_open, product, whole
from minitrt.shapes.misfits import WRONG, UnknownShape, cannot_take
from minitrt.shapes.size import Number, Size, Undecided, Unknown, bounds, unknown

Attrs = dict[str, Any]
NO_LIMIT = 2**31  # ONNX writes "to the end" as a number at least as large


def settle(op: Op) -> Op:
    """`op` with every attribute known; the same object when there was nothing to do. Inputs stay where they are.

    Raises: UnknownShape where an input that an attribute comes from has no data; ValueError where attributes do not fit
    the inputs, naming the operation.
    """
    dynamic, rule = op.attrs.get("dynamic"), RULES.get(op.kind)
    if not dynamic and rule is None:
        return op
    attrs = {key: value for key, value in op.attrs.items() if key != "dynamic"}
    for name, index in (dynamic or {}).items():
        value = op.input(index)
        if value is None:
            continue
        if value.data is None:
            raise UnknownShape(op.name, value.name)
        attrs[name] = plain(value.data)
    shapes = [value.shape if value is not None else None for value in op.inputs]
    try:
        attrs = rule(attrs, *shapes) if rule else attrs
    except (UnknownShape, Undecided):
        raise
    except WRONG as error:
        raise cannot_take(op, error) from error
    return op if attrs == op.attrs else Op(op.kind, op.name, op.inputs, op.outputs, attrs, op.origin)


def plain(data: np.ndarray) -> Any:
    """An array as a number or lists of numbers."""
    return data.item() if data.ndim == 0 else data.tolist()


def pooling(attrs: Attrs, x, *_) -> Attrs:
    """Pads of "same" modes: as many as keep ceil(input / stride) outputs; the odd one after (upper) or before
    (lower)."""
    mode = attrs.pop("auto_pad", None)
    if mode in (None, "explicit"):
        return attrs
    space = len(x) - 2
    before, after = [], []
    for axis in range(space):
        stride = (attrs.get("stride") or [1] * space)[axis]
        reach = (attrs["kernel"][axis] - 1) * (attrs.get("dilations") or [1] * space)[axis] + 1
        total = at_least_zero((-(-x[2 + axis] // stride) - 1) * stride + reach - x[2 + axis])
        small, large = total // 2, total - total // 2
        before.append(small if mode == "same_upper" else large)
        after.append(large if mode == "same_upper" else small)
    return {**attrs, "pads_before": before, "pads_after": after}


def deconvolution(attrs: Attrs, x, weights, *_) -> Attrs:
    """Pads that give a wanted output_shape, or that of "same" modes; an odd one comes before, but of the upper mode."""
    mode, wanted = attrs.pop("auto_pad", None), attrs.pop("output_shape", None)
    if wanted is None and mode in (None, "explicit"):
        return attrs
    space = len(x) - 2
    strides, extra = attrs.get("stride") or [1] * space, attrs.get("output_padding") or [0] * space
    dilations, kernel = attrs.get("dilations") or [1] * space, weights[2:]
    wanted = list(wanted or [n * s for n, s in zip(x[2:], strides, strict=True)])[-space:]
    before, after = [], []
    for axis in range(space):
        full = strides[axis] * (x[2 + axis] - 1) + extra[axis] + (kernel[axis] - 1) * dilations[axis] + 1
        total = full - wanted[axis]
        small = at_least_zero(total) // 2  # what is missing comes behind
        before.append(small if mode == "same_upper" else chosen(above(total + 1), total - small, small))
        after.append(total - before[-1])
    return {**attrs, "pads_before": before, "pads_after": after}


def axes_of(attrs: Attrs, x, *_) -> Attrs:
    """Axes as non-negative numbers; none given means all, unless noop says that it means none."""
    axes = attrs.get("axes")
    if axes is None or (np.size(axes) == 0 and not attrs.get("noop")):
        axes = [] if attrs.get("noop") else range(len(x))
    kept = {key: value for key, value in attrs.items() if key != "noop" or np.size(axes) == 0}
    return {**kept, "axes": sorted(axis_of(axis, len(x)) for axis in np.ravel(axes))}


def slicing(attrs: Attrs, x, *_) -> Attrs:
    """starts, ends, axes and steps, where they are given, as starts, sizes and strides of every axis. part: [axis, i,
    count], the i-th of as many parts, of which the last ones may be smaller."""
    if "part" in attrs:
        axis, index, count = attrs["part"]
        size = -(-x[axis] // count)
        edges = [smallest(size * place, x[axis]) for place in (index, index + 1)]
        attrs = {"starts": edges[:1], "ends": edges[1:], "axes": [axis]}
    if "ends" not in attrs:
        return attrs
    starts, sizes, strides = [0] * len(x), list(x), [1] * len(x)
    axes = attrs.get("axes") if attrs.get("axes") is not None else range(len(attrs["starts"]))
    steps = attrs.get("steps") if attrs.get("steps") is not None else [1] * len(attrs["starts"])
    for start, end, axis, step in zip(attrs["starts"], attrs["ends"], axes, steps, strict=True):
        axis = axis_of(axis, len(x))
        starts[axis], sizes[axis], strides[axis] = span(whole(start), whole(end), int(step), x[axis])
    kept = {key: value for key, value in attrs.items() if key not in ("starts", "ends", "axes", "steps")}
    return {**kept, "starts": starts, "sizes": sizes, "strides": strides}


def span(start: Number, end: Number, step: int, n: Number) -> tuple[Number, Number, int]:
    """(first, how many, step) of the elements from `start` to before `end` of n, as Python counts them."""
    low, high = (0, n) if step > 0 else (-1, n - 1)
    first, last = within(start, n, low, high), within(end, n, low, high)
    count = at_least_zero(-((first - last) // step))
    return first, count, step


def within(place: Number, n: Number, low: Number, high: Number) -> Number:
    """A place that may count from the end, brought between the first and behind the last."""
    if isinstance(place, int) and abs(place) >= NO_LIMIT:
        return high if place > 0 else low
    return smallest(largest(chosen(above(0, place), place + n, place), low), high)


def padding(attrs: Attrs, x, *_) -> Attrs:
    """ONNX's pads (all befores, then all afters, of some axes) as before and after of every axis."""
    pads = attrs.get("pads")
    if pads is None:
        return attrs
    axes = [axis_of(axis, len(x)) for axis in (attrs["axes"] if attrs.get("axes") is not None else range(len(x)))]
    before, after = [0] * len(x), [0] * len(x)
    for place, axis in enumerate(axes):
        before[axis], after[axis] = whole(pads[place]), whole(pads[len(axes) + place])
    kept = {key: value for key, value in attrs.items() if key not in ("pads", "axes")}
    value = kept.get("value")
    return {**kept, "value": np.ravel(value).tolist()[0] if value is not None else 0, "before": before, "after": after}


def resizing(attrs: Attrs, x, *_) -> Attrs:
    """sizes or scales of some axes as those of every axis; the aspect ratio kept where that is asked for."""
    axes = [axis_of(axis, len(x)) for axis in (attrs.get("axes") or range(len(x)))]
    kept = {key: value for key, value in attrs.items() if key not in ("axes", "sizes", "scales", "roi", "policy")}
    sizes, scales, roi = attrs.get("sizes"), attrs.get("scales"), attrs.get("roi")
    if roi:
        full = [0.0] * len(x) + [1.0] * len(x)
        for place, axis in enumerate(axes):
            full[axis], full[len(x) + axis] = roi[place], roi[len(axes) + place]
        kept["roi"] = full
    if scales is not None and np.size(scales):
        every = [1.0] * len(x)
        for axis, scale in zip(axes, scales, strict=True):
            every[axis] = scale if isinstance(scale, Size | Unknown) else float(scale)
        shape = [resized(n, scale) for n, scale in zip(x, every, strict=True)]
        return {**kept, "scales": every, "sizes": [whole(s) for s in sizes] if sizes is not None else shape}
    every = list(x)
    for axis, size in zip(axes, sizes, strict=True):
        every[axis] = whole(size)
    policy = attrs.get("policy", "stretch")
    if policy != "stretch" and is_open([x[axis] for axis in axes], [every[axis] for axis in axes]):
        return {**kept, "sizes": [unknown() if axis in axes else n for axis, n in enumerate(x)], "scales": None}
    if policy != "stretch":
        ratios = [every[axis] / x[axis] for axis in axes]
        ratio = min(ratios) if policy == "not_larger" else max(ratios)
        for axis in axes:
            every[axis] = int(np.floor(ratio * x[axis] + 0.5))
        return {**kept, "sizes": every, "scales": [ratio if axis in axes else 1.0 for axis in range(len(x))]}
    return {**kept, "sizes": every, "scales": None}


def reshaping(attrs: Attrs, x, *_) -> Attrs:
    """A shape without 0 and -1. axes of squeeze and unsqueeze become a shape, too, and so do parts: numbers, or [axes,
    factor, divisor] for the product of these axes of x, times the factor, by the divisor."""
    transposed = [x[axis] for axis in attrs["first"]] if attrs.get("first") else list(x)
    kept = {key: value for key, value in attrs.items() if key not in ("squeeze", "unsqueeze", "parts")}
    if "parts" in attrs:
        shape = [n if isinstance(n, int) else product(x[a] for a in n[0]) * n[1] // n[2] for n in attrs["parts"]]
        return {**kept, "shape": shape, "zero_is_placeholder": False}
    if "squeeze" in attrs:
        axes = attrs["squeeze"]
        gone = ones(x) if axes is None else {axis_of(a, len(x)) for a in np.ravel(axes)}
        return {**kept, "shape": [n for i, n in enumerate(x) if i not in gone], "zero_is_placeholder": False}
    if "unsqueeze" in attrs:
        new = np.ravel(attrs["unsqueeze"])
        rank, rest = len(x) + len(new), iter(x)
        places = {axis_of(axis, rank) for axis in new}
        shape = [1 if i in places else next(rest) for i in range(rank)]
        return {**kept, "shape": shape, "zero_is_placeholder": False}
    if attrs.get("shape") is None:
        return attrs
    zero_copies = attrs.get("zero_is_placeholder", True)
    shape = [
        transposed[i] if not is_open(n) and int(n) == 0 and zero_copies and i < len(transposed) else dimension(n)
        for i, n in enumerate(np.ravel(attrs["shape"]))
    ]
    if -1 in shape:
        rest, total = product(n for n in shape if n != -1), product(transposed)
        shape[shape.index(-1)] = total // rest if rest != 0 else 0
    return {**kept, "shape": shape, "zero_is_placeholder": False}


def dimension(n: Any) -> Number:
    """A wanted dimension; one that may turn out to be -1 is not the dimension that comes about."""
    return unknown() if is_open(n) and bounds(n)[0] < 0 else whole(n)


def ones(x: tuple[Number, ...]) -> set[int]:
    """The axes of size 1. Raises: ValueError where sizes that are not known decide that."""
    doubtful = [axis for axis, n in enumerate(x) if is_open(n) and bounds(n)[0] <= 1]
    if doubtful:
        raise ValueError(
            f"which axes go depends on sizes that are not known: of {x}, axes {doubtful} may be 1. Name the axes to"
            " squeeze, or give these dimensions one size each in the profile"
        )
    return {axis for axis, n in enumerate(x) if n == 1}


def expanding(attrs: Attrs, x, *_) -> Attrs:
    return {**attrs, "shape": list(broadcast(x, tuple(whole(n) for n in np.ravel(attrs["shape"]))))}


def resized(n: Number, scale: Any) -> Number:
    """floor(n * scale) in single precision; of a scale that is not known, anything."""
    if isinstance(scale, Size | Unknown):
        return unknown()
    return scaled(n, scale) if is_open(n) else int(np.floor(n * np.float32(scale)))


def first_number(*names: str) -> Callable[..., Attrs]:
    """A rule that turns one-element lists of these attributes into numbers."""

    def rule(attrs: Attrs, *_) -> Attrs:
        return {k: np.ravel(v).tolist()[0] if k in names and v is not None else v for k, v in attrs.items()}

    return rule


def along_one(attrs: Attrs, x, *_) -> Attrs:
    return {**attrs, "axis": axis_of(np.ravel(attrs["axis"])[0], len(x))}


def transposing_softmax(attrs: Attrs, x, *_) -> Attrs:
    return {**attrs, "axes": sorted(axis_of(axis, len(x)) for axis in attrs["axes"])}


RULES: dict[str, Callable[..., Attrs]] = {
    "conv": pooling,
    "pool": pooling,
    "deconv": deconvolution,
    "reduce": axes_of,
    "softmax": transposing_softmax,
    "norm": transposing_softmax,
    "slice": slicing,
    "pad": padding,
    "resize": resizing,
    "shuffle": reshaping,
    "expand": expanding,
    "topk": first_number("k"),
    "choice": first_number("condition"),
    "one_hot": first_number("depth"),
    "cumulative": along_one,
    "triangle": first_number("k"),
}
