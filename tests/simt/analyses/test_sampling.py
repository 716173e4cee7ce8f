"""A sample of a launch's blocks hears all that happens in them, and costs nothing for what nobody asks for."""

import numpy as np

import simt
from simt import events
from simt import run as simt_run
from simt.analyses.bounds import Bounds
from simt.analyses.sampling import FirstBlocks
from simt.events import Listener
from simt.events.ears import hears
from simt.events.emit import Emitter
from tests.simt import kernels


class Hears(Listener):
    """Remembers the kinds of events that it is told."""

    def __init__(self) -> None:
        self.heard: list[str] = []


def _remembering(name):
    return lambda self, *event: self.heard.append(name)


for _name in events.CALLBACKS:
    setattr(Hears, _name, _remembering(_name))


def test_a_sample_of_blocks_hears_every_event_of_its_batches_and_none_of_others():
    direct, sampled = Hears(), Hears()
    emitter = Emitter([direct, FirstBlocks([sampled], max_blocks=2)], events.Launch("k", (4, 1, 1), (1, 1, 1), ()))
    of_a_batch = [name for name in events.CALLBACKS if not name.startswith(("launch_", "batch_"))]
    emitter.launch_begins()
    for first in (0, 2):
        emitter.batch_begins(np.arange(first, first + 2))
        for name in of_a_batch:
            emitter.tell(name, None)
        emitter.batch_ends()
    emitter.launch_ends()

    one_batch = ["batch_begins", *of_a_batch, "batch_ends"]
    assert ["launch_begins", *one_batch, *one_batch, "launch_ends"] == direct.heard
    assert ["launch_begins", *one_batch, "launch_ends"] == sampled.heard


def test_only_what_one_of_a_sample_asks_for_is_told():
    assert hears(FirstBlocks([Hears()], 1), "statement")
    assert not hears(FirstBlocks([Bounds()], 1), "statement")
    assert not Emitter([FirstBlocks([Bounds()], 1)], None).callbacks["access"]


def test_blocks_behind_the_sample_run_as_they_do_where_nobody_listens(monkeypatch):
    """A launch of four batches, of which the first one is heard."""
    emitters, run_batch = [], simt_run._run_batch

    def noted(compiled, options, block_ids, variables, emit):
        emitters.append(emit)
        return run_batch(compiled, options, block_ids, variables, emit)

    monkeypatch.setattr(simt_run, "_run_batch", noted)
    a = np.arange(4 * simt_run.LANES_PER_BATCH, dtype=np.float32)
    out = np.zeros_like(a)
    simt.launch(kernels.guarded_add, a.size // 256, 256, a, a, out, listeners=[FirstBlocks([Bounds()], 1)])

    assert [True, False, False, False] == [emit is not None for emit in emitters]
    np.testing.assert_array_equal(a + a, out)
