"""Functions of a few numbers: what their wrong results have in common, and which part of the formula they leave out."""

import pytest

from tests.autograder.diagnosis.test_told_remedies import outcome_of

OF_NUMBERS = {  # exercise, the answer, what it is told
    "an argument that comes back as it is": (
        "performance.speedups",
        "def speedups(parallel_share, workers):\n    return workers * parallel_share, workers\n",
        "gustafson is workers itself, in every case that is wrong",
    ),
    "a part that is rounded to units": (
        "performance.resident_warps",
        """def resident_warps(threads, registers, shared_bytes):
    if shared_bytes > BLOCK_SHARED:
        return 0
    warps = (threads + 31) // 32
    each = (registers * 32 + 255) // 256 * 256
    most = SM_SHARED // (shared_bytes + RESERVED)
    return min(64 // warps, 32, 65_536 // each // 4 * 4 // warps, most) * warps
""",
        "without `SHARED_UNIT`",
    ),
    "divisions that drop fractions": (
        "performance.read_profile",
        """def read_profile(
    load_requests, load_sectors, shared_wavefronts, shared_conflicts, warp_instructions, thread_instructions
):
    first = load_sectors // max(1, load_requests)
    second = shared_conflicts // max(1, shared_wavefronts)
    return first, second, thread_instructions // max(1, warp_instructions)
""",
        "there and wherever the function has it again",
    ),
}


@pytest.mark.parametrize("name", OF_NUMBERS)
def test_a_wrong_number_has_a_cause(name):
    identifier, source, says = OF_NUMBERS[name]

    assert says in " ".join(str(outcome_of(identifier, source)).split())


def test_a_function_that_keeps_a_result_is_still_told_so():
    source = """KEPT = []


def count_keys(keys, asked, table, counts, found):
    put_in[max(1, -(-keys.size // THREADS)), THREADS](keys, table, counts)
    look_up[max(1, -(-asked.size // THREADS)), THREADS](asked, table, counts, found)
    if not KEPT:
        KEPT.append(found.copy_to_host())
    found.copy_to_device(KEPT[0]) if KEPT[0].size == found.size else None
"""
    kernels = """
@cuda.jit
def put_in(keys, table, counts):
    i = cuda.grid(1)
    if i < keys.size:
        place = place_of(keys[i], table.size)
        while True:
            seen = cuda.atomic.cas(table, place, EMPTY, keys[i])
            if seen == EMPTY or seen == keys[i]:
                break
            place = (place + 1) & (table.size - 1)
        cuda.atomic.add(counts, place, 1)


@cuda.jit
def look_up(asked, table, counts, found):
    i = cuda.grid(1)
    if i < asked.size:
        place = place_of(asked[i], table.size)
        while table[place] != EMPTY and table[place] != asked[i]:
            place = (place + 1) & (table.size - 1)
        found[i] = counts[place] if table[place] == asked[i] else 0


"""
    outcome = outcome_of("atomics.count_keys", kernels + source)

    assert "keeps_between_calls" == outcome.misconception, outcome
