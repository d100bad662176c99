"""Assembly in the program: which instructions have no effect on a sequentially consistent machine."""

from __future__ import annotations

import re

from cseq.base.errors import UnsupportedError
from cseq.c.nodes import Asm

_FENCE = re.compile(
    r"""\s*(?:
        (?:rep\s*;?\s*)?nop[lw]? | pause | [mls]fence
        | (?:lock\s*;?\s*)?(?:addl|orl|addq|orq)\s+\$(?:0|0x0)\s*,\s*(?:-?\d+)?\(%+[er]sp\)
    )?\s*""",
    re.VERBOSE | re.IGNORECASE,
)
_WORDS = 40  # the number of characters of a template that a message shows


def refuse_unless_nothing(node: Asm) -> None:
    """Raise UnsupportedError for assembly that may do more than order memory accesses, or wait a little."""
    instructions = re.split(r"[\n;]|\\n|\\t", re.sub(r"(?i)\b(lock|rep)\s*;", r"\1 ", node.template))
    if all(_FENCE.fullmatch(part) for part in instructions) and all(
        item.constraint.startswith("+") for item in getattr(node, "outputs", [])
    ):
        return
    shown = " ".join(node.template.split())
    shown = shown if len(shown) <= _WORDS else shown[:_WORDS] + "…"
    raise UnsupportedError(f'the assembly `asm("{shown}")` is not supported', node.coord)
