"""TLA+ identifiers for the names of a C program."""

import re
from functools import cache
from pathlib import Path

from pycparser import c_ast

from cseq.c.symbols import Symbols
from cseq.modules.library import lexicon


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text))


_WORDS = _words(
    """
    ASSUME ASSUMPTION AXIOM CASE CHOOSE CONSTANT CONSTANTS DOMAIN ELSE ENABLED EXCEPT EXTENDS IF IN INSTANCE LET LOCAL
    MODULE OTHER SF_ SUBSET THEN THEOREM UNCHANGED UNION VARIABLE VARIABLES WF_ WITH STRICT RECURSIVE LAMBDA PROOF BY
    OBVIOUS OMITTED QED HAVE TAKE PICK WITNESS SUFFICES DEFINE DEFS DEF HIDE USE NEW STATE ACTION TEMPORAL LEMMA
    PROPOSITION COROLLARY ONLY PROVE TRUE FALSE BOOLEAN STRING
    """
)
_STANDARD = _words(
    """
    Nat Int Real Infinity Seq Head Tail Append Len SubSeq SelectSeq Cardinality IsFiniteSet Print PrintT Assert
    JavaTime TLCGet TLCSet TLCEval TLCExt ToString SortSeq Permutations RandomElement Any D1 D2 MakeFcn CombineFcn
    Naturals Integers Sequences FiniteSets TLC Reals Bags
    """
)
_GENERATED = _words(
    """
    Threads Layout Layouts InitialData InitialMemory Frame Frames Entry Begin Run Statement Stops Tidy Step Finished
    Next Init Fairness Spec Visible VisibleStatements AllStatements NoViolation Supported Termination StartsWith Needed
    Admitted After Alive Asked BeginsWith Behaviours Blocked CanGo Constants Counts Exclusive Foreseen Forget Formula
    Functions GivenUp Hopeless Idles InSection Invariant IsTired Keeps Loops Memory Merged NewMemory NewThread
    NoDeadlock Properties Property Reasons RunOn SomeCanGo Standing Statements Stuck Terminated
    memory self
    """
)
_BOUND = frozenset({"m", "n", "k", "pc", "p", "q", "v", "value", "old", "found", "who", "i", "t"})
"""What definitions of ours bind: parameters of operators cannot have these names, but fields of records can."""
_BOUND_ELSEWHERE = frozenset({
    "another", "argument", "frame", "function", "labels", "left", "lost", "objects", "one", "other", "stuck", "text",
    "threads", "word",
})  # fmt: skip
"""What definitions bind that come after all that the program calls: no operator can have these names either."""
_PREFIXED = re.compile(r"(?:Always|Exclusive|Invariant|Property)_\w*")
"""Names that are made of others: of the user's, or of numbers."""
_NUMBERED = re.compile(r"(.*?)\d+")
_DEFINED = re.compile(r"^(?:LOCAL\s+)?(\w+)(?:\([^()]*\))?\s*==", re.MULTILINE)
_CONSTANTS = re.compile(r"^CONSTANTS?\b(.*?)(?=^\S|\Z)", re.MULTILINE | re.DOTALL)


@cache
def reserved() -> frozenset[str]:
    """The identifiers that mean something already, in every module that is generated."""
    found = set(_WORDS | _STANDARD | _GENERATED)
    for path in (Path(__file__).parent.parent / "library").glob("*.tla"):
        text = path.read_text(encoding="ascii")
        found.add(path.stem)
        found.update(_DEFINED.findall(text))
        for group in _CONSTANTS.findall(text):
            found.update(re.findall(r"\w+", re.sub(r"\\\*.*", "", group)))
    return frozenset(found)


def plain(c_name: str) -> str:
    """The part of a C name that people recognise, as an identifier: without what we have added to it."""
    name, _, number = c_name.removeprefix("__CSEQ_").removeprefix("__cs_").partition("__cs")
    if number.isdecimal():
        name = f"{name}_{number}"
    return _legal(name)


def _legal(name: str) -> str:
    name = re.sub(r"[^A-Za-z0-9_]", "_", name)
    if not re.search("[A-Za-z]", name) or name[0].isdecimal():
        name = f"x{name}"
    if _PREFIXED.fullmatch(name):
        return f"c_{name}"
    return f"{name}_" if name in reserved() or name.startswith(("WF_", "SF_")) else name


class Identifiers:
    """The TLA+ identifiers of a program: those of its objects, and those of the operators that are written for it.

    The objects that are not a thread's own are unique among themselves. Those of a function are so in that function. An
    operator has a name that nothing else has. names: C name of each object → its identifier.
    """

    def __init__(self, symbols: Symbols) -> None:
        self.names: dict[str, str] = {}
        self._symbols = symbols
        self._taken: dict[str, set[str]] = {}  # the function, "" for none → identifiers of its objects
        self._operators: set[str] = set()
        self._layouts: dict[str, str] = {}  # identifiers of objects in memories → what tells their layouts
        self._owners: dict[str, set[str]] = {}  # locals → the functions that have them: some are inlined in several
        for name, function in symbols.functions.items():
            for item in function.body.block_items or []:
                if isinstance(item, c_ast.Decl) and item.name:
                    self._owners.setdefault(item.name, set()).add(name)
        for c_name in sorted(symbols.types, key=lambda one: (one.startswith("__cs_"), "__cs" in one)):
            self.tla(c_name)

    def tla(self, c_name: str) -> str:
        """The identifier of the object or function *c_name*; always the same."""
        known = self.names.get(c_name)
        if known is None:
            owners = self._owners.get(c_name) or {self._symbols.locals.get(c_name, "")}
            taken = [self._taken.setdefault(owner, set()) for owner in owners]
            is_parameter = any(owner and lexicon.is_library(owner) for owner in owners)
            others = set().union(*taken)
            if not is_parameter:
                layout = self._layout(c_name)
                others |= {name for name, other in self._layouts.items() if other != layout}
            known = self.names[c_name] = self._fresh(c_name, others, is_parameter)
            for each in taken:
                each.add(known)
            if not is_parameter:
                self._layouts.setdefault(known, layout)
        return known

    def _layout(self, c_name: str) -> str:
        """A text that is the same for objects whose cells are of the same kinds; "" for a function."""
        type_ = self._symbols.types.get(c_name)
        if type_ is None or isinstance(self._symbols.resolve(type_), c_ast.FuncDecl):
            return ""
        lengths, inner = "", self._symbols.resolve(type_)
        while isinstance(inner, c_ast.ArrayDecl):
            lengths += f" {self._symbols.constant_or_none(inner.dim)}"
            inner = self._symbols.resolve(inner.type)
        return self._symbols.spelled(type_) + lengths

    def operator(self, name: str) -> str:
        """A new identifier like *name*, for an operator; never given again."""
        others = set().union(*self._taken.values()) if self._taken else set()
        name = _legal(name)
        numbered = _NUMBERED.fullmatch(name)
        if numbered is not None and numbered[1] in others | _BOUND:
            others.add(name)  # as a definition may bind it, see `call_bodies.Names`
        found = _unlike(name, others | self._operators | _BOUND | _BOUND_ELSEWHERE)
        self._operators.add(found)
        return found

    def _fresh(self, c_name: str, taken: set[str], is_parameter: bool) -> str:
        user_s, _, number = c_name.removeprefix("__CSEQ_").removeprefix("__cs_").partition("__cs")
        others = taken | self._operators | set(self._symbols.functions) | _BOUND if is_parameter else taken
        if c_name in self._symbols.functions:
            others = others | _BOUND | _BOUND_ELSEWHERE
        if number.isdecimal() and _legal(user_s) not in others:
            return _legal(user_s)
        return _unlike(plain(c_name), others)


def _unlike(name: str, others: set[str]) -> str:
    found, number = name, 2
    while found in others or found in reserved():
        found = f"{name}_{number}"
        number += 1
    return found
