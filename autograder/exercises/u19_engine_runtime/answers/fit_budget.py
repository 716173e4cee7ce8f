"""Answers to engine_runtime.fit_budget."""

import numpy as np

from autograder.exercises.catalogue import right, wrong


@right("plain_loops")
def fit_budget(ways, period_ms, idle_watts, deadline_ms, most_watts, most_mib):
    energies, best = [], -1
    for k, (batch, time, watts, mib) in enumerate(ways):
        pause = batch * period_ms - time
        energy = (watts * time + idle_watts * pause) / batch
        energies.append(energy)
        late = (batch - 1) * period_ms + time > deadline_ms
        if pause < 0 or late or energy / period_ms > most_watts or mib > most_mib:
            continue
        if best < 0 or energy < energies[best]:
            best = k
    return np.array(energies), best


@right("average_power_first")
def fit_budget(ways, period_ms, idle_watts, deadline_ms, most_watts, most_mib):
    busy = ways[:, 1] / (ways[:, 0] * period_ms)
    power = busy * ways[:, 2] + (1 - busy) * idle_watts
    latency = (ways[:, 0] - 1) * period_ms + ways[:, 1]
    ok = (busy <= 1) & (latency <= deadline_ms) & (power <= most_watts) & (ways[:, 3] <= most_mib)
    order = [k for k in np.argsort(power, kind="stable") if ok[k]]
    return power * period_ms, order[0] if order else -1


@right("above_idle")
def fit_budget(ways, period_ms, idle_watts, deadline_ms, most_watts, most_mib):
    batch, time, watts, mib = (ways[:, k] for k in range(4))
    each = idle_watts * period_ms + (watts - idle_watts) * time / batch
    fits = np.logical_and.reduce(
        [
            time <= batch * period_ms,
            time + (batch - 1) * period_ms <= deadline_ms,
            each <= most_watts * period_ms,
            mib <= most_mib,
        ]
    )
    numbers = np.flatnonzero(fits)
    return each, int(numbers[each[numbers].argmin()]) if numbers.size else -1


@right("min_of_tuples")
def fit_budget(ways, period_ms, idle_watts, deadline_ms, most_watts, most_mib):
    def energy(way):
        batch, time, watts, _ = way
        return (watts * time + idle_watts * (batch * period_ms - time)) / batch

    def fits(way):
        batch, time, _, mib = way
        first_waits = (batch - 1) * period_ms
        if time > first_waits + period_ms or first_waits + time > deadline_ms:
            return False
        return energy(way) <= most_watts * period_ms and mib <= most_mib

    good = [(energy(way), k) for k, way in enumerate(ways) if fits(way)]
    return [energy(way) for way in ways], min(good)[1] if good else -1


@right("infinite_where_unfit")
def fit_budget(ways, period_ms, idle_watts, deadline_ms, most_watts, most_mib):
    batch, time, watts, mib = ways.T
    gathered = batch * period_ms
    energy = watts * time + idle_watts * (gathered - time)
    fits = (time <= gathered) & (gathered - period_ms + time <= deadline_ms)
    fits &= (energy / gathered <= most_watts) & (mib <= most_mib)
    each = energy / batch
    cost = each.copy()
    cost[~fits] = np.inf
    best = int(cost.argmin())
    return each, best if np.isfinite(cost[best]) else -1


@right("in_joules_and_seconds")
def fit_budget(ways, period_ms, idle_watts, deadline_ms, most_watts, most_mib):
    period, deadline = period_ms / 1000, deadline_ms / 1000
    best, least = -1, float("inf")
    energy = np.zeros(len(ways))
    for k in range(len(ways)):
        n, seconds = ways[k, 0], ways[k, 1] / 1000
        joules = ways[k, 2] * seconds + idle_watts * (n * period - seconds)
        energy[k] = 1000 * joules / n
        in_time = seconds <= n * period and (n - 1) * period + seconds <= deadline
        if in_time and joules / (n * period) <= most_watts and ways[k, 3] <= most_mib and energy[k] < least:
            best, least = k, energy[k]
    return energy, best


@wrong("no_idle", misconception="idle_for_free", says="idle_watts go on until the next batch")
def fit_budget(ways, period_ms, idle_watts, deadline_ms, most_watts, most_mib):
    batch, time, watts, mib = ways.T
    gathered = batch * period_ms
    energy = watts * time
    fits = (time <= gathered) & (gathered - period_ms + time <= deadline_ms)
    fits &= (energy / gathered <= most_watts) & (mib <= most_mib)
    best = int(np.argmin(np.where(fits, energy / batch, np.inf))) if fits.any() else -1
    return energy / batch, best


@wrong("of_a_batch", misconception="per_batch", says="divide by its pictures")
def fit_budget(ways, period_ms, idle_watts, deadline_ms, most_watts, most_mib):
    batch, time, watts, mib = ways.T
    gathered = batch * period_ms
    energy = watts * time + idle_watts * (gathered - time)
    fits = (time <= gathered) & (gathered - period_ms + time <= deadline_ms)
    fits &= (energy / gathered <= most_watts) & (mib <= most_mib)
    best = int(np.argmin(np.where(fits, energy, np.inf))) if fits.any() else -1
    return energy, best


@wrong("run_alone", misconception="gathering_forgotten", says="waits for the last one")
def fit_budget(ways, period_ms, idle_watts, deadline_ms, most_watts, most_mib):
    batch, time, watts, mib = ways.T
    gathered = batch * period_ms
    energy = watts * time + idle_watts * (gathered - time)
    fits = (time <= gathered) & (time <= deadline_ms)
    fits &= (energy / gathered <= most_watts) & (mib <= most_mib)
    best = int(np.argmin(np.where(fits, energy / batch, np.inf))) if fits.any() else -1
    return energy / batch, best


@wrong("all_periods", misconception="one_wait_too_many", says="there are batch - 1 periods")
def fit_budget(ways, period_ms, idle_watts, deadline_ms, most_watts, most_mib):
    batch, time, watts, mib = ways.T
    gathered = batch * period_ms
    energy = watts * time + idle_watts * (gathered - time)
    fits = (time <= gathered) & (gathered + time <= deadline_ms)
    fits &= (energy / gathered <= most_watts) & (mib <= most_mib)
    best = int(np.argmin(np.where(fits, energy / batch, np.inf))) if fits.any() else -1
    return energy / batch, best


@wrong("any_time", misconception="gathering_forgotten", says="or with nothing")
def fit_budget(ways, period_ms, idle_watts, deadline_ms, most_watts, most_mib):
    batch, time, watts, mib = ways.T
    gathered = batch * period_ms
    energy = watts * time + idle_watts * (gathered - time)
    fits = time <= gathered
    fits &= (energy / gathered <= most_watts) & (mib <= most_mib)
    best = int(np.argmin(np.where(fits, energy / batch, np.inf))) if fits.any() else -1
    return energy / batch, best


@wrong("piles_up", misconception="does_not_keep_up", says="slower than pictures come")
def fit_budget(ways, period_ms, idle_watts, deadline_ms, most_watts, most_mib):
    batch, time, watts, mib = ways.T
    gathered = batch * period_ms
    energy = watts * time + idle_watts * (gathered - time)
    fits = gathered - period_ms + time <= deadline_ms
    fits &= (energy / gathered <= most_watts) & (mib <= most_mib)
    best = int(np.argmin(np.where(fits, energy / batch, np.inf))) if fits.any() else -1
    return energy / batch, best


@wrong("peak_power", misconception="peak_for_average", says="that is meant on average")
def fit_budget(ways, period_ms, idle_watts, deadline_ms, most_watts, most_mib):
    batch, time, watts, mib = ways.T
    gathered = batch * period_ms
    energy = watts * time + idle_watts * (gathered - time)
    fits = (time <= gathered) & (gathered - period_ms + time <= deadline_ms)
    fits &= (watts <= most_watts) & (mib <= most_mib)
    best = int(np.argmin(np.where(fits, energy / batch, np.inf))) if fits.any() else -1
    return energy / batch, best


@wrong("any_power", misconception="power_not_asked", says="nobody asked for the power")
def fit_budget(ways, period_ms, idle_watts, deadline_ms, most_watts, most_mib):
    batch, time, watts, mib = ways.T
    gathered = batch * period_ms
    energy = watts * time + idle_watts * (gathered - time)
    fits = (time <= gathered) & (gathered - period_ms + time <= deadline_ms)
    fits &= mib <= most_mib
    best = int(np.argmin(np.where(fits, energy / batch, np.inf))) if fits.any() else -1
    return energy / batch, best


@wrong("any_memory", misconception="memory_not_asked", says="nobody asked for the memory")
def fit_budget(ways, period_ms, idle_watts, deadline_ms, most_watts, most_mib):
    batch, time, watts, mib = ways.T
    gathered = batch * period_ms
    energy = watts * time + idle_watts * (gathered - time)
    fits = (time <= gathered) & (gathered - period_ms + time <= deadline_ms)
    fits &= energy / gathered <= most_watts
    best = int(np.argmin(np.where(fits, energy / batch, np.inf))) if fits.any() else -1
    return energy / batch, best


@wrong("fastest", misconception="fastest_taken", says="the one that takes the least energy")
def fit_budget(ways, period_ms, idle_watts, deadline_ms, most_watts, most_mib):
    batch, time, watts, mib = ways.T
    gathered = batch * period_ms
    energy = watts * time + idle_watts * (gathered - time)
    fits = (time <= gathered) & (gathered - period_ms + time <= deadline_ms)
    fits &= (energy / gathered <= most_watts) & (mib <= most_mib)
    best = int(np.argmin(np.where(fits, time / batch, np.inf))) if fits.any() else -1
    return energy / batch, best


@wrong("deadline_never_met_exactly", misconception="wrong_formula", says="met exactly")
def fit_budget(ways, period_ms, idle_watts, deadline_ms, most_watts, most_mib):
    batch, time, watts, mib = ways.T
    gathered = batch * period_ms
    energy = watts * time + idle_watts * (gathered - time)
    fits = (time <= gathered) & (gathered - period_ms + time < deadline_ms)
    fits &= (energy / gathered <= most_watts) & (mib <= most_mib)
    best = int(np.argmin(np.where(fits, energy / batch, np.inf))) if fits.any() else -1
    return energy / batch, best


@wrong("watts_below_the_limit", misconception="wrong_formula", says="met exactly")
def fit_budget(ways, period_ms, idle_watts, deadline_ms, most_watts, most_mib):
    batch, time, watts, mib = ways.T
    gathered = batch * period_ms
    energy = watts * time + idle_watts * (gathered - time)
    fits = (time <= gathered) & (gathered - period_ms + time <= deadline_ms)
    fits &= (energy / gathered < most_watts) & (mib <= most_mib)
    best = int(np.argmin(np.where(fits, energy / batch, np.inf))) if fits.any() else -1
    return energy / batch, best
