"""Does arithmetic of integers give what nobody expects: a difference below 0, a division by 0, a product too large?"""

from __future__ import annotations

from simt.analyses.findings import FindingBook, by_thread
from simt.events import Listener, Surprise

KINDS = {
    "unsigned": "unsigned_difference",
    "zero": "division_by_zero",
    "overflow": "overflow",
    "nan": "never_equal",
    "float32": "never_equal",
    "half": "narrowed",
}
SAYS = {
    "unsigned": "takes {right} from {left} at line {line}, and both are unsigned: the difference begins again at the "
    "top of uint64 and is {result}.",
    "zero": "divides the integer {left} by 0 at line {line}: nobody hears of it, and {result} is what it goes on with.",
    "nan": "compares {left} with {right} at line {line}: nothing equals NaN, not even NaN, so the result is always "
    "{result}.",
    "float32": "compares {left} with {right} at line {line}: one is a float32, and no float32 is the other, so the "
    "result is always {result}.",
    "half": "computes a float16 from {left} and {right} at line {line}: the result is past 65,504, the largest of "
    "them, and {result} is what it goes on with.",
    "overflow": "multiplies {left} by {right} at line {line}: 64 bits do not hold the product, and {result} is what "
    "stays.",
}
REMEDIES = {
    "unsigned": "Convert before the difference is taken, as in np.int64(a) - np.int64(b). Where only the last bits "
    "of it count, all is well.",
    "zero": "Test the divisor first; @cuda.jit(debug=True, opt=False) makes the launch raise ZeroDivisionError.",
    "nan": "Ask math.isnan(x).",
    "float32": "Compare with np.float32(...) of the constant, or ask whether the two are close.",
    "half": "Compute in float32, as in np.float32(x) * y, and make a float16 of what is stored at last; or scale the "
    "numbers down.",
    "overflow": "Compute with floats, as from 1.0, or with logarithms. Where it is to wrap round, all is well.",
}


class Surprising(Listener):
    """One note for each line."""

    def __init__(self) -> None:
        self.book = FindingBook()

    def surprise(self, event: Surprise) -> None:
        lanes, key = event.lanes, (event.function, event.line, event.why)
        if event.why not in SAYS:
            return
        if key in self.book:
            self.book.count(key, len(lanes))
            return
        says = SAYS[event.why].format(left=event.left, right=event.right, result=event.result, line=event.line)
        parts = {"lines": (event.line,), "count": len(lanes), "detail": {"function": event.function}}
        found = by_thread(lanes, 0, says, kind=KINDS[event.why], remedy=REMEDIES[event.why], note=True, **parts)
        self.book.add(key, found)
