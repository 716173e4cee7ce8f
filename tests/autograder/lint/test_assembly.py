"""Reading PTX and the assembler's report, from text."""

from autograder.lint.machine_code.ptx import SourceLine, instructions, static_shared_bytes
from autograder.lint.machine_code.ptxas import facts_from_log, shared_excess

PTX = """
.visible .entry kernel()
{
	.shared .align 4 .b8 first[10];
	.visible .shared .align 8 .b8 second[16];
	.loc	1 13 0
	mov.u32 	%r1, %tid.x;
	.loc	2 19 1, function_name $L__info_string0, inlined_at 1 23 1
	@%p1 bra 	$L__BB0_2;
	fma.rn.f64 	%fd1, %fd2, 0d400D99999999999A, 0d3FF0000000000000;
	.loc	1 0 1
	cvt.rn.f32.f64 	%f35, %fd7;
$L__BB0_2:
	ret;
}
	.file	1 "kernel.py"
	.file	2 "helpers.py"
"""

LOG = """ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'kernel' for 'sm_75'
ptxas         .     32 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 24 registers, used 1 barriers, 496 bytes cmem[0]
info    : used 24 registers, used 7 barriers, 4224 bytes smem, 496 bytes cmem[0], 16 bytes cmem[2], 0 bytes lmem
"""


def test_an_instruction_knows_its_line_and_the_line_it_was_inlined_at():
    fma = next(one for one in instructions(PTX) if one.operation == "fma")
    assert (SourceLine("helpers.py", 19), SourceLine("kernel.py", 23)) == fma.places


def test_line_zero_belongs_to_the_line_before():
    fma, convert = (one for one in instructions(PTX) if one.operation in ("fma", "cvt"))
    assert fma.places == convert.places


def test_conversions_are_not_arithmetic():
    assert ["fma.rn.f64"] == [one.opcode for one in instructions(PTX) if one.computes_in("f64")]


def test_predicated_instructions_are_seen():
    assert "bra" in [one.operation for one in instructions(PTX)]


def test_shared_arrays_are_laid_out_with_their_alignment():
    assert 16 + 16 == static_shared_bytes(PTX)


def test_facts_come_from_the_last_word_of_the_assembler_and_spills_from_the_first():
    facts = facts_from_log("sm_75", LOG, PTX)
    assert (24, 8, 12, 32, 512, 32) == (
        facts.registers,
        facts.spill_store_bytes,
        facts.spill_load_bytes,
        facts.stack_frame_bytes,
        facts.constant_bytes,
        facts.shared_bytes,
    )


def test_a_silent_assembler_gives_no_facts():
    assert facts_from_log("sm_75", "ptxas info    : 0 bytes gmem", PTX) is None


def test_an_excess_of_shared_memory_is_read_in_bytes():
    assert (160000, 49152) == shared_excess("uses too much shared data (0x27100 bytes, 0xc000 max)")
    assert shared_excess("Undefined reference to 'f'") is None
