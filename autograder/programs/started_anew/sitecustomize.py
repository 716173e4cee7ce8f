"""Read first by every Python that a judged program starts: multiprocessing's spawn, or `sys.executable` by subprocess.

It imports nothing of ours until the child imports numba, as most that a program starts never do. It may be a Python of
another version, or one without NumPy: then nothing happens.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, *[os.pardir] * 3))


class JoinsParent:
    """A finder that joins the parent's session as soon as numba is looked for."""

    over = False

    def find_spec(self, name, path=None, target=None):
        if self.over or name not in ("numba", "numba_cuda_mlir"):
            return None
        self.over = True
        if ROOT not in sys.path:  # multiprocessing puts the parent's path in place of the one that was there
            sys.path.append(ROOT)
        try:
            from autograder.programs.switch import spec_that_joins
        except (ImportError, SyntaxError):
            return None
        return spec_that_joins(name)


def let_another_follow():
    """A sitecustomize of the user's own is read, too, as if this one did not exist."""
    own = sys.modules.pop(__name__)
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or os.curdir) != HERE]
    try:
        import sitecustomize  # type: ignore[import-not-found]  # noqa: F401
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
    finally:
        sys.modules.setdefault(__name__, own)


sys.meta_path.insert(0, JoinsParent())
let_another_follow()
