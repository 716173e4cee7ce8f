"""`g < 0 || g >= n` can be read as a template `g<0 || g>`, and tree-sitter does: names before `<` get brackets."""

from __future__ import annotations

import re

BEFORE_LESS = re.compile(
    r"(?<![\w:.>\])])(?!cuda[A-Z]\w*<)((?:[A-Za-z_]\w*(?:\.|->))*[A-Za-z_]\w*)(\s*<)(?![<=])(?=[^;\n{]*>)"
)
TEMPLATE = re.compile(r"\btemplate\s*<[^{;]*?>[^{;(]*?(\w+)\s*\(|\btemplate\s*<[^{;]*?>\s*(?:struct|class)\s+(\w+)")
KNOWN = frozenset(
    "template operator static_cast reinterpret_cast const_cast dynamic_cast bit_cast tiled_partition thread_block_tile"
    " numeric_limits plus greater less array vector pair tuple get unique_ptr shared_ptr pipeline barrier".split()
)


def without_false_templates(source: str) -> str:
    """The source with `(g) < 0` for `g < 0` where a `>` follows and g is no template."""
    templates = KNOWN | {name for found in TEMPLATE.findall(source) for name in found if name}

    def kept(found: re.Match) -> str:
        return found[0] if re.split(r"\.|->", found[1])[-1] in templates else f"({found[1]}){found[2]}"

    return BEFORE_LESS.sub(kept, source)
