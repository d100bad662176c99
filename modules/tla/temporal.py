r"""Formulas of linear temporal logic in TLA+, as far as TLC can check them.

TLC knows `[]` and `<>`, but has no *until*. So each ``p U q`` becomes a *tester* (Pnueli and Zaks, PSL Model Checking
and Run-Time Verification via Testers, FM 2006): a variable that says in every state whether ``p U q`` holds from there
on. Its value is guessed, and each guess is held to account:

- where q holds it is true, and where neither p nor q does it is false;
- where p holds and q does not, it is what it is in the next state;
- it is not true for ever without q.

Each execution satisfies this with exactly one value of the variable in each state, namely the right one. So the
formula is about the variable: an execution with a wrong guess comes to a state without a step, where it stays although
the program could go on, or it breaks the last rule. Either is unfair, and does not count.

What is inside of a ``U`` has to be about a state, so there, and only there, `[]` and `<>` are testers as well. Weak
until and release are expressed by until: ``p W q`` is ``~(~q U (~p /\ ~q))`` and ``p R q`` is ``~(~p U ~q)``.
"""

from collections.abc import Mapping

from cseq.modules.questions.ltl import Formula

UNTIL = "until"
"""The variable: a sequence of the values of the testers."""

_BINARY = {"&&": "/\\", "||": "\\/", "->": "=>"}
_TESTED = frozenset({"U", "W", "R"})


class Temporal:
    """The formula *formula* in TLA+. words: the state predicate in TLA+ for each proposition.

    text: the formula. testers: for each element of `UNTIL`, the state predicates p and q of the ``p U q`` that it
    stands for.
    """

    def __init__(self, formula: Formula, words: Mapping[str, str]) -> None:
        self._words = words
        self._numbers: dict[tuple[str, str], int] = {}
        self.text = self._temporal(formula)

    @property
    def testers(self) -> list[tuple[str, str]]:
        return list(self._numbers)

    def _temporal(self, formula: Formula) -> str:
        operator, parts = formula.operator, formula.parts
        if operator in _TESTED:
            return self._state(formula)
        if operator == "G":
            return f"[]({self._temporal(parts[0])})"
        if operator == "F":
            return f"<>({self._temporal(parts[0])})"
        return self._joined(operator, [self._temporal(part) for part in parts])

    def _state(self, formula: Formula) -> str:
        """A state predicate for whether *formula* holds from the state on."""
        operator, parts = formula.operator, [self._state(part) for part in formula.parts]
        one, other = (parts[0], parts[-1]) if parts else ("", "")
        match operator:
            case "G":
                return f"~{self._until('TRUE', f'~({one})')}"
            case "F":
                return self._until("TRUE", one)
            case "U":
                return self._until(one, other)
            case "W":
                neither = f"~({one}) /\\ ~({other})"
                return f"~{self._until(f'~({other})', neither)}"
            case "R":
                return f"~{self._until(f'~({one})', f'~({other})')}"
        return self._joined(operator, parts)

    def _joined(self, operator: str, parts: list[str]) -> str:
        """A constant, a proposition, or what a Boolean operator makes of *parts*."""
        if not parts:
            return self._words[operator] if operator not in ("true", "false") else operator.upper()
        if operator == "!":
            return f"~({parts[0]})"
        if operator == "<->":  # TLC has no temporal equivalence
            return f"((({parts[0]}) => ({parts[1]})) /\\ (({parts[1]}) => ({parts[0]})))"
        return f"(({parts[0]}) {_BINARY[operator]} ({parts[1]}))"

    def _until(self, one: str, other: str) -> str:
        number = self._numbers.setdefault((one, other), len(self._numbers) + 1)
        return f"{UNTIL}[{number}]"


def observer(testers: list[tuple[str, str]], name: str, fairness: str) -> str:
    """The text that declares `UNTIL` and defines *name*: the program's specification, with these testers.

    fairness: the fairness condition. The text is for after `Init` and `Next`.
    """
    values = f"[1..{len(testers)} -> BOOLEAN]"
    fits, keeps, kept = [], [], []
    for number, (one, other) in enumerate(testers, 1):
        it = f"{UNTIL}[{number}]"
        fits.append(f"  /\\ (({other}) => {it}) /\\ ({it} => (({one}) \\/ ({other})))")
        keeps.append(f"  /\\ (({one}) /\\ ~({other})) => {UNTIL}'[{number}] = {it}")
        kept.append(f"  /\\ []<>(~{it} \\/ ({other}))")
    return "\n".join([
        f"VARIABLE {UNTIL}    \\* whether p U q holds from here on, for each such part of the formula: a guess",
        "Fits ==    \\* as far as this state shows",
        *fits,
        "Keeps ==    \\* while it is open",
        *keeps,
        f"{name} ==",
        f"  /\\ Init /\\ {UNTIL} \\in {values} /\\ Fits",
        f"  /\\ [][Next /\\ {UNTIL}' \\in {values} /\\ Keeps /\\ Fits']_<<memory, {UNTIL}>>",
        f"  /\\ {fairness}",
        *kept,
    ])  # fmt: skip
