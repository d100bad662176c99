"""The intermediate representation as text, for `--dump-after STAGE --ir` and for comparisons.

    template worker(arg: void*)                      ; a thread, created at main #31
      auto n: i32
    b0: loop
      branch !read(count) ? b1 : b2            #1    ; load count, ex.c:6

Everything that an analysis sees is in the text. ``read(x)`` is a load of shared memory; other variables are just
named. A number has its type unless that is int; ``(t) e`` is a conversion; ``p + i * 4`` moves a pointer by bytes.
"""

from collections.abc import Callable, Iterator
from typing import ClassVar

from cseq.model.origin import Origin
from cseq.modules.ir import expressions as ex
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.instructions import Access, Instruction, Order
from cseq.modules.ir.objects import Storage
from cseq.modules.ir.program import Kind, Program, SectionKind, Template
from cseq.modules.ir.types import Field, Int

_COLUMN = 48


def print_program(program: Program, numbers: bool = True, steps: bool = False) -> str:
    """The text of *program*. numbers: with those of instructions. steps: with the library functions in it."""
    printer = _Printer(program, numbers)
    lines = list(printer.globals())
    for item in program.ordered:
        if isinstance(item, Template):
            lines.extend(printer.template(item))
    if steps:
        for name in program.steps:
            lines.extend(printer.template(program.steps[name]))
    return "\n".join(lines) + "\n"


class _Printer:
    def __init__(self, program: Program, numbers: bool) -> None:
        self._program = program
        self._numbers = numbers
        self._sections: dict[int, int] = {}

    def globals(self) -> Iterator[str]:
        """The static objects that something names, in the order of their names."""
        named = [each for each in self._program.objects if each.storage in (Storage.STATIC, Storage.LIBRARY)]
        for each in sorted(named, key=lambda each: each.name):
            if each.storage is Storage.STATIC:
                const = "const " if each.is_const else ""
                yield f"static {each.name}: {const}{each.type}" + ("" if each.is_visible else "  ; not visible")

    def template(self, template: Template) -> Iterator[str]:
        """A template, its locals, and its blocks."""
        parameters = ", ".join(f"{each.name}: {each.type}" for each in template.parameters)
        created = [f"#{each.number}" for each in self._program.creations if each.start is template.object]
        note = {Kind.STEP: "one step", Kind.FRAMED: "a function"}.get(template.kind, "a thread")
        if created and self._numbers:
            note += f", created at {', '.join(created)}"
        yield ""
        yield _beside(f"template {template.name}({parameters}) -> {template.result}", note)
        for each in template.locals:
            escapes = "  ; escapes" if each.is_visible else ""
            yield f"  {each.storage.value} {each.name}: {each.type}{escapes}"
        for block in template.blocks:
            labels = "".join(f" {label}:" for label in block.labels)
            loop = " loop" if block.loop == block.number else ""
            yield f"b{block.number}:{loop}{labels}"
            for instruction in block.instructions():
                yield self.instruction(instruction)

    def instruction(self, node: Instruction) -> str:
        """The line of an instruction."""
        text = f"  {self._METHODS[type(node)](self, node)}"
        if self._numbers:
            text = f"{text:<{_COLUMN - 6}} #{node.number}"
        notes = []
        if node.grain is not None:
            notes.append(f"coarse {node.grain}")
        if node.access is not None:
            notes.append(self.access(node.access))
        if node.section is not None and not isinstance(node, (ir.Begin, ir.End)):
            notes.append(f"in section {self._section(node.section)}")
        if node.origin is not None:
            notes.append(_place(node.origin))
        return _beside(text, ", ".join(notes))

    def _section(self, number: int) -> int:
        return self._sections.setdefault(number, len(self._sections) + 1)

    def access(self, access: Access) -> str:
        """A visible access."""
        place = "" if access.place is None else f" {self.place(access.place)}"
        order = "" if access.order is Order.PLAIN else f" {access.order.name.lower()}"
        failure = "" if access.failure is None else f"/{access.failure.name.lower()}"
        return f"{access.kind.value}{place}{order}{failure}"

    # Expressions

    def place(self, place: ex.Place) -> str:
        """A place."""
        if isinstance(place.base, ex.Expr):
            text = f"*{self.expression(place.base)}"
            text = f"({text})" if place.path else text
        else:
            text = place.base.name
        for part in place.path:
            text += f".{part.name}" if isinstance(part, Field) else f"[{self.expression(part.value)}]"
        return text

    def expression(self, node: ex.Expr) -> str:
        """An expression."""
        match node:
            case ex.Const(value):
                plain = isinstance(node.type, Int) and node.type.width == 32 and node.type.signed
                return f"{value}" if plain else f"{value}:{node.type}"
            case ex.Read(place):
                return f"read({self.place(place)})" if place.is_visible else self.place(place)
            case ex.AddressOf(place):
                return f"&{self.place(place)}"
            case ex.Convert(operand):
                return f"({node.type}) {self.expression(operand)}"
            case ex.Unary(op, operand):
                return f"{op}{self.expression(operand)}"
            case ex.Binary(op, left, right) | ex.Compare(op, left, right) | ex.Logical(op, left, right):
                return f"({self.expression(left)} {op} {self.expression(right)})"
            case ex.PointerAdd(pointer, index, stride):
                return f"({self.expression(pointer)} + {self.expression(index)} * {stride})"
            case ex.PointerDiff(left, right, stride):
                return f"(({self.expression(left)} - {self.expression(right)}) / {stride})"
            case ex.Select(condition, then, other):
                return f"({self.expression(condition)} ? {self.expression(then)} : {self.expression(other)})"
            case ex.Setting(name):
                return name
        raise TypeError(type(node).__name__)

    # Instructions

    def _target(self, place: ex.Place | None) -> str:
        return "" if place is None else f"{self.place(place)} = "

    def _assign(self, node: ir.Assign) -> str:
        return f"{self.place(node.place)} = {self.expression(node.value)}"

    def _input(self, node: ir.Input) -> str:
        size = "" if node.size is None else f", {self.expression(node.size)} bytes"
        return f"{self.place(node.place)} = input {node.kind}{size}"

    def _undefine(self, node: ir.Undefine) -> str:
        size = "" if node.size is None else f", {self.expression(node.size)} bytes"
        return f"{self.place(node.place)} = undefined {node.how}{size}"

    def _zero(self, node: ir.Zero) -> str:
        return f"{self.place(node.place)} = zero, {self.expression(node.size)} bytes"

    def _choose(self, node: ir.Choose) -> str:
        kind = "sampled" if node.is_sampled else "choose"
        return f"{self.place(node.place)} = {kind} {self.expression(node.bound)}"

    def _lifetime(self, node: ir.Lifetime) -> str:
        return f"{'begins' if node.begins else 'ends'} {self.place(node.place)}"

    def _call(self, node: ir.Call) -> str:
        arguments = ", ".join(map(self.expression, node.arguments))
        return f"{self._target(node.result)}call {node.function}({arguments})"

    def _operation(self, node: ir.Operation) -> str:
        arguments = ", ".join(map(self.expression, node.arguments))
        acts = "+".join(act.kind.value for act in node.acts) or "library"
        return f"{self._target(node.result)}{acts} {node.function}({arguments})"

    def _create(self, node: ir.Create) -> str:
        parts = ", ".join(map(self.expression, (node.handle, node.attributes, node.argument)))
        return f"{self._target(node.result)}create {node.start.name}({parts})"

    def _check(self, node: ir.Check) -> str:
        return f'check {self.expression(node.condition)} "{node.key}"'

    def _cut(self, node: ir.CutUnless) -> str:
        return f'cut unless {self.expression(node.condition)} "{node.key}"'

    def _assume(self, node: ir.Assume) -> str:
        return f"assume {self.expression(node.condition)}"

    def _wait(self, node: ir.Wait) -> str:
        on = "" if node.on is None else f" for {self.expression(node.on)}"
        return f"wait {self.expression(node.condition)}{on}  ({node.how})"

    def _begin(self, node: ir.Begin) -> str:
        section = self._program.sections[node.opens]
        kind = "" if section.kind is SectionKind.USER else f" {section.kind.value}"
        access = "" if section.access is None else f": {self.access(section.access)}"
        dynamic = " dynamic" if section.is_dynamic else ""
        return f"begin section {self._section(node.opens)}{kind}{dynamic}{access}"

    def _end(self, node: ir.End) -> str:
        return "end section" + ("" if node.section is None else f" {self._section(node.section)}")

    def _goto(self, node: ir.Goto) -> str:
        return f"goto b{node.to}"

    def _branch(self, node: ir.Branch) -> str:
        return f"branch {self.expression(node.condition)} ? b{node.then} : b{node.other}"

    def _return(self, node: ir.Return) -> str:
        word = "exit thread" if isinstance(node, ir.ThreadExit) else "return"
        return word if node.value is None else f"{word} {self.expression(node.value)}"

    def _word(self, node: Instruction) -> str:
        return {ir.ProcessExit: "exit process", ir.Stop: "stop", ir.Skip: "skip"}[type(node)]

    def _key(self, node: ir.Fail | ir.Abandon) -> str:
        return f'{"fail" if isinstance(node, ir.Fail) else "cut"} "{node.key}"'

    _METHODS: ClassVar[dict[type, Callable[..., str]]] = {
        ir.Assign: _assign,
        ir.Input: _input,
        ir.Undefine: _undefine,
        ir.Zero: _zero,
        ir.Choose: _choose,
        ir.Lifetime: _lifetime,
        ir.Call: _call,
        ir.Operation: _operation,
        ir.Create: _create,
        ir.Check: _check,
        ir.CutUnless: _cut,
        ir.Assume: _assume,
        ir.Wait: _wait,
        ir.Begin: _begin,
        ir.End: _end,
        ir.Skip: _word,
        ir.Goto: _goto,
        ir.Branch: _branch,
        ir.Return: _return,
        ir.ThreadExit: _return,
        ir.ProcessExit: _word,
        ir.Stop: _word,
        ir.Fail: _key,
        ir.Abandon: _key,
    }


def _place(origin: Origin) -> str:
    path = "".join(f", called at {site.file}:{site.line}" for site in reversed(origin.path))
    return f"{origin}{path}"


def _beside(text: str, note: str) -> str:
    return f"{text:<{_COLUMN}} ; {note}" if note else text
