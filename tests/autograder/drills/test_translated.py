"""What a translation does otherwise is told: results of a run, findings, costs, and what its calls are handed."""

from __future__ import annotations

import random
import re

import pytest

from autograder.drills import kinds
from autograder.drills.deck.load import all_cards, find_card
from autograder.drills.translated import told

RUN = [card for card in all_cards().values() if card.kind == "translate" and "run" in card.data]
INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
KERNEL = f"__global__ void scale(float* x, float a, int n) {{\n{INDEX}"
SAID = [
    ("a2.index_formula", f"{INDEX}if (i > n) return;", "thread 104 of block 257 goes on, with i = 33000"),
    ("a2.index_formula", f"{INDEX.replace(' i', ' k')}if (k > n) return;", "goes on, with i = 33000"),
    ("a2.index_formula", f"short {INDEX[4:]}if (i >= n) return;", "has i = -32768 where the accepted form has 32768"),
    ("a2.loop", "for i in range(cuda.grid(1), n):\n    y[i] = 2 * x[i]", "another cost: 268 global store requests, 5"),
    ("a2.loop", "i = cuda.grid(1)\nwhile i < n:\n    y[i] = 2 * x[i]", "64 threads go round forever"),
    ("a4.definition", f"{KERNEL}x[i] *= a;\n}}", "reads x[100] at line 3, outside the array"),
    ("a4.definition", f"{KERNEL}if (i < n) x[0] *= a;\n}}", "both update x[0] at line 3 without an atomic"),
    ("a4.definition", f"{KERNEL}if (i < n) x[i] += a;\n}}", "x[0] is 1.5 where the accepted form has 0"),
    ("a4.definition", f"{KERNEL.replace('(f', '(const f')}if (i < n) x[i] *= a;\n}}", "Line 3: `x[i]` is const"),
    ("b7.reinterpret", "float4 v = make_float4(x[4*i], x[4*i+1], x[4*i+2], x[4*i+3]);", "4 global load requests, 1"),
    ("c7.translate", "double v = x[i]; y[i] = v * 0.1f;", "64 float64 flops, 0"),
    ("d4.butterfly", "for (int d = 16; d > 0; d /= 2)\n v += __shfl_down_sync(0xffff, v, d);", "at line 2 with mask"),
    ("a1.launch", "scale<<<256, blocks>>>(x, n);", "The grid of the launch is `256`, not `blocks`."),
    ("a3.allocate", "float* d_x;\ncudaMalloc(&d_x, n * 8);\ncudaMemcpy(d_x, h_x, n * 4, cudaMemcpyHostToDevice);",
     "Line 2: Argument 2 of `cudaMalloc` is `n * 8`, not `n * 4`."),
    ("f4.raii", "float* d_y;\ncudaMalloc(&d_y, n * 4);\ncudaMemcpy(d_y, d_x, n * 4, cudaMemcpyDeviceToDevice);",
     "Missing: `cudaFree(d_y)`."),
    ("b4.order_of_lines", "work[256, 64, s](d_x)\ncpu_part(h_y)\ns.synchronize()", "The grid of the launch is `256`"),
    ("b9.pragma", "__global__ void copy(const float* src, float* dst) {\n" + INDEX + "dst[i] = src[i];\n}",
     "Parameter 1 is `const float*`, not `const __restrict__ float*`."),
    ("b14.select", "y[i] = x[i] if x[i] > 0.0 else 0.0", "A constant of another type: `0.0`, not `0.0f`."),
]  # fmt: skip


@pytest.mark.parametrize(("name", "code", "words"), SAID)
def test_a_wrong_translation_hears_what_it_does_otherwise_in_its_own_lines_and_words(name, code, words):
    mark = kinds.mark(kinds.pose(find_card(name), "en", random.Random(0)), code)

    assert words in mark.verdict
    assert not mark.right and not mark.unsure
    assert [] == re.findall(r"load16|c_quotient|fragment|cuda\.\w+sync", mark.verdict if "{" in code else "")


@pytest.mark.parametrize(("name", "code"), [(name, code) for name, code, _ in SAID])
def test_it_hears_it_in_chinese(name, code):
    verdict = kinds.mark(kinds.pose(find_card(name), "zh", random.Random(0)), code).verdict

    assert [] == re.findall(r"[a-z]+ (?:is|of|the|at|where|not|has)\b", re.sub("`[^`]*`", "", verdict))


@pytest.mark.parametrize("card", RUN, ids=lambda card: card.id)
def test_every_accepted_form_runs_on_its_stage_and_the_rejected_ones_are_told(card):
    decides = card.data["run"].get("decides", True)

    assert ("" if decides else None) == told(card, card.data["accept"][0])
    assert [] == [form for form in card.data["reject"] if decides and told(card, form) == ""]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("a2.loop", "for j in range(cuda.grid(1), n, cuda.gridsize(1)):\n    t = x[j]\n    y[j] = t + t"),
        ("a2.index_formula", "const unsigned first = blockDim.x * blockIdx.x;\nint i = first;\ni |= threadIdx.x;\n"
         "if (i - n >= 0) return;"),
        ("e22.unpack", "unsigned b = packed[i];\nint low = int(b % 16u) - 8;\nint high = int(b / 16u) - 8;"),
        ("d4.butterfly", "#pragma unroll\nfor (int k = 0; k < 5; k++) v += __shfl_down_sync(0xffffffff, v, 16 >> k);"),
        ("b5.translate", "one = 1\ncuda.atomic.add(hist, bin, one)\nwas = cuda.atomic.cas(x, 0, one - 1, one)\n"
         "old = was\ncuda.atomic.max(count, 2, old)"),
    ],
)  # fmt: skip
def test_a_form_that_nobody_thought_of_is_right_where_it_does_the_same_at_the_same_cost(name, code):
    assert kinds.mark(kinds.pose(find_card(name), "en", random.Random(0)), code).right


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("d4.butterfly", "for (int d = 16; d > 0; d /= 2)\n    v += __shfl_down_sync(WARP, v, d);"),
        ("a3.allocate", "float* d_x = my_alloc(n);\ncudaMemcpy(d_x, h_x, n * 4, cudaMemcpyHostToDevice);"),
        ("b1.make", "cudaStream_t s;\ncudaStreamCreateWithPriority(&s, 0, 0);\nf<<<4, 256, 0, s>>>(x);\n"
         "cudaStreamSynchronize(s);"),
        ("b2.timing", "stop.record(stream)\nwait_for(stop)\nms = cuda.event_elapsed_time(start, stop)"),
    ],
)  # fmt: skip
def test_code_with_a_name_that_nobody_knows_is_asked_about(name, code):
    mark = kinds.mark(kinds.pose(find_card(name), "en", random.Random(0)), code)

    assert mark.unsure and not mark.verdict
