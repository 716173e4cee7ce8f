"""Answers to engine_graph.query_key_value."""

from numba import cuda, float32, float64

from autograder.exercises.catalogue import right, wrong


@right("the_array_is_chosen_last")
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    c, r = cuda.grid(2)
    if r >= x.shape[0] or c >= weights.shape[1]:
        return
    total = float32(0)
    for k in range(weights.shape[0]):
        total += weights[k, c] * x[r, k]
    if c < queries.shape[1]:
        queries[r, c] = total
        return
    c -= queries.shape[1]
    if c < keys.shape[1]:
        keys[r, c] = total
    else:
        values[r, c - keys.shape[1]] = total


@right("three_guards")
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    col = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    row = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    if row < queries.shape[0] and col < weights.shape[1]:
        q_end = queries.shape[1]
        k_end = q_end + keys.shape[1]
        acc = float32(0)
        k = 0
        while k < x.shape[1]:
            acc = acc + x[row, k] * weights[k, col]
            k += 1
        if col < q_end:
            queries[row, col] = acc
        if q_end <= col and col < k_end:
            keys[row, col - q_end] = acc
        if col >= k_end:
            values[row, col - k_end] = acc


@right("x_in_shared_memory")
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    tile = cuda.shared.array((8, 32), float32)
    col, row = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    n_in = x.shape[1]
    acc = float32(0)
    for first in range(0, n_in, 32):
        inside = row < x.shape[0] and first + tx < n_in
        tile[ty, tx] = x[row, first + tx] if inside else float32(0)
        cuda.syncthreads()
        if col < weights.shape[1]:
            for k in range(min(32, n_in - first)):
                acc += tile[ty, k] * weights[first + k, col]
        cuda.syncthreads()
    if row < x.shape[0] and col < weights.shape[1]:
        first_key, first_value = queries.shape[1], queries.shape[1] + keys.shape[1]
        if col >= first_value:
            values[row, col - first_value] = acc
        elif col >= first_key:
            keys[row, col - first_key] = acc
        else:
            queries[row, col] = acc


@cuda.jit(device=True)
def product(x, weights, row, col):
    acc = float32(0)
    for k in range(x.shape[1]):
        acc += x[row, k] * weights[k, col]
    return acc


@right("a_device_function_multiplies")
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    col, row = cuda.grid(2)
    n_query, n_key = queries.shape[1], values.shape[1]
    if row < x.shape[0]:
        if col < n_query:
            queries[row, col] = product(x, weights, row, col)
        elif col < n_query + n_key:
            keys[row, col - n_query] = product(x, weights, row, col)
        elif col < n_query + 2 * n_key:
            values[row, col - n_query - n_key] = product(x, weights, row, col)


@right("grid_stride_both_ways")
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    first_col, first_row = cuda.grid(2)
    step_col, step_row = cuda.gridsize(2)
    for row in range(first_row, x.shape[0], step_row):
        for col in range(first_col, weights.shape[1], step_col):
            acc = float32(0)
            for k in range(x.shape[1]):
                acc += x[row, k] * weights[k, col]
            at = col
            if at < queries.shape[1]:
                queries[row, at] = acc
            else:
                at -= queries.shape[1]
                if at < keys.shape[1]:
                    keys[row, at] = acc
                else:
                    values[row, at - keys.shape[1]] = acc


@right("rows_of_x_as_views")
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    col, row = cuda.grid(2)
    if row < x.shape[0] and col < weights.shape[1]:
        inputs, column = x[row], weights[:, col]
        acc = float32(0)
        for k in range(inputs.size):
            acc += inputs[k] * column[k]
        part, at = 0, col
        if at >= queries.shape[1]:
            part, at = 1, at - queries.shape[1]
            if at >= keys.shape[1]:
                part, at = 2, at - keys.shape[1]
        if part == 0:
            queries[row, at] = acc
        elif part == 1:
            keys[row, at] = acc
        else:
            values[row, at] = acc


@wrong("no_guard_for_rows", misconception="no_guard", says="outside")
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    col, row = cuda.grid(2)
    n_query, n_key = queries.shape[1], keys.shape[1]
    if col < weights.shape[1]:
        acc = float32(0)
        for k in range(x.shape[1]):
            acc += x[row, k] * weights[k, col]
        if col < n_query:
            queries[row, col] = acc
        elif col < n_query + n_key:
            keys[row, col - n_query] = acc
        else:
            values[row, col - n_query - n_key] = acc


@wrong("no_guard_for_columns", misconception="no_guard", says="outside")
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    col, row = cuda.grid(2)
    n_query, n_key = queries.shape[1], keys.shape[1]
    if row < x.shape[0]:
        acc = float32(0)
        for k in range(x.shape[1]):
            acc += x[row, k] * weights[k, col]
        if col < n_query:
            queries[row, col] = acc
        elif col < n_query + n_key:
            keys[row, col - n_query] = acc
        else:
            values[row, col - n_query - n_key] = acc


@wrong("columns_of_queries_alone", misconception="store_not_reached", says="no thread comes to")
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    col, row = cuda.grid(2)
    n_query, n_key = queries.shape[1], keys.shape[1]
    if row < x.shape[0] and col < n_query:
        acc = float32(0)
        for k in range(x.shape[1]):
            acc += x[row, k] * weights[k, col]
        if col < n_query:
            queries[row, col] = acc
        elif col < n_query + n_key:
            keys[row, col - n_query] = acc
        else:
            values[row, col - n_query - n_key] = acc


@wrong("keys_not_moved_back", misconception="far_index", says="a guard would leave keys empty")
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    col, row = cuda.grid(2)
    n_query, n_key = queries.shape[1], keys.shape[1]
    if row < x.shape[0] and col < weights.shape[1]:
        acc = float32(0)
        for k in range(x.shape[1]):
            acc += x[row, k] * weights[k, col]
        if col < n_query:
            queries[row, col] = acc
        elif col < n_query + n_key:
            keys[row, col] = acc
        else:
            values[row, col - n_query - n_key] = acc


@wrong("values_moved_back_by_queries_alone", misconception="far_index", says="a guard would leave values empty")
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    col, row = cuda.grid(2)
    n_query, n_key = queries.shape[1], keys.shape[1]
    if row < x.shape[0] and col < weights.shape[1]:
        acc = float32(0)
        for k in range(x.shape[1]):
            acc += x[row, k] * weights[k, col]
        if col < n_query:
            queries[row, col] = acc
        elif col < n_query + n_key:
            keys[row, col - n_query] = acc
        else:
            values[row, col - n_query] = acc


@wrong("values_before_keys", misconception="keys_and_values_exchanged", says="the next n_key columns are keys")
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    col, row = cuda.grid(2)
    n_query, n_key = queries.shape[1], keys.shape[1]
    if row < x.shape[0] and col < weights.shape[1]:
        acc = float32(0)
        for k in range(x.shape[1]):
            acc += x[row, k] * weights[k, col]
        if col < n_query:
            queries[row, col] = acc
        elif col < n_query + n_key:
            values[row, col - n_query] = acc
        else:
            keys[row, col - n_query - n_key] = acc


@wrong("every_other_column", misconception="taking_turns", says="stand together")
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    col, row = cuda.grid(2)
    n_query, _n_key = queries.shape[1], keys.shape[1]
    if row < x.shape[0] and col < weights.shape[1]:
        acc = float32(0)
        for k in range(x.shape[1]):
            acc += x[row, k] * weights[k, col]
        if col < n_query:
            queries[row, col] = acc
        elif (col - n_query) % 2 == 0:
            keys[row, (col - n_query) // 2] = acc
        else:
            values[row, (col - n_query) // 2] = acc


@wrong("assigned_not_added", misconception="last_product", says="add with +=")
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    col, row = cuda.grid(2)
    n_query, n_key = queries.shape[1], keys.shape[1]
    if row < x.shape[0] and col < weights.shape[1]:
        acc = float32(0)
        for k in range(x.shape[1]):
            acc = x[row, k] * weights[k, col]
        if col < n_query:
            queries[row, col] = acc
        elif col < n_query + n_key:
            keys[row, col - n_query] = acc
        else:
            values[row, col - n_query - n_key] = acc


@wrong("leaves_after_one_turn", misconception="habit", says="makes one iteration at most")
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    col, row = cuda.grid(2)
    n_query, n_key = queries.shape[1], keys.shape[1]
    if row < x.shape[0] and col < weights.shape[1]:
        acc = float32(0)
        for k in range(x.shape[1]):
            acc += x[row, k] * weights[k, col]
            break
        if col < n_query:
            queries[row, col] = acc
        elif col < n_query + n_key:
            keys[row, col - n_query] = acc
        else:
            values[row, col - n_query - n_key] = acc


@wrong("sum_begins_anew", misconception="last_product", says="add with +=")
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    col, row = cuda.grid(2)
    n_query, n_key = queries.shape[1], keys.shape[1]
    if row < x.shape[0] and col < weights.shape[1]:
        for k in range(x.shape[1]):
            acc = float32(0)
            acc += x[row, k] * weights[k, col]
        if col < n_query:
            queries[row, col] = acc
        elif col < n_query + n_key:
            keys[row, col - n_query] = acc
        else:
            values[row, col - n_query - n_key] = acc


@wrong("one_turn_counted", misconception="first_product", says="its first product alone")
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    col, row = cuda.grid(2)
    n_query, n_key = queries.shape[1], keys.shape[1]
    if row < x.shape[0] and col < weights.shape[1]:
        acc = float32(0)
        for k in range(1):
            acc += x[row, k] * weights[k, col]
        if col < n_query:
            queries[row, col] = acc
        elif col < n_query + n_key:
            keys[row, col - n_query] = acc
        else:
            values[row, col - n_query - n_key] = acc


@wrong("x_of_row_0", misconception="row_0_for_all", says="row 0")
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    col, row = cuda.grid(2)
    n_query, n_key = queries.shape[1], keys.shape[1]
    if row < x.shape[0] and col < weights.shape[1]:
        acc = float32(0)
        for k in range(x.shape[1]):
            acc += x[0, k] * weights[k, col]
        if col < n_query:
            queries[row, col] = acc
        elif col < n_query + n_key:
            keys[row, col - n_query] = acc
        else:
            values[row, col - n_query - n_key] = acc


@wrong("weights_alone", misconception="x_left_out", says="without x")
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    col, row = cuda.grid(2)
    n_query, n_key = queries.shape[1], keys.shape[1]
    if row < x.shape[0] and col < weights.shape[1]:
        acc = float32(0)
        for k in range(x.shape[1]):
            acc += weights[k, col]
        if col < n_query:
            queries[row, col] = acc
        elif col < n_query + n_key:
            keys[row, col - n_query] = acc
        else:
            values[row, col - n_query - n_key] = acc


@wrong("one_column_too_many_for_queries", misconception="off_by_one", says="outside")
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    col, row = cuda.grid(2)
    n_query, n_key = queries.shape[1], keys.shape[1]
    if row < x.shape[0] and col < weights.shape[1]:
        acc = float32(0)
        for k in range(x.shape[1]):
            acc += x[row, k] * weights[k, col]
        if col <= n_query:
            queries[row, col] = acc
        elif col < n_query + n_key:
            keys[row, col - n_query] = acc
        else:
            values[row, col - n_query - n_key] = acc


@wrong("float64_sum", misconception="float64_arithmetic", says="double precision")
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    col, row = cuda.grid(2)
    n_query, n_key = queries.shape[1], keys.shape[1]
    if row < x.shape[0] and col < weights.shape[1]:
        acc = float64(0)
        for k in range(x.shape[1]):
            acc += x[row, k] * weights[k, col]
        if col < n_query:
            queries[row, col] = acc
        elif col < n_query + n_key:
            keys[row, col - n_query] = acc
        else:
            values[row, col - n_query - n_key] = acc


@wrong("x_and_y_exchanged", misconception="swapped_axes", says="x and y are exchanged")
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    row, col = cuda.grid(2)
    n_query, n_key = queries.shape[1], keys.shape[1]
    if row < x.shape[0] and col < weights.shape[1]:
        acc = float32(0)
        for k in range(x.shape[1]):
            acc += x[row, k] * weights[k, col]
        if col < n_query:
            queries[row, col] = acc
        elif col < n_query + n_key:
            keys[row, col - n_query] = acc
        else:
            values[row, col - n_query - n_key] = acc


@wrong("three_products_by_every_thread", misconception="missing_tail", says="never written")
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    col, row = cuda.grid(2)
    n_query, n_key = queries.shape[1], keys.shape[1]
    if row < x.shape[0] and col < n_query:
        acc = float32(0)
        for k in range(x.shape[1]):
            acc += x[row, k] * weights[k, col]
        queries[row, col] = acc
        if col < n_key:
            a, b = float32(0), float32(0)
            for k in range(x.shape[1]):
                a += x[row, k] * weights[k, n_query + col]
                b += x[row, k] * weights[k, n_query + n_key + col]
            keys[row, col] = a
            values[row, col] = b
