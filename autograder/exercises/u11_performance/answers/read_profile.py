"""Answers to performance.read_profile."""

import math

from autograder.exercises.catalogue import right, wrong


@right("one_line_each")
def read_profile(
    load_requests, load_sectors, shared_wavefronts, shared_conflicts, warp_instructions, thread_instructions
):
    sectors = load_sectors / load_requests if load_requests > 0 else 0
    conflicts = shared_conflicts / shared_wavefronts if shared_wavefronts > 0 else 0
    lanes = thread_instructions / warp_instructions if warp_instructions > 0 else 0
    return sectors, conflicts, lanes


@right("at_least_one_below")
def read_profile(
    load_requests, load_sectors, shared_wavefronts, shared_conflicts, warp_instructions, thread_instructions
):
    return (
        load_sectors / max(1, load_requests),
        shared_conflicts / max(1, shared_wavefronts),
        thread_instructions / max(1, warp_instructions),
    )


@right("a_loop_over_pairs")
def read_profile(
    load_requests, load_sectors, shared_wavefronts, shared_conflicts, warp_instructions, thread_instructions
):
    wholes = (load_requests, shared_wavefronts, warp_instructions)
    parts = (load_sectors, shared_conflicts, thread_instructions)
    return [part / whole if whole else 0.0 for part, whole in zip(parts, wholes, strict=True)]


@right("catches_the_division")
def read_profile(
    load_requests, load_sectors, shared_wavefronts, shared_conflicts, warp_instructions, thread_instructions
):
    def over(part, whole):
        try:
            return part / whole
        except ZeroDivisionError:
            return 0.0

    return (
        over(load_sectors, load_requests),
        over(shared_conflicts, shared_wavefronts),
        over(thread_instructions, warp_instructions),
    )


@right("through_the_ideal_passes")
def read_profile(
    load_requests, load_sectors, shared_wavefronts, shared_conflicts, warp_instructions, thread_instructions
):
    ideal = shared_wavefronts - shared_conflicts
    share = 0.0 if shared_wavefronts == 0 else 1 - ideal / shared_wavefronts
    sectors = 0.0 if load_requests == 0 else load_sectors / load_requests
    return sectors, share, 0.0 if warp_instructions == 0 else thread_instructions / warp_instructions


@right("fractions")
def read_profile(
    load_requests, load_sectors, shared_wavefronts, shared_conflicts, warp_instructions, thread_instructions
):
    from fractions import Fraction

    pairs = (
        (load_sectors, load_requests),
        (shared_conflicts, shared_wavefronts),
        (thread_instructions, warp_instructions),
    )
    return tuple(float(Fraction(part, whole)) if whole else 0.0 for part, whole in pairs)


@wrong("upside_down", misconception="upside_down", says="upside down")
def read_profile(
    load_requests, load_sectors, shared_wavefronts, shared_conflicts, warp_instructions, thread_instructions
):
    def over(part, whole):
        return part / whole if whole else 0.0

    return (
        over(load_requests, load_sectors),
        over(shared_wavefronts, shared_conflicts),
        over(warp_instructions, thread_instructions),
    )


@wrong("whole_numbers", misconception="wrong_formula", says="sectors_per_request")
def read_profile(
    load_requests, load_sectors, shared_wavefronts, shared_conflicts, warp_instructions, thread_instructions
):
    return (
        load_sectors // max(1, load_requests),
        shared_conflicts // max(1, shared_wavefronts),
        thread_instructions // max(1, warp_instructions),
    )


@wrong("divides_by_nothing", misconception="exception", says="ZeroDivisionError", outcome="Crashed")
def read_profile(
    load_requests, load_sectors, shared_wavefronts, shared_conflicts, warp_instructions, thread_instructions
):
    return load_sectors / load_requests, shared_conflicts / shared_wavefronts, thread_instructions / warp_instructions


@wrong("nan_for_nothing", misconception="output_accumulates", says="look at what is divided")
def read_profile(
    load_requests, load_sectors, shared_wavefronts, shared_conflicts, warp_instructions, thread_instructions
):
    def over(part, whole):
        return part / whole if whole else math.nan

    return (
        over(load_sectors, load_requests),
        over(shared_conflicts, shared_wavefronts),
        over(thread_instructions, warp_instructions),
    )


@wrong("in_percent", misconception="wrong_formula", says="conflict_share")
def read_profile(
    load_requests, load_sectors, shared_wavefronts, shared_conflicts, warp_instructions, thread_instructions
):
    def over(part, whole):
        return part / whole if whole else 0.0

    return (
        over(load_sectors, load_requests),
        100 * over(shared_conflicts, shared_wavefronts),
        over(thread_instructions, warp_instructions),
    )


@wrong("conflicts_over_ideal", misconception="wrong_formula", says="conflict_share")
def read_profile(
    load_requests, load_sectors, shared_wavefronts, shared_conflicts, warp_instructions, thread_instructions
):
    def over(part, whole):
        return part / whole if whole else 0.0

    ideal = shared_wavefronts - shared_conflicts
    return (
        over(load_sectors, load_requests),
        over(shared_conflicts, ideal),
        over(thread_instructions, warp_instructions),
    )


@wrong("two_of_three", misconception="wrong_return", says="expected 3 values")
def read_profile(
    load_requests, load_sectors, shared_wavefronts, shared_conflicts, warp_instructions, thread_instructions
):
    return load_sectors / max(1, load_requests), thread_instructions / max(1, warp_instructions)
