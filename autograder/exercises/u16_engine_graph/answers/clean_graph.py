"""Answers to engine_graph.clean_graph."""

import numpy as np

from autograder.exercises.catalogue import right, wrong

KIND, FIRST, SECOND = 0, 1, 2
INPUT, CONSTANT, IDENTITY, RELU, ADD, CONCAT, FLATTEN, CONV, POOL = 0, 1, 2, 3, 4, 5, 6, 7, 8


@right("a_copy_of_the_table_rewritten")
def clean_graph(layers, output):
    rows = layers.copy()
    n = len(rows)
    stands_for = list(range(n))
    for i in range(n):
        for column in (FIRST, SECOND):
            if rows[i, column] >= 0:
                rows[i, column] = stands_for[rows[i, column]]
        if rows[i, KIND] == IDENTITY:
            stands_for[i] = rows[i, FIRST]
        elif rows[i, KIND] == RELU and rows[rows[i, FIRST], KIND] == RELU:
            stands_for[i] = rows[i, FIRST]
        else:
            for j in range(i):
                if (rows[j] == rows[i]).all():
                    stands_for[i] = j
                    break
    varies = np.zeros(n, bool)
    for i in range(n):
        operands = [at for at in rows[i, 1:3] if at >= 0]
        varies[i] = rows[i, KIND] == INPUT or any(varies[at] for at in operands)
    fate = np.zeros(n, np.int64)
    todo = [stands_for[output]]
    while todo:
        i = todo.pop()
        if fate[i]:
            continue
        if not varies[i]:
            fate[i] = 1
            continue
        fate[i] = 2
        todo.extend(at for at in rows[i, 1:3] if at >= 0)
    return np.array(stands_for), fate


@right("a_table_of_bytes")
def clean_graph(layers, output):
    table = {}
    result, fixed = [], []
    for i, row in enumerate(layers):
        row = row.copy()
        a, b = row[1], row[2]
        row[1] = result[a] if a != -1 else -1
        row[2] = result[b] if b != -1 else -1
        if row[0] == IDENTITY or (row[0] == RELU and layers[row[1]][0] == RELU):
            result.append(int(row[1]))
        else:
            result.append(table.setdefault(row.tobytes(), i))
        if row[0] == INPUT:
            fixed.append(False)
        elif b != -1:
            fixed.append(fixed[a] and fixed[b])
        elif a != -1:
            fixed.append(fixed[a])
        else:
            fixed.append(True)
    fate = [0] * len(layers)
    fate[result[output]] = 2
    for i in range(len(layers) - 1, -1, -1):
        if fate[i] and fixed[i]:
            fate[i] = 1
        elif fate[i]:
            for at in (layers[i][1], layers[i][2]):
                if at != -1:
                    fate[result[at]] = 2
    return np.array(result), np.array(fate)


@right("recursive")
def clean_graph(layers, output):
    n = len(layers)
    stands_for = np.arange(n)
    first_with = {}
    for i in range(n):
        kind, a, b = (int(number) for number in layers[i, :3])
        a = int(stands_for[a]) if a >= 0 else a
        b = int(stands_for[b]) if b >= 0 else b
        rest = tuple(layers[i, 3:])
        if kind == IDENTITY:
            stands_for[i] = a
        elif kind == RELU and layers[a, KIND] == RELU:
            stands_for[i] = a
        elif (kind, a, b, rest) in first_with:
            stands_for[i] = first_with[kind, a, b, rest]
        else:
            first_with[kind, a, b, rest] = i

    known = {}

    def is_constant(i):
        if i not in known:
            operands = [at for at in layers[i, 1:3] if at >= 0]
            known[i] = layers[i, KIND] != INPUT and all(is_constant(at) for at in operands)
        return known[i]

    fate = np.zeros(n, int)

    def visit(i):
        i = stands_for[i]
        if fate[i] == 0:
            fate[i] = 1 if is_constant(i) else 2
            if fate[i] == 2:
                for at in layers[i, 1:3]:
                    if at >= 0:
                        visit(at)

    visit(output)
    return stands_for, fate


@right("until_nothing_changes")
def clean_graph(layers, output):
    n = len(layers)
    stands_for = np.arange(n)
    while True:
        before = stands_for.copy()
        rows = layers.copy()
        for column in (1, 2):
            has = rows[:, column] >= 0
            rows[has, column] = stands_for[rows[has, column]]
        for i in range(n):
            source = rows[i, 1]
            if rows[i, 0] == IDENTITY or rows[i, 0] == RELU and rows[source, 0] == RELU:
                stands_for[i] = stands_for[source]
            else:
                stands_for[i] = np.flatnonzero((rows == rows[i]).all(axis=1))[0]
        if np.array_equal(before, stands_for):
            break
    constant = rows[:, 0] == CONSTANT
    for i in range(n):
        if rows[i, 0] not in (INPUT, CONSTANT):
            constant[i] = all(constant[at] for at in rows[i, 1:3] if at != -1)
    fate = np.zeros(n, np.int64)
    fate[stands_for[output]] = 9
    for i in range(n - 1, -1, -1):
        if fate[i] == 9:
            fate[i] = 1 if constant[i] else 2
            for at in rows[i, 1:3]:
                if at != -1 and not constant[i]:
                    fate[at] = 9
    return stands_for, fate


@right("sets_for_both_passes")
def clean_graph(layers, output):
    stands_for, numbered, fixed = {-1: -1}, {}, {-1}
    for i, (kind, a, b, *rest) in enumerate(map(tuple, layers.tolist())):
        a, b = stands_for[a], stands_for[b]
        nothing = kind == IDENTITY or (kind == RELU and int(layers[a][0]) == RELU)
        if nothing:
            stands_for[i] = a
        else:
            numbered.setdefault((kind, a, b, tuple(rest)), i)
            stands_for[i] = numbered[kind, a, b, tuple(rest)]
        if kind != INPUT and a in fixed and b in fixed:
            fixed.add(i)
    alive, border = set(), {stands_for[output]}
    while border:
        alive |= border
        border = {stands_for[int(at)] for i in border - fixed for at in layers[i, 1:3]} - alive - {-1}
    n = len(layers)
    fate = np.array([(1 if i in fixed else 2) if i in alive else 0 for i in range(n)])
    return np.array([stands_for[i] for i in range(n)]), fate


@right("constants_from_the_input_on")
def clean_graph(layers, output):
    n_layers = layers.shape[0]
    stands_for = np.zeros(n_layers, dtype=np.int64)
    varies = np.zeros(n_layers + 1, dtype=bool)  # the last one for "no operand"
    keys = []
    for i in range(n_layers):
        kind, a, b = layers[i, :3]
        if a >= 0:
            a = stands_for[a]
        if b >= 0:
            b = stands_for[b]
        varies[i] = kind == INPUT or varies[a] or varies[b]
        key = (kind, a, b) + tuple(layers[i, 3:])
        stands_for[i] = keys.index(key) if key in keys else i
        keys.append(key)
        if kind == IDENTITY:
            stands_for[i] = a
        if kind == RELU:
            if layers[a, 0] == RELU:
                stands_for[i] = a
    read = np.zeros(n_layers, dtype=bool)
    read[stands_for[output]] = True
    for i in np.arange(n_layers)[::-1]:
        if read[i] and varies[i]:
            for at in layers[i, 1:3]:
                if at >= 0:
                    read[stands_for[at]] = True
    return stands_for, np.where(read, np.where(varies[:n_layers], 2, 1), 0)


@wrong("identities_stay", misconception="identity_kept", says="should stand for its operand")
def clean_graph(layers, output):
    n_layers, seen = len(layers), {}
    stands_for, constant, fate = np.arange(n_layers), np.zeros(n_layers, bool), np.zeros(n_layers, int)
    for i, layer in enumerate(layers.tolist()):
        kind, reads = layer[KIND], [int(stands_for[at]) for at in layer[1:3] if at >= 0]
        stands_for[i] = seen.setdefault((kind, *reads, *layer[3:]), i)
        if kind == RELU and layers[reads[0], KIND] == RELU:
            stands_for[i] = reads[0]
        constant[i] = kind == CONSTANT or kind != INPUT and all(constant[at] for at in reads)
    needed = {int(stands_for[output])}
    for i in reversed(range(n_layers)):
        if i in needed:
            fate[i] = 1 if constant[i] else 2
            if not constant[i]:
                needed |= {int(stands_for[at]) for at in layers[i, 1:3] if at >= 0}
    return stands_for, fate


@wrong("relus_stay", misconception="second_relu_kept", says="nothing below 0 is left")
def clean_graph(layers, output):
    n_layers, seen = len(layers), {}
    stands_for, constant, fate = np.arange(n_layers), np.zeros(n_layers, bool), np.zeros(n_layers, int)
    for i, layer in enumerate(layers.tolist()):
        kind, reads = layer[KIND], [int(stands_for[at]) for at in layer[1:3] if at >= 0]
        stands_for[i] = seen.setdefault((kind, *reads, *layer[3:]), i)
        if kind == IDENTITY:
            stands_for[i] = reads[0]
        constant[i] = kind == CONSTANT or kind != INPUT and all(constant[at] for at in reads)
    needed = {int(stands_for[output])}
    for i in reversed(range(n_layers)):
        if i in needed:
            fate[i] = 1 if constant[i] else 2
            if not constant[i]:
                needed |= {int(stands_for[at]) for at in layers[i, 1:3] if at >= 0}
    return stands_for, fate


@wrong("relus_go", misconception="every_relu_dropped", says="only the ReLU of a ReLU")
def clean_graph(layers, output):
    n_layers, seen = len(layers), {}
    stands_for, constant, fate = np.arange(n_layers), np.zeros(n_layers, bool), np.zeros(n_layers, int)
    for i, layer in enumerate(layers.tolist()):
        kind, reads = layer[KIND], [int(stands_for[at]) for at in layer[1:3] if at >= 0]
        stands_for[i] = seen.setdefault((kind, *reads, *layer[3:]), i)
        if kind in (IDENTITY, RELU):
            stands_for[i] = reads[0]
        constant[i] = kind == CONSTANT or kind != INPUT and all(constant[at] for at in reads)
    needed = {int(stands_for[output])}
    for i in reversed(range(n_layers)):
        if i in needed:
            fate[i] = 1 if constant[i] else 2
            if not constant[i]:
                needed |= {int(stands_for[at]) for at in layers[i, 1:3] if at >= 0}
    return stands_for, fate


@wrong("nothing_is_looked_up", misconception="twins_kept", says="there twice")
def clean_graph(layers, output):
    n_layers, _seen = len(layers), {}
    stands_for, constant, fate = np.arange(n_layers), np.zeros(n_layers, bool), np.zeros(n_layers, int)
    for i, layer in enumerate(layers.tolist()):
        kind, reads = layer[KIND], [int(stands_for[at]) for at in layer[1:3] if at >= 0]
        stands_for[i] = i
        if kind == IDENTITY or kind == RELU and layers[reads[0], KIND] == RELU:
            stands_for[i] = reads[0]
        constant[i] = kind == CONSTANT or kind != INPUT and all(constant[at] for at in reads)
    needed = {int(stands_for[output])}
    for i in reversed(range(n_layers)):
        if i in needed:
            fate[i] = 1 if constant[i] else 2
            if not constant[i]:
                needed |= {int(stands_for[at]) for at in layers[i, 1:3] if at >= 0}
    return stands_for, fate


@wrong("rows_as_they_stand", misconception="compared_too_early", says="once the operands are replaced")
def clean_graph(layers, output):
    n_layers, seen = len(layers), {}
    stands_for, constant, fate = np.arange(n_layers), np.zeros(n_layers, bool), np.zeros(n_layers, int)
    for i, layer in enumerate(layers.tolist()):
        kind, reads = layer[KIND], [int(stands_for[at]) for at in layer[1:3] if at >= 0]
        stands_for[i] = seen.setdefault(tuple(layer), i)
        if kind == IDENTITY or kind == RELU and layers[reads[0], KIND] == RELU:
            stands_for[i] = reads[0]
        constant[i] = kind == CONSTANT or kind != INPUT and all(constant[at] for at in reads)
    needed = {int(stands_for[output])}
    for i in reversed(range(n_layers)):
        if i in needed:
            fate[i] = 1 if constant[i] else 2
            if not constant[i]:
                needed |= {int(stands_for[at]) for at in layers[i, 1:3] if at >= 0}
    return stands_for, fate


@wrong("relu_of_the_tables_operand", misconception="relu_of_table", says="after an identity")
def clean_graph(layers, output):
    n_layers, seen = len(layers), {}
    stands_for, constant, fate = np.arange(n_layers), np.zeros(n_layers, bool), np.zeros(n_layers, int)
    for i, layer in enumerate(layers.tolist()):
        kind, reads = layer[KIND], [int(stands_for[at]) for at in layer[1:3] if at >= 0]
        stands_for[i] = seen.setdefault((kind, *reads, *layer[3:]), i)
        if kind == IDENTITY or kind == RELU and layers[layer[1], KIND] == RELU:
            stands_for[i] = reads[0]
        constant[i] = kind == CONSTANT or kind != INPUT and all(constant[at] for at in reads)
    needed = {int(stands_for[output])}
    for i in reversed(range(n_layers)):
        if i in needed:
            fate[i] = 1 if constant[i] else 2
            if not constant[i]:
                needed |= {int(stands_for[at]) for at in layers[i, 1:3] if at >= 0}
    return stands_for, fate


@wrong("operands_as_they_stand", misconception="one_step_only", says="what the operand stands for")
def clean_graph(layers, output):
    n_layers, seen = len(layers), {}
    stands_for, constant, fate = np.arange(n_layers), np.zeros(n_layers, bool), np.zeros(n_layers, int)
    for i, layer in enumerate(layers.tolist()):
        kind, reads = layer[KIND], [at for at in layer[1:3] if at >= 0]
        stands_for[i] = seen.setdefault((kind, *(int(stands_for[at]) for at in reads), *layer[3:]), i)
        if kind == IDENTITY or kind == RELU and layers[stands_for[reads[0]], KIND] == RELU:
            stands_for[i] = reads[0]
        constant[i] = kind == CONSTANT or kind != INPUT and all(constant[at] for at in reads)
    needed = {int(stands_for[output])}
    for i in reversed(range(n_layers)):
        if i in needed:
            fate[i] = 1 if constant[i] else 2
            if not constant[i]:
                needed |= {int(stands_for[at]) for at in layers[i, 1:3] if at >= 0}
    return stands_for, fate


@wrong("kinds_and_weights_alone", misconception="operands_not_compared", says="operands belong to the row")
def clean_graph(layers, output):
    n_layers, seen = len(layers), {}
    stands_for, constant, fate = np.arange(n_layers), np.zeros(n_layers, bool), np.zeros(n_layers, int)
    for i, layer in enumerate(layers.tolist()):
        kind, reads = layer[KIND], [int(stands_for[at]) for at in layer[1:3] if at >= 0]
        stands_for[i] = seen.setdefault((kind, *layer[3:]), i)
        if kind == IDENTITY or kind == RELU and layers[reads[0], KIND] == RELU:
            stands_for[i] = reads[0]
        constant[i] = kind == CONSTANT or kind != INPUT and all(constant[at] for at in reads)
    needed = {int(stands_for[output])}
    for i in reversed(range(n_layers)):
        if i in needed:
            fate[i] = 1 if constant[i] else 2
            if not constant[i]:
                needed |= {int(stands_for[at]) for at in layers[i, 1:3] if at >= 0}
    return stands_for, fate


@wrong("kind_and_operands_alone", misconception="weights_not_compared", says="the array's number")
def clean_graph(layers, output):
    n_layers, seen = len(layers), {}
    stands_for, constant, fate = np.arange(n_layers), np.zeros(n_layers, bool), np.zeros(n_layers, int)
    for i, layer in enumerate(layers.tolist()):
        kind, reads = layer[KIND], [int(stands_for[at]) for at in layer[1:3] if at >= 0]
        stands_for[i] = seen.setdefault((kind, *reads, *layer[3:7]), i)
        if kind == IDENTITY or kind == RELU and layers[reads[0], KIND] == RELU:
            stands_for[i] = reads[0]
        constant[i] = kind == CONSTANT or kind != INPUT and all(constant[at] for at in reads)
    needed = {int(stands_for[output])}
    for i in reversed(range(n_layers)):
        if i in needed:
            fate[i] = 1 if constant[i] else 2
            if not constant[i]:
                needed |= {int(stands_for[at]) for at in layers[i, 1:3] if at >= 0}
    return stands_for, fate


@wrong("only_constants_are_constant", misconception="nothing_folded", says="should be stored")
def clean_graph(layers, output):
    n_layers, seen = len(layers), {}
    stands_for, constant, fate = np.arange(n_layers), np.zeros(n_layers, bool), np.zeros(n_layers, int)
    for i, layer in enumerate(layers.tolist()):
        kind, reads = layer[KIND], [int(stands_for[at]) for at in layer[1:3] if at >= 0]
        stands_for[i] = seen.setdefault((kind, *reads, *layer[3:]), i)
        if kind == IDENTITY or kind == RELU and layers[reads[0], KIND] == RELU:
            stands_for[i] = reads[0]
        constant[i] = kind == CONSTANT
    needed = {int(stands_for[output])}
    for i in reversed(range(n_layers)):
        if i in needed:
            fate[i] = 1 if constant[i] else 2
            if not constant[i]:
                needed |= {int(stands_for[at]) for at in layers[i, 1:3] if at >= 0}
    return stands_for, fate


@wrong("any_constant_operand", misconception="one_constant_is_enough", says="all operands have to be")
def clean_graph(layers, output):
    n_layers, seen = len(layers), {}
    stands_for, constant, fate = np.arange(n_layers), np.zeros(n_layers, bool), np.zeros(n_layers, int)
    for i, layer in enumerate(layers.tolist()):
        kind, reads = layer[KIND], [int(stands_for[at]) for at in layer[1:3] if at >= 0]
        stands_for[i] = seen.setdefault((kind, *reads, *layer[3:]), i)
        if kind == IDENTITY or kind == RELU and layers[reads[0], KIND] == RELU:
            stands_for[i] = reads[0]
        constant[i] = kind == CONSTANT or kind != INPUT and any(constant[at] for at in reads)
    needed = {int(stands_for[output])}
    for i in reversed(range(n_layers)):
        if i in needed:
            fate[i] = 1 if constant[i] else 2
            if not constant[i]:
                needed |= {int(stands_for[at]) for at in layers[i, 1:3] if at >= 0}
    return stands_for, fate


@wrong("constants_go_on_reading", misconception="folded_still_reads", says="nobody reads them")
def clean_graph(layers, output):
    n_layers, seen = len(layers), {}
    stands_for, constant, fate = np.arange(n_layers), np.zeros(n_layers, bool), np.zeros(n_layers, int)
    for i, layer in enumerate(layers.tolist()):
        kind, reads = layer[KIND], [int(stands_for[at]) for at in layer[1:3] if at >= 0]
        stands_for[i] = seen.setdefault((kind, *reads, *layer[3:]), i)
        if kind == IDENTITY or kind == RELU and layers[reads[0], KIND] == RELU:
            stands_for[i] = reads[0]
        constant[i] = kind == CONSTANT or kind != INPUT and all(constant[at] for at in reads)
    needed = {int(stands_for[output])}
    for i in reversed(range(n_layers)):
        if i in needed:
            fate[i] = 1 if constant[i] else 2
            if True:
                needed |= {int(stands_for[at]) for at in layers[i, 1:3] if at >= 0}
    return stands_for, fate


@wrong("nothing_is_dead", misconception="dead_kept", says="backwards from the output")
def clean_graph(layers, output):
    n_layers, seen = len(layers), {}
    stands_for, constant, fate = np.arange(n_layers), np.zeros(n_layers, bool), np.zeros(n_layers, int)
    for i, layer in enumerate(layers.tolist()):
        kind, reads = layer[KIND], [int(stands_for[at]) for at in layer[1:3] if at >= 0]
        stands_for[i] = seen.setdefault((kind, *reads, *layer[3:]), i)
        if kind == IDENTITY or kind == RELU and layers[reads[0], KIND] == RELU:
            stands_for[i] = reads[0]
        constant[i] = kind == CONSTANT or kind != INPUT and all(constant[at] for at in reads)
    needed = {int(stands_for[output])}
    for i in reversed(range(n_layers)):
        if stands_for[i] == i:
            fate[i] = 1 if constant[i] else 2
            if not constant[i]:
                needed |= {int(stands_for[at]) for at in layers[i, 1:3] if at >= 0}
    return stands_for, fate


@wrong("output_as_it_stands", misconception="output_not_replaced", says="the output itself")
def clean_graph(layers, output):
    n_layers, seen = len(layers), {}
    stands_for, constant, fate = np.arange(n_layers), np.zeros(n_layers, bool), np.zeros(n_layers, int)
    for i, layer in enumerate(layers.tolist()):
        kind, reads = layer[KIND], [int(stands_for[at]) for at in layer[1:3] if at >= 0]
        stands_for[i] = seen.setdefault((kind, *reads, *layer[3:]), i)
        if kind == IDENTITY or kind == RELU and layers[reads[0], KIND] == RELU:
            stands_for[i] = reads[0]
        constant[i] = kind == CONSTANT or kind != INPUT and all(constant[at] for at in reads)
    needed = {int(output)}
    for i in reversed(range(n_layers)):
        if i in needed:
            fate[i] = 1 if constant[i] else 2
            if not constant[i]:
                needed |= {int(stands_for[at]) for at in layers[i, 1:3] if at >= 0}
    return stands_for, fate


@wrong("no_constant_is_stored", misconception="nothing_folded", says="fate 1")
def clean_graph(layers, output):
    n_layers, seen = len(layers), {}
    stands_for, constant, fate = np.arange(n_layers), np.zeros(n_layers, bool), np.zeros(n_layers, int)
    for i, layer in enumerate(layers.tolist()):
        kind, reads = layer[KIND], [int(stands_for[at]) for at in layer[1:3] if at >= 0]
        stands_for[i] = seen.setdefault((kind, *reads, *layer[3:]), i)
        if kind == IDENTITY or kind == RELU and layers[reads[0], KIND] == RELU:
            stands_for[i] = reads[0]
        constant[i] = kind == CONSTANT or kind != INPUT and all(constant[at] for at in reads)
    needed = {int(stands_for[output])}
    for i in reversed(range(n_layers)):
        if i in needed:
            fate[i] = 2
            if not constant[i]:
                needed |= {int(stands_for[at]) for at in layers[i, 1:3] if at >= 0}
    return stands_for, fate


@wrong("fate_first", misconception="results_exchanged", says="stands_for comes first")
def clean_graph(layers, output):
    n_layers, seen = len(layers), {}
    stands_for, constant, fate = np.arange(n_layers), np.zeros(n_layers, bool), np.zeros(n_layers, int)
    for i, layer in enumerate(layers.tolist()):
        kind, reads = layer[KIND], [int(stands_for[at]) for at in layer[1:3] if at >= 0]
        stands_for[i] = seen.setdefault((kind, *reads, *layer[3:]), i)
        if kind == IDENTITY or kind == RELU and layers[reads[0], KIND] == RELU:
            stands_for[i] = reads[0]
        constant[i] = kind == CONSTANT or kind != INPUT and all(constant[at] for at in reads)
    needed = {int(stands_for[output])}
    for i in reversed(range(n_layers)):
        if i in needed:
            fate[i] = 1 if constant[i] else 2
            if not constant[i]:
                needed |= {int(stands_for[at]) for at in layers[i, 1:3] if at >= 0}
    return fate, stands_for


@wrong("one_and_two_exchanged", misconception="fates_exchanged", says="1 is stored, 2 runs")
def clean_graph(layers, output):
    n_layers, seen = len(layers), {}
    stands_for, constant, fate = np.arange(n_layers), np.zeros(n_layers, bool), np.zeros(n_layers, int)
    for i, layer in enumerate(layers.tolist()):
        kind, reads = layer[KIND], [int(stands_for[at]) for at in layer[1:3] if at >= 0]
        stands_for[i] = seen.setdefault((kind, *reads, *layer[3:]), i)
        if kind == IDENTITY or kind == RELU and layers[reads[0], KIND] == RELU:
            stands_for[i] = reads[0]
        constant[i] = kind == CONSTANT or kind != INPUT and all(constant[at] for at in reads)
    needed = {int(stands_for[output])}
    for i in reversed(range(n_layers)):
        if i in needed:
            fate[i] = 2 if constant[i] else 1
            if not constant[i]:
                needed |= {int(stands_for[at]) for at in layers[i, 1:3] if at >= 0}
    return stands_for, fate


@wrong("forgets_to_replace_what_is_needed", misconception="replaced_ones_needed", says="what its operands stand for")
def clean_graph(layers, output):
    n_layers, seen = len(layers), {}
    stands_for, constant, fate = np.arange(n_layers), np.zeros(n_layers, bool), np.zeros(n_layers, int)
    for i, layer in enumerate(layers.tolist()):
        kind, reads = layer[KIND], [int(stands_for[at]) for at in layer[1:3] if at >= 0]
        stands_for[i] = seen.setdefault((kind, *reads, *layer[3:]), i)
        if kind == IDENTITY or kind == RELU and layers[reads[0], KIND] == RELU:
            stands_for[i] = reads[0]
        constant[i] = kind == CONSTANT or kind != INPUT and all(constant[at] for at in reads)
    needed = {int(stands_for[output])}
    for i in reversed(range(n_layers)):
        if i in needed:
            fate[i] = 1 if constant[i] else 2
            if not constant[i]:
                needed |= {int(at) for at in layers[i, 1:3] if at >= 0}
    return stands_for, fate


@wrong("an_input_is_a_constant", misconception="input_folded", says="the input changes")
def clean_graph(layers, output):
    n_layers, seen = len(layers), {}
    stands_for, constant, fate = np.arange(n_layers), np.zeros(n_layers, bool), np.zeros(n_layers, int)
    for i, layer in enumerate(layers.tolist()):
        kind, reads = layer[KIND], [int(stands_for[at]) for at in layer[1:3] if at >= 0]
        stands_for[i] = seen.setdefault((kind, *reads, *layer[3:]), i)
        if kind == IDENTITY or kind == RELU and layers[reads[0], KIND] == RELU:
            stands_for[i] = reads[0]
        constant[i] = all(constant[at] for at in reads)
    needed = {int(stands_for[output])}
    for i in reversed(range(n_layers)):
        if i in needed:
            fate[i] = 1 if constant[i] else 2
            if not constant[i]:
                needed |= {int(stands_for[at]) for at in layers[i, 1:3] if at >= 0}
    return stands_for, fate


@wrong("replaced_one_level_deep", misconception="wrong_formula", says="stands for")
def clean_graph(layers, output):
    n_layers, seen = len(layers), {}
    first = np.arange(n_layers)
    for i, layer in enumerate(layers.tolist()):
        reads = [at for at in layer[1:3] if at >= 0]
        if layer[KIND] == IDENTITY or (layer[KIND] == RELU and layers[reads[0], KIND] == RELU):
            first[i] = reads[0]
    stands_for = first.copy()
    constant, fate, needed = np.zeros(n_layers, bool), np.zeros(n_layers, int), set()
    for i, layer in enumerate(layers.tolist()):
        kind, reads = layer[KIND], [int(first[at]) for at in layer[1:3] if at >= 0]
        if first[i] == i:
            stands_for[i] = seen.setdefault((kind, *reads, *layer[3:]), i)
        constant[i] = kind == CONSTANT or (kind != INPUT and all(constant[reads]))
    needed.add(int(stands_for[output]))
    for i in reversed(range(n_layers)):
        if i in needed:
            fate[i] = 1 if constant[i] else 2
            if not constant[i]:
                needed.update(int(stands_for[at]) for at in layers[i, 1:3] if at >= 0)
    return stands_for, fate


@wrong("only_what_reads_constants_at_once", misconception="wrong_formula", says="comes from constants alone")
def clean_graph(layers, output):
    n_layers, seen = len(layers), {}
    stands_for, constant = np.arange(n_layers), np.zeros(n_layers, bool)
    fate, needed = np.zeros(n_layers, int), set()
    for i, layer in enumerate(layers.tolist()):
        kind, reads = layer[KIND], [int(stands_for[at]) for at in layer[1:3] if at >= 0]
        stands_for[i] = seen.setdefault((kind, *reads, *layer[3:]), i)
        if kind == IDENTITY or (kind == RELU and layers[reads[0], KIND] == RELU):
            stands_for[i] = reads[0]
        constant[i] = kind == CONSTANT or (kind != INPUT and all(layers[at, KIND] == CONSTANT for at in reads))
    needed.add(int(stands_for[output]))
    for i in reversed(range(n_layers)):
        if i in needed:
            fate[i] = 1 if constant[i] else 2
            if not constant[i]:
                needed.update(int(stands_for[at]) for at in layers[i, 1:3] if at >= 0)
    return stands_for, fate
