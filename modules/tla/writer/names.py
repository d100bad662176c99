"""The names that a generated module finds taken: those of the modules that it extends, and the words of TLA+."""

import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "library"
"""The modules that are the same for each program."""

_DEFINED = re.compile(r"^(?:RECURSIVE\s+)?([A-Za-z_]\w*)(?:\([^)]*\))?\s*==", re.MULTILINE)
_DECLARED = re.compile(
    r"^(?:CONSTANTS?|VARIABLES?)((?:\s+[A-Za-z_]\w*(?:\([^)]*\))?,?(?:\s*\\\*[^\n]*)?)+)", re.MULTILINE
)

_WORDS = """
ACTION ASSUME ASSUMPTION AXIOM BY CASE CHOOSE CONSTANT CONSTANTS COROLLARY DEF DEFINE DEFS DOMAIN ELSE ENABLED EXCEPT
EXTENDS HAVE HIDE IF IN INSTANCE LAMBDA LEMMA LET LOCAL MODULE NEW OBVIOUS OMITTED ONLY OTHER PICK PROOF PROPOSITION
PROVE QED RECURSIVE SF_ STATE STRONG SUBSET SUFFICES TAKE TEMPORAL THEN THEOREM UNCHANGED UNION USE VARIABLE VARIABLES
WF_ WITH WITNESS TRUE FALSE BOOLEAN STRING
Nat Int Real Infinity
Seq Len Append Head Tail SubSeq SelectSeq
Print PrintT Assert JavaTime TLCGet TLCSet Permutations SortSeq RandomElement Any ToString TLCEval
"""
"""Reserved words, and what Integers, Sequences and TLC define."""


@cache
def defined() -> frozenset[str]:
    """The names that no definition of a generated module may have."""
    found = set(_WORDS.split())
    for path in FOLDER.glob("*.tla"):
        text = path.read_text(encoding="ascii")
        found |= {path.stem, *_DEFINED.findall(text)}
        for declared in _DECLARED.findall(text):
            found |= set(re.findall(r"[A-Za-z_]\w*", re.sub(r"\\\*[^\n]*", "", declared)))
    return frozenset(found)


def fresh(name: str, taken: set[str]) -> str:
    """*name* or, if it is *taken*, a variation of it; then it is taken."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name
