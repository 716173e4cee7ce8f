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
