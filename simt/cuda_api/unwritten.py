"""Elements of a device array that nobody has written, and that are copied to the host all the same."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided

from simt.cuda_api import host_events
from simt.cuda_api.host_events import address_of
from simt.events.launches import Contents
from simt.source.counts import count_text

REMEDY = (
    "Let the kernel write every element, or start from an array that is filled, as cuda.to_device(np.zeros(n)). Where "
    "these elements are not used, all is well."
)


def tell_of_unwritten(memory: np.ndarray, contents: Contents) -> None:
    """Tell who listens of a copy to the host of elements without a value. memory: what is copied, of an allocation
    with these contents."""
    if contents.filled or not memory.size or not host_events.somebody_listens():
        return
    from_first = contents.written[address_of(memory) - contents.address :]
    missing = ~as_strided(from_first, memory.shape, memory.strides, writeable=False)  # the first byte of each element
    n_missing = int(np.count_nonzero(missing))
    if not n_missing:
        return
    first = ", ".join(str(int(axis[0])) for axis in np.nonzero(missing))
    which = f"{n_missing:,} of {count_text(memory.size, 'element')}" if n_missing < memory.size else "only elements"
    says = (
        f"This copy brings {which} to the host that nobody has written, [{first}] the first of them: they hold "
        "whatever was there before."
    )
    host_events.tell("noted", "unwritten", says, REMEDY)
