"""Answers to engine_graph.fuse_groups."""

from collections import Counter

import numpy as np

from autograder.exercises.catalogue import right, wrong

INPUT, CONSTANT, IDENTITY, RELU, ADD, CONCAT, FLATTEN, CONV, POOL = 0, 1, 2, 3, 4, 5, 6, 7, 8


@right("a_counter_of_readers")
def fuse_groups(layers, outputs):
    read = Counter(int(at) for layer in layers for at in layer[1:3] if at != -1)
    kept = {int(output) for output in outputs}
    kernel = []
    for i, layer in enumerate(layers.tolist()):
        kind = layer[0]
        if kind == INPUT or kind == CONSTANT:
            kernel.append(-1)
            continue
        mine = i
        if kind == RELU or kind == ADD:
            may = [at for at in layer[1:3] if at >= 0 and kernel[at] != -1 and read[at] == 1 and at not in kept]
            if may:
                mine = kernel[may[0]]
        kernel.append(mine)
    return np.array(kernel)


@right("outputs_count_as_readers")
def fuse_groups(layers, outputs):
    n = len(layers)
    readers = [0] * n
    for layer in layers:
        for at in (layer[1], layer[2]):
            if at >= 0:
                readers[at] += 1
    for at in outputs:
        readers[at] += 1
    kernel = np.full(n, -1, dtype=np.int64)
    for i in range(n):
        if layers[i, 0] not in (INPUT, CONSTANT):
            kernel[i] = i
        if layers[i, 0] == RELU or layers[i, 0] == ADD:
            a, b = layers[i, 1], layers[i, 2]
            if readers[a] == 1 and kernel[a] != -1:
                kernel[i] = kernel[a]
            elif b != -1 and readers[b] == 1 and kernel[b] != -1:
                kernel[i] = kernel[b]
    return kernel


@right("who_may_be_joined_first")
def fuse_groups(layers, outputs):
    kinds = layers[:, 0]
    joinable = ~np.isin(kinds, (INPUT, CONSTANT))
    joinable[outputs] = False
    for i in range(len(layers)):
        joinable[i] &= np.count_nonzero(layers[:, 1:3] == i) == 1
    kernel = np.where(np.isin(kinds, (INPUT, CONSTANT)), -1, np.arange(len(layers)))
    for i in np.flatnonzero(np.isin(kinds, (RELU, ADD))):
        for at in layers[i, 1:3]:
            if at >= 0 and joinable[at]:
                kernel[i] = kernel[at]
                break
    return kernel


@right("what_is_before_and_then_its_start")
def fuse_groups(layers, outputs):
    before = {}
    for i, (kind, a, b, *_) in enumerate(layers):
        if kind != RELU and kind != ADD:
            continue
        for at in (a, b):
            if at == -1 or layers[at][0] == INPUT or layers[at][0] == CONSTANT:
                continue
            users = [j for j, layer in enumerate(layers) if at in (layer[1], layer[2])]
            if users == [i] and at not in outputs:
                before[i] = at
                break
    kernel = []
    for i, layer in enumerate(layers):
        if layer[0] in (INPUT, CONSTANT):
            kernel.append(-1)
        else:
            while i in before:
                i = before[i]
            kernel.append(i)
    return np.array(kernel)


@right("groups_as_lists")
def fuse_groups(layers, outputs):
    readers = {}
    for i in range(len(layers)):
        for at in layers[i, 1:3]:
            readers.setdefault(int(at), []).append(i)
    groups = []
    for i in range(len(layers)):
        kind = layers[i, 0]
        if kind in (INPUT, CONSTANT):
            continue
        found = None
        if kind in (ADD, RELU):
            for at in layers[i, 1:3]:
                if found is None and at >= 0 and len(readers[int(at)]) == 1 and int(at) not in outputs.tolist():
                    found = next((group for group in groups if group[-1] == at), None)
        if found is None:
            groups.append([i])
        else:
            found.append(i)
    kernel = np.full(len(layers), -1)
    for group in groups:
        for i in group:
            kernel[i] = group[0]
    return kernel


@right("backwards")
def fuse_groups(layers, outputs):
    n = len(layers)
    after = np.full(n, -1)
    counts = np.zeros(n, int)
    for layer in layers:
        for at in layer[1:3]:
            if at >= 0:
                counts[at] += 1
    for i in reversed(range(n)):
        kind, a, b = layers[i, :3]
        if kind in (RELU, ADD):
            for at in (a, b):
                fits = at >= 0 and layers[at, 0] > CONSTANT and counts[at] == 1
                if fits and not np.any(outputs == at):
                    after[at] = i
                    break
    kernel = np.full(n, -1)
    for i in range(n):
        if layers[i, 0] > CONSTANT and kernel[i] == -1:
            j = i
            while j != -1:
                kernel[j] = i
                j = after[j]
    return kernel


@wrong("readers_not_counted", misconception="two_readers", says="nobody would store")
def fuse_groups(layers, outputs):
    np.bincount(layers[:, 1:3][layers[:, 1:3] >= 0], minlength=len(layers))
    kernel = np.arange(len(layers))
    for i, (kind, a, b) in enumerate(layers[:, :3]):
        if kind in (INPUT, CONSTANT):
            kernel[i] = -1
        elif kind in (RELU, ADD):
            for x in (a, b):
                if x >= 0 and kernel[x] >= 0 and x not in outputs:
                    kernel[i] = kernel[x]
                    break
    return kernel


@wrong("two_readers_will_do", misconception="two_readers", says="that has two readers")
def fuse_groups(layers, outputs):
    n_readers = np.bincount(layers[:, 1:3][layers[:, 1:3] >= 0], minlength=len(layers))
    kernel = np.arange(len(layers))
    for i, (kind, a, b) in enumerate(layers[:, :3]):
        if kind in (INPUT, CONSTANT):
            kernel[i] = -1
        elif kind in (RELU, ADD):
            for x in (a, b):
                if x >= 0 and kernel[x] >= 0 and n_readers[x] <= 2 and x not in outputs:
                    kernel[i] = kernel[x]
                    break
    return kernel


@wrong("asks_whether_it_is_an_output_itself", misconception="output_fused", says="whether the operand is an output")
def fuse_groups(layers, outputs):
    n_readers = np.bincount(layers[:, 1:3][layers[:, 1:3] >= 0], minlength=len(layers))
    kernel = np.arange(len(layers))
    for i, (kind, a, b) in enumerate(layers[:, :3]):
        if kind in (INPUT, CONSTANT):
            kernel[i] = -1
        elif kind in (RELU, ADD):
            for x in (a, b):
                if x >= 0 and kernel[x] >= 0 and n_readers[x] == 1 and i not in outputs:
                    kernel[i] = kernel[x]
                    break
    return kernel


@wrong("pooling_joins", misconception="windows_fused", says="pooling joins")
def fuse_groups(layers, outputs):
    n_readers = np.bincount(layers[:, 1:3][layers[:, 1:3] >= 0], minlength=len(layers))
    kernel = np.arange(len(layers))
    for i, (kind, a, b) in enumerate(layers[:, :3]):
        if kind in (INPUT, CONSTANT):
            kernel[i] = -1
        elif kind in (RELU, ADD, 8):
            for x in (a, b):
                if x >= 0 and kernel[x] >= 0 and n_readers[x] == 1 and x not in outputs:
                    kernel[i] = kernel[x]
                    break
    return kernel


@wrong("outputs_not_asked", misconception="output_fused", says="an output has to be stored")
def fuse_groups(layers, outputs):
    n_readers = np.bincount(layers[:, 1:3][layers[:, 1:3] >= 0], minlength=len(layers))
    kernel = np.arange(len(layers))
    for i, (kind, a, b) in enumerate(layers[:, :3]):
        if kind in (INPUT, CONSTANT):
            kernel[i] = -1
        elif kind in (RELU, ADD):
            for x in (a, b):
                if x >= 0 and kernel[x] >= 0 and n_readers[x] == 1:
                    kernel[i] = kernel[x]
                    break
    return kernel


@wrong("neither_readers_nor_outputs", misconception="two_readers", says="both have to be stored")
def fuse_groups(layers, outputs):
    np.bincount(layers[:, 1:3][layers[:, 1:3] >= 0], minlength=len(layers))
    kernel = np.arange(len(layers))
    for i, (kind, a, b) in enumerate(layers[:, :3]):
        if kind in (INPUT, CONSTANT):
            kernel[i] = -1
        elif kind in (RELU, ADD):
            for x in (a, b):
                if x >= 0 and kernel[x] >= 0:
                    kernel[i] = kernel[x]
                    break
    return kernel


@wrong("every_kind_joins", misconception="windows_fused", says="other threads make")
def fuse_groups(layers, outputs):
    n_readers = np.bincount(layers[:, 1:3][layers[:, 1:3] >= 0], minlength=len(layers))
    kernel = np.arange(len(layers))
    for i, (kind, a, b) in enumerate(layers[:, :3]):
        if kind in (INPUT, CONSTANT):
            kernel[i] = -1
        else:
            for x in (a, b):
                if x >= 0 and kernel[x] >= 0 and n_readers[x] == 1 and x not in outputs:
                    kernel[i] = kernel[x]
                    break
    return kernel


@wrong("relu_alone_joins", misconception="sums_apart", says="single elements, too")
def fuse_groups(layers, outputs):
    n_readers = np.bincount(layers[:, 1:3][layers[:, 1:3] >= 0], minlength=len(layers))
    kernel = np.arange(len(layers))
    for i, (kind, a, b) in enumerate(layers[:, :3]):
        if kind in (INPUT, CONSTANT):
            kernel[i] = -1
        elif kind in (RELU,):
            for x in (a, b):
                if x >= 0 and kernel[x] >= 0 and n_readers[x] == 1 and x not in outputs:
                    kernel[i] = kernel[x]
                    break
    return kernel


@wrong("first_operand_alone", misconception="first_operand_alone", says="the second one may do")
def fuse_groups(layers, outputs):
    n_readers = np.bincount(layers[:, 1:3][layers[:, 1:3] >= 0], minlength=len(layers))
    kernel = np.arange(len(layers))
    for i, (kind, a, _b) in enumerate(layers[:, :3]):
        if kind in (INPUT, CONSTANT):
            kernel[i] = -1
        elif kind in (RELU, ADD):
            for x in (a,):
                if x >= 0 and kernel[x] >= 0 and n_readers[x] == 1 and x not in outputs:
                    kernel[i] = kernel[x]
                    break
    return kernel


@wrong("second_operand_first", misconception="second_operand_first", says="although the first would do")
def fuse_groups(layers, outputs):
    n_readers = np.bincount(layers[:, 1:3][layers[:, 1:3] >= 0], minlength=len(layers))
    kernel = np.arange(len(layers))
    for i, (kind, a, b) in enumerate(layers[:, :3]):
        if kind in (INPUT, CONSTANT):
            kernel[i] = -1
        elif kind in (RELU, ADD):
            for x in (b, a):
                if x >= 0 and kernel[x] >= 0 and n_readers[x] == 1 and x not in outputs:
                    kernel[i] = kernel[x]
                    break
    return kernel


@wrong("last_one_that_may_be", misconception="second_operand_first", says="although the first would do")
def fuse_groups(layers, outputs):
    n_readers = np.bincount(layers[:, 1:3][layers[:, 1:3] >= 0], minlength=len(layers))
    kernel = np.arange(len(layers))
    for i, (kind, a, b) in enumerate(layers[:, :3]):
        if kind in (INPUT, CONSTANT):
            kernel[i] = -1
        elif kind in (RELU, ADD):
            for x in (a, b):
                if x >= 0 and kernel[x] >= 0 and n_readers[x] == 1 and x not in outputs:
                    kernel[i] = kernel[x]
    return kernel


@wrong("the_layer_before", misconception="named_by_operand", says="the kernel that the operand has")
def fuse_groups(layers, outputs):
    n_readers = np.bincount(layers[:, 1:3][layers[:, 1:3] >= 0], minlength=len(layers))
    kernel = np.arange(len(layers))
    for i, (kind, a, b) in enumerate(layers[:, :3]):
        if kind in (INPUT, CONSTANT):
            kernel[i] = -1
        elif kind in (RELU, ADD):
            for x in (a, b):
                if x >= 0 and kernel[x] >= 0 and n_readers[x] == 1 and x not in outputs:
                    kernel[i] = x
                    break
    return kernel


@wrong("constants_have_kernels", misconception="given_has_a_kernel", says="nothing has to be launched")
def fuse_groups(layers, outputs):
    n_readers = np.bincount(layers[:, 1:3][layers[:, 1:3] >= 0], minlength=len(layers))
    kernel = np.arange(len(layers))
    for i, (kind, a, b) in enumerate(layers[:, :3]):
        if kind in (RELU, ADD):
            for x in (a, b):
                if x >= 0 and layers[x, 0] not in (INPUT, CONSTANT) and n_readers[x] == 1 and x not in outputs:
                    kernel[i] = kernel[x]
                    break
    return kernel


@wrong("kernels_counted", misconception="kernels_counted", says="named by its first layer")
def fuse_groups(layers, outputs):
    n_readers = np.bincount(layers[:, 1:3][layers[:, 1:3] >= 0], minlength=len(layers))
    kernel = np.arange(len(layers))
    for i, (kind, a, b) in enumerate(layers[:, :3]):
        if kind in (INPUT, CONSTANT):
            kernel[i] = -1
        elif kind in (RELU, ADD):
            for x in (a, b):
                if x >= 0 and kernel[x] >= 0 and n_readers[x] == 1 and x not in outputs:
                    kernel[i] = kernel[x]
                    break
    first = sorted(set(kernel) - {-1})
    return np.array([first.index(one) if one >= 0 else -1 for one in kernel])


@wrong("returns_a_list_of_groups", misconception="wrong_return", says="lists of different lengths")
def fuse_groups(layers, outputs):
    n_readers = np.bincount(layers[:, 1:3][layers[:, 1:3] >= 0], minlength=len(layers))
    kernel = np.arange(len(layers))
    for i, (kind, a, b) in enumerate(layers[:, :3]):
        if kind in (INPUT, CONSTANT):
            kernel[i] = -1
        elif kind in (RELU, ADD):
            for x in (a, b):
                if x >= 0 and kernel[x] >= 0 and n_readers[x] == 1 and x not in outputs:
                    kernel[i] = kernel[x]
                    break
    return [[i for i in range(len(layers)) if kernel[i] == one] for one in sorted(set(kernel))]


@wrong("joins_single_elements_alone", misconception="wrong_formula", says="has no other reader and is no output")
def fuse_groups(layers, outputs):
    n_readers = np.bincount(layers[:, 1:3][layers[:, 1:3] >= 0], minlength=len(layers))
    kernel = np.arange(len(layers))
    for i, (kind, a, _) in enumerate(layers[:, :3]):
        if kind in (INPUT, CONSTANT):
            kernel[i] = -1
        elif kind in (RELU, ADD) and kernel[a] >= 0 and n_readers[a] == 1 and a not in outputs:
            if kind == RELU or layers[a, 0] in (RELU, ADD):
                kernel[i] = kernel[a]
    return kernel
