"""Right answers that nobody wrote for the catalogue: each differs from the solution in style alone.

(exercise, what it does otherwise, what is changed: its text and the text in its place).
"""

from tests.course.right_otherwise.engine import ENGINE
from tests.course.right_otherwise.hosts import HOSTS
from tests.course.right_otherwise.memory import MEMORY
from tests.course.right_otherwise.threads import THREADS
from tests.course.right_otherwise.tiles import TILES

RIGHT_OTHERWISE = [*MEMORY, *THREADS, *HOSTS, *TILES, *ENGINE]
