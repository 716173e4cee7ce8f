"""Answers to engine_int8.int8_products."""

from numba import cuda, float32, int8, int16, int32, int64, uint32

from autograder.exercises.catalogue import right, wrong


@cuda.jit(device=True)
def four(a, b):
    total = 0
    for shift in (0, 8, 16, 24):
        total += int8(a >> shift) * int8(b >> shift)
    return total


@right("a_device_function_for_a_pair_of_words")
@cuda.jit
def int8_products(a, b, sums):
    col, row = cuda.grid(2)
    if row >= sums.shape[0] or col >= sums.shape[1]:
        return
    acc = 0
    for w in range(a.shape[1]):
        acc += four(a[row, w], b[w, col])
    sums[row, col] = acc


@right("sign_by_two_shifts")
@cuda.jit
def int8_products(a, b, sums):
    c, r = cuda.grid(2)
    if r < sums.shape[0] and c < sums.shape[1]:
        total = int32(0)
        for w in range(b.shape[0]):
            x, y = a[r, w], b[w, c]
            for j in range(4):
                left = int32(int32(x << (24 - 8 * j)) >> 24)
                right_one = int32(int32(y << (24 - 8 * j)) >> 24)
                total = int32(total + left * right_one)
        sums[r, c] = total


@right("sign_by_arithmetic")
@cuda.jit
def int8_products(a, b, sums):
    col, row = cuda.grid(2)
    if row < sums.shape[0] and col < sums.shape[1]:
        acc = int32(0)
        for w in range(a.shape[1]):
            x, y = a[row, w], b[w, col]
            for j in range(4):
                p = (x >> 8 * j) & 255
                q = (y >> 8 * j) & 255
                if p > 127:
                    p -= 256
                if q > 127:
                    q -= 256
                acc += p * q
        sums[row, col] = acc


@right("four_lines")
@cuda.jit
def int8_products(a, b, sums):
    row = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    col = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if row < a.shape[0] and col < b.shape[1]:
        s = int32(0)
        for w in range(a.shape[1]):
            p, q = a[row, w], b[w, col]
            s += int8(p) * int8(q)
            s += int8(p >> 8) * int8(q >> 8)
            s += int8(p >> 16) * int8(q >> 16)
            s += int8(p >> 24) * int8(q >> 24)
        sums[row, col] = int32(s)


@right("words_used_up_byte_by_byte")
@cuda.jit
def int8_products(a, b, sums):
    col, row = cuda.grid(2)
    if row < sums.shape[0] and col < sums.shape[1]:
        acc = int64(0)
        for w in range(a.shape[1]):
            x, y = int64(a[row, w]), int64(b[w, col])
            for _ in range(4):
                acc += int8(x) * int8(y)
                x >>= 8
                y >>= 8
        sums[row, col] = acc


@right("unsigned_words_from_the_top")
@cuda.jit
def int8_products(a, b, sums):
    col, row = cuda.grid(2)
    if row < sums.shape[0] and col < sums.shape[1]:
        acc = int32(0)
        for w in range(a.shape[1] - 1, -1, -1):
            x, y = uint32(a[row, w]), uint32(b[w, col])
            for shift in (24, 16, 8, 0):
                acc = int32(acc + int32(int8(x >> uint32(shift))) * int32(int8(y >> uint32(shift))))
        sums[row, col] = acc


@right("loads_inside_the_loop_over_steps")
@cuda.jit
def int8_products(a, b, sums):
    col, row = cuda.grid(2)
    if row < sums.shape[0] and col < sums.shape[1]:
        acc = int32(0)
        for w in range(a.shape[1]):
            for j in range(4):
                acc += int8(a[row, w] >> 8 * j) * int8(b[w, col] >> 8 * j)
        sums[row, col] = acc


@wrong("int16_sums", misconception="narrow_sums", says="an int16 ends at")
@cuda.jit
def int8_products(a, b, sums):
    col, row = cuda.grid(2)
    if row < sums.shape[0] and col < sums.shape[1]:
        acc = int16(0)
        for w in range(a.shape[1]):
            x, y = a[row, w], b[w, col]
            for j in range(4):
                acc = int16(acc + int8(x >> 8 * j) * int8(y >> 8 * j))
        sums[row, col] = acc


@wrong("products_of_8_bits", misconception="product_cut", says="8 bits")
@cuda.jit
def int8_products(a, b, sums):
    col, row = cuda.grid(2)
    if row < sums.shape[0] and col < sums.shape[1]:
        acc = int32(0)
        for w in range(a.shape[1]):
            x, y = a[row, w], b[w, col]
            for j in range(4):
                acc += int8(int8(x >> 8 * j) * int8(y >> 8 * j))
        sums[row, col] = acc


@wrong("float32_sums", misconception="float_index", says="16,777,216")
@cuda.jit
def int8_products(a, b, sums):
    col, row = cuda.grid(2)
    if row < sums.shape[0] and col < sums.shape[1]:
        acc = float32(0)
        for w in range(a.shape[1]):
            x, y = a[row, w], b[w, col]
            for j in range(4):
                acc += float32(int8(x >> 8 * j)) * float32(int8(y >> 8 * j))
        sums[row, col] = int32(acc)


@wrong("float_sums_creep", misconception="float64_arithmetic", says="double precision")
@cuda.jit
def int8_products(a, b, sums):
    col, row = cuda.grid(2)
    if row < sums.shape[0] and col < sums.shape[1]:
        acc = float32(0)
        for w in range(a.shape[1]):
            x, y = a[row, w], b[w, col]
            for j in range(4):
                acc += int8(x >> 8 * j) * int8(y >> 8 * j)
        sums[row, col] = int32(acc)


@wrong("no_sign", misconception="without_sign", says="256 more")
@cuda.jit
def int8_products(a, b, sums):
    col, row = cuda.grid(2)
    if row < sums.shape[0] and col < sums.shape[1]:
        acc = int32(0)
        for w in range(a.shape[1]):
            x, y = a[row, w], b[w, col]
            for j in range(4):
                acc += (x >> 8 * j & 255) * (y >> 8 * j & 255)
        sums[row, col] = acc


@wrong("one_step_per_word", misconception="one_of_four", says="a word holds four")
@cuda.jit
def int8_products(a, b, sums):
    col, row = cuda.grid(2)
    if row < sums.shape[0] and col < sums.shape[1]:
        acc = int32(0)
        for w in range(a.shape[1]):
            x, y = a[row, w], b[w, col]
            acc += int8(x) * int8(y)
        sums[row, col] = acc


@wrong("words_as_factors", misconception="words_multiplied", says="whole words")
@cuda.jit
def int8_products(a, b, sums):
    col, row = cuda.grid(2)
    if row < sums.shape[0] and col < sums.shape[1]:
        acc = int32(0)
        for w in range(a.shape[1]):
            x, y = a[row, w], b[w, col]
            acc += x * y
        sums[row, col] = acc


@wrong("b_from_the_other_end", misconception="bytes_turned", says="opposite order")
@cuda.jit
def int8_products(a, b, sums):
    col, row = cuda.grid(2)
    if row < sums.shape[0] and col < sums.shape[1]:
        acc = int32(0)
        for w in range(a.shape[1]):
            x, y = a[row, w], b[w, col]
            for j in range(4):
                acc += int8(x >> 8 * j) * int8(y >> (24 - 8 * j))
        sums[row, col] = acc


@wrong("assigned_not_added", misconception="last_product", says="add with +=")
@cuda.jit
def int8_products(a, b, sums):
    col, row = cuda.grid(2)
    if row < sums.shape[0] and col < sums.shape[1]:
        acc = int32(0)
        for w in range(a.shape[1]):
            x, y = a[row, w], b[w, col]
            for j in range(4):
                acc = int8(x >> 8 * j) * int8(y >> 8 * j)
        sums[row, col] = acc


@wrong("begins_anew", misconception="last_product", says="of its last word alone")
@cuda.jit
def int8_products(a, b, sums):
    col, row = cuda.grid(2)
    if row < sums.shape[0] and col < sums.shape[1]:
        for w in range(a.shape[1]):
            acc = int32(0)
            x, y = a[row, w], b[w, col]
            for j in range(4):
                acc += int8(x >> 8 * j) * int8(y >> 8 * j)
        sums[row, col] = acc


@wrong("no_guard_on_rows", misconception="no_guard", says="outside")
@cuda.jit
def int8_products(a, b, sums):
    col, row = cuda.grid(2)
    if col < sums.shape[1]:
        acc = int32(0)
        for w in range(a.shape[1]):
            x, y = a[row, w], b[w, col]
            for j in range(4):
                acc += int8(x >> 8 * j) * int8(y >> 8 * j)
        sums[row, col] = acc


@wrong("shifted_by_j", misconception="shifted_by_bits", says="8 bits")
@cuda.jit
def int8_products(a, b, sums):
    col, row = cuda.grid(2)
    if row < sums.shape[0] and col < sums.shape[1]:
        acc = int32(0)
        for w in range(a.shape[1]):
            x, y = a[row, w], b[w, col]
            for j in range(4):
                acc += int8(x >> j) * int8(y >> j)
        sums[row, col] = acc


@wrong("steps_counted_as_words", misconception="off_by_one", says="outside")
@cuda.jit
def int8_products(a, b, sums):
    col, row = cuda.grid(2)
    if row < sums.shape[0] and col < sums.shape[1]:
        acc = int32(0)
        for k in range(4 * a.shape[1]):
            x = int8(a[row, k] >> 8 * (k % 4))
            y = int8(b[k, col] >> 8 * (k % 4))
            acc += x * y
        sums[row, col] = acc


@wrong("sign_from_129_on", misconception="without_sign", says="-128 counts as 128")
@cuda.jit
def int8_products(a, b, sums):
    col, row = cuda.grid(2)
    if row < sums.shape[0] and col < sums.shape[1]:
        acc = int32(0)
        for w in range(a.shape[1]):
            x, y = a[row, w], b[w, col]
            for j in range(4):
                u = (x >> 8 * j) & 255
                v = (y >> 8 * j) & 255
                acc += (u - 256 if u > 128 else u) * (v - 256 if v > 128 else v)
        sums[row, col] = acc


@wrong("b_not_shifted", misconception="one_side_not_shifted", says="first step of b")
@cuda.jit
def int8_products(a, b, sums):
    col, row = cuda.grid(2)
    if row < sums.shape[0] and col < sums.shape[1]:
        acc = int32(0)
        for w in range(a.shape[1]):
            x, y = a[row, w], b[w, col]
            for j in range(4):
                acc += int8(x >> 8 * j) * int8(y)
        sums[row, col] = acc


@wrong("a_not_shifted", misconception="one_side_not_shifted", says="first step of a")
@cuda.jit
def int8_products(a, b, sums):
    col, row = cuda.grid(2)
    if row < sums.shape[0] and col < sums.shape[1]:
        acc = int32(0)
        for w in range(a.shape[1]):
            x, y = a[row, w], b[w, col]
            for j in range(4):
                acc += int8(x) * int8(y >> 8 * j)
        sums[row, col] = acc
