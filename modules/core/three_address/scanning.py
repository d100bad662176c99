"""Calls of scanf where the user gives the standard input: the input is followed, directive by directive."""

import re
from collections.abc import Sequence

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols, basic
from cseq.model.errors import UnsupportedError
from cseq.modules.core.three_address.formats import Conversion
from cseq.modules.core.writing import Writing

_SPACES = " \t\n\v\f\r"
_BASES = {"d": 10, "u": 10, "i": 0, "x": 16, "X": 16, "o": 8}
_MOST = 1 << 20
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "v": "\v", "f": "\f", "0": "\0", "a": "\a", "b": "\b"}


def scanned(
    to: Writing, symbols: Symbols, items: Sequence[Conversion], targets: Sequence[c_ast.Node], node: c_ast.FuncCall
) -> c_ast.Node:
    """Emit what a scanf with the directives *items* stores in *targets*; return its value."""
    done, fits = to.temporary(basic("int")), to.temporary(basic("int"))
    to.emit(build.assign(done, build.number(0), to.origin))
    to.emit(build.assign(fits, build.number(1), to.origin))
    left = list(targets)
    for item in items:
        stores = item.takes and "*" not in item.flags
        target = left.pop(0) if stores else None
        outer = to.enter()
        _directive(to, symbols, item, target, fits, node)
        if target is not None:
            counted = build.assign(done, c_ast.BinaryOp("+", done, build.number(1)), to.origin)
            to.emit(build.branch(c_ast.BinaryOp(">", fits, build.number(0)), [counted], None, to.origin))
        body = to.leave(outer)
        to.emit(build.branch(c_ast.BinaryOp(">", fits, build.number(0)), body, None, to.origin))
    failed = c_ast.BinaryOp(
        "&&", c_ast.BinaryOp("==", done, build.number(0)), c_ast.BinaryOp("<", fits, build.number(0))
    )
    return to.saved(c_ast.TernaryOp(failed, build.number(-1), done), basic("int"))


def _directive(
    to: Writing, symbols: Symbols, item: Conversion, target: c_ast.Node | None, fits: c_ast.ID, node: c_ast.FuncCall
) -> None:
    def call(name: str, *arguments: c_ast.Node) -> None:
        to.emit(build.assign(fits, build.call(name, *arguments, origin=to.origin), to.origin))

    place = build.number(0) if target is None else target
    if item.kind in ("", "%"):
        for character in _meant(item.source) if item.kind == "" else "%":
            outer = to.enter()
            if character in _SPACES:
                call("__cs_scan_space")
            else:
                if item.kind == "%":
                    call("__cs_scan_space")
                call("__cs_scan_character", build.number(ord(character)))
            body = to.leave(outer)
            to.emit(build.branch(c_ast.BinaryOp(">", fits, build.number(0)), body, None, to.origin))
    elif item.kind in _BASES:
        word = basic("unsigned long long")
        value = to.temporary(word)
        bits = 64 if item.length in ("ll", "q", "j") else 8 * symbols.sizeof(basic("long"))
        to.emit(build.assign(value, build.number(0), to.origin))
        address = c_ast.UnaryOp("&", value)
        signed = build.number(int(item.kind in "di"))
        width = build.number(item.width or _MOST)
        call("__cs_scan_number", address, build.number(_BASES[item.kind]), width, signed, build.number(bits))
        if target is not None:
            outer = to.enter()
            to.store(c_ast.UnaryOp("*", target), value)
            body = to.leave(outer)
            to.emit(build.branch(c_ast.BinaryOp(">", fits, build.number(0)), body, None, to.origin))
    elif item.kind == "c":
        call("__cs_scan_bytes", place, build.number(item.width or 1))
    elif item.kind in ("s", "["):
        others, members = (True, _SPACES) if item.kind == "s" else _set(item.source, node)
        if item.kind == "s":
            call("__cs_scan_space")
        text = c_ast.Constant("string", '"' + "".join(f"\\{ord(each):03o}" for each in members) + '"')
        rest = (build.number(len(members)), build.number(int(others)))
        call("__cs_scan_text", place, build.number(item.width or _MOST), text, *rest)
    else:
        raise UnsupportedError(f"`%{item.kind}` of an input that --stdin gives is not supported", node.coord)


def _meant(source: str) -> str:
    """What text in a literal means."""
    text = re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), source)
    return re.sub(rf"[{_SPACES}]+", " ", text)


def _set(source: str, node: c_ast.FuncCall) -> tuple[bool, str]:
    """Whether a conversion ``%[…]`` stands for all other characters, and its characters."""
    inside = re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), source[source.index("[") + 1 : -1])
    others = inside.startswith("^")
    inside = inside.removeprefix("^")
    members = re.sub(r"(.)-(.)", lambda found: "".join(map(chr, range(ord(found[1]), ord(found[2]) + 1))), inside)
    if not members.isascii() or "\0" in members:
        raise UnsupportedError("characters like these in a format of `scanf` are not supported", node.coord)
    return others, members
