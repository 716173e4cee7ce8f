"""Answers to engine_kernels.choose_kernels."""

import numpy as np

from autograder.exercises.catalogue import right, wrong


@right("rows_as_bytes")
def choose_kernels(requests, times):
    cache = {}
    chosen, measured = np.zeros(len(requests), np.int64), np.zeros(len(requests), np.int64)
    for i in range(len(requests)):
        key = requests[i, 1:].tobytes()
        if key not in cache:
            measured[i] = 1
            runs = times[i][~np.isnan(times[i])]
            least = runs.min() if runs.size else 0
            equal = np.flatnonzero(times[i] <= 1.02 * least)  # NaN is never less
            cache[key] = int(equal[0]) if runs.size else -1
        chosen[i] = cache[key]
    return chosen, measured


@right("infinity_for_none")
def choose_kernels(requests, times):
    cache = {}
    chosen, measured = np.zeros(len(requests), np.int64), np.zeros(len(requests), np.int64)
    for i, (_name, *question) in enumerate(requests.tolist()):
        key = tuple(question)  # all that a time depends on
        if key not in cache:
            measured[i] = 1
            took = np.where(np.isnan(times[i]), np.inf, times[i])
            cache[key] = int(np.argmax(took <= 1.02 * took.min())) if np.isfinite(took.min()) else -1
        chosen[i] = cache[key]
    return chosen, measured


@right("an_array_of_questions")
def choose_kernels(requests, times):
    questions, first, place = np.unique(requests[:, 1:], axis=0, return_index=True, return_inverse=True)
    took = np.where(np.isnan(times[first]), np.inf, times[first])  # as it was measured when it was first asked
    least = took.min(axis=1, initial=np.inf)
    best = np.where(np.isfinite(least), np.argmax(took <= 1.02 * least[:, None], axis=1), -1)
    measured = np.zeros(len(requests), np.int64)
    measured[first] = 1
    return best[place.reshape(-1)].astype(np.int64), measured


@right("a_function_for_each_job")
def choose_kernels(requests, times):
    def best(row):
        able = [k for k, took in enumerate(row) if took == took]
        if not able:
            return -1
        limit = 1.02 * min(row[k] for k in able)
        return next(k for k in able if row[k] <= limit)

    cache, chosen, measured = {}, [], []
    for request, row in zip(requests.tolist(), times.tolist(), strict=True):
        key = tuple(request[1:])
        measured.append(int(key not in cache))
        chosen.append(cache.setdefault(key, best(row)))
    return np.array(chosen, np.int64), np.array(measured, np.int64)


@wrong("name_in_the_key", misconception="name_in_key", says="the name says nothing")
def choose_kernels(requests, times):
    cache = {}
    chosen, measured = np.zeros(len(requests), np.int64), np.zeros(len(requests), np.int64)
    for i, (_name, *question) in enumerate(requests.tolist()):
        key = (_name, *question)
        if key not in cache:
            measured[i] = 1
            runs = times[i][~np.isnan(times[i])]
            least = runs.min() if runs.size else 0
            equal = np.flatnonzero(times[i] <= 1.02 * least)  # NaN is never less
            cache[key] = int(equal[0]) if runs.size else -1
        chosen[i] = cache[key]
    return chosen, measured


@wrong("no_batch", misconception="key_lacks", says="the batch")
def choose_kernels(requests, times):
    cache = {}
    chosen, measured = np.zeros(len(requests), np.int64), np.zeros(len(requests), np.int64)
    for i, (_name, *question) in enumerate(requests.tolist()):
        key = tuple(question[1:])
        if key not in cache:
            measured[i] = 1
            runs = times[i][~np.isnan(times[i])]
            least = runs.min() if runs.size else 0
            equal = np.flatnonzero(times[i] <= 1.02 * least)  # NaN is never less
            cache[key] = int(equal[0]) if runs.size else -1
        chosen[i] = cache[key]
    return chosen, measured


@wrong("no_type", misconception="key_lacks", says="the type")
def choose_kernels(requests, times):
    cache = {}
    chosen, measured = np.zeros(len(requests), np.int64), np.zeros(len(requests), np.int64)
    for i, (_name, *question) in enumerate(requests.tolist()):
        key = (*question[:2], *question[3:])
        if key not in cache:
            measured[i] = 1
            runs = times[i][~np.isnan(times[i])]
            least = runs.min() if runs.size else 0
            equal = np.flatnonzero(times[i] <= 1.02 * least)  # NaN is never less
            cache[key] = int(equal[0]) if runs.size else -1
        chosen[i] = cache[key]
    return chosen, measured


@wrong("no_device", misconception="key_lacks", says="the device")
def choose_kernels(requests, times):
    cache = {}
    chosen, measured = np.zeros(len(requests), np.int64), np.zeros(len(requests), np.int64)
    for i, (_name, *question) in enumerate(requests.tolist()):
        key = (*question[:3], question[4])
        if key not in cache:
            measured[i] = 1
            runs = times[i][~np.isnan(times[i])]
            least = runs.min() if runs.size else 0
            equal = np.flatnonzero(times[i] <= 1.02 * least)  # NaN is never less
            cache[key] = int(equal[0]) if runs.size else -1
        chosen[i] = cache[key]
    return chosen, measured


@wrong("no_version", misconception="key_lacks", says="the version")
def choose_kernels(requests, times):
    cache = {}
    chosen, measured = np.zeros(len(requests), np.int64), np.zeros(len(requests), np.int64)
    for i, (_name, *question) in enumerate(requests.tolist()):
        key = tuple(question[:4])
        if key not in cache:
            measured[i] = 1
            runs = times[i][~np.isnan(times[i])]
            least = runs.min() if runs.size else 0
            equal = np.flatnonzero(times[i] <= 1.02 * least)  # NaN is never less
            cache[key] = int(equal[0]) if runs.size else -1
        chosen[i] = cache[key]
    return chosen, measured


@wrong("fastest", misconception="ties_left_out", says="within 2 %")
def choose_kernels(requests, times):
    cache = {}
    chosen, measured = np.zeros(len(requests), np.int64), np.zeros(len(requests), np.int64)
    for i, (_name, *question) in enumerate(requests.tolist()):
        key = tuple(question)  # all that a time depends on
        if key not in cache:
            measured[i] = 1
            runs = times[i][~np.isnan(times[i])]
            least = runs.min() if runs.size else 0
            equal = np.flatnonzero(times[i] <= least)  # NaN is never less
            cache[key] = int(equal[0]) if runs.size else -1
        chosen[i] = cache[key]
    return chosen, measured


@wrong("argmin", misconception="nan_chosen", says="argmin takes NaN")
def choose_kernels(requests, times):
    cache = {}
    chosen, measured = np.zeros(len(requests), np.int64), np.zeros(len(requests), np.int64)
    for i, (_name, *question) in enumerate(requests.tolist()):
        key = tuple(question)  # all that a time depends on
        if key not in cache:
            measured[i] = 1
            cache[key] = int(np.argmin(times[i]))
        chosen[i] = cache[key]
    return chosen, measured


@wrong("nothing_kept", misconception="not_kept", says="every request is measured")
def choose_kernels(requests, times):
    cache = {}
    chosen, measured = np.zeros(len(requests), np.int64), np.zeros(len(requests), np.int64)
    for i, (_name, *question) in enumerate(requests.tolist()):
        key = tuple(question)  # all that a time depends on
        if True:
            measured[i] = 1
            runs = times[i][~np.isnan(times[i])]
            least = runs.min() if runs.size else 0
            equal = np.flatnonzero(times[i] <= 1.02 * least)  # NaN is never less
            cache[key] = int(equal[0]) if runs.size else -1
        chosen[i] = cache[key]
    return chosen, measured


@wrong("last_of_equals", misconception="last_of_equals", says="lowest number")
def choose_kernels(requests, times):
    cache = {}
    chosen, measured = np.zeros(len(requests), np.int64), np.zeros(len(requests), np.int64)
    for i, (_name, *question) in enumerate(requests.tolist()):
        key = tuple(question)  # all that a time depends on
        if key not in cache:
            measured[i] = 1
            runs = times[i][~np.isnan(times[i])]
            least = runs.min() if runs.size else 0
            equal = np.flatnonzero(times[i] <= 1.02 * least)  # NaN is never less
            cache[key] = int(equal[-1]) if runs.size else -1
        chosen[i] = cache[key]
    return chosen, measured


@wrong("failures_are_measured_again", misconception="wrong_formula", says="a layer that nothing ran")
def choose_kernels(requests, times):
    cache = {}
    chosen, measured = np.zeros(len(requests), np.int64), np.zeros(len(requests), np.int64)
    for i, (_name, *question) in enumerate(requests.tolist()):
        key = tuple(question)  # all that a time depends on
        if cache.get(key, -1) == -1:
            measured[i] = 1
            runs = times[i][~np.isnan(times[i])]
            least = runs.min() if runs.size else 0
            equal = np.flatnonzero(times[i] <= 1.02 * least)  # NaN is never less
            cache[key] = int(equal[0]) if runs.size else -1
        chosen[i] = cache[key]
    return chosen, measured


@wrong("two_percent_of_the_slower_one", misconception="wrong_formula", says="a little more apart")
def choose_kernels(requests, times):
    cache = {}
    chosen, measured = np.zeros(len(requests), np.int64), np.zeros(len(requests), np.int64)
    for i, (_name, *question) in enumerate(requests.tolist()):
        key = tuple(question)  # all that a time depends on
        if key not in cache:
            measured[i] = 1
            runs = times[i][~np.isnan(times[i])]
            least = runs.min() if runs.size else 0
            equal = np.flatnonzero(times[i] - least <= 0.02 * times[i])  # NaN is never less
            cache[key] = int(equal[0]) if runs.size else -1
        chosen[i] = cache[key]
    return chosen, measured


@wrong("key_by_thousands", misconception="wrong_formula", says="digits run together")
def choose_kernels(requests, times):
    cache = {}
    chosen, measured = np.zeros(len(requests), np.int64), np.zeros(len(requests), np.int64)
    for i, (_name, *question) in enumerate(requests.tolist()):
        key = sum(q * 1000**p for p, q in enumerate(question))  # all that a time depends on
        if key not in cache:
            measured[i] = 1
            runs = times[i][~np.isnan(times[i])]
            least = runs.min() if runs.size else 0
            equal = np.flatnonzero(times[i] <= 1.02 * least)  # NaN is never less
            cache[key] = int(equal[0]) if runs.size else -1
        chosen[i] = cache[key]
    return chosen, measured
