"""What odd programs ask of the host: calls with places to fill in, and what stands there.

{h} is anything at all, {c} a launch, {g} a name of the module, {sig}, {gsig} and {lay} a signature or a layout.
"""

HOSTS = """\
odd{c}(*given)
odd{c}(*given[:3])
odd{c}()
odd{c}(*given, 1)
odd{c}(a7=1)
odd(*given)
odd.forall({h})(*given)
odd.forall(8, tpb={h})(*given)
odd.configure({h}, {h})(*given)
odd.specialize(*given)
odd.inspect_types()
odd.overloads
odd.py_func
odd.compile({h})
helper[1, 8](*given)
s = cuda.stream(); s.synchronize()
s = cuda.external_stream({h})
e = cuda.event(); e.record({h}); e.synchronize()
cuda.event().elapsed_time({h})
cuda.event_elapsed_time({h}, {h})
d = cuda.to_device({h})
d = cuda.to_device({h}, stream={h})
d = cuda.to_device({h}, to=d)
d = cuda.device_array({h})
d = cuda.device_array({h}, {h})
d = cuda.device_array(4, dtype={h})
d = cuda.device_array(4, order={h})
d = cuda.device_array((2, 2), strides={h})
d = cuda.device_array_like({h})
p = cuda.pinned_array({h}, {h})
p = cuda.pinned_array_like({h})
p = cuda.mapped_array({h}, {h})
p = cuda.mapped_array_like({h})
p = cuda.managed_array({h}, {h})
cuda.as_cuda_array({h})
cuda.is_cuda_array({h})
cuda.from_cuda_array_interface({h})
d.copy_to_host({h})
d.copy_to_host(stream={h})
d.copy_to_device({h})
d[{h}]
d[{h}] = {h}
d[0]
d[1:3] = 5
d.reshape({h})
d.reshape(2, 2)
d.ravel(order={h})
d.transpose({h})
d.T
d.squeeze({h})
d.view({h})
list(d.split({h}))
d.bind({h})
d.foo
len(d)
list(d)
d + 1
d == d
bool(d)
float(d)
np.asarray(d, {h})
np.sum(d)
repr(d), str(d), hash(d)
d.setitem({h}, {h})
d.getitem({h})
import copy; copy.copy(d), copy.deepcopy(d)
import pickle; pickle.dumps(d)
with cuda.pinned({h}): pass
with cuda.mapped({h}) as m: pass
with cuda.defer_cleanup(): pass
with cuda.profiling(): pass
cuda.select_device({h})
cuda.gpus[{h}]
cuda.gpus.foo
cuda.get_current_device().foo
cuda.current_context().get_memory_info()
cuda.current_context().foo
cuda.synchronize({h})
cuda.open_ipc_array({h})
cuda.grid(1)
cuda.threadIdx.x
cuda.shared.array(4, float32)
cuda.atomic.add(a7, 0, 1)
cuda.foo
cuda.jit({h})
cuda.jit({h})(plain)
cuda.jit(device=True)({h})
cuda.jit('void(float32[:])')(plain)[1, 1](a10)
cuda.jit('void(float32[:])')(plain)[1, 1]({h})
cuda.jit('int32(int32)', device=True)(plain)
cuda.jit({g})
cuda.jit(lambda q: q)[1, 1]({h})
cuda.jit(max)
cuda.jit(Class)
cuda.jit(Class.method)[1, 1](1, 2)
cuda.jit(debug=True, opt=False)(plain)[1, 1]({h})
cuda.jit(launch_bounds={h})(plain)[1, 1]({h})
cuda.jit(link={h})(plain)
cuda.jit(foo=3)(plain)
f = cuda.vectorize([{sig}])(add)
f = cuda.vectorize({sig}, target={h})(add)
f = cuda.vectorize({h})(add)
f = cuda.vectorize(add)
f({h}, {h})
f(a7, a7)
f(a10, a10, out={h})
f({h})
f.reduce({h})
f(a10, a10, stream={h})
g = cuda.guvectorize([{gsig}], '{lay}')(gadd)
g = cuda.guvectorize({h}, {h})(gadd)
g({h}, {h})
g(plane, 2)
g(plane, plane, {h})
r = cuda.reduce(add); r({h})
r = cuda.reduce(add); r(a10, init={h})
r = cuda.reduce(add); r(a10, size={h}, res={h})
r = cuda.Reduce({h}); r(a10)
cuda.In({h}), cuda.InOut({h})
odd{c}(cuda.In(a0), *given[1:])
cuda.random.create_xoroshiro128p_states({h}, {h})
cuda.random.create_xoroshiro128p_states(4, seed={h}, subsequence_start={h})
""".splitlines()
CONFIGS = (
    "[1,8] [1,8] [1,8] [(1,),(8,)] [(1,1),(2,4)] [1,8,cuda.stream()] [1,8,0,64] [0,8] [-1,8] [1] [1,2000] [1,8,0,-1] "
    "[1,8,0,1<<30] ['a',8] [1,2.5] [None,8] [(1,2,3,4),8] [(),8] [[1],[8]] [1,8,'s'] [1,8,0,'x'] [1,8,0,0,0] [True,8] "
    "[np.int64(1),8] [1:2,8] [...,8] [1,8,None] [1,8,0,2.5] [1<<40,8] [8,1] [3,33] [(1,(8,)),8] [1,8,a7]"
).split()
GIVEN = (
    "0 1 -1 3 2.5 None True 'text' '' b'x' 1<<40 -1<<70 1j (2,2) (2,-1) () (2,2.5) [1,2] [[1],[2,3]] {} {'a':1} "
    "np.float32 'f4' 'foo' float32 types.float32[:] a7 a10 a11 a14 plane turned turned[::2] zero0 empty nested "
    "packed TEXT OBJECTS DATES BACKWARDS COMPLEX d p odd helper plain Class Class() instance cuda cuda.stream() "
    "cuda.event() Point(1,2) np.int32(3) np.float64(2.5) np.str_('a') slice(1,2) slice(None,None,-1) ... (0,1) "
    "('a',1) range(3) iter([1]) float('nan') np.nan np.datetime64('2024-01-01') memoryview(b'abc') np.zeros((2,0)) "
    "np.ma.masked np.arange(6).reshape(2,3)[:,1] np.asfortranarray(plane) np.broadcast_to(a7[:1],(4,)) lambda:0 "
    "print NotImplemented 'C' 'F' 'A' np.matrix([[1]]) np.array([1],'>i4') np.array(1,'g') cuda.In(a7) object() "
    "Ellipsis set() frozenset([1])"
).split()
SIGNATURES = (
    "'float32(float32,float32)' 'int64(int64,int64)' 'void(float32)' 'foo(bar)' '' 'float32' 3 None 'float32(float32)' "
    "float32(float32,float32) 'float32(float32[:],float32)' 'boolean(complex64,int8)' 'f4(f4,f4)' '(float32,float32)' "
    "types.int64(types.int64,types.int64)"
).split()
GU_SIGNATURES = (
    "'void(float64[:],float64,float64[:])' 'void(float64[:],float64[:])' 'float64(float64[:])' 'void()' 3 "
    "'void(float64[:,:], int64,float64[:,:])' void(float64[:],float64,float64[:])"
).split()
LAYOUTS = "(n),()->(n) (n)->(n) (n,m),()->(n,m) () (n)->() ->(n) (n),(n) (n)-> (3),()->(3) (n)->(m) nonsense".split()
GLOBAL_ARRAYS = (
    "TABLE SCALAR0D DATES BACKWARDS COMPLEX TEXT OBJECTS NESTED SHAPE CONFIG ANSWER a7 plane zero0 nested Point PAIR"
).split()
