"""TLA+ texts of sets of memories, in lines that people can read."""

from collections.abc import Iterable

from pycparser import c_ast

from cseq.c import build
from cseq.modules.tla.encode.terms import Guard

_WIDTH = 96


def quoted(text: str) -> str:
    """*text* as a TLA+ string; other characters than ASCII become ``?``, and backquotes, which SANY refuses, quotes."""
    plain = text.encode("ascii", "replace").decode("ascii").replace("`", "'")
    for char, escape in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t"), ("\r", "\\r"), ("\f", "\\f")):
        plain = plain.replace(char, escape)
    return f'"{plain}"'


def spoken(literal: c_ast.Node) -> str:
    """The text that a string literal of C stands for, such as the key of a claim; "" for another expression."""
    return build.text(literal) if isinstance(literal, c_ast.Constant) else ""


def indented(text: str, by: int = 2) -> str:
    """*text* with *by* spaces before each line."""
    return "\n".join(" " * by + line if line else line for line in text.split("\n"))


def hanging(first: str, text: str) -> str:
    """*first* and *text* on one line, with the other lines of *text* below its beginning."""
    return first + indented(text, len(first))[len(first) :]


def unless(guards: Iterable[Guard], memory: str, body: str) -> str:
    """*body*, or where a guard does not hold an execution that ends."""
    for guard in reversed(list(guards)):
        body = ends_unless(guard.failure.text, f"{{Ends({memory}, {guard.status})}}", body)
    return body


def ends_unless(condition: str, outcome: str, body: str) -> str:
    """*body* where *condition*, which is negated already, does not hold; otherwise *outcome*, a set of memories."""
    line = f"IF {condition} THEN {outcome}"
    if len(line) > _WIDTH:
        line = f"IF {condition}\nTHEN {outcome}"
    return f"{line}\nELSE {body}"


def choice(condition: str, then: str, otherwise: str) -> str:
    """``IF condition THEN then ELSE otherwise`` on one line or three."""
    line = f"IF {condition} THEN {then} ELSE {otherwise}"
    if "\n" not in line and len(line) <= _WIDTH:
        return line
    first = f"IF {condition}\n" + hanging("THEN ", then) + "\n"
    if otherwise.startswith("IF "):
        return first + "ELSE " + otherwise
    return first + hanging("ELSE ", otherwise)


def let(name: str, value: str, body: str) -> str:
    """``LET name == value IN body``."""
    return hanging(f"LET {name} == ", value) + f" IN\n{body}"


def each(body: str, name: str, domain: str) -> str:
    """The union of *body*, a set of memories, over all *name* in *domain*."""
    inside = body.removeprefix("{").removesuffix("}")
    single = body.startswith("{") and body.endswith("}") and "\n" not in body and _is_one(inside)
    opening, closing = ("{", "}") if single else ("UNION {", "}")
    inside = inside if single else body
    line = f"{opening}{inside} : {name} \\in {domain}{closing}"
    if "\n" not in line and len(line) <= _WIDTH + 20:
        return line
    return hanging(opening, inside) + "\n" + f"  : {name} \\in {domain}{closing}"


def each_that_runs(body: str, name: str, domain: str) -> str:
    """The union of *body* over all memories *name* in *domain* whose executions go on, and the other memories."""
    if body.startswith("{") and body.endswith("}") and "\n" not in body and _is_one(body[1:-1]):
        return each(f"{{IF Runs({name}) THEN {body[1:-1]} ELSE {name}}}", name, domain)
    return each(ends_unless(f"~Runs({name})", f"{{{name}}}", body), name, domain)


def _is_one(inside: str) -> bool:
    """Whether the text between braces is one element: neither a comprehension nor several."""
    depth, quoted_ = 0, False
    for at, char in enumerate(inside):
        if char == '"':
            quoted_ = not quoted_
        elif quoted_:
            continue
        elif char in "([{" or inside.startswith("<<", at):
            depth += 1
        elif char in ")]}" or inside.startswith(">>", at):
            depth -= 1
            if depth < 0:
                return False
        elif depth == 0 and (char == "," or inside.startswith(" : ", at)):
            return False
    return bool(inside)
