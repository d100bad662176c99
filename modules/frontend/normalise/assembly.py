"""Assembly in the program, as C: what orders accesses is nothing, and what computes is what it does to memory."""

from typing import Any, Protocol

from pycparser import c_ast

from cseq.c import build, parse
from cseq.c.nodes import Asm, AsmOperand
from cseq.model.errors import UnsupportedError
from cseq.model.origin import LineMap
from cseq.modules.frontend.normalise.machine import FULL_FENCE, Machine
from cseq.modules.frontend.normalise.operands import UNSIGNED, OperandPlace
from cseq.modules.frontend.normalise.scoping import Scoping
from cseq.modules.frontend.normalise.x86_code import CONDITIONS, IDLE, Instruction, NotUnderstoodError, instructions
from cseq.pipeline.translator import Rewriter

_WORDS = 40  # the number of characters of a template that a message shows
_FIXED = "abcdSD"
_GENERAL = frozenset("rqQRlgXp")
_CONSTANT = frozenset("inIJKLMNeZE")
_FLAG = "@cc"


class AsmScoping(Scoping, Protocol):
    """What the statements of the normalisation are for the assembly in them."""

    def visit_statements(self, items: list[c_ast.Node]) -> list[c_ast.Node]:
        """The statements that replace *items*."""

    def asm_variable(self, node: c_ast.Decl) -> None:
        """Declare a variable without a value."""

    def asm_scope(self) -> Any:
        """A scope for the variables of one asm statement, as a context."""


class Assembly:
    """Replaces asm statements by what they do, for the normalisation *to*."""

    def __init__(self, to: AsmScoping) -> None:
        self._to = to
        self._count = 0

    def at_file_level(self, node: Asm) -> None:
        """Nothing, for what declares symbols or fills sections. Raises UnsupportedError for instructions."""
        try:
            code = instructions(node.template, [], [], 0)
        except NotUnderstoodError:
            code = [Instruction("ud2", "")]
        if any(item.name not in IDLE for item in code):
            raise self._to.unsupported("assembly outside of functions that does more than declare symbols", node)

    def statements(self, node: Asm) -> list[c_ast.Node]:
        """The statements that do what *node* does. Raises UnsupportedError for what is not understood."""
        operands = [*node.outputs, *node.inputs]
        hidden = sum(operand.constraint.startswith("+") for operand in node.outputs)
        try:
            code = instructions(node.template, [operand.name for operand in operands], node.labels, hidden)
            if all(item.name in IDLE for item in code) and all("m" in item.constraint for item in operands):
                fences = any(item.name == "mfence" for item in code)
                return [build.call(FULL_FENCE, origin=node.coord)] if fences else []
            with self._to.asm_scope():
                self._count += 1
                return _Statement(self._to, node, f"__cs_asm_{self._count}").write(code)
        except NotUnderstoodError as error:
            raise _refusal(node, error.text) from None


def _refusal(node: Asm, instruction: str) -> UnsupportedError:
    shown = " ".join(node.template.split())
    shown = shown if len(shown) <= _WORDS else shown[:_WORDS] + "…"
    where = f" (at `{instruction}`)" if instruction and instruction != shown else ""
    return UnsupportedError(f'the assembly `asm("{shown}")` is not supported{where}', node.coord)


class _Statement:
    """Writes one asm statement. stem: what the names of its variables begin with."""

    def __init__(self, to: AsmScoping, node: Asm, stem: str) -> None:
        self._to = to
        self._node = node
        self._stem = stem
        self._given: dict[str, c_ast.Node] = {}
        self._places: list[OperandPlace] = []
        self._registers: dict[str, OperandPlace] = {}
        self._written: list[c_ast.Node] = []

    def write(self, code: list[Instruction]) -> list[c_ast.Node]:
        node = self._node
        if node.labels and node.outputs:
            raise NotUnderstoodError("asm goto with outputs")
        locked = {item for instruction in code if instruction.locked or instruction.name == "xchg"
                  for item in instruction.operands}  # fmt: skip
        for number, operand in enumerate(node.outputs):
            self._places.append(self._output(operand, number, locked))
        for number, operand in enumerate(node.inputs, len(node.outputs)):
            self._places.append(self._input(operand, number, locked))
        conditions = {operand: CONDITIONS.get(operand.constraint[len(_FLAG) + 1 :], "") for operand in node.outputs
                      if _FLAG in operand.constraint}  # fmt: skip
        if "" in conditions.values():
            raise NotUnderstoodError("its flag output")
        pointer = self._to.symbols.model.pointer
        machine = Machine(self._places, self._registers, node.labels, self._stem, pointer)
        lines = machine.write(code, "".join(conditions.values()))
        for name, type_ in machine.variables.items():
            self._variable(name, type_)
        self._text("\n".join(lines))
        for number, operand in enumerate(node.outputs):
            place = self._places[number]
            if operand in conditions:
                self._assign(operand, f"({machine.condition(conditions[operand])}) != 0")
            elif not place.memory:
                own = self._described(operand.expr, "").size
                self._assign(operand, f"({UNSIGNED[own]}){place.text}" if 0 < own < place.size else place.text)
        return self._written

    # Operands

    def _output(self, operand: AsmOperand, number: int, locked: set[Any]) -> OperandPlace:
        constraint = operand.constraint.lstrip("+=").replace("&", "").replace("%", "").split(",")[0]
        if constraint.startswith(_FLAG):
            return OperandPlace("", 0)
        if self._is_memory(constraint, operand, number, locked):
            return self._memory(operand, number)
        self._require_register(constraint, operand)
        name = f"{self._stem}_r{number}"
        self._given[name + "_of"] = operand.expr
        if operand.constraint.startswith("+"):
            self._variable(name, f"__typeof__({name}_of)")
            self._text(f"{name} = {name}_of;")
        elif inputs := self._same_register(constraint, number):
            self._variable(name, self._wide_enough(operand, inputs, name))
        else:
            self._text(f"__typeof__({name}_of) {name};")
        return self._register(name, constraint)

    def _wide_enough(self, operand: AsmOperand, inputs: list[AsmOperand], name: str) -> str:
        """The type of a register that has the values of *inputs* before that of *operand*."""
        sizes = [self._described(item.expr, "").size for item in inputs]
        own = self._described(operand.expr, "").size
        return f"__typeof__({name}_of)" if max(sizes) <= own else UNSIGNED[max(sizes)]

    def _input(self, operand: AsmOperand, number: int, locked: set[Any]) -> OperandPlace:
        constraint = operand.constraint.replace("&", "").replace("%", "").split(",")[0]
        match = constraint.strip("[]")
        tied = int(match) if match.isdecimal() else self._named(match) if constraint.startswith("[") else None
        if tied is not None:
            if tied >= len(self._node.outputs) or self._places[tied].memory:
                raise NotUnderstoodError(f"its operand {number}")
            return self._loaded(self._places[tied], operand, number)
        if self._is_memory(constraint, operand, number, locked):
            return self._memory(operand, number)
        self._require_register(constraint, operand)
        letter = constraint if constraint in _FIXED else ""
        if letter in self._registers:
            return self._loaded(self._registers[letter], operand, number)
        value = self._to.symbols.constant_or_none(operand.expr) if _CONSTANT & set(constraint) else None
        if value is not None:
            return OperandPlace(f"({value})", 0, value=value)
        name = f"{self._stem}_r{number}"
        self._given[name + "_of"] = operand.expr
        self._text(f"__auto_type {name} = {name}_of;")
        return self._register(name, constraint)

    def _same_register(self, constraint: str, number: int) -> list[AsmOperand]:
        """The inputs that are in the register of an output before that is written."""
        letter = constraint if constraint in _FIXED else None
        same = (str(number), f"[{self._node.outputs[number].name}]", letter)
        return [operand for operand in self._node.inputs if operand.constraint.lstrip("%") in same]

    def _loaded(self, place: OperandPlace, operand: AsmOperand, number: int) -> OperandPlace:
        """The register of another operand, which begins with the value of this one."""
        name = f"{self._stem}_r{number}_of"
        self._given[name] = operand.expr
        self._text(f"{place.text} = (__typeof__({place.text})){name};")
        return place

    def _named(self, name: str) -> int | None:
        names = [operand.name for operand in self._node.outputs]
        return names.index(name) if name in names else None

    def _is_memory(self, constraint: str, operand: AsmOperand, number: int, locked: set[Any]) -> bool:
        if not set("mov") & set(constraint):
            return False
        if not _GENERAL & set(constraint) and not set(_FIXED) & set(constraint):
            return True
        return any(getattr(item, "number", None) == number for item in locked)

    def _require_register(self, constraint: str, operand: AsmOperand) -> None:
        known = _GENERAL | _CONSTANT | set(_FIXED) | set("mov")
        if not constraint or not set(constraint) <= known:
            raise NotUnderstoodError(f'its operand "{operand.constraint}"')

    def _register(self, name: str, constraint: str) -> OperandPlace:
        place = self._described(c_ast.ID(name), name)
        if not place.size:
            raise NotUnderstoodError(f'its operand "{constraint}", which is neither an integer nor a pointer')
        if constraint in _FIXED:
            self._registers[constraint] = place
        return place

    def _memory(self, operand: AsmOperand, number: int) -> OperandPlace:
        """An object in memory, whose address is computed once."""
        name = f"{self._stem}_m{number}"
        if _is_fixed(operand.expr):
            self._given[name] = operand.expr
            return self._described(operand.expr, name, memory=True)
        expr: Any = operand.expr
        address: Any = expr.expr if _is_target(expr) else c_ast.UnaryOp("&", expr)
        while isinstance(address, c_ast.Cast) and self._leads_to_something(address.expr):
            address = address.expr
        self._given[name + "_of"] = address
        self._text(f"__auto_type {name} = {name}_of;")
        return self._described(c_ast.UnaryOp("*", c_ast.ID(name)), f"(*{name})", memory=True)

    def _leads_to_something(self, pointer: c_ast.Node) -> bool:
        symbols = self._to.symbols
        type_ = symbols.value_type(self._to.visit(pointer))
        return symbols.is_pointer(type_) and not symbols.is_void(symbols.element(type_))

    def _described(self, expr: c_ast.Node, text: str, memory: bool = False) -> OperandPlace:
        symbols = self._to.symbols
        type_ = symbols.type_of(self._to.visit(expr))
        pointer = symbols.is_pointer(type_)
        size = self._scalar_size(type_)
        element = self._scalar_size(symbols.element(type_)) if pointer else 0
        return OperandPlace(text, size, memory, pointer, element)

    def _scalar_size(self, type_: c_ast.Node) -> int:
        symbols = self._to.symbols
        kind = symbols.arithmetic(type_)
        if symbols.is_pointer(type_):
            return symbols.model.pointer
        if kind is None or symbols.is_void(type_) or "float" in kind or "double" in kind:
            return 0
        size = symbols.sizeof(type_)
        return size if size <= 8 else 0

    # Text

    def _variable(self, name: str, type_: str) -> None:
        """Declare a variable that is written before it is read."""
        self._to.asm_variable(self._parsed(f"{type_} {name};")[0])

    def _assign(self, operand: AsmOperand, value: str) -> None:
        self._given[f"{self._stem}_to"] = operand.expr
        self._text(f"{self._stem}_to = {value};")

    def _text(self, text: str) -> None:
        """Write the statements in *text*, where names of given expressions stand for them."""
        self._written += self._to.visit_statements(self._parsed(text))

    def _parsed(self, text: str) -> list[Any]:
        lines = f"void f(void) {{\n{text}\n}}"
        linemap = LineMap([self._node.coord] * (lines.count("\n") + 1))
        function: Any = parse(lines, linemap=linemap).ext[0]
        return [_With(self._given).visit(item) for item in function.body.block_items or []]


class _With(Rewriter):
    """Puts expressions in place of names."""

    def __init__(self, given: dict[str, c_ast.Node]) -> None:
        super().__init__()
        self._given = given

    def visit_ID(self, node: c_ast.ID) -> c_ast.Node:
        return self._given.get(node.name, node)


def _is_fixed(expr: Any) -> bool:
    """Whether an lvalue is the same object each time, and evaluating it accesses nothing."""
    match expr:
        case c_ast.ID():
            return True
        case c_ast.StructRef(type="."):
            return _is_fixed(expr.name)
    return False


def _is_target(expr: c_ast.Node) -> bool:
    return isinstance(expr, c_ast.UnaryOp) and expr.op == "*"
