"""The kinds of operation, their inputs and attributes. NumPy's meaning of each is in `minitrt/reference/`.

Attributes are plain data. An absent attribute has the value in brackets. Shapes are logical (NCHW) whatever the layout.

**After the passes** an engine consists mostly of the first eight kinds. The three fused ones share an epilogue,
computed in this order: accumulate, times scales, + bias, + residual, activation, quantise once (`epilogue.py` gives
the folded constants that the reference and every kernel use, so that they agree bit for bit).

conv:
    inputs x (N,C,*space), weights (K,C/groups,*kernel), bias float32 (K,) or None, residual like
        the output or None.
    attributes kernel, stride, dilations: per space axis; pads_before, pads_after; groups [1];
        activation [none]; pool [none]: a max pool of the result, {kernel, stride, pads_before,
        pads_after}. Only `tactics/hopper/stem.py` does it.
        shortcut [none]: {stride}: the residual is a 1x1 convolution of inputs 4 to 7, as
        `shortcut.py` says. Only `tactics/hopper_conv.py` does it. tail [none]: {activation}: output 1
        is a 1x1 convolution of output 0 with inputs 8 and 9. Only `tactics/hopper/chain.py` does it.
deconv:
    inputs x, weights (C,K/groups,*kernel), bias, residual None.
    attributes as conv, and output_padding.
gemm:
    inputs a (...,M,K), b (...,K,N), bias broadcast to the output or None, residual or None.
    attributes transpose_a, transpose_b [False]; alpha [1.0], times a @ b; activation.
pool:
    inputs x.
    attributes mode: max, average, lp; kernel, stride, dilations, pads_before, pads_after;
        count_include_pad [False]; p of lp. Outputs: values and, if there are two, int64 indices.
pointwise:
    inputs x0, x1, ... broadcast against each other.
    attributes program: see pointwise.py.
quantize:
    inputs x, scale float32 constant.
    attributes axis [None for a whole tensor], to: dtype name. zero_point input 2 for uint8 only.
dequantize:
    inputs x, scale.
    attributes the same.
reformat:
    inputs x.
    attributes (the output's dtype, layout and scale say what to do: convert, quantise, dequantise,
        requantise, permute).
reduce:
    inputs x.
    attributes op: sum, prod, max, min, avg, l1, l2, logsum, logsumexp, sumsquare; axes; keep_dims
        [False].
softmax:
    inputs x.
    attributes axes; log [False].
norm:
    inputs x, scale or None, bias or None.
    attributes axes; epsilon; mean [True]: False for RMS; groups [1]; per_channel [False]: scale and
        bias along axis 1.
resize:
    inputs x.
    attributes mode: nearest, linear, cubic; sizes; and the attributes of ONNX's Resize.
slice:
    inputs x.
    attributes starts, sizes, strides, one an axis; mode: default, fill, wrap, clamp, reflect; fill
        [0.0].
concat:
    inputs x0, x1, ....
    attributes axis.
shuffle:
    inputs x.
    attributes first (permutation), shape, second (permutation).
expand:
    inputs x.
    attributes shape.
pad:
    inputs x.
    attributes before, after; mode: constant, edge, reflect, wrap; value.
gather:
    inputs x, indices.
    attributes axis; mode: default, element, nd; batch_dims [0].

The rest (scatter, topk, arg, one_hot, non_zero, unique, cumulative, lstm, attention, ...) take one reference function
each, whose docstring gives inputs and attributes; `reference/registry.py` lists them.

A shape-like attribute (sizes, starts, shape, axes, k, ...) may come as an int64 input instead; then the attribute is
absent and `attrs["dynamic"]` maps the attribute's name to the input's index. `shapes.settle` puts values back into
attributes once they are known, so tactics only see attributes.

**activation**: {"type": name, "alpha": number, "beta": number}; absent or None for none. Types: relu; clip (alpha =
low, beta = high); leaky_relu (alpha); sigmoid; tanh; silu; gelu_erf; gelu_tanh; elu (alpha); hard_sigmoid (alpha,
beta); hard_swish. These are pointwise operations, too.
"""

EPILOGUE_KINDS = ("conv", "deconv", "gemm")
