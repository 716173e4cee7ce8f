"""What the subset leaves out is refused by name and by its line; nothing is guessed."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
import yaml

pytest.importorskip("tree_sitter_cuda")

from autograder.contract import Argument
from autograder.drills import cpp, kinds, replies
from autograder.drills.deck.load import find_card
from autograder.drills.deck.model import AnswerError
from autograder.drills.tasks import find_task

WRITTEN = yaml.safe_load((Path(replies.__file__).parent / "in_cpp.yaml").read_text(encoding="utf-8"))
ARGUMENTS = (Argument("src", "in", "float32", "(n,)"), Argument("dst", "out", "float32", "(n,)"))
HEAD = "__global__ void f(const float* src, float* dst, int n) {\n    int t = threadIdx.x;\n"


def refusal(body: str, before: str = "") -> cpp.CppError:
    with pytest.raises(cpp.CppError) as caught:
        cpp.translate(f"{before}{HEAD}{body}\n}}\n", "f", ARGUMENTS)
    return caught.value


@pytest.mark.parametrize(
    ("body", "line", "words"),
    [
        ("float4 v = reinterpret_cast<const float4*>(src + 1)[t];", 3, "aligned"),
        ("float4* p = reinterpret_cast<float4*>(src);", 3, "const float4*"),
        ("int4 v = reinterpret_cast<const int4*>(src)[t];", 3, "no float32"),
        ("float4 v; v.q = 1;", 3, "no part `q`"),
        ("float4 v = {1, 2, 3, 4, 5};", 3, "has 4 parts"),
        ("float4 v = make_float2(1, 2);", 3, "is no float4"),
        ("extern __shared__ float s[];", 3, "how many bytes of dynamic shared memory"),
        ("__shared__ float s[n];", 3, "known when it compiles"),
        ("src[t] = 0;", 3, "const"),
        ("float* p = src + 1;", 3, "const"),
        ("int* p = dst;", 3, "points to int32"),
        ("dst[t] = missing;", 3, "`missing` is not declared"),
        ("dst[t] = frobnicate(t);", 3, "`frobnicate` is not known"),
        ("switch (t) { case 0: if (n) break; return; case 1: break; }", 3, "middle of a case"),
        ("goto end; end: return;", 3, "goto"),
        ("int k = 1; auto g = [=](int j) { return j + k; }; k = 2;", 3, "capture by reference"),
        ("auto g = [](int j) { if (j) return 1; return 2; };\n    dst[t] = g(t);", 3, "at its end"),
        ("auto g = [](int j) { return j; }; if (t > 2 && g(t) > 3) dst[t] = 1;", 3, "call it before"),
        ("cooperative_groups::this_grid().sync();", 3, "cooperative launch"),
        ("cooperative_groups::coalesced_threads().sync();", 3, "coalesced_threads"),
        ("const float* p = t > 3 ? src : dst;", 3, "one of two arrays"),
        ("if (src + t < dst) dst[t] = 0;", 3, "within one array"),
        ("unsigned k = 1; atomicInc(&dst[t], k);", 3, "no version for float32"),
        ("dst[t] = 3.0f % 2;", 3, "whole numbers"),
        ("float v; dst[t] = v;", 3, "read before it is set"),
        ("float v = 0; float v = 1;", 3, "declared twice"),
        ("const int k = 3; k = 4;", 3, "const"),
        ("atomicMax(&dst[t], 1.0f);", 3, "no version for float32"),
        ("atomicAdd(dst[t], 1.0f);", 3, "address"),
        ("float v = __shfl_down_sync(0xffffffff, dst[t], 1, 12);", 3, "width"),
        ("static int calls = 0;", 3, "static"),
        ("half h = 1;", 3, "half"),
        ("struct P { int x; P* next; };", 3, "numbers, and nothing else"),
        ("struct P { int x; float y; }; P p[3];", 3, "of P is left out"),
        ("const float* p = src; p = dst;", 3, "within the array"),
        ("float* d = &src[4] - src;", 3, "no pointer"),
        ("return 3;", 3, "gives nothing back"),
        ("break;", 3, "no loop"),
        ("if (t) { continue; }", 3, "no loop"),
        ("asm volatile(\"nop;\");", 3, "asm"),
        ("\n    int k = ;", 4, "no C++"),
    ],
)  # fmt: skip
def test_what_is_left_out_is_named_with_its_line(body, line, words):
    error = refusal(body)

    assert line == error.line
    assert words in error.what


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("#define NAME(r) r##_name\nint NAME(x);\n", "NAME"),
        ("#if __has_include(<cub/cub.cuh>)\n#endif\n", "the condition `__has_include"),
        ("#ifdef FAST\n", "no `#endif`"),
        ("#endif\n", "without an `#if`"),
        ("typedef cub::BlockReduce<float, 256> Reduce;\n", "`cub` is left out"),
        ("struct F {\nint operator()(int x) const { return x; }\nint more() { return 1; }\n};\n", "of classes,"),
        ("union U { float f; double d; };\n", "32 bits or of 64"),
        ("float last(float x) { return x; }\n", "__device__"),
        ("__device__ float a(int x) { return x; }\n__device__ float a(float x) { return x; }\n", "defined twice"),
        ("__constant__ float w[3];\n", "values in braces"),
        ("template <int N> __device__ int last(int k) { return k % N; }\n", "which `N`"),
        ("__device__ int counter;\n", "only constants"),
        ("class P { int x; };\n", "left out"),
    ],
)
def test_what_stands_outside_of_the_kernel_is_refused_as_well(before, words):
    assert words in refusal("dst[t] = src[t] + last(t);" if "last" in before else "dst[t] = src[t];", before).what


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("__global__ void g(const float* src, float* dst, int n) {", "no kernel called `f`"),
        ("__global__ void f(const float* src, float* dst) {", "__global__ void f(const float* src, float* dst, int n)"),
        ("__global__ void f(const double* src, float* dst, int n) {", "float*"),
        ("__global__ void f(const float* src, float* dst, float n) {", "whole number"),
        ("template <int T> __global__ void f(const float* src, float* dst, int n) {\n    dst[T] = 0;", "default"),
    ],
)
def test_a_signature_that_does_not_fit_is_told_with_the_right_one(head, words):
    with pytest.raises(cpp.CppError) as caught:
        cpp.translate(head + "\n}\n", "f", ARGUMENTS)

    assert words in caught.value.what


def test_a_learner_reads_the_line_and_the_name_and_nothing_is_marked():
    question = kinds.pose(find_card("a2.cold_guard"), "en", random.Random(0))
    typed = "__global__ void negate(const float* src, float* dst, int n) {\n    half v;\n}\n"

    with pytest.raises(AnswerError) as caught:
        kinds.mark(question, typed)

    assert "left_out" == caught.value.reason
    assert "2" == caught.value.values["line"] and "half" in caught.value.example


def test_no_text_ends_otherwise_than_in_a_program_or_a_refusal():
    """Answers with a word left out, put in or taken for another."""
    rng = random.Random(5)
    texts = [code for entry in WRITTEN.values() for code in entry["right"]]
    words = [word for text in texts for word in re.findall(r"\w+|[^\w\s]", text)]
    translated = refused = 0
    for name, entry in WRITTEN.items():
        exercise = find_task(find_card(name).data["task"]).exercise
        for _ in range(6):
            parts = re.findall(r"\s+|\w+|[^\w\s]", rng.choice(entry["right"]))
            place = rng.randrange(len(parts))
            parts[place : place + rng.randrange(2)] = rng.choice([[], [rng.choice(words)], [f" {rng.choice(words)} "]])
            try:
                compile(cpp.translate("".join(parts), exercise.function, exercise.arguments).source, name, "exec")
                translated += 1
            except cpp.CppError:
                refused += 1

    assert translated and refused


def test_a_read_only_load_is_a_load():
    source = HEAD + "    dst[t] = __ldg(&src[t]) + __ldg(src + t);\n}\n"

    assert "dst[t] = (src[t] + src[t])" in cpp.translate(source, "f", ARGUMENTS).source
