"""What follows from what is known of atoms: ranges, inequalities, and whether all threads mean the same by a sum."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from cseq.modules.ir import instructions as ir
from cseq.modules.ir.objects import Object
from cseq.modules.ir.program import Program, Template
from cseq.modules.ir.types import Int, Type
from cseq.modules.modular.certificate.form import SHARED, Atom, AtomKind, Limits, Node, Root, Sum

_DEPTH = 5
_NO_LIMITS = Limits()


class Logic:
    """Facts about the atoms of one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._cyclic: dict[Template, set[int]] = {}
        self._fixed: dict[Atom, bool] = {}
        self._blocks = {
            each: (template, block.number)
            for template in program.templates for block in template.blocks for each in block.instructions()
        }  # fmt: skip
        self._instructions = {each.number: each for each in self._blocks}

    # How often something is executed

    def is_once(self, thread: int, path: Node, block: int) -> bool:
        """Whether main executes a block of an activation at most once."""
        if thread or path[:1] == (SHARED,):
            return False
        template = self._program.by_name["main"]
        for at in range(0, len(path), 2):
            if path[at] in self.cyclic(template):
                return False
            call = template.blocks[path[at]].body[path[at + 1]]
            assert isinstance(call, ir.Call)
            template = self._program.by_name[call.function]
        return block not in self.cyclic(template)

    def cyclic(self, template: Template) -> set[int]:
        """The blocks from which control may come back to themselves; all, if a function calls itself as main."""
        known = self._cyclic.get(template)
        if known is None:
            known = self._cyclic[template] = set()
            for block in template.blocks:
                seen: set[int] = set()
                todo = [*block.end.successors()]
                while todo:
                    number = todo.pop()
                    if number not in seen:
                        seen.add(number)
                        todo += template.blocks[number].end.successors()
                if block.number in seen:
                    known.add(block.number)
        return known

    # Atoms

    def is_fixed(self, sum_: Sum) -> bool:
        """Whether all threads mean the same value by a sum."""
        return all(self.is_fixed_atom(atom) for atom, _ in sum_.parts)

    def is_fixed_atom(self, atom: Atom) -> bool:
        """Whether all threads mean the same value by an atom."""
        found = self._fixed.get(atom)
        if found is None:
            found = self._fixed[atom] = self._is_fixed(atom)
        return found

    def _is_fixed(self, atom: Atom) -> bool:
        match atom.kind:
            case AtomKind.ADDRESS:
                if atom.key[0] == "static":
                    return True
                if len(atom.key) == 2:
                    return not atom.key[0]
                path = atom.key[2]
                return self.is_once(atom.key[0], path[:-2], path[-2]) if path else not atom.key[0]
            case AtomKind.BLOCK:
                thread, call, path = atom.key
                return self.is_once(thread, path[:-1], self._blocks[call][1])
            case AtomKind.VALUE:
                if len(atom.key) != 4:
                    return False
                thread, path, number, _ = atom.key
                instruction = self._instructions.get(number)
                return instruction is not None and self.is_once(thread, path[:-1], self._blocks[instruction][1])
            case AtomKind.APPLIED:
                return not atom.key[0].startswith("setting") and all(map(self.is_fixed, atom.arguments))
        return False

    def root(self, address: Sum) -> Root:
        """The object, or the allocation, that an address belongs to; None if it is not known."""
        atom: Atom | None = address.object
        if atom is None and not any(a.is_object for a, _ in address.parts):
            given = [a for a, c in address.parts if c == 1 and a.kind is AtomKind.GIVEN]
            atom = given[0] if len(given) == 1 else None
        while atom is not None and atom.kind is AtomKind.GIVEN:
            atom = atom.key[1]
        found = atom.key[1] if atom is not None and atom.is_object else None
        return found if isinstance(found, (Object, ir.Operation)) else None

    def _type(self, atom: Atom) -> Type | None:
        """The type of what an atom is the value of, if it is known."""
        if len(atom.key) != 4:
            return None
        _, _, number, what = atom.key
        instruction = self._instructions.get(number)
        if isinstance(what, tuple) and what[0] == "read":
            return self._program.expressions.places[what[1]].type
        if what == "result" and isinstance(instruction, ir.Call) and instruction.result is not None:
            return instruction.result.type
        return instruction.place.type if what == "input" and isinstance(instruction, ir.Input | ir.Undefine) else None

    def range(self, atom: Atom) -> tuple[int | None, int | None]:
        """The least and the greatest number that an atom may be."""
        if atom.kind is AtomKind.GIVEN:
            return self.range(atom.key[1]) if atom.key[1].kind is AtomKind.VALUE else (None, None)
        if atom.kind is AtomKind.VALUE:
            return _range_of(self._type(atom))
        if atom.kind is not AtomKind.APPLIED:
            return None, None
        operator, _, type_ = atom.key[0].partition(" ")
        right = atom.arguments[-1] if len(atom.arguments) == 2 else None
        if operator in ("%", "mod") and right is not None and not right.parts and right.constant > 0:
            is_signed = operator == "%" and type_.startswith("i")
            return (1 - right.constant if is_signed else 0), right.constant - 1
        if operator == "&" and right is not None and not right.parts and right.constant >= 0:
            return 0, right.constant
        if right is not None and type_.startswith("u") and type_[1:].isdigit():
            return 0, (1 << int(type_[1:])) - 1
        return None, None

    # Inequalities

    def positive(self, sum_: Sum, limits: Mapping[Atom, Limits], depth: int = _DEPTH) -> bool:
        """Whether it follows that a sum is at least 0: atoms are replaced by what limits them, *depth* times."""
        if not sum_.parts:
            return sum_.constant >= 0
        if not depth:
            return False
        for atom, coefficient in sum_.parts:
            rest = sum_.without(atom)
            for choice in self._limits(atom, coefficient > 0, limits):
                if all(self.positive(rest.plus(each, coefficient), limits, depth - 1) for each in choice):
                    return True
        return False

    def _limits(self, atom: Atom, is_lower: bool, limits: Mapping[Atom, Limits]) -> Iterator[Iterable[Sum]]:
        known = limits.get(atom, _NO_LIMITS)
        least, most = self.range(atom)
        if is_lower:
            yield from ([each] for each in known.lower)
            if least is not None:
                yield [Sum(least)]
        else:
            yield from known.upper
            if most is not None:
                yield [Sum(most)]

    def at_most(self, sum_: Sum, part: Collection[Sum], limits: Mapping[Atom, Limits]) -> bool:
        """Whether it follows that a sum is at most the greatest in *part*."""
        choices: list[Iterable[Sum]] = [[sum_]]
        for atom, coefficient in sum_.parts:
            known = limits.get(atom, _NO_LIMITS).upper if coefficient == 1 else ()
            choices += [[sum_.without(atom).plus(each) for each in upper] for upper in known]
        return any(
            all(any(self.positive(most.minus(each), limits) for most in part) for each in choice) for choice in choices
        )

    def equal(self, one: Sum, other: Sum, limits: Mapping[Atom, Limits]) -> bool:
        """Whether it follows that two sums are equal."""
        difference = one.minus(other)
        if not difference.parts:
            return not difference.constant
        return self.positive(difference, limits) and self.positive(difference.times(-1), limits)

    def decided(self, sum_: Sum, limits: Mapping[Atom, Limits]) -> Sum:
        """A comparison with 0 whose result is known, as a number; other sums as they are."""
        atom = sum_.atom
        if atom is None or atom.kind is not AtomKind.APPLIED or atom.key[0] not in ("<0", "<=0", "=0", "!=0"):
            return sum_
        operator, (value,) = atom.key
        below = operator == "<0"
        if operator in ("<0", "<=0"):
            if self.positive(value.times(-1).add(-below), limits):
                return Sum(1)
            return Sum(0) if self.positive(value.add(below - 1), limits) else sum_
        if self.equal(value, Sum(0), limits):
            return Sum(int(operator == "=0"))
        return Sum(int(operator == "!=0")) if self.differ(value, Sum(0), limits) else sum_

    def differ(self, one: Sum, other: Sum, limits: Mapping[Atom, Limits]) -> bool:
        """Whether it follows that two sums of one thread are different numbers."""
        difference = one.minus(other)
        if not difference.parts:
            return difference.constant != 0
        mine, theirs = one.object, other.object
        if mine is not None and theirs is not None and mine is not theirs:
            return True
        return self.positive(difference.add(-1), limits) or self.positive(difference.times(-1).add(-1), limits)


def _range_of(type_: Type | None) -> tuple[int | None, int | None]:
    if not isinstance(type_, Int):
        return None, None
    width = type_.width - type_.signed
    return (-(1 << width) if type_.signed else 0), (1 << width) - 1
