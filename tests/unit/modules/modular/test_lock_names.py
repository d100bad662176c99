"""The names of objects and locks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cseq.modules.ir.types import Array, Record
from cseq.modules.modular.lock_names import at_offset, of_location, record_name
from cseq.modules.modular.program_analysis import ProgramAnalysis

Analyse = Callable[..., ProgramAnalysis]


def test_parts_at_offsets(analyse: Analyse) -> None:
    program = analyse("items[0].v = 1;").program
    items = next(each for each in program.objects if each.name == "items")
    assert isinstance(items.type, Array) and isinstance(items.type.element, Record)
    size, at = items.type.element.size, items.type.element.fields["m"].offset
    assert at_offset("items", items.type, 0) == "items[0].v"
    assert at_offset("items", items.type, 2 * size + at) == "items[2].m"
    assert record_name(items.type.element) == "struct item"


@pytest.mark.parametrize(
    ("work", "name"),
    [
        ("x = 1;", "x"),
        ("cells[l] = 1;", "cells[i]"),
        ("items[l].v = 1;", "items[i].v"),
        ("p = malloc(44); shared = p; p->v = 1;", "struct item.v"),
        ("q = malloc(4); use(q); *q = 1;", "block of program.c:20"),
    ],
)
def test_locations(work: str, name: str, analyse: Analyse) -> None:
    names = {of_location(place) for each in analyse(work).accesses for place in each.places}
    assert name in names
