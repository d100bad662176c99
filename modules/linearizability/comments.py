"""Specifications in the comments of C files: ``// linearize: operation queue_push(q, {1..2});``."""

import re
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path

from cseq.c.preprocess import check_readable
from cseq.modules.linearizability import grammar
from cseq.modules.linearizability.structure import Structure

_COMMENT = re.compile(r"^\s*//\s*linearize:(.*)$")

_SEVERAL = tuple(member.name for member in fields(Structure) if member.name != "consistency")
"""What several files may each add to."""


def read(structure: Structure, files: Sequence[str]) -> Structure:
    """*structure*, with what the comments in *files* say. Raises InputError with the place."""
    for name in files:
        lines = check_readable(Path(name)).splitlines()
        found = [_COMMENT.match(line) for line in lines]
        if not any(found):
            continue
        said = grammar.parsed("\n".join(match.group(1) if match else "" for match in found), name)
        more = {name: getattr(said, name) for name in _SEVERAL}
        structure = replace(structure.adding(**more), consistency=said.consistency)
    return structure
