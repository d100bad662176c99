"""Properties of a state: which statements the threads are about to execute.

Whether a state has a deadlock or a data race depends on the next statements of its threads. Every reachable state of
the program is the last state of some execution of the sequentialized program, because a thread may be switched out for
good anywhere. So it is enough to look at the last state: after the last round the driver asks the threads where they
are. During the execution this costs nothing.

A stage before the sequentializer puts a mark before each statement that matters to its property. A mark says what to do
when a thread is asked there; ``__cs_standing`` is then 2 inside an atomic section, and 1 elsewhere. The driver calls
these functions of the library: ``PREFIX_begin()``, ``PREFIX_asks(thread)``, which chooses the threads, and
``PREFIX_end()``.
"""

from collections.abc import Iterable, Sequence

from pycparser import c_ast

from cseq.c import build
from cseq.c.unused import names_of
from cseq.model.claims import Cut
from cseq.model.origin import Origin
from cseq.modules.library import lexicon, stubs
from cseq.modules.library.linking import behind_scoper
from cseq.options.properties import DEADLOCK, RACE
from cseq.pipeline.translator import rebuilt

PREFIXES = {DEADLOCK: "__cs_deadlock", RACE: "__cs_race"}
"""Property → the prefix of the names of the library functions that judge it."""


def mark(
    actions: Iterable[c_ast.Node],
    origin: Origin | None,
    alone: bool = False,
    in_section: Cut | None = None,
    stays: bool = False,
) -> c_ast.FuncCall:
    """The mark before a statement.

    actions: expressions, evaluated in order when a thread is asked at the mark; accesses in them do not count as
        accesses of the program.
    alone: whether the mark also matters while there is no other thread.
    in_section: if the statement cannot be judged inside an atomic section, the reason why nothing is proved about it
        there; no thread is then taken to be before it.
    stays: whether a thread that is switched out here need not continue: every other execution has a counterpart, with
        the same outcome for the property, in which the thread is switched out elsewhere or stays here.
    """
    cut = build.string(in_section.key if in_section is not None else "")
    flags = build.number(int(alone)), cut, build.number(int(stays))
    return build.call(lexicon.STANDS, *flags, *actions, origin=origin)


def with_judge(tree: c_ast.FileAST, prefix: str, more: Sequence[str] = ()) -> c_ast.FileAST:
    """The program with the library functions that judge the last state.

    more: the names of further functions, which the rest of the library may call.
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
    """*nodes* with *added* after the rest of the library, before the thread functions that mention them."""
    position = next(n for n, node in enumerate(nodes) if is_thread(node))
    return [*nodes[:position], *added, *nodes[position:]]


def is_thread(node: c_ast.Node) -> bool:
    """Whether *node* is the function of a thread instance."""
    return isinstance(node, c_ast.FuncDef) and not lexicon.is_ours(node.coord)


def threads_of(tree: c_ast.FileAST) -> list[c_ast.FuncDef]:
    """The functions of the thread instances, in the order of the text."""
    return [node for node in tree.ext if is_thread(node)]
