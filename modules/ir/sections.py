"""Which instructions are in which atomic section, and which sections are one access."""

from collections.abc import Iterable

from cseq.c import build
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.lower_blocks import orders
from cseq.modules.ir.program import Program, SectionKind, Template
from cseq.modules.library import lexicon

Open = tuple[int, ...]
"""The sections that are open, the innermost last."""


def assign_sections(program: Program, template: Template) -> None:
    """Note in each instruction of *template* the innermost section that it is in.

    Where the paths to a block open different sections, these are marked as dynamic, and nothing is noted.
    """
    before = open_sections(program, template)
    inside: dict[int, list[ir.Instruction]] = {}
    for block in template.blocks:
        state = before.get(block.number, ())
        for instruction in block.instructions():
            if isinstance(instruction, ir.Begin):
                state = (*state, instruction.opens)
            number = state[-1] if state else None
            if number is not None and not program.sections[number].is_dynamic:
                instruction.section = number
                inside.setdefault(number, []).append(instruction)
            if isinstance(instruction, ir.End):
                state = state[:-1]
    for number, instructions in inside.items():
        _find_access(program, number, instructions)


def open_sections(program: Program, template: Template) -> dict[int, Open]:
    """The sections that are open at the beginning of each block that can be reached; those that differ are dynamic.

    Blocks are in the order of the text, so one pass sees a predecessor of each block before it.
    """
    before: dict[int, Open] = {0: ()}
    for block in template.blocks:
        state = before.get(block.number)
        if state is None:
            continue
        state = _after(block.instructions(), state)
        for to in block.end.successors():
            known = before.setdefault(to, state)
            if known != state:
                for number in {*known, *state}:
                    program.sections[number].is_dynamic = True
    return before


def _after(instructions: Iterable[ir.Instruction], state: Open) -> Open:
    for instruction in instructions:
        if isinstance(instruction, ir.Begin):
            state = (*state, instruction.opens)
        elif isinstance(instruction, ir.End):
            state = state[:-1]
    return state


def _find_access(program: Program, number: int, instructions: list[ir.Instruction]) -> None:
    """Note the one access that a section is, if it is one."""
    section = program.sections[number]
    contents = [each for each in instructions if not isinstance(each, (ir.Begin, ir.End))]
    if section.kind is SectionKind.USER and not contents and len(instructions) == 2:
        section.access = ir.Access(ir.AccessKind.FENCE, None, ir.Order.SEQ_CST)
    if section.kind is not SectionKind.RMW:
        return
    order, failure = ir.Order.SEQ_CST, None
    for mark in instructions[0].marks:
        if build.is_call(mark, lexicon.ACCESS):
            order, failure = orders(mark)
    if not contents:
        section.access = ir.Access(ir.AccessKind.FENCE, None, order)
        return
    if not any(isinstance(each, ir.Branch) for each in contents):
        failure = None
    found: ir.Access | None = None
    for each in contents:
        if each.access is None:
            continue
        made = each.access
        each.access = ir.Access(made.kind, made.place, order, None, made.value)
        value = each.value if isinstance(each, ir.Assign) and made.kind is ir.AccessKind.WRITE else None
        if found is None or value is not None:
            found = ir.Access(ir.AccessKind.UPDATE, made.place, order, failure, value)
    section.access = found
