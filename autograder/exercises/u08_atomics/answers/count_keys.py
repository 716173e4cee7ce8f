"""Answers to atomics.count_keys."""

import numpy as np
from numba import cuda

from autograder.exercises.catalogue import right, wrong

THREADS = 256
EMPTY = -1


@cuda.jit(device=True)
def place_of(key, places):
    """The course's own: where the search for a key begins."""
    return ((key * 0x9E3779B1) >> 15) & (places - 1)


@cuda.jit
def put_in(keys, table, counts):
    i = cuda.grid(1)
    if i < keys.size:
        place = place_of(keys[i], table.size)
        seen = cuda.atomic.cas(table, place, EMPTY, keys[i])
        while seen != EMPTY and seen != keys[i]:
            place = (place + 1) & (table.size - 1)
            seen = cuda.atomic.cas(table, place, EMPTY, keys[i])
        cuda.atomic.add(counts, place, 1)


@cuda.jit
def look_up(asked, table, counts, found):
    i = cuda.grid(1)
    if i < asked.size:
        place = place_of(asked[i], table.size)
        while table[place] != EMPTY and table[place] != asked[i]:
            place = (place + 1) & (table.size - 1)
        found[i] = counts[place] if table[place] == asked[i] else 0


def blocks_for(n):
    return max(1, -(-n // THREADS))


@right("as_the_course_but_while")
def count_keys(keys, asked, table, counts, found):
    put_in[blocks_for(keys.size), THREADS](keys, table, counts)
    look_up[blocks_for(asked.size), THREADS](asked, table, counts, found)


@cuda.jit
def put_in_by_strides(keys, table, counts):
    for i in range(cuda.grid(1), keys.size, cuda.gridsize(1)):
        key = keys[i]
        place = place_of(key, table.size)
        done = False
        while not done:
            seen = cuda.atomic.cas(table, place, EMPTY, key)
            if seen == EMPTY or seen == key:
                cuda.atomic.add(counts, place, 1)
                done = True
            else:
                place = (place + 1) % table.size


@right("grid_stride")
def count_keys(keys, asked, table, counts, found):
    put_in_by_strides[5, THREADS](keys, table, counts)
    look_up[blocks_for(asked.size), THREADS](asked, table, counts, found)


@cuda.jit
def put_in_looking_first(keys, table, counts):
    i = cuda.grid(1)
    if i < keys.size:
        key, place = keys[i], keys[i] % table.size
        while True:
            seen = cuda.atomic.or_(table, place, 0)
            if seen == EMPTY:
                seen = cuda.atomic.cas(table, place, EMPTY, key)
            if seen == EMPTY or seen == key:
                break
            place = (place + 1) % table.size
        cuda.atomic.add(counts, place, 1)


@cuda.jit
def look_up_by_rest(asked, table, counts, found):
    i = cuda.grid(1)
    if i < asked.size:
        place, n = asked[i] % table.size, 0
        while table[place] != EMPTY:
            if table[place] == asked[i]:
                n = counts[place]
                break
            place = (place + 1) % table.size
        found[i] = n


@right("own_hash_and_a_look_first")
def count_keys(keys, asked, table, counts, found):
    put_in_looking_first[blocks_for(keys.size), THREADS](keys, table, counts)
    look_up_by_rest[blocks_for(asked.size), THREADS](asked, table, counts, found)


@cuda.jit(device=True)
def taken_by(key, table):
    """The place that a key has, or takes."""
    place = place_of(key, table.size)
    while True:
        seen = cuda.atomic.compare_and_swap(table[place : place + 1], EMPTY, key)
        if seen == EMPTY or seen == key:
            return place
        place = (place + 1) % table.size


@cuda.jit
def put_in_by_helper(keys, table, counts):
    i = cuda.grid(1)
    if i < keys.size:
        cuda.atomic.add(counts, taken_by(keys[i], table), 1)


@right("a_helper_finds_the_place")
def count_keys(keys, asked, table, counts, found):
    put_in_by_helper[blocks_for(keys.size), THREADS](keys, table, counts)
    look_up[blocks_for(asked.size), THREADS](asked, table, counts, found)


@cuda.jit
def put_in_downwards(keys, table, counts):
    i = cuda.grid(1)
    if i >= keys.size:
        return
    key = keys[i]
    for k in range(table.size):
        place = (key - k) & (table.size - 1)
        seen = cuda.atomic.cas(table, place, EMPTY, key)
        if seen == EMPTY or seen == key:
            cuda.atomic.add(counts, place, 1)
            break


@cuda.jit
def look_up_downwards(asked, table, counts, found):
    i = cuda.grid(1)
    if i >= asked.size:
        return
    found[i] = 0
    for k in range(table.size):
        place = (asked[i] - k) & (table.size - 1)
        if table[place] == asked[i]:
            found[i] = counts[place]
        if table[place] == asked[i] or table[place] == EMPTY:
            break


@right("probes_downwards")
def count_keys(keys, asked, table, counts, found):
    put_in_downwards[blocks_for(keys.size), THREADS](keys, table, counts)
    look_up_downwards[blocks_for(asked.size), THREADS](asked, table, counts, found)


@cuda.jit
def look_up_by_strides(asked, table, counts, found):
    for i in range(cuda.grid(1), asked.size, cuda.gridsize(1)):
        key, place = asked[i], place_of(asked[i], table.size)
        held = table[place]
        while held != key and held != EMPTY:
            place = (place + 1) % table.size
            held = table[place]
        if held == key:
            found[i] = counts[place]
        else:
            found[i] = 0


@right("looked_up_by_strides")
def count_keys(keys, asked, table, counts, found):
    put_in[blocks_for(keys.size), THREADS](keys, table, counts)
    look_up_by_strides[2, THREADS](asked, table, counts, found)


@cuda.jit
def put_in_without_swap(keys, table, counts):
    i = cuda.grid(1)
    if i < keys.size:
        place = place_of(keys[i], table.size)
        while table[place] != EMPTY and table[place] != keys[i]:
            place = (place + 1) & (table.size - 1)
        table[place] = keys[i]
        cuda.atomic.add(counts, place, 1)


@wrong("looks_then_stores", misconception="lost_update", says="table[place]")
def count_keys(keys, asked, table, counts, found):
    put_in_without_swap[blocks_for(keys.size), THREADS](keys, table, counts)
    look_up[blocks_for(asked.size), THREADS](asked, table, counts, found)


@cuda.jit
def put_in_once(keys, table, counts):
    i = cuda.grid(1)
    if i < keys.size:
        place = place_of(keys[i], table.size)
        seen = cuda.atomic.cas(table, place, EMPTY, keys[i])
        while seen != EMPTY and seen != keys[i]:
            place = (place + 1) & (table.size - 1)
            seen = cuda.atomic.cas(table, place, EMPTY, keys[i])
        if seen == EMPTY:
            cuda.atomic.add(counts, place, 1)


@wrong("only_the_taker_counts", misconception="counts_once", says="found once")
def count_keys(keys, asked, table, counts, found):
    put_in_once[blocks_for(keys.size), THREADS](keys, table, counts)
    look_up[blocks_for(asked.size), THREADS](asked, table, counts, found)


@cuda.jit
def put_in_counting_others(keys, table, counts):
    i = cuda.grid(1)
    if i < keys.size:
        place = place_of(keys[i], table.size)
        seen = cuda.atomic.cas(table, place, EMPTY, keys[i])
        while seen != EMPTY and seen != keys[i]:
            place = (place + 1) & (table.size - 1)
            seen = cuda.atomic.cas(table, place, EMPTY, keys[i])
        if seen == keys[i]:
            cuda.atomic.add(counts, place, 1)


@wrong("the_taker_does_not_count", misconception="taker_does_not_count", says="one too low")
def count_keys(keys, asked, table, counts, found):
    put_in_counting_others[blocks_for(keys.size), THREADS](keys, table, counts)
    look_up[blocks_for(asked.size), THREADS](asked, table, counts, found)


@cuda.jit
def put_in_with_plain_add(keys, table, counts):
    i = cuda.grid(1)
    if i < keys.size:
        place = place_of(keys[i], table.size)
        seen = cuda.atomic.cas(table, place, EMPTY, keys[i])
        while seen != EMPTY and seen != keys[i]:
            place = (place + 1) & (table.size - 1)
            seen = cuda.atomic.cas(table, place, EMPTY, keys[i])
        counts[place] += 1


@wrong("counts_with_a_plain_add", misconception="lost_update", says="counts[place] += 1")
def count_keys(keys, asked, table, counts, found):
    put_in_with_plain_add[blocks_for(keys.size), THREADS](keys, table, counts)
    look_up[blocks_for(asked.size), THREADS](asked, table, counts, found)


@cuda.jit
def put_in_first_place(keys, table, counts):
    i = cuda.grid(1)
    if i < keys.size:
        place = place_of(keys[i], table.size)
        cuda.atomic.cas(table, place, EMPTY, keys[i])
        cuda.atomic.add(counts, place, 1)


@wrong("never_moves_on", misconception="order_dependent", says="order in which blocks")
def count_keys(keys, asked, table, counts, found):
    put_in_first_place[blocks_for(keys.size), THREADS](keys, table, counts)
    look_up[blocks_for(asked.size), THREADS](asked, table, counts, found)


@cuda.jit
def put_in_past_the_end(keys, table, counts):
    i = cuda.grid(1)
    if i < keys.size:
        place = place_of(keys[i], table.size)
        seen = cuda.atomic.cas(table, place, EMPTY, keys[i])
        while seen != EMPTY and seen != keys[i]:
            place += 1
            seen = cuda.atomic.cas(table, place, EMPTY, keys[i])
        cuda.atomic.add(counts, place, 1)


@wrong("does_not_wrap", misconception="no_guard", says="outside the array: table has 64 elements")
def count_keys(keys, asked, table, counts, found):
    put_in_past_the_end[blocks_for(keys.size), THREADS](keys, table, counts)
    look_up[blocks_for(asked.size), THREADS](asked, table, counts, found)


@wrong("counted_on_the_host", misconception="nothing_on_device", says="ran on the device")
def count_keys(keys, asked, table, counts, found):
    have, times = np.unique(keys.copy_to_host(), return_counts=True)
    known = dict(zip(have.tolist(), times.tolist(), strict=True))
    found.copy_to_device(np.array([known.get(key, 0) for key in asked.copy_to_host().tolist()], np.int32))


@cuda.jit
def put_in_by_rest_of_keys(keys, table, counts):
    i = cuda.grid(1)
    if i < keys.size:
        place = place_of(keys[i], table.size)
        seen = cuda.atomic.cas(table, place, EMPTY, keys[i])
        while seen != EMPTY and seen != keys[i]:
            place = (place + 1) % keys.size
            seen = cuda.atomic.cas(table, place, EMPTY, keys[i])
        cuda.atomic.add(counts, place, 1)


@wrong("goes_round_the_end_of_keys", misconception="no_guard", says="take `(place + 1) % table.size`")
def count_keys(keys, asked, table, counts, found):
    put_in_by_rest_of_keys[blocks_for(keys.size), THREADS](keys, table, counts)
    look_up[blocks_for(asked.size), THREADS](asked, table, counts, found)
