"""Figures: one claim each, alt text, and a choice that explains most."""

import base64
import html
import re
import subprocess
import sys
from functools import cache
from xml.etree import ElementTree

import numpy as np
import pytest
from numba import cuda

import simt
from simt import figures
from simt.figures import canvas
from tests.simt import kernels

pytest.importorskip("matplotlib", reason="figures need matplotlib")
SVG = "{http://www.w3.org/2000/svg}"


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


@cuda.jit
def adds_a_grid_stride(x, y):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        y[i] = x[i]


@cuda.jit
def scales_beyond_the_end(a_name_that_is_rather_long, and_another_one):
    i = cuda.grid(1)
    a_name_that_is_rather_long[i + and_another_one + i - i + and_another_one - and_another_one] = 2.0


def two_turns():
    return simt.trace(adds_a_grid_stride, 1, 32, floats(64), zeros(64), record=True)


def beyond_the_end():
    return simt.trace(kernels.unguarded_scale, 1, 32, zeros(30), zeros(30), record=True)


def long_name():
    return simt.trace(scales_beyond_the_end, 1, 32, zeros(30), np.int32(1), record=True)


@cache
def every_figure():
    return [
        figures.sectors(strided(8)),
        figures.access_map(strided(3)),
        figures.steps(two_turns()),
        figures.outside(beyond_the_end()),
        figures.banks(transpose(kernels.transpose_unpadded)),
        figures.divergence(transpose(kernels.transpose_padded)),
        figures.race(race_of(kernels.reverse_without_barrier)),
        figures.ladder([("naive", 10.0), ("tiled", 90.0)], 100.0, "copy rate"),
    ]


def race_of(kernel, out=64, blocks=1):
    return simt.trace(kernel, blocks, 64, floats(64 * blocks), zeros(out), record=True).findings[0]


def test_every_figure_is_a_picture_with_a_claim_and_alt_text():
    for figure in every_figure():
        assert len(figure.words.splitlines()[0]) > 20
        assert len(figure.alt) > 40


def test_notebooks_get_svg_with_its_alt_text_and_words_that_stay_text():
    for figure in every_figure():
        svg = ElementTree.fromstring(figure._repr_svg_())
        texts = {"".join(text.itertext()).strip() for text in svg.iter(f"{SVG}text")}

        assert figure.alt == svg.get("aria-label") == svg.find(f"{SVG}title").text
        assert texts  # glyphs drawn as paths could be neither read aloud nor searched
        assert figure.words == repr(figure)


def test_code_in_a_picture_is_drawn_and_read_aloud_without_backticks():
    drawn = [figure for figure in every_figure() if "`" in figure.words]

    assert drawn
    assert [] == [figure.words for figure in drawn if "`" in figure._repr_svg_() + figure.alt]


def test_a_notebook_shows_the_picture_and_folds_its_words_below(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda thing, **how: shown.append(thing))
    figure = figures.sectors(strided(8))
    figure._ipython_display_()

    picture, words = shown
    assert picture["image/svg+xml"].startswith('<svg role="img"')
    assert base64.b64decode(picture["image/png"]).startswith(b"\x89PNG")
    assert figure.words == picture["text/plain"]
    assert "<summary>In words</summary>" in words["text/html"]
    assert ".jp-RenderedSVG img{max-width:100%" in words["text/html"]  # or a narrow column cuts the picture off
    assert figure.alt in html.unescape(words["text/html"])


def test_no_words_of_a_figure_are_cut_off_at_its_edges():
    for figure in [*every_figure(), figures.outside(long_name())]:
        figure.canvas.draw()
        width, height = figure.get_size_inches() * figure.dpi
        for text in texts_of(figure):
            box = text.get_window_extent()
            if text.get_text():
                assert -1 <= box.x0 and box.x1 <= width + 1, (figure.words[:40], text.get_text())
                assert -1 <= box.y0 and box.y1 <= height + 1, (figure.words[:40], text.get_text())


def texts_of(figure):
    """Titles, names of axes, legends, and all words inside; numbers at axes come and go with their limits."""
    found = [figure._suptitle, figure._supxlabel] if figure._suptitle else []
    for axes in figure.axes:
        found += [*axes.texts, axes.xaxis.label, axes.yaxis.label, axes._left_title]
    return found + [text for legend in figure.legends for text in legend.get_texts()]


def test_the_words_of_a_figure_draw_it_again():
    drawn = WORDS
    assert drawn["sectors"] == body(figures.sectors(strided(16)), 4)
    assert drawn["banks"] == body(figures.banks(transpose(kernels.transpose_unpadded)), 3)
    assert drawn["ladder"] == body(figures.ladder([("naive", 10.0), ("tiled", 90.0)], 100.0, "copy rate"), 3)
    assert drawn["outside"] == body(figures.outside(beyond_the_end()), 2)
    assert drawn["steps"] == body(figures.steps(two_turns()), 4)
    assert drawn["divergence"] == body(figures.divergence(beyond_the_end()), 1)
    assert drawn["access_map"] == body(figures.access_map(strided(2)), 2)


def test_the_words_of_a_race_name_both_threads_and_what_is_missing_between_them():
    first, between, second = body(figures.race(race_of(kernels.reverse_without_barrier)), 3)

    assert first.startswith("Thread 63 of block 0  --[ writes s[63], s[t] ]")
    assert "| no barrier here" == between.strip()
    assert re.fullmatch(r"Thread 0 +-+\|-\[ reads s\[63\], s\[63 - t\] \]--> time", second)


def body(figure, count):
    """The first lines of a figure's words after title and detail, without the numbers of source lines."""
    lines = [line for line in figure.words.splitlines()[1:] if line]
    lines = lines if figure.words.splitlines()[1] == "" else lines[1:]
    return [re.sub(r"line \d+: ", "", line) for line in lines[:count]]


WORDS = {
    "sectors": [
        "  x[0]   0  .  .  .  .  .  .  .",
        " x[16]   1  .  .  .  .  .  .  .",
        " x[32]   2  .  .  .  .  .  .  .",
        " x[48]   3  .  .  .  .  .  .  .",
    ],
    "banks": [
        "   bank  " + " ".join(f"{bank:>2}" for bank in range(32)),
        " word 1   0" + "  ." * 31,
        " word 2   1" + "  ." * 31,
    ],
    "ladder": [
        "naive      ####                                      10 GB/s",
        "tiled      ####################################      90 GB/s",
        "copy rate  ########################################  100 GB/s",
    ],
    "outside": [
        "  " + " ".join(f"{index:>3}" for index in range(6, 32)),
        "  " + " ".join(f"{lane:>3}" for lane in range(6, 30)) + " !30 !31",
    ],
    "steps": [
        "step 1, block 0, warp 0",
        "x[0]  " + " ".join(f"{lane:>2}" for lane in range(32)),
        "step 2, block 0, warp 0",
        "x[32]  " + " ".join(f"{lane:>2}" for lane in range(32)),
    ],
    "divergence": [f"             i = cuda.grid(1)  18  {'#' * 32}  32"],
    "access_map": [
        " x[0]  " + " ".join(f"{lane:>2}  ." for lane in range(16)),
        "x[32]  " + " ".join(f"{lane:>2}  ." for lane in range(16, 32)),
    ],
}


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
        (lambda: beyond_the_end(), "outside"),
        (lambda: two_turns(), "step by step: every step moves on by 32 elements"),
    ],
)
def test_the_best_figure_is_the_one_that_explains_most(trace, claim):
    assert claim in figures.best(trace()).words.splitlines()[0]


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


@pytest.mark.parametrize(
    "fill", [canvas.BLUE, canvas.ORANGE, canvas.VERMILLION, canvas.SKY, canvas.PALE, *canvas.LANE_SCALE]
)
def test_words_in_a_box_of_any_colour_can_be_read(fill):
    assert canvas.contrast(canvas.contrasting(fill), fill) >= 4.4


@pytest.mark.parametrize("ink", [canvas.INK, canvas.GREY, canvas.WARNING])
def test_words_on_white_can_be_read(ink):
    assert canvas.contrast(ink, "white") >= 4.5


def test_lanes_grow_lighter_so_that_their_order_survives_in_grey():
    lightness = [canvas.contrast(colour, "#000000") for colour in canvas.LANE_SCALE]

    assert sorted(lightness) == lightness


def test_importing_the_tracer_and_the_figures_does_not_import_matplotlib():
    code = "import sys, simt, simt.figures; sys.exit('matplotlib' in sys.modules)"

    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode
