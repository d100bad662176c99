"""The models that solvers of Horn clauses print: read, and made of what every solver of SMT-LIB 2.6 understands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

Node = str | list["Node"]
"""A symbol or a number, or what stands in parentheses."""

_TOKEN = re.compile(r'\(|\)|"(?:[^"]|"")*"|\|[^|]*\||;[^\n]*|[^\s()";|]+')

RENAMED = {
    "implies": "=>", "iff": "=", "if": "ite", "bvsdiv_i": "bvsdiv", "bvudiv_i": "bvudiv", "bvsrem_i": "bvsrem",
    "bvurem_i": "bvurem", "bvsmod_i": "bvsmod",
}  # fmt: skip
"""Symbols of Z3 alone, and those of SMT-LIB that mean the same."""

_WORDS = """
    true false not and or xor => = distinct ite + - * div mod abs <= < >= > select store
    bvnot bvneg bvand bvor bvxor bvnand bvnor bvxnor bvadd bvsub bvmul bvudiv bvurem bvsdiv bvsrem bvsmod
    bvshl bvlshr bvashr bvult bvule bvugt bvuge bvslt bvsle bvsgt bvsge bvcomp concat
"""
PORTABLE = frozenset(_WORDS.split())
"""The functions of SMT-LIB that may occur in invariants."""

_INDEXED = frozenset({"extract", "zero_extend", "sign_extend", "rotate_left", "rotate_right", "repeat", "divisible"})
_CONSTANT = re.compile(r"\d+|#x[0-9a-fA-F]+|#b[01]+")


class UnreadableError(Exception):
    """A model is not of the form that we understand."""


def parsed(text: str) -> list[Node]:
    """The terms and commands in a text. UnreadableError if the parentheses do not match."""
    stack: list[list[Node]] = [[]]
    for token in _TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) == 1:
                raise UnreadableError("a parenthesis too many")
            done = stack.pop()
            stack[-1].append(done)
        elif not token.startswith(";"):
            stack[-1].append(token)
    if len(stack) > 1:
        raise UnreadableError("a parenthesis is missing")
    return stack[0]


def printed(node: Node) -> str:
    """The text of a node."""
    pieces: list[str] = []
    stack: list[Node] = [node]
    while stack:
        top = stack.pop()
        if isinstance(top, str):
            pieces.append(top)
            continue
        pieces.append("(")
        stack.append(")")
        stack.extend(reversed(top))
    return re.sub(r"\( ", "(", " ".join(pieces)).replace(" )", ")")


@dataclass(frozen=True)
class Definition:
    """A function of a model."""

    parameters: tuple[str, ...]
    sorts: tuple[Node, ...]
    body: Node


@dataclass
class Model:
    """The functions that a solver defines."""

    definitions: dict[str, Definition] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str) -> Model:
        """The model in what a solver prints after its answer. UnreadableError if there is none."""
        model = cls()
        for node in parsed(text):
            commands = [node]
            if isinstance(node, list) and (not node or node[0] == "model" or isinstance(node[0], list)):
                commands = node
            for command in commands:
                if isinstance(command, list) and len(command) == 5 and command[0] in ("define-fun", "define-fun-rec"):
                    _, name, parameters, _, body = command
                    if not isinstance(name, str) or not isinstance(parameters, list):
                        raise UnreadableError("a definition without a name")
                    names, sorts = zip(*parameters, strict=True) if parameters else ((), ())
                    model.definitions[name.strip("|")] = Definition(tuple(map(str, names)), tuple(sorts), body)
        return model

    def applied(self, name: str, arguments: list[str]) -> str:
        """The function *name* of *arguments*, which are symbols, as a term without functions of the model.

        A function that the model does not mention may be anything: it is true. UnreadableError if there is something
        in it that not every solver understands.
        """
        if name not in self.definitions:
            return "true"
        definition = self.definitions[name]
        values: dict[str, Node] = dict(zip(definition.parameters, arguments, strict=True))
        return printed(_Resolution(self).resolved(definition.body, values))


class _Resolution:
    """The replacement of the functions of a model by what they are. Names that are bound get new ones."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.number = 0
        self.within: list[str] = []

    def resolved(self, node: Node, values: Mapping[str, Node]) -> Node:
        if isinstance(node, str):
            return self._symbol(node, values)
        match node:
            case ["let", list(bindings), body]:
                inner = dict(values)
                bound: list[Node] = []
                for binding in bindings:
                    assert isinstance(binding, list)
                    name, value = binding
                    new = self._fresh()
                    bound.append([new, self.resolved(value, values)])
                    inner[str(name)] = new
                return ["let", bound, self.resolved(body, inner)]
            case ["forall" | "exists" as kind, list(bindings), body]:
                inner = dict(values)
                bound = []
                for binding in bindings:
                    assert isinstance(binding, list)
                    name, sort = binding
                    new = self._fresh()
                    bound.append([new, sort])
                    inner[str(name)] = new
                return [kind, bound, self.resolved(body, inner)]
            case ["!", term, *_]:
                return self.resolved(term, values)
            case ["_", str(name), _] if re.fullmatch(r"bv\d+", name):
                return node
            case [["_", str(name), *_] as function, *arguments] if name in _INDEXED:
                return [function, *(self.resolved(argument, values) for argument in arguments)]
            case [["as", "const", _] as function, argument]:
                return [function, self.resolved(argument, values)]
            case [str(name), *arguments]:
                name = RENAMED.get(name, name).strip("|")
                if name not in PORTABLE and name not in self.model.definitions:
                    raise UnreadableError(f"`{name}` in a model")
                terms = [self.resolved(argument, values) for argument in arguments]
                return [name, *terms] if name in PORTABLE else self._called(name, terms)
        raise UnreadableError(f"`{printed(node)[:80]}` in a model")

    def _symbol(self, name: str, values: Mapping[str, Node]) -> Node:
        if name in values:
            return values[name]
        if name in ("true", "false") or _CONSTANT.fullmatch(name):
            return name
        if name.strip("|") in self.model.definitions:
            return self._called(name.strip("|"), [])
        raise UnreadableError(f"`{name}` in a model")

    def _called(self, name: str, arguments: list[Node]) -> Node:
        definition = self.model.definitions[name]
        if name in self.within:
            raise UnreadableError("a recursive function in a model")
        self.within.append(name)
        bound: list[Node] = []
        values: dict[str, Node] = {}
        for parameter, argument in zip(definition.parameters, arguments, strict=True):
            values[parameter] = self._fresh()
            bound.append([values[parameter], argument])
        body = self.resolved(definition.body, values)
        self.within.pop()
        return ["let", bound, body] if bound else body

    def _fresh(self) -> str:
        self.number += 1
        return f"$b{self.number}"
