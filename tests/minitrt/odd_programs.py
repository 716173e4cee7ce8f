"""Small ONNX programs as nobody exports them and somebody has them, in ONNX's own text: name -> (text, shapes of x).

x is FLOAT unless the text says otherwise; each is run at all of its shapes in one engine.
"""

from __future__ import annotations

HEAD = '<ir_version: 8, opset_import: ["" : {}]> '
LOCAL = '<ir_version: 8, opset_import: ["" : 17, "mine" : 1]> '

PROGRAMS: dict[str, tuple[str, list[tuple[int, ...]]]] = {
    "a function of the model, twice, with an attribute": (
        LOCAL
        + """g (float[n,m] x) => (float[n,m] y) { a = mine.sq<k = 3.0>(x) y = mine.sq<k = 2.0>(a) }
        <domain: "mine", opset_import: ["" : 17]>
        sq <k> (v) => (w) { c = Constant<value_float: float = @k>() t = Mul(v, v) w = Mul(t, c) }""",
        [(2, 3), (1, 5)],
    ),
    "a function with branches that sizes choose": (
        LOCAL
        + """g (float[n,m] x) => (float[n,m] y) { y = mine.f(x) }
        <domain: "mine", opset_import: ["" : 17]>
        f (v) => (w) {
            s = Shape(v) i = Constant<value = int64 {0}>() d = Gather(s, i) two = Constant<value = int64 {2}>()
            c = Greater(d, two)
            w = If(c) <then_branch = t () => (p) { p = Neg(v) }, else_branch = e () => (q) { q = Exp(v) }>
        }""",
        [(2, 3), (5, 1)],
    ),
    "Hardmax of old, over all axes behind one": (
        HEAD.format(11) + "g (float[n,3,m] x) => (float[n,3,m] y) { y = Hardmax<axis = 1>(x) }",
        [(2, 3, 4), (1, 3, 1)],
    ),
    "bits turned over": (
        HEAD.format(18)
        + """g (float[n] x) => (float[n] y) {
            i = Cast<to = 7>(x) j = BitwiseNot(i) u = Cast<to = 2>(j) v = BitwiseNot(u) k = Cast<to = 7>(v)
            s = Add(j, k) y = Cast<to = 1>(s) }""",
        [(4,), (1,)],
    ),
    "a broken power of whole numbers": (
        HEAD.format(17)
        + """g (float[n] x) => (int64[n] y) {
            a = Abs(x) c = Constant<value = float {40.0}>() b = Mul(a, c) i = Cast<to = 7>(b)
            e = Constant<value = float {0.5}>() y = Pow(i, e) }""",
        [(4,), (1,)],
    ),
    "what a condition lets through": (
        HEAD.format(17)
        + """g (float[n,m] x) => (float[k,m] y, float[l] z) {
            zero = Constant<value = float {0.0}>() one = Constant<value = int64[1] {1}>()
            s = ReduceSum<keepdims = 0>(x, one)
            c = Greater(s, zero) y = Compress<axis = 0>(x, c) z = Compress(x, c) }""",
        [(4, 5), (1, 3)],
    ),
    "positions of which there are none": (
        HEAD.format(17)
        + """g (float[n,m] x) => (float[k] y) {
            big = Constant<value = float {9.0}>() c = Greater(x, big) i = NonZero(c) t = Transpose(i)
            y = GatherND(x, t) }""",
        [(4, 5), (1, 3)],
    ),
    "a convolution and a pool of no images": (
        HEAD.format(17)
        + """g (float[n,2,5,5] x) => (float[n,3,3,3] y) {
            s = Constant<value = int64[4] {3, 2, 2, 2}>() w = ConstantOfShape<value = float[1] {0.5}>(s)
            c = Conv(x, w) y = MaxPool<kernel_shape = [2, 2]>(c) }""",
        [(2, 2, 5, 5), (0, 2, 5, 5)],
    ),
    "a loop whose variable is a number before it, and a matrix that each step makes anew": (
        HEAD.format(17)
        + """g (float[n,m] x) => (float[n,m] z, float[n,m] y) {
            begin = Constant<value = float {7.0}>() most = Constant<value = int64 {5}>()
            go = Constant<value = bool {1}>()
            z, y = Loop(most, go, x, begin) <body = b (int64 i, bool c, float[n,m] s, float[n,m] v)
                => (bool on, float[n,m] t, float[n,m] w) {
                k = Constant<value = float {1.5}>() t = Mul(s, k) w = Neg(s) total = ReduceSum<keepdims = 0>(t)
                size = Abs(total) limit = Constant<value = float {9.0}>() on = Less(size, limit) }>
        }""",
        [(2, 3), (1, 1), (4, 5)],
    ),
    "a flag that one branch of a step gives as a vector of one": (
        HEAD.format(17)
        + """g (float[n,m] x) => (float[n,m] y) {
            begin = Constant<value = bool {0}>() most = Constant<value = int64 {6}>()
            go = Constant<value = bool {1}>()
            flag, y = Loop(most, go, begin, x) <body = b (int64 i, bool c, bool done, float[n,m] s)
                => (bool on, bool after, float[n,m] t) {
                k = Constant<value = float {1.5}>() t = Mul(s, k) total = ReduceSum<keepdims = 0>(t)
                size = Abs(total) limit = Constant<value = float {9.0}>() large = Greater(size, limit)
                done_now = If(large) <then_branch = yes () => (bool p) { p = Constant<value = bool {1}>() },
                    else_branch = no () => (bool q) {
                        d = Cast<to = 7>(done) zero = Constant<value = int64[1] {0}>() e = Add(d, zero)
                        q = Cast<to = 9>(e) }>
                a = Cast<to = 7>(done_now) none = Constant<value = int64[1] {0}>() f = Add(a, none)
                after = Cast<to = 9>(f) on = Not(done_now) }>
        }""",
        [(2, 3), (1, 1), (4, 5)],
    ),
    "roots of sizes, of which the larger ones are kept": (
        HEAD.format(18)
        + """g (float[n,m] x) => (float[2] y) {
            s = Shape(x) f = Cast<to = 1>(s) r = Sqrt(f) i = Constant<value = int64[2] {0, 0}>()
            u = Constant<value = float[2] {1.2, 0.5}>() y = ScatterElements<axis = 0, reduction = "max">(r, i, u) }""",
        [(2, 3), (1, 1), (10, 4)],
    ),
}
