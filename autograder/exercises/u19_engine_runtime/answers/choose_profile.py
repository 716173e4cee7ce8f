"""Answers to engine_runtime.choose_profile."""

import numpy as np

from autograder.exercises.catalogue import right, wrong


@right("plain_loops")
def choose_profile(shapes, profiles):
    chosen = []
    for batch, length in shapes.tolist():
        best, nearest = -1, None
        for k, ((b0, l0), (b1, l1), (b2, l2)) in enumerate(profiles.tolist()):
            if b0 <= batch <= b2 and l0 <= length <= l2:
                away = abs(b1 * l1 - batch * length)
                if nearest is None or away < nearest:
                    best, nearest = k, away
        chosen.append(best)
    return np.array(chosen)


@right("all_at_once")
def choose_profile(shapes, profiles):
    inside = ((profiles[None, :, 0] <= shapes[:, None]) & (shapes[:, None] <= profiles[None, :, 2])).all(axis=2)
    away = np.abs(shapes.prod(axis=1)[:, None] - profiles[:, 1].prod(axis=1)).astype(float)
    away[~inside] = np.inf
    return np.where(inside.any(axis=1), away.argmin(axis=1), -1)


@right("sorted_by_distance_and_number")
def choose_profile(shapes, profiles):
    chosen = np.full(len(shapes), -1)
    for i, shape in enumerate(shapes):
        n = int(shape[0] * shape[1])
        ranked = sorted(range(len(profiles)), key=lambda k: (abs(int(np.prod(profiles[k, 1])) - n), k))
        chosen[i] = next((k for k in ranked if (profiles[k, 0] <= shape).all() and (shape <= profiles[k, 2]).all()), -1)
    return chosen


@right("min_of_tuples")
def choose_profile(shapes, profiles):
    work = [int(p[1, 0]) * int(p[1, 1]) for p in profiles]
    found = []
    for shape in shapes:
        ways = [
            (abs(work[k] - int(shape[0]) * int(shape[1])), k)
            for k, p in enumerate(profiles)
            if np.array_equal(np.clip(shape, p[0], p[2]), shape)
        ]
        found.append(min(ways)[1] if ways else -1)
    return np.array(found, np.int64)


@right("profile_after_profile")
def choose_profile(shapes, profiles):
    chosen = np.full(len(shapes), -1, np.int64)
    best = np.full(len(shapes), 2**62)
    size = shapes[:, 0] * shapes[:, 1]
    for k, (low, opt, high) in enumerate(profiles):
        away = np.abs(size - opt[0] * opt[1])
        better = np.all(shapes >= low, axis=1) & np.all(shapes <= high, axis=1) & (away < best)
        chosen[better], best[better] = k, away[better]
    return chosen


@right("from_the_last_one")
def choose_profile(shapes, profiles):
    chosen = np.full(len(shapes), -1)
    for i, (b, n) in enumerate(shapes):
        best = -1
        for k in reversed(range(len(profiles))):
            low, opt, high = profiles[k]
            if b < low[0] or n < low[1] or b > high[0] or n > high[1]:
                continue
            if best < 0 or abs(opt[0] * opt[1] - b * n) <= abs(np.prod(profiles[best, 1]) - b * n):
                best = k
        chosen[i] = best
    return chosen


@wrong("no_lower_end", misconception="least_not_asked", says="below a profile's min are served")
def choose_profile(shapes, profiles):
    chosen = np.full(len(shapes), -1)
    opt, high = profiles[:, 1], profiles[:, 2]
    for i, shape in enumerate(shapes):
        fits = np.flatnonzero(np.all(shape <= high, axis=1))
        if fits.size:
            away = np.abs(opt[fits].prod(axis=1) - shape.prod())
            chosen[i] = fits[np.argmin(away)]  # the first one of the nearest
    return chosen


@wrong("no_upper_end", misconception="most_not_asked", says="above a profile's max are served")
def choose_profile(shapes, profiles):
    chosen = np.full(len(shapes), -1)
    low, opt = profiles[:, 0], profiles[:, 1]
    for i, shape in enumerate(shapes):
        fits = np.flatnonzero(np.all(low <= shape, axis=1))
        if fits.size:
            away = np.abs(opt[fits].prod(axis=1) - shape.prod())
            chosen[i] = fits[np.argmin(away)]  # the first one of the nearest
    return chosen


@wrong("strictly_inside", misconception="ends_left_out", says="both belong to the range")
def choose_profile(shapes, profiles):
    chosen = np.full(len(shapes), -1)
    low, opt, high = profiles[:, 0], profiles[:, 1], profiles[:, 2]
    for i, shape in enumerate(shapes):
        fits = np.flatnonzero(np.all((low < shape) & (shape < high), axis=1))
        if fits.size:
            away = np.abs(opt[fits].prod(axis=1) - shape.prod())
            chosen[i] = fits[np.argmin(away)]  # the first one of the nearest
    return chosen


@wrong("any_axis", misconception="one_axis_alone", says="batch and length have to lie inside")
def choose_profile(shapes, profiles):
    chosen = np.full(len(shapes), -1)
    low, opt, high = profiles[:, 0], profiles[:, 1], profiles[:, 2]
    for i, shape in enumerate(shapes):
        fits = np.flatnonzero(np.any((low <= shape) & (shape <= high), axis=1))
        if fits.size:
            away = np.abs(opt[fits].prod(axis=1) - shape.prod())
            chosen[i] = fits[np.argmin(away)]  # the first one of the nearest
    return chosen


@wrong("first_one", misconception="first_that_fits", says="the nearest opt wins")
def choose_profile(shapes, profiles):
    chosen = np.full(len(shapes), -1)
    low, high = profiles[:, 0], profiles[:, 2]
    for i, shape in enumerate(shapes):
        fits = np.flatnonzero(np.all((low <= shape) & (shape <= high), axis=1))
        if fits.size:
            chosen[i] = fits[0]
    return chosen


@wrong("nearest_of_all", misconception="nearest_then_asked", says="another one may fit")
def choose_profile(shapes, profiles):
    chosen = np.full(len(shapes), -1)
    for i, shape in enumerate(shapes):
        k = np.argmin(np.abs(profiles[:, 1].prod(axis=1) - shape.prod()))
        if np.all((profiles[k, 0] <= shape) & (shape <= profiles[k, 2])):
            chosen[i] = k
    return chosen


@wrong("distance_by_axes", misconception="axes_added", says="compare numbers of elements")
def choose_profile(shapes, profiles):
    chosen = np.full(len(shapes), -1)
    low, opt, high = profiles[:, 0], profiles[:, 1], profiles[:, 2]
    for i, shape in enumerate(shapes):
        fits = np.flatnonzero(np.all((low <= shape) & (shape <= high), axis=1))
        if fits.size:
            away = np.abs(opt[fits] - shape).sum(axis=1)
            chosen[i] = fits[np.argmin(away)]  # the first one of the nearest
    return chosen


@wrong("nearest_max", misconception="nearest_to_max", says="the distance is taken to max")
def choose_profile(shapes, profiles):
    chosen = np.full(len(shapes), -1)
    low, high = profiles[:, 0], profiles[:, 2]
    for i, shape in enumerate(shapes):
        fits = np.flatnonzero(np.all((low <= shape) & (shape <= high), axis=1))
        if fits.size:
            away = np.abs(high[fits].prod(axis=1) - shape.prod())
            chosen[i] = fits[np.argmin(away)]  # the first one of the nearest
    return chosen


@wrong("nearest_min", misconception="nearest_to_min", says="the distance is taken to min")
def choose_profile(shapes, profiles):
    chosen = np.full(len(shapes), -1)
    low, high = profiles[:, 0], profiles[:, 2]
    for i, shape in enumerate(shapes):
        fits = np.flatnonzero(np.all((low <= shape) & (shape <= high), axis=1))
        if fits.size:
            away = np.abs(low[fits].prod(axis=1) - shape.prod())
            chosen[i] = fits[np.argmin(away)]  # the first one of the nearest
    return chosen


@wrong("last_one", misconception="last_of_equals", says="the lower number wins")
def choose_profile(shapes, profiles):
    chosen = np.full(len(shapes), -1)
    low, opt, high = profiles[:, 0], profiles[:, 1], profiles[:, 2]
    for i, shape in enumerate(shapes):
        fits = np.flatnonzero(np.all((low <= shape) & (shape <= high), axis=1))
        if fits.size:
            away = np.abs(opt[fits].prod(axis=1) - shape.prod())
            chosen[i] = fits[::-1][np.argmin(away[::-1])]  # the first one of the nearest
    return chosen


@wrong("elements_in_32_bits", misconception="wrong_formula", says="billions of elements")
def choose_profile(shapes, profiles):
    chosen = np.full(len(shapes), -1)
    low, opt, high = profiles[:, 0], profiles[:, 1], profiles[:, 2]
    for i, shape in enumerate(shapes):
        fits = np.flatnonzero(np.all((low <= shape) & (shape <= high), axis=1))
        if fits.size:
            away = np.abs(opt[fits].prod(axis=1).astype(np.int32) - shape.prod().astype(np.int32))
            chosen[i] = fits[np.argmin(away)]  # the first one of the nearest
    return chosen
