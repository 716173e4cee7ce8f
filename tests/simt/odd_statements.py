"""What odd programs are made of: statements of kernels, with places to fill in.

A place is a letter in braces: {b} a block, {v} a value, {s} a shape, {t} an element's type, {g} a name of the module,
{a} an array, {x} an index. Lines are parted by `|`.
"""

SHAPES = (
    "4 (2,2) 0 (0,) -1 2.5 (2,2.0) n i (n,) SHAPE ANSWER True (1<<40) () None [4] (2,3,4,5) '4' np.int32(4) len(a7)"
).split()
TYPES_GIVEN = (
    "float32 int8 types.uint16 np.float64 'f4' 'int32' bool float NESTED_DT PACKED_DT complex64 np.dtype('i2') None "
    "types.float32[:] Point 3 np.datetime64 np.float16 float"
).split()
STATEMENTS = """\
try: {b}|finally: {b}
try: {b}|except Exception: {b}
try: {b}|except ZeroDivisionError as e: {b}
try: {b}|except (ValueError, IndexError): {b}|else: {b}
with tile: {b}
with open('f') as f: {b}
for j in range(3): {b}|else: {b}
w = 0|while w < 3:|    w += 1|    {b}|else: {b}
while True: break
while (w := acc) < 0: {b}
if (w := {v}): {b}
match {v}:|    case 0: {b}|    case _: {b}
def inner(q): return {v}|acc = inner(1)
def inner(q=acc, *rest, **more): return q|acc = inner(*(1, 2), k=3)
def inner():|    nonlocal acc|    acc = 1|inner()
def inner(k): return 1 if k <= 0 else inner(k - 1)|acc = inner(3)
inner = lambda q, r=2: q + r|acc = inner({v})
acc = (lambda q: q * 2)({v})
acc = sum([q for q in range(4)])
acc = sum(q for q in (1, 2, 3))
v0, *v1 = 1, 2, 3
(v0, v1), v2 = (1, 2), {v}
v0 = v1 = {v}
v0, v1 = v1, v0
[v0, v1] = [1, 2]
del acc
del tile[0]
global ANSWER|ANSWER = 3
import math as m|acc = m.sqrt(2.0)
yield acc
async def inner(): pass
class Inner: x = 1
acc: int = {v}
acc: int
print(f'{{acc}} {{i:3d}}')
print('a %d' % i)
print(i, acc, sep=',', end='')
acc = f'{{i}}'
return {v}
raise
raise ValueError
raise ValueError(i) from None
raise Odd(i, 'text')
assert acc, 'no'
assert i < 3, f'{{i}}'
pass
...
acc += i; acc -= 1
acc = 1 < i <= 3 != acc
acc = not i in (1, 2)
acc = i in a7
acc = tile is local
s = tile[1:3]|s[0] = {v}
s = plane[:, 1]|acc = s[0] + s.shape[0] + s.strides[0]
s = plane[i % 3]|acc = s[0]
s = turned[::-1, ::2]|acc = s[0, 0]
plane[1, :] = {v}
plane[...] = 0
a7[:] = a7
a7[1:3] += 1
rec[i]['x'] = {v}
rec[i] = rec[0]
nested[i].p[0].x = {v}
nested[i].p = nested[0].p
acc = nested[i].p[1]['y'] + nested.ok[i]
packed[i].d = {v}
acc = packed[i].s
acc = packed[i].t
t = (i, {v})|acc = t[0]
t = (i, {v})|acc = t[i]
t = (1, 2) + (3,)|acc = t[2] + len(t)
t = (1, 2) * 2|acc = t[0]
t = ()|acc = len(t)
t = Point(i, y={v})|acc = t.x
t = (i, acc)|for q in t: acc += q
for q in (1, 2.5, True): acc += q
for q, r in zip(a7, (1, 2)): acc += q
for k, q in enumerate(tile): acc += k
for q in a7: acc += q
for q in np.ndindex(2, 3): acc += q[0]
for q in range(i, 10, 2): acc += q
for q in range(4, 0, -1): acc += q
for q in range(3, 0, 0): acc += q
for q in reversed(range(3)): acc += q
for i in range(2): acc += i
s = cuda.shared.array({s}, {t})|s[0] = 1
s = cuda.local.array({s}, {t})|s[0] = {v}
s = cuda.shared.array(shape={s}, dtype={t})|acc = s.size
s = cuda.local.array({s}, dtype={t})|for j in range(len(s)): s[j] = j
s = cuda.shared.array(0, {t})|acc = s[i]
s = cuda.shared.array(8, {t}, alignment=16)
s = cuda.const.array_like({g})|acc = s[0]
acc = {g}[0]
acc = {g}[i, 0]
acc = {g}.shape[0]
acc = {g}
g = cuda.cg.this_grid()|g.sync()
g = cuda.cg.this_grid()|acc = g.sync() + 1
cuda.syncthreads({v})
cuda.syncwarp({v})
if i < 3: cuda.syncthreads()
acc = cuda.shfl_sync(-1, {v}, {v})
acc, ok = cuda.match_all_sync(-1, {v})
acc = cuda.atomic.add({a}, {x}, {v})
acc = cuda.atomic.cas({a}, {x}, {v}, {v})
cuda.atomic.max({a}, {x}, {v})
acc = cuda.reduce(a7)
acc = cuda.grid(3)
x, y, z = cuda.grid(3)
x, y = cuda.grid(1)
acc = cuda.grid({v})
cuda.nanosleep({v})
cuda.breakpoint()
acc = helper(*(1, 2))
acc = helper(q=1, p={v})
acc = helper(**{{'p': 1}})
acc = helper()
acc = helper(1, 2, 3)
helper
helper({v})
acc = recursive({v})
acc = recursive(3)
helper[1, 8](a7)
acc = odd
odd[1, 8](a7)
acc = plain({v})
acc = Class(1)
acc = instance.value
acc = instance.method(1)
acc = len({v})
acc = int('3')
acc = str({v})
acc = 'ab' == 'ab'
acc = 'ab'[0]
acc = b'a'[0]
acc = {{1, 2}}
acc = {{}}
acc = [0] * 3
acc = slice(1, 2)
acc = np.zeros(3)
acc = np.array([1, 2])[0]
acc = np.float32({v}) + np.int8({v})
acc = complex({v}, {v}).real
acc = abs(3 + 4j)
acc = (1j ** {v}).imag
acc = dates[i] - dates[0]
acc = dates[i] + np.timedelta64(1, 'D')
acc = np.datetime64('2024-01-01')
acc = int(dates[i] > dates[0])
acc = zero0
acc = zero0[()]
zero0[()] = 1
acc = a7[()]
acc = a7[i,]
acc = a7[i][0]
acc = a7[i:i + 2][0]
acc = a7[np.int8(-1)]
acc = a7[True]
acc = a7[None]
acc = a7[1.0]
acc = a7[(i,)]
acc = plane[1][2]
acc = plane[1, ...][2]
acc = plane[(1, 2)]
acc = plane.T[1, 2]
acc = plane.flat[3]
acc = a7.sum() + a7.max()
acc = a7.astype(float32)[0]
acc = a7.view(np.int8)[0]
acc = a7.reshape(2, 4)[1, 0]
acc = a7.reshape((2, -1))[1, 0]
acc = a7.copy()
acc = np.sum(a7)
acc = np.dot(a10, a10)
acc = a7 + 1
acc = a7 @ a7
acc = a7 == a7
acc = -a7
acc = a7 and 1
acc = bool(a7)
if a7: {b}
acc = text
acc = objects[0]
acc = None
acc = None or 1
acc = acc is None
acc = id(a7)
acc = type(i)
acc = isinstance(i, int)
acc = hasattr(a7, 'shape')
acc = hash(i)
acc = min(a7)
acc = max((1, 2, i))
acc = min(1, 2.5, {v})
acc = pow(2, i, 3)
acc = divmod({v}, {v})[0]
acc = round({v}, {v})
acc = float('nan')
acc = 10 ** 30
acc = 1 << i << 70
acc = i.bit_length()
acc = i.real
acc = (0.5).is_integer()
acc = input()
acc = eval('1')
acc = __name__
acc = math
acc = math.foo(1)
acc = cuda.foo
acc = np.foo
acc = undefined
acc = undefined.x
acc.x = 1
i.x[0] = 1
a7.shape = (2, 4)
a7.foo = 1
tile = a7
n = {v}
a7 = local
a7 = {v}
""".splitlines()
