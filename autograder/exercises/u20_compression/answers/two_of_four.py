"""Answers to compression.two_of_four."""

from numba import cuda, float32, int32

from autograder.exercises.catalogue import right, wrong


@cuda.jit(device=True)
def gathered(pair, four):
    """The word that eight lanes have the bits of."""
    word = int32(pair << 4 * (four % 8))
    word |= cuda.shfl_xor_sync(-1, word, 1)
    word |= cuda.shfl_xor_sync(-1, word, 2)
    return word | cuda.shfl_xor_sync(-1, word, 4)


@right("largest_then_second_largest")
@cuda.jit
def two_of_four(weights, packed, places):
    i = cuda.grid(1)
    per_row = weights.shape[1] // 4
    row, four = i // per_row, i % per_row
    pair = 0
    if row < weights.shape[0]:
        best, most = 0, float32(-1)
        for j in range(4):
            x = abs(float32(weights[row, 4 * four + j]))
            if x > most:
                best, most = j, x
        other, most = 0, float32(-1)
        for j in range(4):
            x = abs(float32(weights[row, 4 * four + j]))
            if j != best and x > most:
                other, most = j, x
        first, second = min(best, other), max(best, other)
        packed[row, 2 * four] = weights[row, 4 * four + first]
        packed[row, 2 * four + 1] = weights[row, 4 * four + second]
        pair = first | second << 2
    word = gathered(pair, four)
    if row < weights.shape[0] and four % 8 == 0:
        places[four // 8, row] = word


@right("counters_of_those_that_stay")
@cuda.jit
def two_of_four(weights, packed, places):
    i = cuda.grid(1)
    per_row = weights.shape[1] // 4
    row, four = i // per_row, i % per_row
    there = row < weights.shape[0]
    pair, n = int32(0), 0
    x = cuda.local.array(4, float32)
    if there:
        for j in range(4):
            x[j] = abs(float32(weights[row, 4 * four + j]))
        for j in range(4):
            beaten = 0
            for k in range(4):
                if x[k] > x[j] or (x[k] == x[j] and k < j):
                    beaten += 1
            if beaten < 2:
                packed[row, 2 * four + n] = weights[row, 4 * four + j]
                pair |= int32(j << 2 * n)
                n += 1
    word = gathered(pair, four)
    if there and cuda.threadIdx.x % 8 == 0:
        places[four // 8, row] = word


@right("shuffles_down")
@cuda.jit
def two_of_four(weights, packed, places):
    i = cuda.grid(1)
    n_fours = weights.size // 4
    j = min(i, n_fours - 1)
    per_row = weights.shape[1] // 4
    row, four = j // per_row, j % per_row
    w0, w1 = weights[row, 4 * four], weights[row, 4 * four + 1]
    w2, w3 = weights[row, 4 * four + 2], weights[row, 4 * four + 3]
    x0, x1, x2, x3 = abs(float32(w0)), abs(float32(w1)), abs(float32(w2)), abs(float32(w3))
    a = 0 if x0 >= x1 else 1
    b = 2 if x2 >= x3 else 3
    left, right_ = max(x0, x1), max(x2, x3)
    less_left, less_right = min(x0, x1), min(x2, x3)
    first, second = a, b
    if less_left >= right_:
        first, second = 0, 1
    elif less_right > left:
        first, second = 2, 3
    if i < n_fours:
        packed[row, 2 * four] = w0 if first == 0 else (w1 if first == 1 else w2)
        packed[row, 2 * four + 1] = w3 if second == 3 else (w2 if second == 2 else w1)
    word = int32((first | second << 2) << 4 * (four % 8))
    for d in (4, 2, 1):
        word |= cuda.shfl_down_sync(-1, word, d)
    if i < n_fours and four % 8 == 0:
        places[four // 8, row] = word


@right("bits_in_shared_memory")
@cuda.jit
def two_of_four(weights, packed, places):
    pairs = cuda.shared.array(256, int32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    per_row = weights.shape[1] // 4
    row, four = i // per_row, i % per_row
    pairs[t] = 0
    if row < weights.shape[0]:
        best, other = 0, 1
        most, next_most = abs(float32(weights[row, 4 * four])), abs(float32(weights[row, 4 * four + 1]))
        if next_most > most:
            best, other, most, next_most = 1, 0, next_most, most
        for j in (2, 3):
            x = abs(float32(weights[row, 4 * four + j]))
            if x > most:
                best, other, most, next_most = j, best, x, most
            elif x > next_most:
                other, next_most = j, x
        first, second = min(best, other), max(best, other)
        packed[row, 2 * four] = weights[row, 4 * four + first]
        packed[row, 2 * four + 1] = weights[row, 4 * four + second]
        pairs[t] = first | second << 2
    cuda.syncthreads()
    if row < weights.shape[0] and four % 8 == 0:
        word = int32(0)
        for j in range(8):
            word |= int32(pairs[t + j] << 4 * j)
        places[four // 8, row] = word


@wrong("last_of_equal_ones", misconception="ties_to_the_last", says="the first do")
@cuda.jit
def two_of_four(weights, packed, places):
    i = cuda.grid(1)
    per_row = weights.shape[1] // 4
    row, four = i // per_row, i % per_row
    pair = int32(0)
    if row < weights.shape[0]:
        w0, w1 = weights[row, 4 * four], weights[row, 4 * four + 1]
        w2, w3 = weights[row, 4 * four + 2], weights[row, 4 * four + 3]
        x0, x1, x2, x3 = abs(float32(w0)), abs(float32(w1)), abs(float32(w2)), abs(float32(w3))
        stays0 = int32(x1 >= x0) + int32(x2 >= x0) + int32(x3 >= x0) < 2
        stays1 = int32(x0 > x1) + int32(x2 >= x1) + int32(x3 >= x1) < 2
        stays2 = int32(x0 > x2) + int32(x1 > x2) + int32(x3 >= x2) < 2
        stays3 = int32(x0 > x3) + int32(x1 > x3) + int32(x2 > x3) < 2
        first = 0 if stays0 else (1 if stays1 else 2)
        second = 3 if stays3 else (2 if stays2 else 1)
        packed[row, 2 * four] = w0 if stays0 else (w1 if stays1 else w2)
        packed[row, 2 * four + 1] = w3 if stays3 else (w2 if stays2 else w1)
        pair = int32(first | second << 2)
    word = int32(pair << 4 * (four % 8))
    d = 1
    while d < 8:
        word |= cuda.shfl_xor_sync(-1, word, d)
        d *= 2
    if row < weights.shape[0] and four % 8 == 0:
        places[four // 8, row] = word


@wrong("numbers_in_place_of_magnitudes", misconception="sign_counted", says="compare magnitudes")
@cuda.jit
def two_of_four(weights, packed, places):
    i = cuda.grid(1)
    per_row = weights.shape[1] // 4
    row, four = i // per_row, i % per_row
    pair = int32(0)
    if row < weights.shape[0]:
        w0, w1 = weights[row, 4 * four], weights[row, 4 * four + 1]
        w2, w3 = weights[row, 4 * four + 2], weights[row, 4 * four + 3]
        x0, x1, x2, x3 = float32(w0), float32(w1), float32(w2), float32(w3)
        stays0 = int32(x1 > x0) + int32(x2 > x0) + int32(x3 > x0) < 2
        stays1 = int32(x0 >= x1) + int32(x2 > x1) + int32(x3 > x1) < 2
        stays2 = int32(x0 >= x2) + int32(x1 >= x2) + int32(x3 > x2) < 2
        stays3 = int32(x0 >= x3) + int32(x1 >= x3) + int32(x2 >= x3) < 2
        first = 0 if stays0 else (1 if stays1 else 2)
        second = 3 if stays3 else (2 if stays2 else 1)
        packed[row, 2 * four] = w0 if stays0 else (w1 if stays1 else w2)
        packed[row, 2 * four + 1] = w3 if stays3 else (w2 if stays2 else w1)
        pair = int32(first | second << 2)
    word = int32(pair << 4 * (four % 8))
    d = 1
    while d < 8:
        word |= cuda.shfl_xor_sync(-1, word, d)
        d *= 2
    if row < weights.shape[0] and four % 8 == 0:
        places[four // 8, row] = word


@wrong("smallest_two", misconception="smallest_kept", says="take the two largest")
@cuda.jit
def two_of_four(weights, packed, places):
    i = cuda.grid(1)
    per_row = weights.shape[1] // 4
    row, four = i // per_row, i % per_row
    pair = int32(0)
    if row < weights.shape[0]:
        w0, w1 = weights[row, 4 * four], weights[row, 4 * four + 1]
        w2, w3 = weights[row, 4 * four + 2], weights[row, 4 * four + 3]
        x0, x1, x2, x3 = -abs(float32(w0)), -abs(float32(w1)), -abs(float32(w2)), -abs(float32(w3))
        stays0 = int32(x1 > x0) + int32(x2 > x0) + int32(x3 > x0) < 2
        stays1 = int32(x0 >= x1) + int32(x2 > x1) + int32(x3 > x1) < 2
        stays2 = int32(x0 >= x2) + int32(x1 >= x2) + int32(x3 > x2) < 2
        stays3 = int32(x0 >= x3) + int32(x1 >= x3) + int32(x2 >= x3) < 2
        first = 0 if stays0 else (1 if stays1 else 2)
        second = 3 if stays3 else (2 if stays2 else 1)
        packed[row, 2 * four] = w0 if stays0 else (w1 if stays1 else w2)
        packed[row, 2 * four + 1] = w3 if stays3 else (w2 if stays2 else w1)
        pair = int32(first | second << 2)
    word = int32(pair << 4 * (four % 8))
    d = 1
    while d < 8:
        word |= cuda.shfl_xor_sync(-1, word, d)
        d *= 2
    if row < weights.shape[0] and four % 8 == 0:
        places[four // 8, row] = word


@wrong("places_the_other_way_round", misconception="places_exchanged", says="in the lower two bits")
@cuda.jit
def two_of_four(weights, packed, places):
    i = cuda.grid(1)
    per_row = weights.shape[1] // 4
    row, four = i // per_row, i % per_row
    pair = int32(0)
    if row < weights.shape[0]:
        w0, w1 = weights[row, 4 * four], weights[row, 4 * four + 1]
        w2, w3 = weights[row, 4 * four + 2], weights[row, 4 * four + 3]
        x0, x1, x2, x3 = abs(float32(w0)), abs(float32(w1)), abs(float32(w2)), abs(float32(w3))
        stays0 = int32(x1 > x0) + int32(x2 > x0) + int32(x3 > x0) < 2
        stays1 = int32(x0 >= x1) + int32(x2 > x1) + int32(x3 > x1) < 2
        stays2 = int32(x0 >= x2) + int32(x1 >= x2) + int32(x3 > x2) < 2
        stays3 = int32(x0 >= x3) + int32(x1 >= x3) + int32(x2 >= x3) < 2
        first = 0 if stays0 else (1 if stays1 else 2)
        second = 3 if stays3 else (2 if stays2 else 1)
        packed[row, 2 * four] = w0 if stays0 else (w1 if stays1 else w2)
        packed[row, 2 * four + 1] = w3 if stays3 else (w2 if stays2 else w1)
        pair = int32(second | first << 2)
    word = int32(pair << 4 * (four % 8))
    d = 1
    while d < 8:
        word |= cuda.shfl_xor_sync(-1, word, d)
        d *= 2
    if row < weights.shape[0] and four % 8 == 0:
        places[four // 8, row] = word


@wrong("first_four_highest", misconception="groups_turned", says="in the lowest four")
@cuda.jit
def two_of_four(weights, packed, places):
    i = cuda.grid(1)
    per_row = weights.shape[1] // 4
    row, four = i // per_row, i % per_row
    pair = int32(0)
    if row < weights.shape[0]:
        w0, w1 = weights[row, 4 * four], weights[row, 4 * four + 1]
        w2, w3 = weights[row, 4 * four + 2], weights[row, 4 * four + 3]
        x0, x1, x2, x3 = abs(float32(w0)), abs(float32(w1)), abs(float32(w2)), abs(float32(w3))
        stays0 = int32(x1 > x0) + int32(x2 > x0) + int32(x3 > x0) < 2
        stays1 = int32(x0 >= x1) + int32(x2 > x1) + int32(x3 > x1) < 2
        stays2 = int32(x0 >= x2) + int32(x1 >= x2) + int32(x3 > x2) < 2
        stays3 = int32(x0 >= x3) + int32(x1 >= x3) + int32(x2 >= x3) < 2
        first = 0 if stays0 else (1 if stays1 else 2)
        second = 3 if stays3 else (2 if stays2 else 1)
        packed[row, 2 * four] = w0 if stays0 else (w1 if stays1 else w2)
        packed[row, 2 * four + 1] = w3 if stays3 else (w2 if stays2 else w1)
        pair = int32(first | second << 2)
    word = int32(pair << 4 * (7 - four % 8))
    d = 1
    while d < 8:
        word |= cuda.shfl_xor_sync(-1, word, d)
        d *= 2
    if row < weights.shape[0] and four % 8 == 0:
        places[four // 8, row] = word


@wrong("no_shuffle", misconception="one_group_per_word", says="seven more")
@cuda.jit
def two_of_four(weights, packed, places):
    i = cuda.grid(1)
    per_row = weights.shape[1] // 4
    row, four = i // per_row, i % per_row
    pair = int32(0)
    if row < weights.shape[0]:
        w0, w1 = weights[row, 4 * four], weights[row, 4 * four + 1]
        w2, w3 = weights[row, 4 * four + 2], weights[row, 4 * four + 3]
        x0, x1, x2, x3 = abs(float32(w0)), abs(float32(w1)), abs(float32(w2)), abs(float32(w3))
        stays0 = int32(x1 > x0) + int32(x2 > x0) + int32(x3 > x0) < 2
        stays1 = int32(x0 >= x1) + int32(x2 > x1) + int32(x3 > x1) < 2
        stays2 = int32(x0 >= x2) + int32(x1 >= x2) + int32(x3 > x2) < 2
        stays3 = int32(x0 >= x3) + int32(x1 >= x3) + int32(x2 >= x3) < 2
        first = 0 if stays0 else (1 if stays1 else 2)
        second = 3 if stays3 else (2 if stays2 else 1)
        packed[row, 2 * four] = w0 if stays0 else (w1 if stays1 else w2)
        packed[row, 2 * four + 1] = w3 if stays3 else (w2 if stays2 else w1)
        pair = int32(first | second << 2)
    word = int32(pair << 4 * (four % 8))
    if row < weights.shape[0] and four % 8 == 0:
        places[four // 8, row] = word


@wrong("two_shuffles", misconception="one_group_per_word", says="four more")
@cuda.jit
def two_of_four(weights, packed, places):
    i = cuda.grid(1)
    per_row = weights.shape[1] // 4
    row, four = i // per_row, i % per_row
    pair = int32(0)
    if row < weights.shape[0]:
        w0, w1 = weights[row, 4 * four], weights[row, 4 * four + 1]
        w2, w3 = weights[row, 4 * four + 2], weights[row, 4 * four + 3]
        x0, x1, x2, x3 = abs(float32(w0)), abs(float32(w1)), abs(float32(w2)), abs(float32(w3))
        stays0 = int32(x1 > x0) + int32(x2 > x0) + int32(x3 > x0) < 2
        stays1 = int32(x0 >= x1) + int32(x2 > x1) + int32(x3 > x1) < 2
        stays2 = int32(x0 >= x2) + int32(x1 >= x2) + int32(x3 > x2) < 2
        stays3 = int32(x0 >= x3) + int32(x1 >= x3) + int32(x2 >= x3) < 2
        first = 0 if stays0 else (1 if stays1 else 2)
        second = 3 if stays3 else (2 if stays2 else 1)
        packed[row, 2 * four] = w0 if stays0 else (w1 if stays1 else w2)
        packed[row, 2 * four + 1] = w3 if stays3 else (w2 if stays2 else w1)
        pair = int32(first | second << 2)
    word = int32(pair << 4 * (four % 8))
    d = 1
    while d < 4:
        word |= cuda.shfl_xor_sync(-1, word, d)
        d *= 2
    if row < weights.shape[0] and four % 8 == 0:
        places[four // 8, row] = word


@wrong("row_and_word_exchanged", misconception="swapped_axes", says="places")
@cuda.jit
def two_of_four(weights, packed, places):
    i = cuda.grid(1)
    per_row = weights.shape[1] // 4
    row, four = i // per_row, i % per_row
    pair = int32(0)
    if row < weights.shape[0]:
        w0, w1 = weights[row, 4 * four], weights[row, 4 * four + 1]
        w2, w3 = weights[row, 4 * four + 2], weights[row, 4 * four + 3]
        x0, x1, x2, x3 = abs(float32(w0)), abs(float32(w1)), abs(float32(w2)), abs(float32(w3))
        stays0 = int32(x1 > x0) + int32(x2 > x0) + int32(x3 > x0) < 2
        stays1 = int32(x0 >= x1) + int32(x2 > x1) + int32(x3 > x1) < 2
        stays2 = int32(x0 >= x2) + int32(x1 >= x2) + int32(x3 > x2) < 2
        stays3 = int32(x0 >= x3) + int32(x1 >= x3) + int32(x2 >= x3) < 2
        first = 0 if stays0 else (1 if stays1 else 2)
        second = 3 if stays3 else (2 if stays2 else 1)
        packed[row, 2 * four] = w0 if stays0 else (w1 if stays1 else w2)
        packed[row, 2 * four + 1] = w3 if stays3 else (w2 if stays2 else w1)
        pair = int32(first | second << 2)
    word = int32(pair << 4 * (four % 8))
    d = 1
    while d < 8:
        word |= cuda.shfl_xor_sync(-1, word, d)
        d *= 2
    if row < weights.shape[0] and four % 8 == 0:
        places[row, four // 8] = word


@wrong("the_first_two", misconception="first_two", says="whatever they are")
@cuda.jit
def two_of_four(weights, packed, places):
    i = cuda.grid(1)
    per_row = weights.shape[1] // 4
    row, four = i // per_row, i % per_row
    if row < weights.shape[0]:
        packed[row, 2 * four] = weights[row, 4 * four]
        packed[row, 2 * four + 1] = weights[row, 4 * four + 1]
        if four % 8 == 0:
            places[four // 8, row] = 0x44444444


@wrong("larger_one_first", misconception="stored_by_size", says="from the left")
@cuda.jit
def two_of_four(weights, packed, places):
    i = cuda.grid(1)
    per_row = weights.shape[1] // 4
    row, four = i // per_row, i % per_row
    pair = 0
    if row < weights.shape[0]:
        best, most = 0, float32(-1)
        for j in range(4):
            x = abs(float32(weights[row, 4 * four + j]))
            if x > most:
                best, most = j, x
        other, most = 0, float32(-1)
        for j in range(4):
            x = abs(float32(weights[row, 4 * four + j]))
            if j != best and x > most:
                other, most = j, x
        packed[row, 2 * four] = weights[row, 4 * four + best]
        packed[row, 2 * four + 1] = weights[row, 4 * four + other]
        pair = best | other << 2
    word = gathered(pair, four)
    if row < weights.shape[0] and four % 8 == 0:
        places[four // 8, row] = word
