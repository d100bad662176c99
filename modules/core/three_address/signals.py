"""Signals: handlers that never run, and signals that the program sends to itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.model.errors import UnsupportedError
from cseq.modules.core.writing import Writing
from cseq.modules.library import lexicon

_HANDLERS = frozenset({"sa_handler", "sa_sigaction"})
_INSTALLS = frozenset({"signal", "sigaction", "bsd_signal", "sysv_signal", "sigset"})
_LAST_CONSTANT = 2  # SIG_DFL, SIG_IGN and SIG_HOLD
_IGNORED = frozenset({17, 18, 23, 28})  # by default: SIGCHLD, SIGCONT, SIGURG, SIGWINCH
_STOPPING = frozenset({19, 20, 21, 22})
_MOST = 64


class Signals:
    """Writes calls about signals into the output of *to*.

    No signal comes from outside: a handler that the program installs is taken never to run, which is a warning.
    """

    def __init__(self, to: Writing, symbols: Symbols) -> None:
        self._to = to
        self._symbols = symbols

    def install(self, name: str, arguments: list[c_ast.Node], node: c_ast.FuncCall) -> None:
        """Warn if a call of `signal` or `sigaction` may install a handler."""
        handler = build.uncast(arguments[1])
        value = self._symbols.constant_or_none(handler)
        installs = value is None or value > _LAST_CONSTANT
        if name == "sigaction":
            installs = value != 0 and self._has_handlers()
        if installs:
            self._to.context.warn(f"the handlers that `{name}` installs are assumed never to run", node.coord)

    def _has_handlers(self) -> bool:
        """Whether the program puts anything but a constant into a `struct sigaction`, as far as that is known."""
        found = [value for node in self._nodes() for value in _stored(node)]
        return not found or any(not self._is_default(value) for value in found)

    def _is_default(self, value: c_ast.Node) -> bool:
        number = self._symbols.constant_or_none(build.uncast(value))
        return number is not None and number <= _LAST_CONSTANT

    def _nodes(self) -> Iterator[Any]:
        todo: list[Any] = [function.body for function in self._symbols.functions.values()]
        while todo:
            node = todo.pop()
            yield node
            todo.extend(node)

    def send(self, name: str, number: c_ast.Node, node: c_ast.FuncCall, wanted: bool) -> c_ast.Node | None:
        """Write what a signal does that the process sends to itself: it ends, where no handler changes that."""
        signal = self._symbols.constant_or_none(number)
        if signal is None or not 0 <= signal <= _MOST or signal in _STOPPING:
            raise UnsupportedError(f"`{name}` with this signal is not supported", node.coord)
        if signal and any(build.is_call(each, *_INSTALLS) for each in self._nodes()):
            raise UnsupportedError(f"`{name}` in a program that installs handlers is not supported", node.coord)
        if signal and signal not in _IGNORED:
            self._to.emit(build.call(lexicon.STOP, origin=self._to.origin))
        return build.number(0) if wanted else None


def _stored(node: Any) -> Iterator[c_ast.Node]:
    """What an assignment stores as a handler, unless it only says that the value is not known yet."""
    target = node.lvalue if isinstance(node, c_ast.Assignment) else None
    if isinstance(target, c_ast.StructRef) and target.field.name in _HANDLERS:
        value = build.uncast(node.rvalue)
        if not (isinstance(value, c_ast.FuncCall) and value.name.name.startswith(lexicon.NONDET)):
            yield value
