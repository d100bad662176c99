"""Properties of a state: what the threads stand in front of.

Whether there is a deadlock, or a data race, is told by the statements in front of which threads stand in some state.
Each state that the program can get into is the last one of an execution of the sequentialized program, for the
threads may be switched out for good anywhere. So it is enough to look at the last state: behind the last round the
driver asks threads where they stand. During the execution nothing is paid for that.

A stage in front of the sequentializer puts a mark in front of each statement that matters to its property. A mark
says what is to be done when a thread is asked that stands there; ``__cs_standing`` is 2 then if that is inside of an
atomic section, and 1 elsewhere. The functions of the library that the driver calls are ``PREFIX_begin()``,
``PREFIX_asks(thread)``, which chooses the threads, and ``PREFIX_end()``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pycparser import c_ast

from cseq.base.claims import Cut
from cseq.base.linemap import Origin
from cseq.c import build
from cseq.c.unused import names_of
from cseq.modules.analysis.properties import DEADLOCK, RACE
from cseq.modules.library import lexicon, stubs
from cseq.modules.library.linking import behind_scoper
from cseq.pipeline.translator import rebuilt

PREFIXES = {DEADLOCK: "__cs_deadlock", RACE: "__cs_race"}
"""Property → what the names of the library's functions begin with that judge it."""


def mark(
    actions: Iterable[c_ast.Node],
    origin: Origin | None,
    alone: bool = False,
    in_section: Cut | None = None,
    stays: bool = False,
) -> c_ast.FuncCall:
    """The mark in front of a statement.

    actions: expressions, evaluated in order where a thread is asked that stands there; no access in them counts as one
        of the program.
    alone: whether the mark matters also while there is no other thread.
    in_section: where the statement cannot be judged inside of an atomic section, why nothing is proved of it there; no
        thread stands in front of it then.
    stays: whether a thread that is switched out there need not go on any more: all that matters of other executions is
        the same in some in which it is switched out elsewhere, or stays.
    """
    cut = build.string(in_section.key if in_section is not None else "")
    flags = build.number(int(alone)), cut, build.number(int(stays))
    return build.call(lexicon.STANDS, *flags, *actions, origin=origin)


def with_judge(tree: c_ast.FileAST, prefix: str, more: Sequence[str] = ()) -> c_ast.FileAST:
    """The program with the functions of the library that judge the last state.

    more: the names of others, which the rest of the library may call.
    """
    present = {name for node in tree.ext for name in names_of(node).declared}
    wanted = [f"{prefix}_begin", f"{prefix}_asks", f"{prefix}_end", *more]
    items = [item for item in stubs.needed(wanted, without=present) if item.names.isdisjoint(present)]
    judge = behind_scoper(items)
    called = [
        rebuilt(n.decl, storage=["static"]) for n in judge if isinstance(n, c_ast.FuncDef) and n.decl.name in more
    ]
    return c_ast.FileAST([*called, *before_threads(tree.ext, judge)])


def before_threads(nodes: list[c_ast.Node], added: Iterable[c_ast.Node]) -> list[c_ast.Node]:
    """*nodes* with those *added* behind the rest of the library, in front of the thread functions that mention them."""
    position = next(n for n, node in enumerate(nodes) if is_thread(node))
    return [*nodes[:position], *added, *nodes[position:]]


def is_thread(node: c_ast.Node) -> bool:
    """Whether *node* is the function of a thread instance."""
    return isinstance(node, c_ast.FuncDef) and not lexicon.is_ours(node.coord)
