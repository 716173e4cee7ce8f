"""Figures: one claim each, alt text, and a choice that explains most."""

import subprocess
import sys

import numpy as np
import pytest

import simt
from simt import figures
from tests.simt import kernels

pytest.importorskip("matplotlib", reason="figures need matplotlib")


def floats(*shape):
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


def zeros(*shape):
    return np.zeros(shape, np.float32)


def title(figure):
    return figure.axes[0].get_title(loc="left")


def transpose(kernel):
    if kernel is kernels.transpose_padded:
        return simt.trace(kernel, 1, (32, 32), floats(32, 32), zeros(32, 32), record=True)
    return simt.trace(kernel, (2, 2), (32, 8), floats(64, 64), zeros(64, 64), record=True)


def strided(stride):
    return simt.trace(kernels.copy_strided, 4, 32, floats(4096), zeros(4096), stride, record=True)


def race_of(kernel, out=64, blocks=1):
    return simt.trace(kernel, blocks, 64, floats(64 * blocks), zeros(out), record=True).findings[0]


def test_every_figure_is_a_picture_with_a_claim_and_alt_text():
    drawn = [
        figures.sectors(strided(8)),
        figures.access_map(strided(3)),
        figures.banks(transpose(kernels.transpose_unpadded)),
        figures.divergence(transpose(kernels.transpose_padded)),
        figures.race(race_of(kernels.reverse_without_barrier)),
        figures.ladder([("naive", 10.0), ("tiled", 90.0)], 100.0, "copy rate"),
    ]

    for figure in drawn:
        assert figure._repr_png_().startswith(b"\x89PNG")
        assert len(title(figure)) > 20
        assert len(figure.alt) > 40


def test_sectors_claim_what_moves_and_what_is_used():
    assert "touches 32 sectors and uses 128 of 1,024 bytes" in title(figures.sectors(strided(8)))
    assert "touches 4 sectors and uses all 128 bytes" in title(figures.sectors(strided(1)))


def test_banks_claim_passes_and_conflicts():
    assert "takes 32 passes, 31 of them conflicts" in title(figures.banks(transpose(kernels.transpose_unpadded)))
    assert "takes 1 pass, no conflicts" in title(figures.banks(transpose(kernels.transpose_padded)))


def test_the_access_map_says_how_far_apart_lanes_are():
    assert "neighbouring elements" in title(figures.access_map(strided(1)))
    assert "8 apart" in title(figures.access_map(strided(8)))


def test_a_race_names_what_is_not_decided():
    assert "the thread that writes s[63] or the one that reads it" in title(
        figures.race(race_of(kernels.reverse_without_barrier))
    )
    assert "one of the updates can be lost" in title(figures.race(race_of(kernels.lost_updates, out=1, blocks=2)))


def test_the_alt_text_of_a_race_is_the_finding():
    finding = race_of(kernels.tree_sum_without_barrier)

    assert finding.message in figures.race(finding).alt


def test_a_ladder_claims_its_best_rung_and_refuses_no_rungs():
    figure = figures.ladder([("naive", 10.0), ("tiled", 90.0)], 100.0, "copy rate")
    assert "tiled reaches 90% of the limit" == title(figure)
    with pytest.raises(ValueError, match="at least one rung"):
        figures.ladder([], 100.0, "copy rate")


@pytest.mark.parametrize(
    ("trace", "claim"),
    [
        (
            lambda: simt.trace(kernels.reverse_without_barrier, 1, 64, floats(64), zeros(64), record=True),
            "Nothing decides",
        ),
        (lambda: transpose(kernels.transpose_unpadded), "31 of them conflicts"),
        (lambda: strided(8), "touches 32 sectors"),
        (lambda: strided(1), "neighbouring lanes"),
    ],
)
def test_the_best_figure_is_the_one_that_explains_most(trace, claim):
    assert claim in title(figures.best(trace()))


def test_a_line_that_touches_no_memory_is_answered_with_the_lines_that_do():
    trace = strided(1)

    with pytest.raises(figures.NothingToDraw) as caught:
        figures.sectors(trace, line=1)

    assert caught.value.lines
    assert str(caught.value.lines[0]) in str(caught.value)


def test_a_trace_without_a_recording_says_how_to_make_one():
    trace = simt.trace(kernels.guarded_add, 1, 32, floats(8), floats(8), zeros(8))

    with pytest.raises(figures.NothingToDraw, match="record=True"):
        figures.best(trace)


def test_importing_the_tracer_and_the_figures_does_not_import_matplotlib():
    code = "import sys, simt, simt.figures; sys.exit('matplotlib' in sys.modules)"

    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode
