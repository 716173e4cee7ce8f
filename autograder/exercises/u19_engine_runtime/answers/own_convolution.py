"""Answers to engine_runtime.own_convolution."""

import numpy as np

from autograder.exercises.catalogue import right, wrong


@right("questions_one_by_one")
def own_convolution(engine):
    def supports(op):
        if op.kind != "conv":
            return False
        g = engine.sizes(op)
        for value in (op.inputs[0], op.inputs[1], op.output):
            if value.dtype.name != "INT8":
                return False
        if op.input(3) is not None and op.input(3).dtype.name != "INT8":
            return False
        if g is None or g.taps != 9 or g.kernel[0] != 3 or g.groups > 1:
            return False
        if any(n != 1 for n in (*g.stride, *g.dilation, *g.pads_before, *g.pads_after)):
            return False
        activation = op.attrs.get("activation")
        return not activation or activation["type"] in ("relu", "clip")

    def arguments(op):
        w, g, e = op.inputs[1].data, engine.sizes(op), engine.epilogue(op)
        n_in, n_out = (g.channels + 31) // 32, (g.out_channels + 31) // 32
        weights = np.zeros((n_in, 9, g.out_channels, 32), np.int8)
        for channel in range(g.channels):
            for tap in range(9):
                weights[channel // 32, tap, :, channel % 32] = w[:, channel, tap // 3, tap % 3]
        multiplier = np.zeros(32 * n_out, np.float32)
        addend = np.zeros(32 * n_out, np.float32)
        multiplier[: g.out_channels] = e.multiplier
        addend[: g.out_channels] = e.addend
        residual, times = engine.nothing, np.float32(0)
        if op.input(3) is not None:
            residual, times = engine.input(3), e.residual_multiplier
        rows, cols = g.size
        first, last = engine.input(0), engine.output()
        return first, weights, cols + 1, rows + 1, multiplier, addend, residual, times, e.low, e.high, last

    return engine.tries(supports, arguments)


@right("padded_with_numpy")
def own_convolution(engine):
    def supports(op):
        types = {v.dtype.name for v in [*op.inputs[:2], *op.inputs[3:4], *op.outputs] if v is not None}
        if op.kind != "conv" or types != {"INT8"}:
            return False
        g, ones = engine.sizes(op), (1, 1)
        wanted = ((3, 3), ones, ones, ones, ones, 1)
        if (g.kernel, g.stride, g.dilation, g.pads_before, g.pads_after, g.groups) != wanted:
            return False
        kind = op.attrs["activation"]["type"] if op.attrs.get("activation") else "none"
        return kind in {"none", "relu", "clip"}

    def up(array, axis):
        more = [(0, 0)] * array.ndim
        more[axis] = (0, -array.shape[axis] % 32)
        return np.pad(array, more)

    def arguments(op):
        e, (_, _, rows, cols) = engine.epilogue(op), op.inputs[0].shape
        weights = up(op.inputs[1].data, 1)
        outputs, channels = weights.shape[:2]
        weights = np.ascontiguousarray(weights.reshape(outputs, channels // 32, 32, 9).transpose(1, 3, 0, 2))
        adds = e.residual_multiplier is not None
        return [
            engine.input(0),
            weights,
            cols + 1,
            rows + 1,
            up(e.multiplier, 0),
            up(e.addend, 0),
            engine.input(3) if adds else engine.nothing,
            e.residual_multiplier if adds else 0,
            e.low,
            e.high,
            engine.output(),
        ]

    return engine.tries(supports, arguments)


@right("a_list_of_reasons_against")
def own_convolution(engine):
    def supports(op):
        if op.kind != "conv":
            return False
        g, there = engine.sizes(op), [op.inputs[0], op.inputs[1], op.output]
        if g is None:
            return False
        if op.input(3) is not None:
            there.append(op.input(3))
        against = [value for value in there if value.dtype.name != "INT8"]
        against += [side for side in g.kernel if side != 3] + [step for step in g.stride if step != 1]
        against += [apart for apart in g.dilation if apart != 1]
        against += [zeros for zeros in tuple(g.pads_before) + tuple(g.pads_after) if zeros != 1]
        if len(g.kernel) != 2 or g.groups != 1:
            against.append(g)
        activation = op.attrs.get("activation")
        if activation is not None and activation["type"] not in ("relu", "clip"):
            against.append(activation)
        return against == []

    def arguments(op):
        g, e, w = engine.sizes(op), engine.epilogue(op), op.inputs[1].data
        blocks = []
        for begin in range(0, g.channels, 32):
            block = np.zeros((9, g.out_channels, 32), np.int8)
            part = np.moveaxis(w[:, begin : begin + 32].reshape(g.out_channels, -1, 9), 2, 0)
            block[:, :, : part.shape[2]] = part
            blocks.append(block)
        missing = np.zeros(-g.out_channels % 32, np.float32)
        constants = [np.concatenate([each, missing]).astype(np.float32) for each in (e.multiplier, e.addend)]
        around = (engine.nothing, np.float32(0))
        if e.residual_multiplier is not None:
            around = (engine.input(3), np.float32(e.residual_multiplier))
        pitch, height = g.size[1] + 1, g.size[0] + 1
        return engine.input(0), np.stack(blocks), pitch, height, *constants, *around, e.low, e.high, engine.output()

    return engine.tries(supports, arguments)


@right("two_helpers_and_a_namespace")
def own_convolution(engine):
    def plain(op):
        activation = op.attrs.get("activation")
        return activation is None or activation["type"] == "relu" or activation["type"] == "clip"

    def small_window(op):
        g = engine.sizes(op)
        pairs = (*g.stride, *g.dilation, *g.pads_before, *g.pads_after)
        return tuple(g.kernel) == (3, 3) and set(pairs) == {1} and g.groups == 1

    def supports(op):
        if op.kind == "conv" and engine.sizes(op) is not None and plain(op) and small_window(op):
            names = [value.dtype.name for value in (*op.inputs[:2], op.output)]
            around = op.input(3)
            return names == ["INT8"] * 3 and (around is None or around.dtype.name == "INT8")
        return False

    def arguments(op):
        g, e = engine.sizes(op), engine.epilogue(op)
        n_in, n_out = g.channels + -g.channels % 32, g.out_channels + -g.out_channels % 32
        padded = np.zeros((g.out_channels, n_in, 3, 3), np.int8)
        padded[:, : g.channels, :, :] = op.inputs[1].data
        weights = np.empty((n_in // 32, 9, g.out_channels, 32), np.int8)
        for a in range(3):
            for b in range(3):
                weights[:, 3 * a + b] = padded[:, :, a, b].reshape(g.out_channels, -1, 32).swapaxes(0, 1)
        constants = np.zeros((2, n_out), np.float32)
        for row, values in enumerate((e.multiplier, e.addend)):
            constants[row, : g.out_channels] = values
        rows, cols = g.size
        result = [engine.input(0), weights, cols + 1, rows + 1, constants[0], constants[1]]
        if e.residual_multiplier is None:
            result += [engine.nothing, 0]
        else:
            result += [engine.input(3), e.residual_multiplier]
        return (*result, e.low, e.high, engine.output())

    return engine.tries(supports, arguments)


@right("indices_for_every_weight")
def own_convolution(engine):
    ones = (1, 1)

    def supports(op):
        if op.kind != "conv":
            return False
        g = engine.sizes(op)
        if g is None or g.groups != 1 or g.kernel != (3, 3):
            return False
        if not (g.stride == ones and g.dilation == ones and g.pads_before == ones and g.pads_after == ones):
            return False
        if (op.attrs.get("activation") or {"type": "relu"})["type"] not in {"relu", "clip"}:
            return False
        for value in (*op.inputs[:2], op.input(3), op.output):
            if value is not None and value.dtype.name != "INT8":
                return False
        return True

    def arguments(op):
        g, e, w = engine.sizes(op), engine.epilogue(op), op.inputs[1].data
        n_in, n_out = -(-g.channels // 32), -(-g.out_channels // 32)
        weights = np.zeros(n_in * 9 * g.out_channels * 32, np.int8)
        o, c, tap = np.meshgrid(np.arange(g.out_channels), np.arange(g.channels), np.arange(9), indexing="ij")
        places = ((c // 32 * 9 + tap) * g.out_channels + o) * 32 + c % 32
        weights[places] = w[o, c, tap // 3, tap % 3]
        weights = weights.reshape(n_in, 9, g.out_channels, 32)
        multiplier, addend = np.zeros(32 * n_out, np.float32), np.zeros(32 * n_out, np.float32)
        np.put(multiplier, np.arange(g.out_channels), e.multiplier)
        np.put(addend, np.arange(g.out_channels), e.addend)
        has_residual = op.input(3) is not None
        residual = engine.input(3) if has_residual else engine.nothing
        times = e.residual_multiplier if has_residual else np.float32(0)
        height, pitch = (n + 1 for n in g.size)
        sizes = engine.input(0), weights, pitch, height
        return sizes + (multiplier, addend, residual, times, e.low, e.high, engine.output())

    return engine.tries(supports, arguments)


@wrong("stride_not_asked", misconception="takes_too_much", says="steps over places")
def own_convolution(engine):
    def supports(op):
        g = engine.sizes(op)
        if op.kind != "conv" or g is None:
            return False
        tensors = (op.inputs[0], op.inputs[1], op.input(3), op.output)
        in_steps = all(v is None or v.dtype.name == "INT8" for v in tensors)
        window = g.kernel == (3, 3) and g.dilation == g.pads_before == g.pads_after == (1, 1)
        activation = (op.attrs.get("activation") or {}).get("type")
        return in_steps and window and g.groups == 1 and activation in (None, "relu", "clip")

    def arguments(op):
        g, e = engine.sizes(op), engine.epilogue(op)
        n_in, n_out = -(-g.channels // 32), -(-g.out_channels // 32)
        wide = np.zeros((32 * n_in, 9, g.out_channels), np.int8)
        wide[: g.channels] = op.inputs[1].data.transpose(1, 2, 3, 0).reshape(g.channels, 9, -1)
        weights = wide.reshape(n_in, 32, 9, -1).transpose(0, 2, 3, 1)
        multiplier, addend = np.zeros((2, 32 * n_out), np.float32)
        multiplier[: g.out_channels], addend[: g.out_channels] = e.multiplier, e.addend
        residual, times = engine.nothing, 0
        if e.residual_multiplier is not None:
            residual, times = engine.input(3), e.residual_multiplier
        line = engine.input(0), weights, g.size[1] + 1, g.size[0] + 1
        return (*line, multiplier, addend, residual, times, e.low, e.high, engine.output())

    return engine.tries(supports, arguments)


@wrong("dilation_not_asked", misconception="takes_too_much", says="taps lie apart")
def own_convolution(engine):
    def supports(op):
        g = engine.sizes(op)
        if op.kind != "conv" or g is None:
            return False
        tensors = (op.inputs[0], op.inputs[1], op.input(3), op.output)
        in_steps = all(v is None or v.dtype.name == "INT8" for v in tensors)
        window = g.kernel == (3, 3) and g.stride == g.pads_before == g.pads_after == (1, 1)
        activation = (op.attrs.get("activation") or {}).get("type")
        return in_steps and window and g.groups == 1 and activation in (None, "relu", "clip")

    def arguments(op):
        g, e = engine.sizes(op), engine.epilogue(op)
        n_in, n_out = -(-g.channels // 32), -(-g.out_channels // 32)
        wide = np.zeros((32 * n_in, 9, g.out_channels), np.int8)
        wide[: g.channels] = op.inputs[1].data.transpose(1, 2, 3, 0).reshape(g.channels, 9, -1)
        weights = wide.reshape(n_in, 32, 9, -1).transpose(0, 2, 3, 1)
        multiplier, addend = np.zeros((2, 32 * n_out), np.float32)
        multiplier[: g.out_channels], addend[: g.out_channels] = e.multiplier, e.addend
        residual, times = engine.nothing, 0
        if e.residual_multiplier is not None:
            residual, times = engine.input(3), e.residual_multiplier
        line = engine.input(0), weights, g.size[1] + 1, g.size[0] + 1
        return (*line, multiplier, addend, residual, times, e.low, e.high, engine.output())

    return engine.tries(supports, arguments)


@wrong("groups_not_asked", misconception="takes_too_much", says="fall into groups")
def own_convolution(engine):
    def supports(op):
        g = engine.sizes(op)
        if op.kind != "conv" or g is None:
            return False
        tensors = (op.inputs[0], op.inputs[1], op.input(3), op.output)
        in_steps = all(v is None or v.dtype.name == "INT8" for v in tensors)
        window = g.kernel == (3, 3) and g.stride == g.dilation == g.pads_before == g.pads_after == (1, 1)
        activation = (op.attrs.get("activation") or {}).get("type")
        return in_steps and window and activation in (None, "relu", "clip")

    def arguments(op):
        g, e = engine.sizes(op), engine.epilogue(op)
        n_in, n_out = -(-g.channels // 32), -(-g.out_channels // 32)
        wide = np.zeros((32 * n_in, 9, g.out_channels), np.int8)
        wide[: g.channels] = op.inputs[1].data.transpose(1, 2, 3, 0).reshape(g.channels, 9, -1)
        weights = wide.reshape(n_in, 32, 9, -1).transpose(0, 2, 3, 1)
        multiplier, addend = np.zeros((2, 32 * n_out), np.float32)
        multiplier[: g.out_channels], addend[: g.out_channels] = e.multiplier, e.addend
        residual, times = engine.nothing, 0
        if e.residual_multiplier is not None:
            residual, times = engine.input(3), e.residual_multiplier
        line = engine.input(0), weights, g.size[1] + 1, g.size[0] + 1
        return (*line, multiplier, addend, residual, times, e.low, e.high, engine.output())

    return engine.tries(supports, arguments)


@wrong("any_window", misconception="takes_too_much", says="nine taps")
def own_convolution(engine):
    def supports(op):
        g = engine.sizes(op)
        if op.kind != "conv" or g is None:
            return False
        tensors = (op.inputs[0], op.inputs[1], op.input(3), op.output)
        in_steps = all(v is None or v.dtype.name == "INT8" for v in tensors)
        window = g.stride == g.dilation == g.pads_before == g.pads_after == (1, 1)
        activation = (op.attrs.get("activation") or {}).get("type")
        return in_steps and window and g.groups == 1 and activation in (None, "relu", "clip")

    def arguments(op):
        g, e = engine.sizes(op), engine.epilogue(op)
        n_in, n_out = -(-g.channels // 32), -(-g.out_channels // 32)
        wide = np.zeros((32 * n_in, 9, g.out_channels), np.int8)
        wide[: g.channels] = op.inputs[1].data.transpose(1, 2, 3, 0).reshape(g.channels, 9, -1)
        weights = wide.reshape(n_in, 32, 9, -1).transpose(0, 2, 3, 1)
        multiplier, addend = np.zeros((2, 32 * n_out), np.float32)
        multiplier[: g.out_channels], addend[: g.out_channels] = e.multiplier, e.addend
        residual, times = engine.nothing, 0
        if e.residual_multiplier is not None:
            residual, times = engine.input(3), e.residual_multiplier
        line = engine.input(0), weights, g.size[1] + 1, g.size[0] + 1
        return (*line, multiplier, addend, residual, times, e.low, e.high, engine.output())

    return engine.tries(supports, arguments)


@wrong("padding_above_alone", misconception="takes_too_much", says="ask both directions")
def own_convolution(engine):
    def supports(op):
        g = engine.sizes(op)
        if op.kind != "conv" or g is None:
            return False
        tensors = (op.inputs[0], op.inputs[1], op.input(3), op.output)
        in_steps = all(v is None or v.dtype.name == "INT8" for v in tensors)
        window = g.kernel == (3, 3) and g.stride == g.dilation == g.pads_before == (1, 1)
        activation = (op.attrs.get("activation") or {}).get("type")
        return in_steps and window and g.groups == 1 and activation in (None, "relu", "clip")

    def arguments(op):
        g, e = engine.sizes(op), engine.epilogue(op)
        n_in, n_out = -(-g.channels // 32), -(-g.out_channels // 32)
        wide = np.zeros((32 * n_in, 9, g.out_channels), np.int8)
        wide[: g.channels] = op.inputs[1].data.transpose(1, 2, 3, 0).reshape(g.channels, 9, -1)
        weights = wide.reshape(n_in, 32, 9, -1).transpose(0, 2, 3, 1)
        multiplier, addend = np.zeros((2, 32 * n_out), np.float32)
        multiplier[: g.out_channels], addend[: g.out_channels] = e.multiplier, e.addend
        residual, times = engine.nothing, 0
        if e.residual_multiplier is not None:
            residual, times = engine.input(3), e.residual_multiplier
        line = engine.input(0), weights, g.size[1] + 1, g.size[0] + 1
        return (*line, multiplier, addend, residual, times, e.low, e.high, engine.output())

    return engine.tries(supports, arguments)


@wrong("only_the_inputs_types", misconception="takes_too_much", says="stores steps")
def own_convolution(engine):
    def supports(op):
        g = engine.sizes(op)
        if op.kind != "conv" or g is None:
            return False
        tensors = (op.inputs[0], op.inputs[1], op.input(3))
        in_steps = all(v is None or v.dtype.name == "INT8" for v in tensors)
        window = g.kernel == (3, 3) and g.stride == g.dilation == g.pads_before == g.pads_after == (1, 1)
        activation = (op.attrs.get("activation") or {}).get("type")
        return in_steps and window and g.groups == 1 and activation in (None, "relu", "clip")

    def arguments(op):
        g, e = engine.sizes(op), engine.epilogue(op)
        n_in, n_out = -(-g.channels // 32), -(-g.out_channels // 32)
        wide = np.zeros((32 * n_in, 9, g.out_channels), np.int8)
        wide[: g.channels] = op.inputs[1].data.transpose(1, 2, 3, 0).reshape(g.channels, 9, -1)
        weights = wide.reshape(n_in, 32, 9, -1).transpose(0, 2, 3, 1)
        multiplier, addend = np.zeros((2, 32 * n_out), np.float32)
        multiplier[: g.out_channels], addend[: g.out_channels] = e.multiplier, e.addend
        residual, times = engine.nothing, 0
        if e.residual_multiplier is not None:
            residual, times = engine.input(3), e.residual_multiplier
        line = engine.input(0), weights, g.size[1] + 1, g.size[0] + 1
        return (*line, multiplier, addend, residual, times, e.low, e.high, engine.output())

    return engine.tries(supports, arguments)


@wrong("any_activation", misconception="takes_too_much", says="low and high alone")
def own_convolution(engine):
    def supports(op):
        g = engine.sizes(op)
        if op.kind != "conv" or g is None:
            return False
        tensors = (op.inputs[0], op.inputs[1], op.input(3), op.output)
        in_steps = all(v is None or v.dtype.name == "INT8" for v in tensors)
        window = g.kernel == (3, 3) and g.stride == g.dilation == g.pads_before == g.pads_after == (1, 1)
        return in_steps and window and g.groups == 1

    def arguments(op):
        g, e = engine.sizes(op), engine.epilogue(op)
        n_in, n_out = -(-g.channels // 32), -(-g.out_channels // 32)
        wide = np.zeros((32 * n_in, 9, g.out_channels), np.int8)
        wide[: g.channels] = op.inputs[1].data.transpose(1, 2, 3, 0).reshape(g.channels, 9, -1)
        weights = wide.reshape(n_in, 32, 9, -1).transpose(0, 2, 3, 1)
        multiplier, addend = np.zeros((2, 32 * n_out), np.float32)
        multiplier[: g.out_channels], addend[: g.out_channels] = e.multiplier, e.addend
        residual, times = engine.nothing, 0
        if e.residual_multiplier is not None:
            residual, times = engine.input(3), e.residual_multiplier
        line = engine.input(0), weights, g.size[1] + 1, g.size[0] + 1
        return (*line, multiplier, addend, residual, times, e.low, e.high, engine.output())

    return engine.tries(supports, arguments)


@wrong("relu_alone", misconception="leaves_too_much", says="whatever they are")
def own_convolution(engine):
    def supports(op):
        g = engine.sizes(op)
        if op.kind != "conv" or g is None:
            return False
        tensors = (op.inputs[0], op.inputs[1], op.input(3), op.output)
        in_steps = all(v is None or v.dtype.name == "INT8" for v in tensors)
        window = g.kernel == (3, 3) and g.stride == g.dilation == g.pads_before == g.pads_after == (1, 1)
        activation = (op.attrs.get("activation") or {}).get("type")
        return in_steps and window and g.groups == 1 and activation == "relu"

    def arguments(op):
        g, e = engine.sizes(op), engine.epilogue(op)
        n_in, n_out = -(-g.channels // 32), -(-g.out_channels // 32)
        wide = np.zeros((32 * n_in, 9, g.out_channels), np.int8)
        wide[: g.channels] = op.inputs[1].data.transpose(1, 2, 3, 0).reshape(g.channels, 9, -1)
        weights = wide.reshape(n_in, 32, 9, -1).transpose(0, 2, 3, 1)
        multiplier, addend = np.zeros((2, 32 * n_out), np.float32)
        multiplier[: g.out_channels], addend[: g.out_channels] = e.multiplier, e.addend
        residual, times = engine.nothing, 0
        if e.residual_multiplier is not None:
            residual, times = engine.input(3), e.residual_multiplier
        line = engine.input(0), weights, g.size[1] + 1, g.size[0] + 1
        return (*line, multiplier, addend, residual, times, e.low, e.high, engine.output())

    return engine.tries(supports, arguments)


@wrong("no_residuals", misconception="leaves_too_much", says="conv_layer adds one")
def own_convolution(engine):
    def supports(op):
        g = engine.sizes(op)
        if op.kind != "conv" or g is None:
            return False
        tensors = (op.inputs[0], op.inputs[1], op.input(3), op.output)
        in_steps = all(v is None or v.dtype.name == "INT8" for v in tensors)
        window = g.kernel == (3, 3) and g.stride == g.dilation == g.pads_before == g.pads_after == (1, 1)
        activation = (op.attrs.get("activation") or {}).get("type")
        return op.input(3) is None and in_steps and window and g.groups == 1 and activation in (None, "relu", "clip")

    def arguments(op):
        g, e = engine.sizes(op), engine.epilogue(op)
        n_in, n_out = -(-g.channels // 32), -(-g.out_channels // 32)
        wide = np.zeros((32 * n_in, 9, g.out_channels), np.int8)
        wide[: g.channels] = op.inputs[1].data.transpose(1, 2, 3, 0).reshape(g.channels, 9, -1)
        weights = wide.reshape(n_in, 32, 9, -1).transpose(0, 2, 3, 1)
        multiplier, addend = np.zeros((2, 32 * n_out), np.float32)
        multiplier[: g.out_channels], addend[: g.out_channels] = e.multiplier, e.addend
        residual, times = engine.nothing, 0
        if e.residual_multiplier is not None:
            residual, times = engine.input(3), e.residual_multiplier
        line = engine.input(0), weights, g.size[1] + 1, g.size[0] + 1
        return (*line, multiplier, addend, residual, times, e.low, e.high, engine.output())

    return engine.tries(supports, arguments)


@wrong("whole_blocks_alone", misconception="leaves_too_much", says="up to 32 is zeros")
def own_convolution(engine):
    def supports(op):
        g = engine.sizes(op)
        if op.kind != "conv" or g is None:
            return False
        tensors = (op.inputs[0], op.inputs[1], op.input(3), op.output)
        in_steps = all(v is None or v.dtype.name == "INT8" for v in tensors)
        window = g.kernel == (3, 3) and g.stride == g.dilation == g.pads_before == g.pads_after == (1, 1)
        activation = (op.attrs.get("activation") or {}).get("type")
        return (
            g.channels % 32 == g.out_channels % 32 == 0
            and in_steps
            and window
            and g.groups == 1
            and activation in (None, "relu", "clip")
        )

    def arguments(op):
        g, e = engine.sizes(op), engine.epilogue(op)
        n_in, n_out = -(-g.channels // 32), -(-g.out_channels // 32)
        wide = np.zeros((32 * n_in, 9, g.out_channels), np.int8)
        wide[: g.channels] = op.inputs[1].data.transpose(1, 2, 3, 0).reshape(g.channels, 9, -1)
        weights = wide.reshape(n_in, 32, 9, -1).transpose(0, 2, 3, 1)
        multiplier, addend = np.zeros((2, 32 * n_out), np.float32)
        multiplier[: g.out_channels], addend[: g.out_channels] = e.multiplier, e.addend
        residual, times = engine.nothing, 0
        if e.residual_multiplier is not None:
            residual, times = engine.input(3), e.residual_multiplier
        line = engine.input(0), weights, g.size[1] + 1, g.size[0] + 1
        return (*line, multiplier, addend, residual, times, e.low, e.high, engine.output())

    return engine.tries(supports, arguments)


@wrong("columns_before_rows", misconception="taps_exchanged", says="tap 3 a + b")
def own_convolution(engine):
    def supports(op):
        g = engine.sizes(op)
        if op.kind != "conv" or g is None:
            return False
        tensors = (op.inputs[0], op.inputs[1], op.input(3), op.output)
        in_steps = all(v is None or v.dtype.name == "INT8" for v in tensors)
        window = g.kernel == (3, 3) and g.stride == g.dilation == g.pads_before == g.pads_after == (1, 1)
        activation = (op.attrs.get("activation") or {}).get("type")
        return in_steps and window and g.groups == 1 and activation in (None, "relu", "clip")

    def arguments(op):
        g, e = engine.sizes(op), engine.epilogue(op)
        n_in, n_out = -(-g.channels // 32), -(-g.out_channels // 32)
        wide = np.zeros((32 * n_in, 9, g.out_channels), np.int8)
        wide[: g.channels] = op.inputs[1].data.transpose(1, 3, 2, 0).reshape(g.channels, 9, -1)
        weights = wide.reshape(n_in, 32, 9, -1).transpose(0, 2, 3, 1)
        multiplier, addend = np.zeros((2, 32 * n_out), np.float32)
        multiplier[: g.out_channels], addend[: g.out_channels] = e.multiplier, e.addend
        residual, times = engine.nothing, 0
        if e.residual_multiplier is not None:
            residual, times = engine.input(3), e.residual_multiplier
        line = engine.input(0), weights, g.size[1] + 1, g.size[0] + 1
        return (*line, multiplier, addend, residual, times, e.low, e.high, engine.output())

    return engine.tries(supports, arguments)


@wrong("multiplier_of_channel_0", misconception="one_multiplier", says="scale per channel")
def own_convolution(engine):
    def supports(op):
        g = engine.sizes(op)
        if op.kind != "conv" or g is None:
            return False
        tensors = (op.inputs[0], op.inputs[1], op.input(3), op.output)
        in_steps = all(v is None or v.dtype.name == "INT8" for v in tensors)
        window = g.kernel == (3, 3) and g.stride == g.dilation == g.pads_before == g.pads_after == (1, 1)
        activation = (op.attrs.get("activation") or {}).get("type")
        return in_steps and window and g.groups == 1 and activation in (None, "relu", "clip")

    def arguments(op):
        g, e = engine.sizes(op), engine.epilogue(op)
        n_in, n_out = -(-g.channels // 32), -(-g.out_channels // 32)
        wide = np.zeros((32 * n_in, 9, g.out_channels), np.int8)
        wide[: g.channels] = op.inputs[1].data.transpose(1, 2, 3, 0).reshape(g.channels, 9, -1)
        weights = wide.reshape(n_in, 32, 9, -1).transpose(0, 2, 3, 1)
        multiplier, addend = np.zeros((2, 32 * n_out), np.float32)
        multiplier[:], addend[: g.out_channels] = e.multiplier[0], e.addend
        residual, times = engine.nothing, 0
        if e.residual_multiplier is not None:
            residual, times = engine.input(3), e.residual_multiplier
        line = engine.input(0), weights, g.size[1] + 1, g.size[0] + 1
        return (*line, multiplier, addend, residual, times, e.low, e.high, engine.output())

    return engine.tries(supports, arguments)


@wrong("bias_forgotten", misconception="other_bias", says="epilogue's addend")
def own_convolution(engine):
    def supports(op):
        g = engine.sizes(op)
        if op.kind != "conv" or g is None:
            return False
        tensors = (op.inputs[0], op.inputs[1], op.input(3), op.output)
        in_steps = all(v is None or v.dtype.name == "INT8" for v in tensors)
        window = g.kernel == (3, 3) and g.stride == g.dilation == g.pads_before == g.pads_after == (1, 1)
        activation = (op.attrs.get("activation") or {}).get("type")
        return in_steps and window and g.groups == 1 and activation in (None, "relu", "clip")

    def arguments(op):
        g, e = engine.sizes(op), engine.epilogue(op)
        n_in, n_out = -(-g.channels // 32), -(-g.out_channels // 32)
        wide = np.zeros((32 * n_in, 9, g.out_channels), np.int8)
        wide[: g.channels] = op.inputs[1].data.transpose(1, 2, 3, 0).reshape(g.channels, 9, -1)
        weights = wide.reshape(n_in, 32, 9, -1).transpose(0, 2, 3, 1)
        multiplier, addend = np.zeros((2, 32 * n_out), np.float32)
        multiplier[: g.out_channels] = e.multiplier
        residual, times = engine.nothing, 0
        if e.residual_multiplier is not None:
            residual, times = engine.input(3), e.residual_multiplier
        line = engine.input(0), weights, g.size[1] + 1, g.size[0] + 1
        return (*line, multiplier, addend, residual, times, e.low, e.high, engine.output())

    return engine.tries(supports, arguments)


@wrong("bias_as_it_came", misconception="other_bias", says="steps of the output")
def own_convolution(engine):
    def supports(op):
        g = engine.sizes(op)
        if op.kind != "conv" or g is None:
            return False
        tensors = (op.inputs[0], op.inputs[1], op.input(3), op.output)
        in_steps = all(v is None or v.dtype.name == "INT8" for v in tensors)
        window = g.kernel == (3, 3) and g.stride == g.dilation == g.pads_before == g.pads_after == (1, 1)
        activation = (op.attrs.get("activation") or {}).get("type")
        return in_steps and window and g.groups == 1 and activation in (None, "relu", "clip")

    def arguments(op):
        g, e = engine.sizes(op), engine.epilogue(op)
        n_in, n_out = -(-g.channels // 32), -(-g.out_channels // 32)
        wide = np.zeros((32 * n_in, 9, g.out_channels), np.int8)
        wide[: g.channels] = op.inputs[1].data.transpose(1, 2, 3, 0).reshape(g.channels, 9, -1)
        weights = wide.reshape(n_in, 32, 9, -1).transpose(0, 2, 3, 1)
        multiplier, addend = np.zeros((2, 32 * n_out), np.float32)
        multiplier[: g.out_channels], addend[: g.out_channels] = e.multiplier, op.inputs[2].data
        residual, times = engine.nothing, 0
        if e.residual_multiplier is not None:
            residual, times = engine.input(3), e.residual_multiplier
        line = engine.input(0), weights, g.size[1] + 1, g.size[0] + 1
        return (*line, multiplier, addend, residual, times, e.low, e.high, engine.output())

    return engine.tries(supports, arguments)


@wrong("residual_forgotten", misconception="residual_not_added", says="multiplier is in the epilogue")
def own_convolution(engine):
    def supports(op):
        g = engine.sizes(op)
        if op.kind != "conv" or g is None:
            return False
        tensors = (op.inputs[0], op.inputs[1], op.input(3), op.output)
        in_steps = all(v is None or v.dtype.name == "INT8" for v in tensors)
        window = g.kernel == (3, 3) and g.stride == g.dilation == g.pads_before == g.pads_after == (1, 1)
        activation = (op.attrs.get("activation") or {}).get("type")
        return in_steps and window and g.groups == 1 and activation in (None, "relu", "clip")

    def arguments(op):
        g, e = engine.sizes(op), engine.epilogue(op)
        n_in, n_out = -(-g.channels // 32), -(-g.out_channels // 32)
        wide = np.zeros((32 * n_in, 9, g.out_channels), np.int8)
        wide[: g.channels] = op.inputs[1].data.transpose(1, 2, 3, 0).reshape(g.channels, 9, -1)
        weights = wide.reshape(n_in, 32, 9, -1).transpose(0, 2, 3, 1)
        multiplier, addend = np.zeros((2, 32 * n_out), np.float32)
        multiplier[: g.out_channels], addend[: g.out_channels] = e.multiplier, e.addend
        residual, times = engine.nothing, 0
        line = engine.input(0), weights, g.size[1] + 1, g.size[0] + 1
        return (*line, multiplier, addend, residual, times, e.low, e.high, engine.output())

    return engine.tries(supports, arguments)


@wrong("no_ends", misconception="activation_forgotten", says="low and high are in")
def own_convolution(engine):
    def supports(op):
        g = engine.sizes(op)
        if op.kind != "conv" or g is None:
            return False
        tensors = (op.inputs[0], op.inputs[1], op.input(3), op.output)
        in_steps = all(v is None or v.dtype.name == "INT8" for v in tensors)
        window = g.kernel == (3, 3) and g.stride == g.dilation == g.pads_before == g.pads_after == (1, 1)
        activation = (op.attrs.get("activation") or {}).get("type")
        return in_steps and window and g.groups == 1 and activation in (None, "relu", "clip")

    def arguments(op):
        g, e = engine.sizes(op), engine.epilogue(op)
        n_in, n_out = -(-g.channels // 32), -(-g.out_channels // 32)
        wide = np.zeros((32 * n_in, 9, g.out_channels), np.int8)
        wide[: g.channels] = op.inputs[1].data.transpose(1, 2, 3, 0).reshape(g.channels, 9, -1)
        weights = wide.reshape(n_in, 32, 9, -1).transpose(0, 2, 3, 1)
        multiplier, addend = np.zeros((2, 32 * n_out), np.float32)
        multiplier[: g.out_channels], addend[: g.out_channels] = e.multiplier, e.addend
        residual, times = engine.nothing, 0
        if e.residual_multiplier is not None:
            residual, times = engine.input(3), e.residual_multiplier
        line = engine.input(0), weights, g.size[1] + 1, g.size[0] + 1
        return (*line, multiplier, addend, residual, times, -np.inf, np.inf, engine.output())

    return engine.tries(supports, arguments)


@wrong("pictures_own_size", misconception="other_line", says="a zero more than")
def own_convolution(engine):
    def supports(op):
        g = engine.sizes(op)
        if op.kind != "conv" or g is None:
            return False
        tensors = (op.inputs[0], op.inputs[1], op.input(3), op.output)
        in_steps = all(v is None or v.dtype.name == "INT8" for v in tensors)
        window = g.kernel == (3, 3) and g.stride == g.dilation == g.pads_before == g.pads_after == (1, 1)
        activation = (op.attrs.get("activation") or {}).get("type")
        return in_steps and window and g.groups == 1 and activation in (None, "relu", "clip")

    def arguments(op):
        g, e = engine.sizes(op), engine.epilogue(op)
        n_in, n_out = -(-g.channels // 32), -(-g.out_channels // 32)
        wide = np.zeros((32 * n_in, 9, g.out_channels), np.int8)
        wide[: g.channels] = op.inputs[1].data.transpose(1, 2, 3, 0).reshape(g.channels, 9, -1)
        weights = wide.reshape(n_in, 32, 9, -1).transpose(0, 2, 3, 1)
        multiplier, addend = np.zeros((2, 32 * n_out), np.float32)
        multiplier[: g.out_channels], addend[: g.out_channels] = e.multiplier, e.addend
        residual, times = engine.nothing, 0
        if e.residual_multiplier is not None:
            residual, times = engine.input(3), e.residual_multiplier
        line = engine.input(0), weights, g.size[1], g.size[0]
        return (*line, multiplier, addend, residual, times, e.low, e.high, engine.output())

    return engine.tries(supports, arguments)
