"""The tensor memory accelerator: one thread copies a whole tile, described by a tensor map, and the engine swizzles it.

A load completes on an mbarrier in bytes, always those of the full box; what lies outside the tensor arrives as zeros.
A store reads shared memory and clips what lies outside. Coordinates start with the innermost dimension.
Maps are 128 bytes in device memory, passed by address; `minitrt.tactics.tensor_map` describes them.
Source: PTX ISA, "Data Movement and Conversion Instructions: cp.async.bulk.tensor".
"""

from __future__ import annotations

from minitrt.kernels.ptx import i16, i32, if_zero, ptx, u32, u64

_LOAD = ".shared::cluster.global{}.mbarrier::complete_tx::bytes"
_STORE = "@p cp.async.bulk.tensor.{}d.global.shared::cta.bulk_group [$1, {{{}}}], [$0];\n@p cp.async.bulk.commit_group;"

# (destination, map, coordinates..., barrier)
load_2d = ptx("cp.async.bulk.tensor.2d" + _LOAD.format(".tile") + " [$0], [$1, {$2, $3}], [$4];",
              None, u32, u64, i32, i32, u32)  # fmt: skip
load_4d = ptx("cp.async.bulk.tensor.4d" + _LOAD.format(".tile") + " [$0], [$1, {$2, $3, $4, $5}], [$6];",
              None, u32, u64, i32, i32, i32, i32, u32)  # fmt: skip
# (destination, map, channel, column, row, image, barrier, column offset, row offset): pixels along the im2col order,
# each shifted by the tap's offsets; pixels outside the image are zeros, which is the convolution's padding
load_im2col = ptx("cp.async.bulk.tensor.4d" + _LOAD.format(".im2col") + " [$0], [$1, {$2, $3, $4, $5}], [$6], "
                  "{$7, $8};", None, u32, u64, i32, i32, i32, i32, u32, i16, i16)  # fmt: skip
# (destination, source address, bytes, barrier): a contiguous run, no map
load_bytes = ptx("cp.async.bulk" + _LOAD.format("") + " [$0], [$1], $2, [$3];", None, u32, u64, u32, u32)

# (source, map, coordinates..., store if 0); one bulk group a store
store_2d_if_zero = ptx(if_zero("$4", _STORE.format(2, "$2, $3")), None, u32, u64, i32, i32, u32)
store_4d_if_zero = ptx(if_zero("$6", _STORE.format(4, "$2, $3, $4, $5")), None, u32, u64, i32, i32, i32, i32, u32)
wait_stores_read = ptx("cp.async.bulk.wait_group.read 0;", None)  # this thread's stores have left shared memory
wait_stores_read_but_one = ptx("cp.async.bulk.wait_group.read 1;", None)  # all but the last one
wait_stores = ptx("cp.async.bulk.wait_group 0;", None)  # and have reached global memory

prefetch_map = ptx("prefetch.tensormap [$0];", None, u64)
# what ordinary instructions (stmatrix too) wrote to shared memory becomes visible to the copy engine and to wgmma
fence_shared = ptx("fence.proxy.async.shared::cta;", None)
