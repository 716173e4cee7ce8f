"""docs/pictures.md shows what is drawn now."""

import re
from xml.etree import ElementTree

import pytest

pytest.importorskip("numba.cuda")
pytest.importorskip("matplotlib")

from simt import figures
from tools.make import pictures
from tools.parts.picture_examples import EXAMPLES

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def drawn():
    return {example.name: example.draw() for example in EXAMPLES}


def test_the_page_of_pictures_is_current(drawn):
    assert pictures.page(drawn) == pictures.PAGE.read_text(encoding="utf-8")


def test_there_is_an_example_of_every_picture():
    assert set(figures.__all__) - {"NothingToDraw", "best"} == {example.name for example in EXAMPLES}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_a_picture_on_the_page_holds_the_words_of_the_one_that_is_drawn_now(example, drawn):
    kept = ElementTree.parse(pictures.FOLDER / f"{example.name}.svg").getroot()
    fresh = ElementTree.fromstring(drawn[example.name]._repr_svg_())

    assert fresh.get("aria-label") == kept.get("aria-label")
    assert texts(fresh) == texts(kept)


def texts(svg) -> list[str]:
    return [re.sub(r"\s+", " ", "".join(text.itertext())).strip() for text in svg.iter(f"{SVG}text")]
