"""Memory that is allocated and never freed: the part of valid-memsafety about leaks.

A block is lost if, when the process ends, it has not been freed and nothing leads to it. Objects with static storage
and other blocks can lead to a block. Lost rings, whose blocks lead to each other, are not detected in this way: if a
block is left that only blocks lead to, nothing is proved.
"""

from pycparser import c_ast

from cseq.c import build
from cseq.c.generated import ours
from cseq.c.symbols import Symbols
from cseq.model.claims import Claim, Cut, Kind, Limit, Reason
from cseq.model.origin import Origin
from cseq.model.verdict import Bound
from cseq.modules.analysis import cuts
from cseq.modules.core.undefined_behaviour.librarywriter import FREEABLE_BLOCK
from cseq.modules.core.undefined_behaviour.roots import pointers_at_file_level
from cseq.modules.library.clibrary import NEW_TEXT
from cseq.modules.library.primitives import without_variant
from cseq.pipeline.translator import Rewriter, rebuilt

NEW, NEW_ZEROED, DELETE = "__CSEQ_new", "__CSEQ_new_zeroed", "__CSEQ_delete"

AGAIN, RENEWED = "__CSEQ_again", "__CSEQ_renewed"
"""A freed block is allocated again."""

_RENAMED = {"malloc": NEW, FREEABLE_BLOCK: NEW, "free": DELETE, "__CSEQ_release": DELETE, AGAIN: RENEWED}
_ALLOCATING = frozenset({"malloc", "calloc", "realloc", "reallocarray", "strdup", "strndup", NEW_TEXT})
_FREEING = frozenset({"free", "realloc", "reallocarray"})  # and their variants
_MOST_BLOCKS = 32
_MOST_BYTES = 128
_UNSURE = Cut(Limit.LOST, 1)

_LEADS = f"""\
static int __cs_leads(const void *from, const void *block)
{{
  unsigned long size = 0, at = 0;
  if (from == 0 || from == block) return 0;
  size = __CSEQ_size(from);
  if (size > {_MOST_BYTES}) return 1;
  while (at < {_MOST_BYTES})
  {{
    if (at + sizeof(void *) <= size && __CSEQ_same(*(void **) ((char *) from + at), block)) return 1;
    at = at + sizeof(void *);
  }}
  return 0;
}}"""


class Leaks:
    """Keeps track of blocks: renames what allocates and frees, and determines at the end of the process what is lost.

    threads: how many there are, including main. allocates: whether anything does. claim: that nothing leaks.
    renaming: for the functions of the library. bound: what is reported if nothing is proved.
    """

    claim = Claim(Kind.MEMSAFETY, Reason.LEAK)

    def __init__(self, symbols: Symbols, tree: c_ast.FileAST, threads: int) -> None:
        self._symbols = symbols
        self._tree = tree
        self._threads = threads
        self._blocks = 0
        self._ends = False
        self.allocates = any(without_variant(name) in _ALLOCATING for name in symbols.types)
        self.renaming = _Renaming()

    @property
    def bound(self) -> Bound | None:
        """What may prevent a proof."""
        return Bound.of(_UNSURE) if self._ends else None

    # Calls

    def before(self, call: c_ast.FuncCall, out: list[c_ast.Node]) -> None:
        """Append what is recorded before *call*."""
        if without_variant(call.name.name) in _FREEING:
            out.append(build.call("__cs_freed", call.args.exprs[0]))

    def called(self, call: c_ast.FuncCall) -> c_ast.FuncCall:
        """The call that replaces *call*."""
        if call.name.name == "calloc":
            word = build.typename(c_ast.TypeDecl(None, [], None, c_ast.IdentifierType(["unsigned", "long"])))
            count, size = call.args.exprs
            whole = c_ast.BinaryOp("*", c_ast.Cast(word, count), size)
            return build.call(NEW_ZEROED, whole, origin=call.coord)
        return self.renaming.visit_FuncCall(call)

    def after(self, call: c_ast.FuncCall, target: c_ast.Node, out: list[c_ast.Node]) -> None:
        """Append what is recorded after ``target = call``."""
        if without_variant(call.name.name) in _ALLOCATING:
            out.append(build.assign(build.ident(f"__cs_block_{self._blocks}"), target))
            self._blocks += 1

    # The end of the process

    def nothing_is_lost(self) -> c_ast.Node:
        """The condition that no block is certainly lost."""
        return c_ast.UnaryOp("!", build.call("__cs_is_lost"))

    def nothing_may_be_lost(self, origin: Origin | None) -> c_ast.Node:
        """The statement that nothing is proved if a block may be lost."""
        self._ends = True
        cond = c_ast.UnaryOp("!", build.call("__cs_may_be_lost"))
        return cuts.unwound(cond, _UNSURE)

    def helpers(self) -> list[c_ast.Node]:
        """Definitions of what the checked program calls; to be read after all calls of `before` and `after`."""
        if not self.allocates:
            return ours(["static void __cs_freed(const void *block) { }"])
        blocks = [f"__cs_block_{number}" for number in range(self._blocks)]
        lines = [f"const void *{block};" for block in blocks]
        forget = " ".join(f"if ({block} == block) {block} = 0;" for block in blocks)
        lines.append(f"static void __cs_freed(const void *block) {{ {forget} }}")
        if not self._ends:
            return ours(lines)
        roots, known = pointers_at_file_level(self._symbols, self._tree)
        known = known and self._blocks <= _MOST_BLOCKS
        lines += _LEADS.split("\n")
        rooted = " || ".join(f"__CSEQ_same({root}, block)" for root in roots) or "0"
        held = " || ".join(f"__cs_leads({block}, block)" for block in blocks) or "0"
        ended = " && ".join(self._ended()) or "1"
        lines += [
            f"static int __cs_is_rooted(const void *block) {{ return {rooted}; }}",
            f"static int __cs_is_held(const void *block) {{ return {held if known else 1}; }}",
            "static int __cs_may_be_lost(void) "
            "{ const void *block = __CSEQ_kept(); return block != 0 && !__cs_is_rooted(block); }",
            "static int __cs_is_lost(void) "
            f"{{ return {ended} && __cs_may_be_lost() && !__cs_is_held(__CSEQ_kept()); }}",
        ]
        return ours(lines)

    def _ended(self) -> list[str]:
        if "__cs_active" not in self._symbols.types:
            return []
        return [f"(!__cs_active[{number}] || __cs_finished[{number}])" for number in range(1, self._threads)]


class _Renaming(Rewriter):
    """Replaces allocation and release functions by those that keep track of blocks."""

    def visit_FuncCall(self, node: c_ast.FuncCall) -> c_ast.FuncCall:
        name = _RENAMED.get(node.name.name)
        node = self.generic_visit(node)
        return node if name is None else rebuilt(node, name=c_ast.ID(name))
