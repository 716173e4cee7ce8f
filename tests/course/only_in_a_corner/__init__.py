"""Mistakes that no ordinary case shows: one change away from the course's own answer, found in a corner of a domain.

(exercise, what is wrong, what is changed: its text and the text in its place).
"""

from tests.course.only_in_a_corner.engine import COMPRESSION, GRAPHS, INT8, LANGUAGE, LAYERS
from tests.course.only_in_a_corner.hosts import HOSTS
from tests.course.only_in_a_corner.kernels import ATOMICS, ATTENTION, CONVOLUTIONS, IRREGULAR, PLACES

ONLY_IN_A_CORNER = [
    *GRAPHS,
    *LAYERS,
    *ATOMICS,
    *ATTENTION,
    *IRREGULAR,
    *COMPRESSION,
    *INT8,
    *LANGUAGE,
    *PLACES,
    *HOSTS,
    *CONVOLUTIONS,
]
