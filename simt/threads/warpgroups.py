"""What a warpgroup's products do: four warps multiply tiles that lie in shared memory, beside their own instructions.

How tiles lie and how sums are dealt out is a `Form` (tile_forms.py), of float16 or of int8.

A product is worked out when it begins. Until a thread waited for it, its tiles may be read at any time: so what they
hold is compared once more at the wait, and a tile that was filled again in between is told. The wait of a warpgroup
says nothing about the products of another: so listeners are told of the last moment at which each may have read.
Whoever reads one of the sums (`Sums`) while a product of its warpgroup is under way is told as well.
Source: PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions": "wgmma.fence", "wgmma.wait_group"; "Async proxy".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError, MisalignedError, ProductUnderWayError, TileNotShownError
from simt.hardware import WARP_SIZE
from simt.lanes.bits import some
from simt.lanes.masks import mask_from
from simt.memory.arrays import Array
from simt.memory.indexing import locate
from simt.threads.tensor_cores import per_lane
from simt.threads.tile_forms import BYTES, HALVES, ROWS, THREADS, WARPS, Form
from simt.threads.warp import FULL_MASK, Warps, report
from simt.values import as_lanes, number
from simt.values.numba_rules import F32, cast

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place

STEPS_OF_A_PRODUCT = 40  # of the meter: as long as so many statements


@dataclass
class Product:
    """One that is under way. group: of the batch; cells, held: where its tiles lie, and what they held."""

    group: int
    array: Array
    cells: np.ndarray
    held: np.ndarray


@dataclass
class Products:
    """Of a batch. under_way: oldest first; hidden: (width,) bool, the threads that have not called show_tiles since
    their last copies arrived; met: those of them that met at a barrier meanwhile; late: those that called it after that
    barrier, and met at no other since."""

    hidden: np.ndarray
    met: np.ndarray
    late: np.ndarray
    under_way: list[Product] = field(default_factory=list)

    def met_at_barrier(self, lanes: np.ndarray) -> None:
        """These threads of the batch met at a barrier."""
        self.met[lanes] = self.hidden[lanes]
        self.late[lanes] = False


class Sums(tuple):
    """What a product added to, one number per thread each: theirs only when the product is done."""

    __slots__ = ()

    def check_done(self, env: Env, mask: Mask, place: Place) -> None:
        """Raises ProductUnderWayError where a product of one of these warpgroups still adds to them."""
        _check_done(env, {*(env.roots_of(mask) // THREADS).tolist()}, place, "reads")


def zero_sums(env: Env, mask: Mask, place: Place):
    """128 zeros a thread, float32."""
    return tuple(as_lanes(np.float32(0), env.width) for _ in range(HALVES.sums))


def zero_sums_int8(env: Env, mask: Mask, place: Place):
    """128 zeros a thread, int32."""
    return tuple(as_lanes(np.int32(0), env.width) for _ in range(BYTES.sums))


def show_tiles(env: Env, mask: Mask, place: Place) -> None:
    """What this thread wrote to shared memory, itself or by copies it waited for, is there for products as well."""
    products, lanes = _products(env), env.roots_of(mask)
    products.late[lanes] |= products.hidden[lanes] & products.met[lanes]
    products.hidden[lanes] = products.met[lanes] = False
    env.batch.touch()


def warpgroup_mma(env: Env, mask: Mask, place: Place, tiles, first_a, first_b, sums):
    """Begin sums + A B. A: 64 x 64 from tiles[first_a] on; B: 64 x 256, four panels, from tiles[first_b] on."""
    return _begin(HALVES, env, mask, place, tiles, (first_a, first_b), sums)


def warpgroup_mma_int8(env: Env, mask: Mask, place: Place, tiles, first_a, first_b, sums):
    """Begin sums + A B. A: 64 rows of 32 bytes from tiles[first_a] on; B: 256 columns, as rows, from tiles[first_b]."""
    return _begin(BYTES, env, mask, place, tiles, (first_a, first_b), sums)


def _begin(form: Form, env: Env, mask: Mask, place: Place, tiles, firsts: tuple, sums):
    """The sums after a product of one form, which is under way from now on."""
    _check(form, env, tiles, sums, place)
    groups = _whole_groups(env, mask, place)
    report(env, mask, place, FULL_MASK)
    env.batch.meter.count(STEPS_OF_A_PRODUCT * len(groups), env)
    _check_shown(env, groups, place)
    parts = zip(firsts, (form.a_cells, form.b_cells), strict=True)
    begins = [_first(form, env, mask, place, tiles, one, cells, groups) for one, cells in parts]
    warps = Warps(env, mask)
    added = np.zeros((warps.n_warps // WARPS, ROWS, form.columns), form.total)
    for group in groups:
        a, b = form.place(begins[0][group] + form.a_cells), form.place(begins[1][group] + form.b_cells)
        added[group] = form.product(tiles.flat[a], tiles.flat[b])
        cells = np.concatenate([a.ravel(), b.ravel()])
        if not _still_filled(env, tiles, (a, b)):  # else it is the copy that nobody waited for, which `copies` tells
            _products(env).under_way.append(Product(group, tiles, cells, tiles.flat[cells]))
        _tell(env, place, tiles, group, cells)
    if env.batch.emit is not None and form.total == F32:  # sums of whole numbers are no flops
        env.batch.emit.arithmetic(place, "mma", form.total, form.added * mask.count)
    env.batch.touch()
    dealt = added[:, form.row_of, form.col_of]  # (groups, sums, warps, lanes)
    parts_of = dealt.transpose(1, 0, 2, 3).reshape(form.sums, -1)
    parts_of = parts_of if warps.slots is None else parts_of[:, warps.slots]
    before = np.concatenate([per_lane(one, form.total, env.width) for one in sums])
    with np.errstate(over="ignore", invalid="ignore"):
        return Sums(before.reshape(form.sums, -1) + parts_of)


def _check_shown(env: Env, groups: list[int], place: Place) -> None:
    """Raises TileNotShownError where a thread of the block showed nothing, or showed it after the last barrier: then
    another thread's product does not know of it."""
    products, blocks = _products(env), {group * THREADS // env.batch.options.threads_per_block for group in groups}
    for lanes, has in (
        (products.hidden, "has not called show_tiles() since its copies arrived"),
        (products.late, "has called show_tiles() after the last barrier, so that nobody else knows of it"),
    ):
        of_block = lanes.reshape(env.batch.n_blocks, -1)
        if any(some(of_block[block]) for block in blocks):
            raise TileNotShownError(
                f"`{place.site.text}` reads tiles from shared memory, and a thread of the block {has}: the tensor "
                "cores may see what lay there before.",
                remedy="Call show_tiles() between wait_copies and the barrier.",
            )


def wait_products(env: Env, mask: Mask, place: Place, sums, keep=0):
    """Wait until at most `keep` of the products that this warpgroup began are under way. Returns the sums."""
    if np.ndim(keep) or int(keep) < 0:
        raise KernelTypeError("wait_products takes a number that is the same for all threads, 0 or more")
    products = _products(env)
    for group in _whole_groups(env, mask, place):
        own = [one for one in products.under_way if one.group == group]
        for product in own[: max(len(own) - int(keep), 0)]:
            products.under_way.remove(product)
            _compare(product, place)
            _tell(env, place, product.array, group, product.cells, "tile_read_ends")
    env.batch.touch()
    return sums


def store_sums(env: Env, mask: Mask, place: Place, c, row, col, sums) -> None:
    """Write a warpgroup's sums to c[row, col] and what follows, as far as there is a c."""
    if not isinstance(c, Array) or c.ndim != 2 or c.dtype != F32:
        raise KernelTypeError("store_sums writes to a 2D array of float32")
    _check_done(env, {*_whole_groups(env, mask, place)}, place, "stores")
    lane = as_lanes(env.register("thread"), env.width)
    row = as_lanes(np.int64(0) + row, env.width) + 16 * (lane // WARP_SIZE % WARPS) + lane % WARP_SIZE // 4
    col = as_lanes(np.int64(0) + col, env.width) + 2 * (lane % 4)
    for i, x in enumerate(sums):
        at = row + 8 * (i // 2 % 2), col + 8 * (i // 4) + i % 2
        inside = (at[0] < c.shape[0]) & (at[1] < c.shape[1])
        within = mask_from(inside if mask.bits is None else inside & mask.bits, env.width)
        if within is None:
            continue
        cells, within = locate(env, within, c, at, "store", place)
        x = as_lanes(cast(number(x), F32), env.width)
        if env.batch.emit is not None:
            env.batch.emit.access(env, within, c, cells, "store", place, x)
        env.batch.count_store(c.flat, cells, x, within)
        c.flat[within.pick(cells)] = within.pick(x)


def _products(env: Env) -> Products:
    if env.batch.products is None:
        nobody = np.zeros(env.batch.width, bool)
        env.batch.products = Products(~nobody, nobody.copy(), nobody)
    return env.batch.products


def _check_done(env: Env, groups: set[int], place: Place, does: str) -> None:
    """Raises ProductUnderWayError. does: with the sums, as in "stores"."""
    if any(one.group in groups for one in _products(env).under_way):
        raise ProductUnderWayError(
            f"`{place.site.text}` {does} sums while a product still adds to them.",
            remedy="Wait before you use the sums: sums = wait_products(sums, 0).",
        )


def _check(form: Form, env: Env, tiles, sums, place: Place) -> None:
    name = "" if form is HALVES else "_int8"
    if getattr(tiles, "space", "") != "shared" or tiles.dtype != form.element or tiles.ndim != 1:
        raise KernelTypeError(f"warpgroup_mma{name} reads a shared array of {form.name} with one axis")
    if not isinstance(sums, tuple) or len(sums) != form.sums:
        raise KernelTypeError(f"`{place.site.text}` takes the sums as zero_sums{name}() or the last product gave them")


def _whole_groups(env: Env, mask: Mask, place: Place) -> list[int]:
    """The warpgroups that came here, by number within the batch. Raises KernelTypeError where a thread is missing."""
    if env.batch.options.threads_per_block % THREADS:
        raise KernelTypeError(f"a warpgroup is {THREADS} threads: the threads of a block must be a multiple of that")
    came = Warps(env, mask).active.reshape(-1, THREADS)
    if (came.any(axis=1) != came.all(axis=1)).any():
        raise KernelTypeError(
            f"`{place.site.text}` is for all {THREADS} threads of a warpgroup, and some did not come here: "
            "call it outside of every branch that they do not take together"
        )
    return [int(group) for group in np.flatnonzero(came.any(axis=1))]


def _first(
    form: Form, env: Env, mask: Mask, place: Place, tiles: Array, index, cells: np.ndarray, groups: list[int]
) -> dict[int, int]:
    """Group -> the cell where its tile begins. Raises: MisalignedError, KernelTypeError."""
    at, within = locate(env, mask, tiles, (index,), "load", place)
    last, _ = locate(env, mask, tiles, (index + np.int64(cells.max()),), "load", place)
    if within is None or last is None:
        raise KernelTypeError(f"`{place.site.text}` reads past the end of {tiles.name}")
    begins = Warps(env, mask).pack(as_lanes(np.asarray(at)[()], env.width)).reshape(-1, THREADS)
    starts = Warps(env, mask).pack(as_lanes(np.int64(0) + index, env.width)).reshape(-1, THREADS)
    if any(some(begins[group] != begins[group][0]) for group in groups):
        raise KernelTypeError(f"`{place.site.text}` needs one tile for all {THREADS} threads of a warpgroup")
    off = [int(starts[group][0]) for group in groups if starts[group][0] % form.aligned]
    if off:
        raise MisalignedError(
            f"`{place.site.text}` takes a tile from {tiles.name}[{off[0]}] on, and that is no multiple of "
            f"{form.aligned}: the tensor cores would read the wrong pieces.",
            remedy=f"Begin every tile at a multiple of {form.aligned} elements.",
        )
    return {group: int(begins[group][0]) for group in groups}


def _still_filled(env: Env, tiles: Array, parts: tuple[np.ndarray, ...]) -> bool:
    """Whether a copy into one of these tiles is under way."""
    copies = env.batch.copies.under_way if env.batch.copies is not None else []
    into = [copy.cells for copy in copies if copy.array.flat is tiles.flat]
    spans = [(part.min(), part.max()) for part in parts] if into else []
    return any(some((first <= cells) & (cells <= last)) for first, last in spans for cells in into)


def _tell(env: Env, place: Place, tiles: Array, group: int, cells: np.ndarray, name: str = "tile_read") -> None:
    """Tell listeners which cells the tensor cores read, as if the threads of the group had shared them out."""
    if env.batch.emit is not None:
        shares = cells.size // THREADS
        env.batch.meter.count(shares, env)
        env.batch.emit.tile_read(name, place, tiles, np.tile(group * THREADS + np.arange(THREADS), shares), cells)


def _compare(product: Product, place: Place) -> None:
    changed = np.flatnonzero(product.array.flat[product.cells] != product.held)
    if product.held.dtype.kind == "f":
        changed = changed[~np.isnan(product.held[changed])]
    if len(changed):
        cell = int(product.cells[changed[0]])
        copy_cells = product.array.copy_cells
        where = product.array.info.index_of(cell % copy_cells if copy_cells else cell)
        raise ProductUnderWayError(
            f"{product.array.name}{list(where)} was filled again while a product could still read it: this product was "
            f"not waited for before `{place.site.text}`.",
            remedy="Wait for the product before you copy into its tiles, or let the copy go to another stage.",
        )
