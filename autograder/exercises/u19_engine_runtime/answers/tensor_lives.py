"""Answers to engine_runtime.tensor_lives."""

import numpy as np

from autograder.exercises.catalogue import right, wrong


@right("readers_in_lists")
def tensor_lives(steps):
    n = len(steps)
    readers = [[i] for i in range(n)]
    for i in range(n):
        for operand in steps[i][1:3]:
            if operand != -1:
                readers[operand].append(i)
        if steps[i][3]:
            readers[i].append(n)
    place, members = [], {}
    for i in range(n):
        kind, a = int(steps[i][0]), int(steps[i][1])
        mine = i
        if kind == 1 and a != -1:
            mine = place[a]
        elif kind == 2 and a != -1:
            wanted = max(max(readers[t]) for t in members[place[a]])
            if wanted <= i:
                mine = place[a]
        place.append(mine)
        members.setdefault(mine, []).append(i)
    last = [max(max(readers[t]) for t in members[i]) if place[i] == i else -1 for i in range(n)]
    return np.array(place), np.array(last)


@right("from_the_end")
def tensor_lives(steps):
    n = steps.shape[0]
    read = np.where(steps[:, 3] == 1, n, np.arange(n))
    for i in range(n - 1, -1, -1):
        for column in (1, 2):
            t = steps[i, column]
            if t >= 0:
                read[t] = max(read[t], i)
    place, last = np.full(n, -1), np.full(n, -1)
    for i in range(n):
        kind, operand = steps[i, 0], steps[i, 1]
        home = place[operand] if operand >= 0 else -1
        joins = home >= 0 and (kind == 1 or (kind == 2 and last[home] == i))
        place[i] = home if joins else i
        last[place[i]] = max(last[place[i]], read[i])
    return place, last


@right("places_with_lists_of_tensors")
def tensor_lives(steps):
    table = [tuple(map(int, row)) for row in steps]
    n = len(table)

    def needed(t):
        if table[t][3]:
            return n
        return max([t] + [i for i in range(t, n) if t in (table[i][1], table[i][2])])

    place, lying = [], {}
    for i, (kind, first, _, _) in enumerate(table):
        home = i
        if first >= 0 and kind in (1, 2):
            free = all(needed(t) <= i for t in lying[place[first]])
            if kind == 1 or free:
                home = place[first]
        place.append(home)
        lying.setdefault(home, []).append(i)
    last = np.full(n, -1)
    for home, tensors in lying.items():
        last[home] = max(needed(t) for t in tensors)
    return np.array(place), last


@wrong("views_moved", misconception="view_moved", says="the same bytes")
def tensor_lives(steps):
    n = len(steps)
    read, place, until = np.arange(n), np.arange(n), np.arange(n)
    for i, (_, a, b, _) in enumerate(steps):
        for tensor in (a, b):
            if tensor >= 0:
                read[tensor] = i
    read[steps[:, 3] == 1] = n
    for i, (kind, a, _, _) in enumerate(steps):
        if a >= 0 and (kind == 2 and until[place[a]] <= i):
            place[i] = place[a]
        until[place[i]] = max(until[place[i]], read[i])
    return place, np.where(place == np.arange(n), until, -1)


@wrong("never_in_place", misconception="never_in_place", says="a place of its own")
def tensor_lives(steps):
    n = len(steps)
    read, place, until = np.arange(n), np.arange(n), np.arange(n)
    for i, (_, a, b, _) in enumerate(steps):
        for tensor in (a, b):
            if tensor >= 0:
                read[tensor] = i
    read[steps[:, 3] == 1] = n
    for i, (kind, a, _, _) in enumerate(steps):
        if a >= 0 and kind == 1:
            place[i] = place[a]
        until[place[i]] = max(until[place[i]], read[i])
    return place, np.where(place == np.arange(n), until, -1)


@wrong("always_in_place", misconception="written_over", says="ask before")
def tensor_lives(steps):
    n = len(steps)
    read, place, until = np.arange(n), np.arange(n), np.arange(n)
    for i, (_, a, b, _) in enumerate(steps):
        for tensor in (a, b):
            if tensor >= 0:
                read[tensor] = i
    read[steps[:, 3] == 1] = n
    for i, (kind, a, _, _) in enumerate(steps):
        if a >= 0 and kind > 0:
            place[i] = place[a]
        until[place[i]] = max(until[place[i]], read[i])
    return place, np.where(place == np.arange(n), until, -1)


@wrong("asks_about_the_tensor", misconception="written_over", says="about the place")
def tensor_lives(steps):
    n = len(steps)
    read, place, until = np.arange(n), np.arange(n), np.arange(n)
    for i, (_, a, b, _) in enumerate(steps):
        for tensor in (a, b):
            if tensor >= 0:
                read[tensor] = i
    read[steps[:, 3] == 1] = n
    for i, (kind, a, _, _) in enumerate(steps):
        if a >= 0 and (kind == 1 or (kind == 2 and read[a] <= i)):
            place[i] = place[a]
        until[place[i]] = max(until[place[i]], read[i])
    return place, np.where(place == np.arange(n), until, -1)


@wrong("ends_with_the_first", misconception="place_ends_too_early", says="first in it")
def tensor_lives(steps):
    n = len(steps)
    read, place, until = np.arange(n), np.arange(n), np.arange(n)
    for i, (_, a, b, _) in enumerate(steps):
        for tensor in (a, b):
            if tensor >= 0:
                read[tensor] = i
    read[steps[:, 3] == 1] = n
    for i, (kind, a, _, _) in enumerate(steps):
        if a >= 0 and (kind == 1 or (kind == 2 and until[place[a]] <= i)):
            place[i] = place[a]
        if place[i] == i:
            until[i] = max(i, read[i])
    return place, np.where(place == np.arange(n), until, -1)


@wrong("outputs_end", misconception="output_forgotten", says="to the end")
def tensor_lives(steps):
    n = len(steps)
    read, place, until = np.arange(n), np.arange(n), np.arange(n)
    for i, (_, a, b, _) in enumerate(steps):
        for tensor in (a, b):
            if tensor >= 0:
                read[tensor] = i
    for i, (kind, a, _, _) in enumerate(steps):
        if a >= 0 and (kind == 1 or (kind == 2 and until[place[a]] <= i)):
            place[i] = place[a]
        until[place[i]] = max(until[place[i]], read[i])
    return place, np.where(place == np.arange(n), until, -1)


@wrong("first_operand_alone", misconception="one_operand", says="second operand")
def tensor_lives(steps):
    n = len(steps)
    read, place, until = np.arange(n), np.arange(n), np.arange(n)
    for i, (_, a, _, _) in enumerate(steps):
        if a >= 0:
            read[a] = i
    read[steps[:, 3] == 1] = n
    for i, (kind, a, _, _) in enumerate(steps):
        if a >= 0 and (kind == 1 or (kind == 2 and until[place[a]] <= i)):
            place[i] = place[a]
        until[place[i]] = max(until[place[i]], read[i])
    return place, np.where(place == np.arange(n), until, -1)
