"""Attacks on the way from the jail to the GPU: whoever owns the jail that compiles says what it likes to the judge.

The device is a stand-in, so these run without a GPU. `row` is the line of the catalogue of cheats, as in `attacks`.
What kernels do on a GPU itself is in tests/gpu/test_sealed_on_gpu.py.
"""

import random
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from autograder.classroom.messages.conversation import JailError
from autograder.classroom.sealed import compiling
from autograder.classroom.sealed.carried import Bench
from autograder.classroom.sealed.compiling import Code, NotCompiled
from autograder.classroom.sealed.launching import LauncherError
from autograder.classroom.sealed.plan import LaunchPlan, NotPossible
from autograder.classroom.sealed.ptx import gate as ptx_gate
from autograder.classroom.sealed.ptx.text import PtxRefused
from tests.autograder.classroom.sealed import at_hand
from tests.autograder.classroom.sealed.test_ptx_gate import PTX, with_declaration, with_line

KINDS = (("array", "<f4", 0, "C"),)
ADDRESSES = PTX.replace("\t.param .f32 add_param_1\n", "").replace("add_param_0,", "add_param_0").replace(
    "\t.param .u64 add_param_0\n", ",\n".join(f"\t.param .u64 add_param_{n}" for n in range(5)) + "\n"
)  # fmt: skip
CODE = {"ptx": ADDRESSES, "max_registers": 0}
IMAGE = {"0": np.frombuffer(b"\x7fELF machine code", np.uint8)}


def compiled_from(monkeypatch, reply: Any, images: Any = IMAGE) -> list[Code]:
    """What the judge makes of a jail that answers so."""
    replies = {"compile": (reply, {}), "assemble": ({"assembled": 1}, images)}
    monkeypatch.setattr(compiling, "_asked", lambda request: replies[request["visit"]])
    return compiling.compiled(at_hand_program(), [("add", KINDS)], "sm_90")


def at_hand_program():
    from autograder.answer.program import Program

    return Program("", "add")


def test_a_jail_that_says_what_it_should_is_believed_as_far_as_its_bytes_go(monkeypatch):
    (code,) = compiled_from(monkeypatch, {"codes": [CODE]})

    assert ("add", ("u64",) * 5, IMAGE["0"].tobytes()) == (code.entry, code.parameters, code.image)


@dataclass(frozen=True)
class Forged:
    """A reply of the jail that compiles, and what becomes of it."""

    name: str
    row: int
    reply: Any
    raises: type[Exception] = JailError


def ptx(text: str) -> dict[str, Any]:
    return {"codes": [{**CODE, "ptx": text}]}


def before_the_kernel(text: str) -> dict[str, Any]:
    return ptx(ADDRESSES.replace(".visible .entry", f"{text}\n.visible .entry", 1))


def line(text: str) -> dict[str, Any]:
    return ptx(ADDRESSES.replace("\tret;", f"\t{text}\n\tret;", 1))


FORGED = (
    Forged("reads_a_clock", 46, line("mov.u64 %rd1, %globaltimer;"), PtxRefused),
    Forged("keeps_inputs_in_the_cache", 43, line("ld.global.L2::cache_hint.f32 %f1, [%rd1], %rd2;"), PtxRefused),
    Forged("keeps_a_result", 47, before_the_kernel(".global .align 4 .b8 stash[64];"), PtxRefused),
    Forged("links_a_library", 48, before_the_kernel(".extern .func (.param .b32 r) sgemm(.param .b64 a);"), PtxRefused),
    Forged("launches_from_the_device", 44, line("call (%r1), cudaLaunchDevice, (%rd1);"), PtxRefused),
    Forged("calls_an_address", 48, line("call (%r1), %rd1, (%rd1), prototype;"), PtxRefused),
    Forged("brings_two_kernels", 48, ptx(ADDRESSES + ADDRESSES[ADDRESSES.index(".visible .entry"):]), PtxRefused),
    Forged("takes_other_parameters", 73, ptx(PTX), PtxRefused),
    Forged("fills_a_block", 64, line(".shared .align 4 .b8 huge[999999];"), PtxRefused),
    Forged("floods", 65, ptx(ADDRESSES + "//" + "x" * ptx_gate.MAX_BYTES), PtxRefused),
    Forged("says_nothing", 69, {}),
    Forged("brings_nothing", 69, {"codes": []}),
    Forged("brings_too_many", 73, {"codes": [CODE, CODE]}),
    Forged("brings_a_list", 74, {"codes": [[CODE]]}),
    Forged("brings_a_number", 74, {"codes": [{**CODE, "ptx": 7}]}),
    Forged("asks_for_registers", 73, {"codes": [{**CODE, "max_registers": 10**9}]}),
    Forged("asks_for_half_a_register", 73, {"codes": [{**CODE, "max_registers": 0.5}]}),
    Forged("asks_truly", 73, {"codes": [{**CODE, "max_registers": True}]}),
    Forged("did_not_compile", 71, {"not_compiled": ["not", "a", "text"]}, NotCompiled),
)  # fmt: skip


@pytest.mark.parametrize("attack", FORGED, ids=lambda attack: f"row_{attack.row}_{attack.name}")
def test_a_forged_reply_of_the_jail_that_compiles_reaches_no_launcher(monkeypatch, attack):
    with pytest.raises(attack.raises) as caught:
        compiled_from(monkeypatch, attack.reply)

    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "images",
    [{}, {"1": IMAGE["0"]}, {"0": np.zeros(4, np.float32)}, {"0": np.zeros(0, np.uint8)},
     {"0": np.zeros(compiling.MAX_IMAGE_BYTES + 1, np.uint8)}],
    ids=["none", "another", "floats", "empty", "huge"],
)  # fmt: skip
def test_what_is_no_machine_code_reaches_no_launcher(monkeypatch, images):
    with pytest.raises(JailError):
        compiled_from(monkeypatch, {"codes": [CODE]}, images)


def test_row_84_code_that_was_changed_after_it_was_recorded_is_not_loaded():
    plan = at_hand.adding()
    (code,) = plan.codes
    with at_hand.launcher() as launcher:
        for tampered in (replace(code, image=b"other"), replace(code, sha256="0" * 64)):
            with pytest.raises(LauncherError, match="hash"):
                Bench(launcher, {"yours": LaunchPlan(plan.buffers, (tampered,), plan.operations)})


@pytest.fixture(scope="module")
def launcher():
    with at_hand.launcher() as one:
        yield one


ABSURD = (
    {"grid": [1 << 40, 1, 1]}, {"grid": [1, 1]}, {"block": [-1, 1, 1]}, {"block": [1 << 20, 1, 1]},
    {"shared": 1 << 62}, {"launch": 99}, {"arguments": [["at", "../../a", 0]] * 21}, {"arguments": [10**400] * 21},
    {"arguments": [["at", "a", -8]] * 21}, {"arguments": "a" * 21}, {"copy": ["a", 0, "b", 0, 1 << 50]},
    {"copy": ["a", -4, "b", 0, 4]}, {"copy": [[], {}, None, 1, 2]},
)  # fmt: skip


@pytest.mark.parametrize("changed", ABSURD, ids=range(len(ABSURD)))
def test_row_64_an_absurd_launch_or_copy_is_refused_and_the_launcher_goes_on(launcher, changed):
    with pytest.raises((NotPossible, LauncherError, ValueError)) as caught:
        Bench(launcher, {"yours": at_hand.adding(**changed)})

    assert getattr(caught.value, "kind", "refused") == "refused"
    assert launcher.ask({"do": "canary"}, 5.0)["done"]


def test_three_thousand_damaged_texts_are_accepted_or_refused_and_nothing_else():
    chance = random.Random(7)
    words = [*PTX.split(), ".global", ".func", "(", ")", "{", "}", ";", "%clock", "[", "]", "=", "0f", '"', "\0", "é"]
    seen = {"accepted": 0, "refused": 0}
    for text in (PTX, with_line("trap;"), with_declaration(".const .align 4 .b8 t[4] = {1, 2, 3, 4};")):
        for _ in range(1_000):
            pieces = text.split(" ")
            for _ in range(chance.randint(1, 4)):
                at = chance.randrange(len(pieces))
                pieces[at : at + chance.randint(0, 3)] = chance.sample(words, chance.randint(0, 2))
            try:
                ptx_gate.accept(" ".join(pieces), "sm_90")
                seen["accepted"] += 1
            except PtxRefused:
                seen["refused"] += 1

    assert 3_000 == sum(seen.values())
    assert seen["refused"] > seen["accepted"] > 0
