"""Contracts of unit 04 that move elements: a reversal in place, and the four rungs of the transpose."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Case, Exercise, Guess, Library, Slip, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u04_shared_memory import slips
from autograder.exercises.u04_shared_memory import values as data
from autograder.exercises.u04_shared_memory.values import LARGE, UNIT

FULL = {"n_rows": 64, "n_cols": 96}  # six whole tiles of 32 x 32
FULL_WIDE = {"n_rows": 128, "n_cols": 64}  # two whole tiles of 64 x 64
TORCH_TRANSPOSE = Library("torch.transpose", lambda torch, v: v["dst"].copy_(v["src"].t()))
SHAPES = ((1, 1), (1, 33), (33, 1), (31, 32), (32, 33), (7, 257), (97, 61))  # rows, columns

MATRICES = (
    Argument("src", "in", "float32", "(n_rows, n_cols)", "a matrix in C order"),
    Argument("dst", "out", "float32", "(n_cols, n_rows)", "its transpose, in C order too"),
)


def cases_of(*full: dict[str, int]) -> tuple[Case, ...]:
    """Whole tiles, ragged ones, odd values, and a matrix too large to trace."""
    ragged = (Case({"n_rows": r, "n_cols": c}) for r, c in SHAPES)
    odd = Case({"n_rows": 97, "n_cols": 61}, "special")
    return (*(Case(sizes) for sizes in full), *ragged, odd, Case(LARGE, trace=False))


def four_sectors(sizes: dict[str, int]) -> tuple[Budget, ...]:
    """Neighbouring lanes on neighbouring elements, for loads and for stores."""
    why = "32 lanes on 32 neighbours of a row touch 4 sectors; down a column every lane touches a sector of its own."
    return tuple(
        Budget(f"global_{kind}_sectors_per_request", 4, sizes, f"{kind.capitalize()}s: {why}", "uncoalesced")
        for kind in ("load", "store")
    )


def no_conflicts(sizes: dict[str, int]) -> tuple[Budget, ...]:
    """Every request to the tile is served in one pass."""
    why = "32 lanes that want 32 words of one bank take 32 passes, and of 32 different banks a single one."
    return tuple(
        Budget(f"shared_{kind}_bank_conflicts", 0, sizes, f"{kind.capitalize()}s: {why}", "bank_conflicts")
        for kind in ("load", "store")
    )


def no_spare_word(sizes: dict[str, int]) -> Budget:
    """A tile of 32 x 32 float32 and nothing beside it."""
    why = "A tile of 32 x 32 elements of 4 bytes is 4,096 bytes; a spare column makes it larger."
    return Budget("shared_bytes", 4096, sizes, why, "padded_tile")


REVERSE_BLOCKS = Exercise(
    id="shared_memory.reverse_blocks",
    unit=UNIT,
    title="A tile that the whole block can see",
    task="Reverse every 256 elements of an array in place: block b turns its own stretch round, "
    "and the last, shorter stretch is turned round like the others.",
    function="reverse_blocks",
    why="The tile turns the order round in shared memory, so both the loads and the stores of global memory "
    "stay contiguous. The barrier is the moment from which every thread may read what the others wrote.",
    arguments=(Argument("data", "inout", "float32", "(n,)", "the elements; afterwards each 256 of them backwards"),),
    make=data.make_reverse,
    oracle=data.reversed_by_block,
    launch=data.one_thread_each,
    cases=(
        *(Case({"n": n}) for n in (1025, 0, 1, 31, 32, 33, 255, 256, 257, 1999)),
        Case({"n": 1999}, "special"),
        Case({"n": 262_147}, trace=False),
    ),
    points=1,
    topics=("A7", "A9"),
    cost=data.reverse_cost,
    predictions={"barriers": "barriers"},
    reasons={"barriers": lambda at: n(at.blocks, "block") * n(1, "barrier")},
    predict_case={"n": 1025},
    slips=(Slip("wrong_formula", "Every element is where it was before.", slips.left_as_it_was),),
)

TRANSPOSE_TILED = Exercise(
    id="shared_memory.transpose_tiled",
    unit=UNIT,
    title="Turn round in the tile",
    task="Transpose a matrix through a 32 x 32 tile in shared memory, so that loads and stores both go along rows. "
    "Each of 32 x 8 threads moves four elements.",
    function="transpose_tiled",
    why="A tile is read along rows and written along rows; the turn happens in shared memory, where no "
    "sectors are wasted. Exchanging block places and thread places separately is what moves the tile and "
    "turns it.",
    arguments=MATRICES,
    make=data.make_transpose,
    oracle=data.transposed,
    launch=data.tile_a_block,
    cases=cases_of(FULL),
    points=2,
    topics=("D2", "A7", "B7"),
    naive="transpose_naive",
    cost=data.transpose_cost,
    budgets=four_sectors(FULL),
    predictions={
        "global_store_sectors_per_request": "global_store_sectors_per_request",
        "shared_load_conflicts_per_request": "shared_load_conflicts_per_request",
    },
    predict_case=FULL,
)

TRANSPOSE_PADDED = Exercise(
    id="shared_memory.transpose_padded",
    unit=UNIT,
    title="One spare column",
    task="The same transpose with rows of 33 words in the tile, of which 32 are used. No access may conflict.",
    function="transpose_padded",
    why="33 words per row put the 32 cells of a column into 32 different banks, so the column is read in one "
    "pass. One spare word per row costs 128 bytes of shared memory and saves 31 passes per request.",
    arguments=MATRICES,
    make=data.make_transpose,
    oracle=data.transposed,
    launch=data.tile_a_block,
    cases=cases_of(FULL),
    points=1,
    topics=("D2", "B8"),
    naive="transpose_naive",
    cost=data.transpose_cost,
    speed=SpeedPolicy(points=1, sizes_for=data.square_sizes, library=TORCH_TRANSPOSE),
    budgets=(*four_sectors(FULL), *no_conflicts(FULL)),
    guesses={
        "prints": Guess(
            "prints",
            "the bank of cell (8, 0), in rows of 33 words and of 36",
            ("print(8 * 33 % 32, 8 * 36 % 32)",),
            "each row of 33 words begins one bank further on, so 32 rows begin in 32 banks; of 36, four banks further "
            "on, so row 8 is back in bank 0, and four cells of a column share a bank",
        )
    },
)

TRANSPOSE_SWIZZLED = Exercise(
    id="shared_memory.transpose_swizzled",
    unit=UNIT,
    title="No spare column",
    task="The same transpose without conflicts in a tile of exactly 1,024 words: "
    "place(row, col) says in which word an element of the tile lies.",
    function="transpose_swizzled",
    why="The exclusive or with the row spreads a column over all 32 banks, and is undone in the same way on "
    "the read. It needs no spare word: a permutation within each row only renames cells.",
    arguments=MATRICES,
    make=data.make_transpose,
    oracle=data.transposed,
    launch=data.tile_a_block,
    cases=cases_of(FULL),
    points=2,
    topics=("D2", "B8"),
    naive="transpose_naive",
    cost=data.transpose_cost,
    budgets=(*four_sectors(FULL), *no_conflicts(FULL), no_spare_word(FULL)),
    guesses={
        "prints": Guess(
            "prints",
            "the place in its row of element (9, 12)",
            ("print(12 ^ 9)",),
            "1100 XOR 1001 in binary is 0101: a bit is 1 where the two differ",
        )
    },
    predictions={"shared_load_bank_conflicts": "shared_load_bank_conflicts"},
    predict_case=FULL,
)

TRANSPOSE_FAST = Exercise(
    id="shared_memory.transpose_fast",
    unit=UNIT,
    title="One question per tile, sixteen loads in flight",
    task="Transpose through a tile of 64 x 64 with 64 x 4 threads: each moves sixteen elements of its column. "
    "Where the whole column lies inside, ask once and loop without a question.",
    function="transpose_fast",
    why="Sixteen elements per thread keep many loads under way, and the question about the edge is asked once "
    "for a whole column. Fewer threads do the same work, so less time goes into indices and guards.",
    arguments=MATRICES,
    make=data.make_transpose,
    oracle=data.transposed,
    launch=data.wide_tile_a_block,
    cases=cases_of(FULL_WIDE),
    points=2,
    topics=("D2", "B8", "C5"),
    naive="transpose_naive",
    naive_launch=data.tile_a_block,
    cost=data.transpose_cost,
    speed=SpeedPolicy(points=3, sizes_for=data.square_sizes, library=TORCH_TRANSPOSE),
    budgets=(
        *four_sectors(FULL_WIDE),
        *no_conflicts(FULL_WIDE),
        Budget(
            "loads_in_flight",
            4,  # the compiler unrolls a loop whose length it does not know four times; with constant bounds all 16
            FULL_WIDE,
            "A question in front of each load keeps it behind the store of the one before, so one value is under way "
            "at a time: ask once for the column, and loop without a question.",
            "loads_wait",
            floor=True,
        ),
    ),
    guesses={
        "index": Guess(
            "index",
            "the place of dst to which thread 70 of block 1 stores first",
            (1, 70, "dst"),
            "block 1 is one tile further down in src, so one further right in dst: row 1, column 64 + 6; and rows of "
            "dst have 128 elements: 1 x 128 + 70",
        )
    },
    predictions={"shared_load_bank_conflicts": "shared_load_bank_conflicts"},
    predict_case=FULL_WIDE,
)
