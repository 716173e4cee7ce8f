"""Cooperative groups: a block, a tile of a warp and the grid, with their ranks, sizes, barriers, shuffles and votes."""

from __future__ import annotations

import re

from autograder.drills.cpp.body import Body, Variable
from autograder.drills.cpp.kinds_of_number import BOOL, Value, arithmetic, converted, promoted, truth, whole
from autograder.drills.cpp.parsing import field, inside, refused, text_of

TILE = re.compile(r"(?:thread_block_tile|tiled_partition)\s*<\s*(1|2|4|8|16|32)\s*(?:,\s*\w+\s*)?>")
LINEAR = "int32(cuda.threadIdx.x + cuda.blockDim.x * (cuda.threadIdx.y + cuda.blockDim.y * cuda.threadIdx.z))"
THREADS = "int32(cuda.blockDim.x * cuda.blockDim.y * cuda.blockDim.z)"
BLOCK = "int32(cuda.blockIdx.x + cuda.gridDim.x * (cuda.blockIdx.y + cuda.gridDim.y * cuda.blockIdx.z))"
BLOCKS = "int32(cuda.gridDim.x * cuda.gridDim.y * cuda.gridDim.z)"
LANE = "int32(cuda.laneid)"
INDICES = {"group_index": "blockIdx", "thread_index": "threadIdx", "dim_threads": "blockDim", "group_dim": "blockDim"}
SHUFFLES = {"shfl": "shfl_sync", "shfl_down": "shfl_down_sync", "shfl_up": "shfl_up_sync", "shfl_xor": "shfl_xor_sync"}
REDUCTIONS = {"plus": "+", "greater": "max", "less": "min", "bit_and": "&", "bit_or": "|", "bit_xor": "^"}
NOTHING = Value("", "")  # of a call that gives nothing back
TEAMS = {"thread_block": "block", "grid_group": "grid"}
MAKERS = {"this_thread_block": "block", "this_grid": "grid"}


def team_named(text: str) -> str:
    """The team that a type names: "block", "grid", "tile 32"; "" for other types."""
    text = text.replace("const", " ").strip()
    if found := TILE.fullmatch(text):
        return f"tile {found[1]}"
    return TEAMS.get(text, "")


def team_of(body: Body, node) -> str:
    """The team that an expression is; "" for other things."""
    node = inside(node)
    if node.type == "identifier":
        found = body.known(text_of(node))
        return found.kind if found is not None and found.form == "team" else ""
    if node.type != "call_expression":
        return ""
    name = text_of(field(node, "function"))
    tile = TILE.fullmatch(name)
    return f"tile {tile[1]}" if tile else MAKERS.get(name, "")


def index_of_a_team(body: Body, node) -> str:
    """blockIdx of block.group_index(); "" of other expressions."""
    function = node.child_by_field_name("function")
    if function is None or function.type != "field_expression" or team_of(body, field(function, "argument")) != "block":
        return ""
    return INDICES.get(text_of(field(function, "field")), "")


def remember_team(body: Body, node, team: str) -> None:
    """auto tile = tiled_partition<32>(block);"""
    body.scopes[-1][text_of(node)] = Variable(text_of(node), team, "team")


def of_a_team(body: Body, node, given: list) -> Value | None:
    """tile.shfl_down(v, 8), block.sync(), reduce(tile, v, plus<float>()).

    NOTHING where nothing comes back; None for other calls.
    """
    function = field(node, "function")
    name = text_of(function)
    if name == "reduce" and len(given) == 3 and (team := team_of(body, given[0])):
        return _reduced(body, node, team, given)
    if name in ("sync", "thread_rank", "num_threads") and given and (team := team_of(body, given[0])):
        return _method(body, node, team, name, given[1:])
    if function.type != "field_expression" or not (team := team_of(body, field(function, "argument"))):
        return None
    return _method(body, node, team, text_of(field(function, "field")), given)


def _method(body: Body, node, team: str, name: str, given: list) -> Value:
    if name == "sync" and not given:
        if team == "grid":
            raise refused(node, "a barrier for the grid needs a cooperative launch, which this task does not make")
        body.emit(
            "cuda.syncthreads()" if team == "block" else f"cuda.syncwarp({'' if team == 'tile 32' else _mask(team)})"
        )
        return NOTHING
    ranks = {"block": (LINEAR, THREADS), "grid": (f"({BLOCK} * {THREADS} + {LINEAR})", f"({BLOCKS} * {THREADS})")}
    if team in ranks and name in ("thread_rank", "size", "num_threads"):
        return Value(f"int32({ranks[team][0 if name == 'thread_rank' else 1]})", "int32")
    if team == "grid" and name in ("block_rank", "num_blocks"):
        return Value(BLOCK if name == "block_rank" else BLOCKS, "int32")
    if not team.startswith("tile"):
        raise refused(node, f"`{text_of(node)}` is left out of what is known of a {team}")
    count = _size(team)
    if name in ("size", "num_threads"):
        return whole(count, "int32")
    if name in ("thread_rank", "meta_group_rank"):
        return Value(f"int32({LINEAR} {'%' if name == 'thread_rank' else '//'} {count})", "int32")
    if name == "meta_group_size":
        return Value(f"int32(({THREADS} + {count - 1}) // {count})", "int32")
    if name in SHUFFLES and len(given) == 2:
        return shuffled(SHUFFLES[name], _mask(team), body.value(given[0]), body.value(given[1]), count)
    if name in ("any", "all", "ballot") and len(given) == 1:
        code = f"cuda.{name}_sync({_mask(team)}, {truth(body.value(given[0])).code})"
        if name == "ballot":
            shift = "" if count == 32 else f" >> ({LANE} & ~{count - 1})"
            return Value(f"uint32(uint32({code}){shift})", "uint32")
        return Value(f"int32({code})", "int32")
    raise refused(node, f"`{text_of(node)}` is left out of what is known of a tile")


def _size(team: str) -> int:
    return int(team.split()[1])


def _mask(team: str) -> str:
    """The lanes of this lane's tile."""
    count = _size(team)
    return "0xFFFFFFFF" if count == 32 else f"uint32({(1 << count) - 1} << ({LANE} & ~{count - 1}))"


def shuffled(function: str, mask: str, value: Value, lane: Value, width: int) -> Value:
    """A shuffle among `width` lanes. numba's has no width: the lane that is asked is worked out."""
    kind = promoted(value.kind)
    code, by = converted(value, kind).code, converted(lane, "int32").code
    if width == 32:
        return Value(f"{kind}(cuda.{function}({mask}, {code}, {by}))", kind)
    asked = {
        "shfl_sync": f"(({LANE} & ~{width - 1}) + ({by}) % {width})",
        "shfl_down_sync": f"({LANE} + ({by}) if {LANE} % {width} + ({by}) < {width} else {LANE})",
        "shfl_up_sync": f"({LANE} - ({by}) if {LANE} % {width} >= ({by}) else {LANE})",
        "shfl_xor_sync": f"(({LANE} ^ ({by})) if ({LANE} ^ ({by})) // {width} <= {LANE} // {width} else {LANE})",
    }[function]
    return Value(f"{kind}(cuda.shfl_sync({mask}, {code}, int32({asked})))", kind)


def _reduced(body: Body, node, team: str, given: list) -> Value:
    """reduce(tile, v, plus<float>()), by a butterfly."""
    how = REDUCTIONS.get(re.split(r"[<({]", text_of(given[2]))[0].strip())
    if not team.startswith("tile") or how is None:
        raise refused(node, f"`{text_of(node)[:60]}`: a reduction is one of a tile by plus, greater or less")
    value = body.value(given[1])
    kind = "int32" if value.kind == BOOL else promoted(value.kind)
    name = body.kept(node, Value(converted(value, kind).code, kind)).code
    step = _size(team) // 2
    while step:
        other = shuffled("shfl_xor_sync", _mask(team), Value(name, kind), whole(step, "int32"), _size(team))
        both = (
            f"{how}({name}, {other.code})" if how in ("min", "max") else arithmetic(how, Value(name, kind), other).code
        )
        body.emit(f"{name} = {kind}({both})")
        step //= 2
    return Value(name, kind)
