"""Temporal formulas in TLA+: what TLC says of them is what they mean."""

import random
from pathlib import Path

import pytest

from cseq.modules.explicit.lasso import Lasso, LassoState
from cseq.modules.questions.ltl import Formula, read
from cseq.modules.tla.spec import Property, Question
from cseq.modules.tla.temporal import Temporal, observer
from tests.support.tlc_runs import HOLDS, check

WORDS = {"p": "p", "q": "q"}


@pytest.mark.parametrize(
    "text, translated",
    [
        ("G (p -> F q)", "[](((p) => (<>(q))))"),
        ("p <-> !q", "(((p) => (~(q))) /\\ ((~(q)) => (p)))"),
        ("true || F G p && q", "((TRUE) \\/ (((<>([](p))) /\\ (q))))"),
        ("G (p -> p U q)", "[](((p) => (until[1])))"),
    ],
)
def test_the_text_of_a_formula(text: str, translated: str) -> None:
    assert Temporal(read(text, [word for word in WORDS if word in text]), WORDS).text == translated


def test_equal_parts_share_a_tester() -> None:
    assert Temporal(read("F (p U q) && G !(p U q)", WORDS), WORDS).testers == [("p", "q")]
    assert Temporal(read("(F p) U q", WORDS), WORDS).testers == [("TRUE", "p"), ("until[1]", "q")]


# A system whose executions are words: sequences of sets of propositions, of which a part at the end is repeated. Each
# has a number, and each is the only execution from its first state. What TLC is to confirm for a formula is, word by
# word, the formula or its negation, as the definition says.

_FORMULAS = (
    ("p U q", "G (p -> F q)", "G F p", "F G (p || q)"),
    ("p W q", "(F p) U q", "G (q -> !p || F (p && q))"),
    ("p R q", "G (p -> (p U (q && !p)))"),
    ("(p U q) U G !p", "!(p R q) <-> (!p U !q)"),
)


def words(number: int) -> list[tuple[list[str], int]]:
    """Words, each with where the part begins that is repeated."""
    made = random.Random(number)
    found = []
    for _ in range(8):
        letters = [made.choice(("", "p", "q", "pq")) for _ in range(made.randint(1, 5))]
        found.append((letters, made.randrange(len(letters))))
    return found


def holds(formula: Formula, used: list[str], letters: list[str], begin: int) -> bool:
    """By `Lasso`: whether *formula* holds of the word."""
    nobody: frozenset[int] = frozenset()
    states = [LassoState(frozenset(used.index(p) for p in one if p in used), 0, nobody, nobody) for one in letters]
    return Lasso([*states, states[begin]], [0] * len(letters), begin).satisfies(formula, used)


def _truth(value: bool) -> str:
    return str(value).upper()


def system(words: list[tuple[list[str], int]]) -> str:
    texts = []
    for letters, begin in words:
        values = ", ".join(f"[p |-> {_truth('p' in one)}, q |-> {_truth('q' in one)}]" for one in letters)
        texts.append(f"<<<<{values}>>, {begin + 1}>>")
    return "\n".join([
        "VARIABLE memory", f"Words == <<{', '.join(texts)}>>",
        "Init == memory \\in {[word |-> number, at |-> 1] : number \\in DOMAIN Words}",
        "Here == Words[memory.word][1]",
        "Next == memory' = [memory EXCEPT !.at = IF @ < Len(Here) THEN @ + 1 ELSE Words[memory.word][2]]",
        "p == Here[memory.at].p", "q == Here[memory.at].q",
    ])  # fmt: skip


@pytest.mark.engine
@pytest.mark.parametrize("number", range(len(_FORMULAS)))
def test_formulas_mean_what_they_mean(number: int, tmp_path: Path) -> None:
    known = words(number)
    whole: Formula | None = None
    for text in _FORMULAS[number]:
        used = [word for word in WORDS if word in text]
        formula = read(text, used)
        for word, (letters, begin) in enumerate(known, 1):
            said = formula if holds(formula, used, letters, begin) else Formula("!", (formula,))
            claim = Formula("->", (Formula(f"word_{word}"), said))
            whole = claim if whole is None else Formula("&&", (whole, claim))
    assert whole is not None
    numbers = {f"word_{word}": f"memory.word = {word}" for word in range(1, len(known) + 1)}
    translated = Temporal(whole, {**WORDS, **numbers})
    testers = translated.testers
    question = Question(
        frozenset(),
        (Property("Formula", f"Formula == [](memory.at > 0) => ({translated.text})", True),),
        fairness="WF_memory(Next)",
        specification="Foreseen" if testers else "Spec",
        observer=observer(testers, "Foreseen", "WF_memory(Next)") if testers else "",
    )
    status, output = check(tmp_path, system(known), question)
    assert status == HOLDS, output
