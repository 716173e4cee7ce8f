"""Answers to performance.resident_warps."""

import math

from autograder.exercises.catalogue import right, wrong

SM_WARPS, SM_BLOCKS, SM_REGISTERS = 64, 32, 65_536
REGISTER_UNIT = 256
SM_SHARED, BLOCK_SHARED = 228 * 1024, 227 * 1024
RESERVED, SHARED_UNIT = 1024, 128


def up(n, unit):
    return (n + unit - 1) // unit * unit


@right("a_helper_rounds_up")
def resident_warps(threads, registers, shared_bytes):
    if shared_bytes > BLOCK_SHARED:
        return 0
    warps = up(threads, 32) // 32
    fits = SM_REGISTERS // up(registers * 32, REGISTER_UNIT)
    fits -= fits % 4
    blocks = min(SM_BLOCKS, SM_WARPS // warps, fits // warps, SM_SHARED // up(shared_bytes + RESERVED, SHARED_UNIT))
    return blocks * warps


@right("counts_blocks_up")
def resident_warps(threads, registers, shared_bytes):
    warps = math.ceil(threads / 32)
    per_warp = math.ceil(32 * registers / 256) * 256
    most = SM_REGISTERS // per_warp // 4 * 4
    per_block = math.ceil((shared_bytes + 1024) / 128) * 128
    blocks = 0
    while (
        shared_bytes <= BLOCK_SHARED
        and blocks < SM_BLOCKS
        and (blocks + 1) * warps <= min(SM_WARPS, most)
        and (blocks + 1) * per_block <= SM_SHARED
    ):
        blocks += 1
    return blocks * warps


@right("eight_registers_at_a_time")
def resident_warps(threads, registers, shared_bytes):
    warps = (threads + 31) // 32
    each = (registers + 7) // 8 * 8
    in_a_quarter = 16_384 // (32 * each)
    shared = (shared_bytes + 1024 + 127) // 128 * 128
    blocks = [64 // warps, 32, 4 * in_a_quarter // warps]
    blocks.append(SM_SHARED // shared if shared <= SM_SHARED else 0)
    return min(blocks) * warps


@right("a_dictionary_of_limits")
def resident_warps(threads, registers, shared_bytes):
    warps = -(threads // -32)
    limits = {
        "warps": SM_WARPS // warps,
        "blocks": SM_BLOCKS,
        "registers": (SM_REGISTERS // (-(registers * 32 // -REGISTER_UNIT) * REGISTER_UNIT) & ~3) // warps,
        "shared memory": 0,
    }
    if shared_bytes <= BLOCK_SHARED:
        limits["shared memory"] = SM_SHARED // (-((shared_bytes + RESERVED) // -SHARED_UNIT) * SHARED_UNIT)
    return warps * min(limits.values())


@right("the_courses_own_table")
def resident_warps(threads, registers, shared_bytes):
    from autograder.lint import theoretical_occupancy

    return theoretical_occupancy((9, 0), threads, registers, shared_bytes).warps


@right("divmod_throughout")
def resident_warps(threads, registers, shared_bytes):
    warps, rest = divmod(threads, 32)
    warps += rest > 0
    units, rest = divmod(32 * registers, REGISTER_UNIT)
    units += rest > 0
    fit = 256 // units
    fit -= fit % 4
    pieces, rest = divmod(shared_bytes + RESERVED, SHARED_UNIT)
    pieces += rest > 0
    by_shared = SM_SHARED // SHARED_UNIT // pieces
    if shared_bytes > BLOCK_SHARED:
        by_shared = 0
    return int(warps * min(SM_WARPS // warps, SM_BLOCKS, fit // warps, by_shared))


@wrong("counts_blocks", misconception="blocks_for_warps", says="these are blocks")
def resident_warps(threads, registers, shared_bytes):
    warps = -(-threads // 32)
    by_registers = SM_REGISTERS // (-(-32 * registers // 256) * 256) // 4 * 4 // warps
    by_shared = SM_SHARED // (-(-(shared_bytes + 1024) // 128) * 128) if shared_bytes <= BLOCK_SHARED else 0
    return min(SM_WARPS // warps, SM_BLOCKS, by_registers, by_shared)


@wrong("forgets_the_registers", misconception="registers_forgotten", says="registers are ignored")
def resident_warps(threads, registers, shared_bytes):
    warps = -(-threads // 32)
    by_shared = SM_SHARED // (-(-(shared_bytes + 1024) // 128) * 128) if shared_bytes <= BLOCK_SHARED else 0
    return warps * min(SM_WARPS // warps, SM_BLOCKS, by_shared)


@wrong("forgets_the_shared_memory", misconception="shared_forgotten", says="shared memory is ignored")
def resident_warps(threads, registers, shared_bytes):
    warps = -(-threads // 32)
    by_registers = SM_REGISTERS // (-(-32 * registers // 256) * 256) // 4 * 4 // warps
    return warps * min(SM_WARPS // warps, SM_BLOCKS, by_registers)


@wrong("forgets_the_block_limit", misconception="block_limit_forgotten", says="no more than 32")
def resident_warps(threads, registers, shared_bytes):
    warps = -(-threads // 32)
    by_registers = SM_REGISTERS // (-(-32 * registers // 256) * 256) // 4 * 4 // warps
    by_shared = SM_SHARED // (-(-(shared_bytes + 1024) // 128) * 128) if shared_bytes <= BLOCK_SHARED else 0
    return warps * min(SM_WARPS // warps, by_registers, by_shared)


@wrong("all_registers_together", misconception="quarters_forgotten", says="four parts")
def resident_warps(threads, registers, shared_bytes):
    warps = -(-threads // 32)
    per_warp = -(-32 * registers // REGISTER_UNIT) * REGISTER_UNIT
    by_registers = SM_REGISTERS // per_warp // warps
    per_block = -(-(shared_bytes + RESERVED) // SHARED_UNIT) * SHARED_UNIT
    by_shared = SM_SHARED // per_block if shared_bytes <= BLOCK_SHARED else 0
    return warps * min(SM_WARPS // warps, SM_BLOCKS, by_registers, by_shared)


@wrong("shared_memory_byte_by_byte", misconception="part_left_out", says="without `SHARED_UNIT`")
def resident_warps(threads, registers, shared_bytes):
    warps = -(-threads // 32)
    per_warp = -(-32 * registers // REGISTER_UNIT) * REGISTER_UNIT
    by_registers = SM_REGISTERS // per_warp // 4 * 4 // warps
    by_shared = SM_SHARED // (shared_bytes + RESERVED) if shared_bytes <= BLOCK_SHARED else 0
    return warps * min(SM_WARPS // warps, SM_BLOCKS, by_registers, by_shared)


@wrong("registers_one_by_one", misconception="not_in_units", says="units of 256")
def resident_warps(threads, registers, shared_bytes):
    warps = -(-threads // 32)
    by_registers = SM_REGISTERS // (registers * 32 * warps)
    by_shared = SM_SHARED // (-(-(shared_bytes + 1024) // 128) * 128) if shared_bytes <= BLOCK_SHARED else 0
    return warps * min(SM_WARPS // warps, SM_BLOCKS, by_registers, by_shared)


@wrong("forgets_what_the_system_takes", misconception="part_left_out", says="without `RESERVED`")
def resident_warps(threads, registers, shared_bytes):
    warps = -(-threads // 32)
    by_registers = SM_REGISTERS // (-(-32 * registers // 256) * 256) // 4 * 4 // warps
    by_shared = SM_SHARED // shared_bytes if shared_bytes else SM_BLOCKS
    return warps * min(SM_WARPS // warps, SM_BLOCKS, by_registers, by_shared)


@wrong("a_share", misconception="wrong_return", says="a float, expected a whole number")
def resident_warps(threads, registers, shared_bytes):
    warps = -(-threads // 32)
    by_registers = SM_REGISTERS // (-(-32 * registers // 256) * 256) // 4 * 4 // warps
    by_shared = SM_SHARED // (-(-(shared_bytes + 1024) // 128) * 128) if shared_bytes <= BLOCK_SHARED else 0
    return warps * min(SM_WARPS // warps, SM_BLOCKS, by_registers, by_shared) / SM_WARPS
