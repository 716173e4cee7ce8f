"""What NumPy makes of a call on pinned, mapped and managed memory is what it makes of it on an ordinary array."""

import numpy as np
import pytest

from simt.host_order.host_arrays import conversions_tell, telling

CALLS = """
np.array(object=a)
np.asarray(a=a)
np.array(object=[1, 2])
np.array()
np.asarray(a, {'a': 1})
np.array(a, 'nonsense')
np.array(a, ndmin=3)
np.asarray([a, a], dtype='f4')
np.copyto(dst=a, src=2)
np.copyto(a)
np.copyto()
np.put(a=a, ind=[0], v=[1])
np.place(arr=a, mask=a > 1, vals=[5])
np.putmask(a, mask=a > 1, values=3)
np.put_along_axis(arr=a, indices=np.array([1]), values=4, axis=0)
a.item()
a.item(2)
a.item(-1)
a.item(9)
a.item('x')
a.item(1.0)
a.item(0, 1)
a.item((1,))
a[:1].item()
a[::2].item(1)
a.take(9)
a.take(-1)
a.take([1, 3])
a.take([[1, 3], [0, -4]])
a.take(indices=[1])
a.take([5], mode='wrap')
a.take('x')
a.take()
a.put([9], 1)
a.put([-1, 0], [7, 8])
a.put([9], 1, 'wrap')
a.put(indices=[1], values=3)
a.put()
a.reshape(2, 2).item(3)
a.reshape(2, 2).item(1, 0)
a.reshape(2, 2).take([3, 0])
"""


def came_of(call: str, a: np.ndarray) -> tuple:
    """The result of a call, or its error, and what the array holds then."""
    try:
        result = eval(call, {"np": np, "a": a})
    except Exception as error:
        return type(error), str(error), a.tolist()
    return "", np.asarray(result).tolist() if result is not None else None, a.tolist()


@pytest.mark.parametrize("space", ("pinned", "mapped", "managed"))
@pytest.mark.parametrize("call", CALLS.strip().splitlines())
def test_a_call_gives_what_numpy_gives_and_its_own_words_where_it_refuses(call, space):
    plain = np.arange(4.0)
    with conversions_tell():
        found = came_of(call, telling(np.arange(4.0), space, lambda array, writes: None))

    assert came_of(call, plain) == found


@pytest.mark.parametrize(
    ("call", "place"),
    [
        ("a.item(-1)", 3),
        ("a.take(-2)", 2),
        ("a.put([-3], 7)", 1),
        ("a.put([1], 7, 'raise')", 1),
        ("a.put([1], 7, mode='raise')", 1),
        ("a.reshape(2, 2).item(2)", 2),
    ],
)
def test_what_counts_from_the_end_is_told_where_it_lies(call, place):
    whole, touched = np.arange(4.0), []
    came_of(call, telling(whole, "pinned", lambda array, writes: touched.append((array, writes))))

    assert any(
        array.size == 1 and np.shares_memory(array, whole[place : place + 1]) and writes == ("put" in call)
        for array, writes in touched
    )
