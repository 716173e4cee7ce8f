"""Answers to engine_graph.infer_shapes."""

import numpy as np

from autograder.exercises.catalogue import right, wrong

INPUT, CONSTANT, IDENTITY, RELU, ADD, CONCAT, FLATTEN, CONV, POOL = 0, 1, 2, 3, 4, 5, 6, 7, 8


@right("a_list_of_tuples")
def infer_shapes(layers, given):
    none = (-1, -1, -1)
    found = []
    for kind, a, b, channels, k, stride, pad, _weights in layers.tolist():
        shape = none
        if kind == INPUT:
            shape = tuple(given)
        elif kind == CONSTANT:
            shape = (channels, 1, 1)
        else:
            x = found[a]
            y = found[b] if b != -1 else x
            if none in (x, y):
                shape = none
            elif kind == IDENTITY or kind == RELU:
                shape = x
            elif kind == CONV:
                shape = (channels, (x[1] + 2 * pad - k) // stride + 1, (x[2] + 2 * pad - k) // stride + 1)
            elif kind == POOL:
                shape = (x[0], (x[1] + 2 * pad - k) // stride + 1, (x[2] + 2 * pad - k) // stride + 1)
            elif kind == ADD:
                if all(m == n or 1 in (m, n) for m, n in zip(x, y, strict=False)):
                    shape = tuple(max(m, n) for m, n in zip(x, y, strict=False))
            elif kind == CONCAT:
                if x[1:] == y[1:]:
                    shape = (x[0] + y[0], x[1], x[2])
            elif kind == FLATTEN:
                shape = (x[0] * x[1] * x[2], 1, 1)
        found.append(shape)
    return np.array(found)


def windows(n, k, stride, pad):
    return len(range(0, n + 2 * pad - k + 1, stride))


def of_sum(x, y, layer):
    try:
        return np.broadcast_shapes(tuple(x), tuple(y))
    except ValueError:
        return (-1, -1, -1)


def of_both(x, y, layer):
    return (x[0] + y[0], x[1], x[2]) if tuple(x[1:]) == tuple(y[1:]) else (-1, -1, -1)


def of_windows(x, y, layer):
    kind, _, _, channels, k, stride, pad, _ = layer
    return (channels if kind == CONV else x[0], *(windows(n, k, stride, pad) for n in x[1:]))


@right("a_rule_per_kind")
def infer_shapes(layers, given):
    rules = {FLATTEN: lambda x, y, layer: (x.prod(), 1, 1)}
    rules[IDENTITY] = rules[RELU] = lambda x, y, layer: x
    rules |= {ADD: of_sum, CONCAT: of_both, CONV: of_windows, POOL: of_windows}
    shapes = np.full((len(layers), 3), -1, np.int64)
    for i, layer in enumerate(layers):
        kind, a, b = layer[:3]
        if kind == INPUT:
            shapes[i] = given
        if kind == CONSTANT:
            shapes[i] = [layer[3], 1, 1]
        operands = [shapes[at] for at in (a, b) if at >= 0]
        if kind in rules and all(shape[0] != -1 for shape in operands):
            shapes[i] = rules[kind](operands[0], operands[-1], layer)
    return shapes


@right("a_dictionary_of_those_that_have_one")
def infer_shapes(layers, given):
    known = {}
    for i in range(layers.shape[0]):
        kind, a, b = int(layers[i, 0]), int(layers[i, 1]), int(layers[i, 2])
        channels, k, stride, pad = (int(number) for number in layers[i, 3:7])
        if kind == INPUT:
            known[i] = [int(size) for size in given]
        elif kind == CONSTANT:
            known[i] = [channels, 1, 1]
        if a == -1 or a not in known:
            continue
        c, rows, cols = known[a]
        if kind == CONV or kind == POOL:
            if kind == CONV:
                c = channels
            known[i] = [c, (rows - k + 2 * pad + stride) // stride, (cols - k + 2 * pad + stride) // stride]
        elif kind == FLATTEN:
            known[i] = [c * rows * cols, 1, 1]
        elif kind == RELU or kind == IDENTITY:
            known[i] = known[a]
        elif b in known:
            other = known[b]
            if kind == CONCAT and other[1] == rows and other[2] == cols:
                known[i] = [c + other[0], rows, cols]
            if kind == ADD:
                fits = True
                for m, n in zip(known[a], other, strict=False):
                    if m != n and m != 1 and n != 1:
                        fits = False
                if fits:
                    known[i] = [max(m, n) for m, n in zip(known[a], other, strict=False)]
    shapes = -np.ones((len(layers), 3), dtype=np.int64)
    for i, shape in known.items():
        shapes[i] = shape
    return shapes


@right("three_arrays")
def infer_shapes(layers, given):
    n = len(layers)
    c, h, w = np.full(n, -1), np.full(n, -1), np.full(n, -1)
    for i in range(n):
        kind, a, b, channels, k, s, p, _ = layers[i]
        if kind == INPUT:
            c[i], h[i], w[i] = given
        elif kind == CONSTANT:
            c[i], h[i], w[i] = channels, 1, 1
        elif c[a] == -1 or (kind in (ADD, CONCAT) and c[b] == -1):
            pass
        elif kind in (CONV, POOL):
            c[i] = channels if kind == CONV else c[a]
            h[i] = np.floor((h[a] + 2 * p - k) / s) + 1
            w[i] = np.floor((w[a] + 2 * p - k) / s) + 1
        elif kind == FLATTEN:
            c[i], h[i], w[i] = c[a] * h[a] * w[a], 1, 1
        elif kind == CONCAT:
            if h[a] == h[b] and w[a] == w[b]:
                c[i], h[i], w[i] = c[a] + c[b], h[a], w[a]
        elif kind == ADD:
            fits = [axis[a] == axis[b] or min(axis[a], axis[b]) == 1 for axis in (c, h, w)]
            if all(fits):
                c[i], h[i], w[i] = (max(axis[a], axis[b]) for axis in (c, h, w))
        elif kind in (RELU, IDENTITY):
            c[i], h[i], w[i] = c[a], h[a], w[a]
    return np.stack([c, h, w], axis=1)


@right("numpy_puts_shapes_together")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, layer in enumerate(layers):
        kind, a, b = layer[0], layer[1], layer[2]
        try:
            if kind == INPUT:
                shapes[i] = given
                continue
            if kind == CONSTANT:
                shapes[i] = (layer[3], 1, 1)
                continue
            x = tuple(shapes[a])
            y = tuple(shapes[b]) if b >= 0 else x
            if -1 in x or -1 in y:
                raise ValueError("an operand has no shape")
            if kind == ADD:
                shapes[i] = np.broadcast_shapes(x, y)
            elif kind == CONCAT:
                if x[1:] != y[1:]:
                    raise ValueError("rows or columns differ")
                shapes[i] = (x[0] + y[0],) + x[1:]
            elif kind == CONV or kind == POOL:
                rows, cols = ((n + 2 * layer[6] - layer[4]) // layer[5] + 1 for n in x[1:])
                shapes[i] = (layer[3] if kind == CONV else x[0], rows, cols)
            elif kind == FLATTEN:
                shapes[i] = (np.prod(x), 1, 1)
            elif kind == RELU or kind == IDENTITY:
                shapes[i] = x
            else:
                raise ValueError("unknown")
        except ValueError:
            pass
    return shapes


def shape_of(layers, given, i):
    kind, a, b, channels, k, stride, pad, _ = layers[i]
    if kind == INPUT:
        return tuple(given)
    if kind == CONSTANT:
        return (channels, 1, 1)
    operands = [shape_of(layers, given, at) for at in (a, b) if at >= 0]
    if any(shape is None for shape in operands):
        return None
    x, y = operands[0], operands[-1]
    if kind in (RELU, IDENTITY):
        return x
    if kind in (CONV, POOL):
        return (channels if kind == CONV else x[0],) + tuple((n + 2 * pad - k) // stride + 1 for n in x[1:])
    if kind == FLATTEN:
        return (x[0] * x[1] * x[2], 1, 1)
    if kind == ADD and all(m == n or m == 1 or n == 1 for m, n in zip(x, y, strict=False)):
        return tuple(m if n == 1 else n for m, n in zip(x, y, strict=False))
    if kind == CONCAT and x[1:] == y[1:]:
        return (x[0] + y[0],) + x[1:]
    return None


@right("asks_from_the_reader_back")
def infer_shapes(layers, given):
    found = (shape_of(layers, given, i) for i in range(len(layers)))
    return np.array([(-1, -1, -1) if shape is None else shape for shape in found])


@wrong("rounds_up", misconception="rounded_up", says="round down")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, k, stride, pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        elif x[0] < 0 or b >= 0 and y[0] < 0:
            continue  # an operand has no shape
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            space = -(-(x[1:] + 2 * pad - k) // stride) + 1
            shapes[i] = channels if kind == CONV else x[0], *space
        elif kind == ADD and np.all((x == y) | (x == 1) | (y == 1)):
            shapes[i] = np.maximum(x, y)
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x[0] + y[0], *x[1:]
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
    return shapes


@wrong("one_side_padded", misconception="padded_once", says="both ends")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, k, stride, pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        elif x[0] < 0 or b >= 0 and y[0] < 0:
            continue  # an operand has no shape
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            space = (x[1:] + pad - k) // stride + 1
            shapes[i] = channels if kind == CONV else x[0], *space
        elif kind == ADD and np.all((x == y) | (x == 1) | (y == 1)):
            shapes[i] = np.maximum(x, y)
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x[0] + y[0], *x[1:]
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
    return shapes


@wrong("no_padding", misconception="padding_left_out", says="the padding is missing")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, k, stride, _pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        elif x[0] < 0 or b >= 0 and y[0] < 0:
            continue  # an operand has no shape
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            space = (x[1:] - k) // stride + 1
            shapes[i] = channels if kind == CONV else x[0], *space
        elif kind == ADD and np.all((x == y) | (x == 1) | (y == 1)):
            shapes[i] = np.maximum(x, y)
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x[0] + y[0], *x[1:]
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
    return shapes


@wrong("half_the_kernel_for_padding", misconception="padding_guessed", says="the row says how much")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, k, stride, _pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        elif x[0] < 0 or b >= 0 and y[0] < 0:
            continue  # an operand has no shape
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            space = (x[1:] + 2 * (k // 2) - k) // stride + 1
            shapes[i] = channels if kind == CONV else x[0], *space
        elif kind == ADD and np.all((x == y) | (x == 1) | (y == 1)):
            shapes[i] = np.maximum(x, y)
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x[0] + y[0], *x[1:]
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
    return shapes


@wrong("steps_for_windows", misconception="first_window_missing", says="one too short")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, k, stride, pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        elif x[0] < 0 or b >= 0 and y[0] < 0:
            continue  # an operand has no shape
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            space = (x[1:] + 2 * pad - k) // stride
            shapes[i] = channels if kind == CONV else x[0], *space
        elif kind == ADD and np.all((x == y) | (x == 1) | (y == 1)):
            shapes[i] = np.maximum(x, y)
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x[0] + y[0], *x[1:]
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
    return shapes


@wrong("divided_by_the_stride", misconception="kernel_left_out", says="the kernel is missing")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, _k, stride, _pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        elif x[0] < 0 or b >= 0 and y[0] < 0:
            continue  # an operand has no shape
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            space = x[1:] // stride
            shapes[i] = channels if kind == CONV else x[0], *space
        elif kind == ADD and np.all((x == y) | (x == 1) | (y == 1)):
            shapes[i] = np.maximum(x, y)
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x[0] + y[0], *x[1:]
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
    return shapes


@wrong("stride_never_asked", misconception="stride_left_out", says="the stride is missing")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, k, _stride, pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        elif x[0] < 0 or b >= 0 and y[0] < 0:
            continue  # an operand has no shape
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            space = x[1:] + 2 * pad - k + 1
            shapes[i] = channels if kind == CONV else x[0], *space
        elif kind == ADD and np.all((x == y) | (x == 1) | (y == 1)):
            shapes[i] = np.maximum(x, y)
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x[0] + y[0], *x[1:]
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
    return shapes


@wrong("columns_first", misconception="exchanged", says="exchanged")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, k, stride, pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]
        if kind == INPUT:
            shapes[i] = given[0], given[2], given[1]
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        elif x[0] < 0 or b >= 0 and y[0] < 0:
            continue  # an operand has no shape
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            space = (x[1:] + 2 * pad - k) // stride + 1
            shapes[i] = channels if kind == CONV else x[0], *space
        elif kind == ADD and np.all((x == y) | (x == 1) | (y == 1)):
            shapes[i] = np.maximum(x, y)
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x[0] + y[0], *x[1:]
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
    return shapes


@wrong("as_many_channels_as_before", misconception="channels_kept", says="as many as the layer makes")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, k, stride, pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        elif x[0] < 0 or b >= 0 and y[0] < 0:
            continue  # an operand has no shape
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            space = (x[1:] + 2 * pad - k) // stride + 1
            shapes[i] = x[0], *space
        elif kind == ADD and np.all((x == y) | (x == 1) | (y == 1)):
            shapes[i] = np.maximum(x, y)
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x[0] + y[0], *x[1:]
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
    return shapes


@wrong("channels_of_the_row_for_pooling", misconception="pool_makes_channels", says="keeps them all")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, k, stride, pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        elif x[0] < 0 or b >= 0 and y[0] < 0:
            continue  # an operand has no shape
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            space = (x[1:] + 2 * pad - k) // stride + 1
            shapes[i] = channels, *space
        elif kind == ADD and np.all((x == y) | (x == 1) | (y == 1)):
            shapes[i] = np.maximum(x, y)
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x[0] + y[0], *x[1:]
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
    return shapes


@wrong("larger_of_both_unchecked", misconception="unchecked", says="do not fit got a shape")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, k, stride, pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        elif x[0] < 0 or b >= 0 and y[0] < 0:
            continue  # an operand has no shape
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            space = (x[1:] + 2 * pad - k) // stride + 1
            shapes[i] = channels if kind == CONV else x[0], *space
        elif kind == ADD:
            shapes[i] = np.maximum(x, y)
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x[0] + y[0], *x[1:]
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
    return shapes


@wrong("first_operand_decides", misconception="first_shape_taken", says="first operand")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, k, stride, pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        elif x[0] < 0 or b >= 0 and y[0] < 0:
            continue  # an operand has no shape
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            space = (x[1:] + 2 * pad - k) // stride + 1
            shapes[i] = channels if kind == CONV else x[0], *space
        elif kind == ADD and np.all((x == y) | (x == 1) | (y == 1)):
            shapes[i] = x
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x[0] + y[0], *x[1:]
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
    return shapes


@wrong("first_operand_decides_unchecked", misconception="first_shape_taken", says="first operand")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, k, stride, pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        elif x[0] < 0 or b >= 0 and y[0] < 0:
            continue  # an operand has no shape
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            space = (x[1:] + 2 * pad - k) // stride + 1
            shapes[i] = channels if kind == CONV else x[0], *space
        elif kind == ADD:
            shapes[i] = x
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x[0] + y[0], *x[1:]
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
    return shapes


@wrong("equal_shapes_alone", misconception="no_broadcast", says="has no shape")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, k, stride, pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        elif x[0] < 0 or b >= 0 and y[0] < 0:
            continue  # an operand has no shape
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            space = (x[1:] + 2 * pad - k) // stride + 1
            shapes[i] = channels if kind == CONV else x[0], *space
        elif kind == ADD and np.all(x == y):
            shapes[i] = np.maximum(x, y)
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x[0] + y[0], *x[1:]
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
    return shapes


@wrong("second_operand_alone_may_be_1", misconception="no_broadcast", says="either of the two")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, k, stride, pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        elif x[0] < 0 or b >= 0 and y[0] < 0:
            continue  # an operand has no shape
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            space = (x[1:] + 2 * pad - k) // stride + 1
            shapes[i] = channels if kind == CONV else x[0], *space
        elif kind == ADD and np.all((x == y) | (y == 1)):
            shapes[i] = np.maximum(x, y)
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x[0] + y[0], *x[1:]
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
    return shapes


@wrong("concatenated_unchecked", misconception="unchecked", says="only its channels may differ")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, k, stride, pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        elif x[0] < 0 or b >= 0 and y[0] < 0:
            continue  # an operand has no shape
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            space = (x[1:] + 2 * pad - k) // stride + 1
            shapes[i] = channels if kind == CONV else x[0], *space
        elif kind == ADD and np.all((x == y) | (x == 1) | (y == 1)):
            shapes[i] = np.maximum(x, y)
        elif kind == CONCAT:
            shapes[i] = x[0] + y[0], *x[1:]
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
    return shapes


@wrong("every_axis_added", misconception="concatenated_everywhere", says="rows and columns stay")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, k, stride, pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        elif x[0] < 0 or b >= 0 and y[0] < 0:
            continue  # an operand has no shape
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            space = (x[1:] + 2 * pad - k) // stride + 1
            shapes[i] = channels if kind == CONV else x[0], *space
        elif kind == ADD and np.all((x == y) | (x == 1) | (y == 1)):
            shapes[i] = np.maximum(x, y)
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x + y
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
    return shapes


@wrong("channels_of_the_first", misconception="channels_not_added", says="those of both")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, k, stride, pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        elif x[0] < 0 or b >= 0 and y[0] < 0:
            continue  # an operand has no shape
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            space = (x[1:] + 2 * pad - k) // stride + 1
            shapes[i] = channels if kind == CONV else x[0], *space
        elif kind == ADD and np.all((x == y) | (x == 1) | (y == 1)):
            shapes[i] = np.maximum(x, y)
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
    return shapes


@wrong("flattened_within_channels", misconception="flatten_keeps_axes", says="all elements become channels")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, k, stride, pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        elif x[0] < 0 or b >= 0 and y[0] < 0:
            continue  # an operand has no shape
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            space = (x[1:] + 2 * pad - k) // stride + 1
            shapes[i] = channels if kind == CONV else x[0], *space
        elif kind == ADD and np.all((x == y) | (x == 1) | (y == 1)):
            shapes[i] = np.maximum(x, y)
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x[0] + y[0], *x[1:]
        elif kind == FLATTEN:
            shapes[i] = x[0], x[1] * x[2], 1
    return shapes


@wrong("unknown_kinds_do_nothing", misconception="unknown_passed_on", says="nobody knows what it does")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, k, stride, pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        elif x[0] < 0 or b >= 0 and y[0] < 0:
            continue  # an operand has no shape
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            space = (x[1:] + 2 * pad - k) // stride + 1
            shapes[i] = channels if kind == CONV else x[0], *space
        elif kind == ADD and np.all((x == y) | (x == 1) | (y == 1)):
            shapes[i] = np.maximum(x, y)
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x[0] + y[0], *x[1:]
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
        elif kind not in (ADD, CONCAT):
            shapes[i] = x
    return shapes


@wrong("goes_on_with_minus_one", misconception="gone_on_behind_faults", says="does not exist")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, k, stride, pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            space = (x[1:] + 2 * pad - k) // stride + 1
            shapes[i] = channels if kind == CONV else x[0], *space
        elif kind == ADD and np.all((x == y) | (x == 1) | (y == 1)):
            shapes[i] = np.maximum(x, y)
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x[0] + y[0], *x[1:]
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
    return shapes


@wrong("leaves_at_the_first_fault", misconception="stopped_at_the_first", says="layers that do not read it do")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, k, stride, pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        elif x[0] < 0 or b >= 0 and y[0] < 0:
            break
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            space = (x[1:] + 2 * pad - k) // stride + 1
            shapes[i] = channels if kind == CONV else x[0], *space
        elif kind == ADD and np.all((x == y) | (x == 1) | (y == 1)):
            shapes[i] = np.maximum(x, y)
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x[0] + y[0], *x[1:]
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
        if shapes[i, 0] < 0:
            break
    return shapes


@wrong("an_error_for_an_unknown_kind", misconception="exception", says="layer 11 has an unknown", outcome="Crashed")
def infer_shapes(layers, given):
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, k, stride, pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        elif x[0] < 0 or b >= 0 and y[0] < 0:
            continue  # an operand has no shape
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            space = (x[1:] + 2 * pad - k) // stride + 1
            shapes[i] = channels if kind == CONV else x[0], *space
        elif kind == ADD and np.all((x == y) | (x == 1) | (y == 1)):
            shapes[i] = np.maximum(x, y)
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x[0] + y[0], *x[1:]
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
        else:
            raise ValueError(f"layer {i} has an unknown kind or operands that do not fit")
    return shapes
