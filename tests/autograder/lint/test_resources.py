"""Notes on what a kernel occupies, from the assembler's numbers."""

import ast

from autograder.lint.machine_code.ptx import Instruction, SourceLine
from autograder.lint.report import Facts
from autograder.lint.resources import local_arrays, over_shared_limit, packed_products, spills, wide_integers

FILE = "cell.py"
TREE = ast.parse(
    "def kernel(src):\n    table = cuda.local.array(64, float32)\n    t = cuda.shared.array(9, float32)"
).body[0]


def facts(architecture="sm_75", registers=32, stores=0, loads=0, stack=0):
    return {architecture: Facts(architecture, registers, stores, loads, stack, shared_bytes=0, constant_bytes=0)}


def at(line, opcode):
    return Instruction(opcode, "", (SourceLine(FILE, line),))


def test_the_architecture_that_spills_most_is_named():
    (finding,) = spills(facts("sm_75", stores=8, loads=8) | facts("sm_80", 255, stores=40, loads=60))
    assert (
        "255 registers per thread are not enough on sm_80: it writes 40 bytes to local memory and reads 60"
        in finding.says
    )


def test_no_spills_no_finding():
    assert [] == list(spills(facts()))


def test_a_local_array_is_blamed_only_when_the_kernel_has_one_and_memory_is_used():
    ptx = ".local .align 4 .b8 __local_depot0[256];"
    (finding,) = local_arrays(facts(stack=256), TREE, ptx)
    assert (2,) == finding.lines and "256 bytes per thread" in finding.says
    assert [] == list(local_arrays(facts(stack=0), TREE, ptx))
    assert [] == list(local_arrays(facts(stack=256), ast.parse("def kernel(): pass").body[0], ptx))


def test_too_much_shared_memory_is_an_error_on_the_line_of_the_array():
    finding = over_shared_limit((80_000, 49_152), TREE)
    assert ((3,), "error") == (finding.lines, finding.severity)


def test_registers_that_limit_occupancy_are_noted_when_64_bit_integers_take_part():
    code = [at(3, "add.s64"), at(3, "mul.lo.s64"), at(4, "add.f32")]
    (finding,) = wide_integers(facts("sm_80", registers=128), code, FILE)
    assert "128 registers per thread limit occupancy to 25% with 256 threads per block. 2 of its" in finding.says


def test_a_file_whose_name_the_compiler_made_absolute_is_the_same_file():
    (finding,) = wide_integers(facts(), [Instruction("div.s64", "", (SourceLine(f"/home/me/{FILE}", 7),))], FILE)
    assert (7,) == finding.lines


def test_few_registers_are_never_noted():
    assert [] == list(wide_integers(facts(registers=32), [at(3, "add.s64")], FILE))
    assert [] == list(wide_integers(facts("sm_80", registers=128), [at(3, "add.s32")], FILE))


def test_a_64_bit_division_is_noted_on_its_line_and_a_32_bit_one_is_not():
    (finding,) = wide_integers(facts(), [at(7, "div.s64"), at(8, "div.u32")], FILE)
    assert (7,) == finding.lines


def test_dp4a_from_whole_words_is_praise_and_from_bytes_a_remark():
    product = at(5, "dp4a.s32.s32")
    assert ["dp4a"] == [one.kind for one in packed_products([at(5, "ld.global.u32"), product], FILE)]
    a_residual = [at(5, "ld.global.u32"), product, at(7, "ld.global.s8")]  # a byte that feeds no product
    assert ["dp4a"] == [one.kind for one in packed_products(a_residual, FILE)]
    assert ["dp4a_byte_loads"] == [one.kind for one in packed_products([at(5, "ld.global.s8")] * 4 + [product], FILE)]
