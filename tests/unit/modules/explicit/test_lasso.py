"""Infinite executions: which temporal properties they violate."""

import random

import pytest

from cseq.backends.records import decoded
from cseq.modules.explicit.lasso import Lasso, LassoState, read
from cseq.modules.questions.ltl import Formula
from cseq.modules.questions.ltl import read as formula

NO_THREAD: frozenset[int] = frozenset()
WORDS = ("p", "q")


def states(*propositions: str) -> list[LassoState]:
    """States in which these propositions hold, each named by its letters."""
    numbers = [frozenset(WORDS.index(letter) for letter in letters) for letters in propositions]
    return [LassoState(holding, 0, frozenset({0}), frozenset({0})) for holding in numbers]


def lasso(*propositions: str, cycle: int) -> Lasso:
    found = states(*propositions)
    return Lasso(found, [0] * (len(found) - 1), cycle)


@pytest.mark.parametrize(
    "text, holds",
    [
        ("p", False),
        ("F p", True),
        ("G F p", True),
        ("F G p", False),
        ("G (p -> F q)", True),
        ("!p U q", False),
        ("!q U p", True),
        ("G (q -> !p)", True),
        ("(!q W p) && true", True),
        ("p R !q", True),
        ("F (p && q) || false", False),
    ],
)
def test_formulas(text: str, holds: bool) -> None:
    # Nothing, then p and q by turns for ever.
    used = [word for word in WORDS if word in text]
    assert lasso("", "p", "q", "p", cycle=1).satisfies(formula(text, used), WORDS) is holds


def test_the_last_state_may_stay() -> None:
    shown = lasso("", "p", cycle=1)
    assert shown.satisfies(formula("F G p", ["p"]), WORDS)
    assert not shown.satisfies(formula("G F !p", ["p"]), WORDS)
    assert not shown.satisfies(formula("F terminated"), WORDS)
    ended = Lasso([*shown.states[:1], LassoState(NO_THREAD, 0, NO_THREAD, NO_THREAD)], [0], 1)
    assert ended.satisfies(formula("F G terminated"), WORDS)


def holds(formula: Formula, shown: Lasso, at: int) -> bool:
    """By the definition: where something has to come, it comes before all states have come twice."""
    last = len(shown.states) - 1
    cycle = min(shown.cycle, last)

    def later(at: int) -> int:
        return at + 1 if at < last else min(cycle + 1, last)

    def path(at: int) -> list[int]:
        found = [at]
        for _ in range(2 * len(shown.states)):
            found.append(later(found[-1]))
        return found

    parts = formula.parts
    match formula.operator:
        case "!":
            return not holds(parts[0], shown, at)
        case "&&":
            return holds(parts[0], shown, at) and holds(parts[1], shown, at)
        case "||":
            return holds(parts[0], shown, at) or holds(parts[1], shown, at)
        case "->":
            return not holds(parts[0], shown, at) or holds(parts[1], shown, at)
        case "<->":
            return holds(parts[0], shown, at) == holds(parts[1], shown, at)
        case "F":
            return any(holds(parts[0], shown, each) for each in path(at))
        case "G":
            return all(holds(parts[0], shown, each) for each in path(at))
        case "U" | "W":
            for each in path(at):
                if holds(parts[1], shown, each):
                    return True
                if not holds(parts[0], shown, each):
                    return False
            return formula.operator == "W"
        case "R":
            for each in path(at):
                if not holds(parts[1], shown, each):
                    return False
                if holds(parts[0], shown, each):
                    return True
            return True
    return WORDS.index(formula.operator) in shown.states[at].propositions


def test_random_formulas_by_the_definition() -> None:
    chance = random.Random(1)

    def made(depth: int) -> Formula:
        if depth == 0:
            return Formula(chance.choice(WORDS))
        operator = chance.choice(["!", "&&", "||", "->", "<->", "F", "G", "U", "W", "R"])
        return Formula(operator, tuple(made(chance.randrange(depth)) for _ in range(1 if operator in "!FG" else 2)))

    seen = []
    for _ in range(400):
        length = chance.randint(1, 5)
        cycle = chance.randrange(length)
        found = [chance.choice(["", "p", "q", "pq"]) for _ in range(length)]
        if cycle < length - 1:
            found[-1] = found[cycle]
        shown = lasso(*found, cycle=cycle)
        made_up = made(chance.randint(1, 3))
        seen.append(shown.satisfies(made_up, WORDS))
        assert seen[-1] == holds(made_up, shown, 0), (made_up, found, cycle)
    assert 100 < sum(seen) < 300


def labelled(*labels: int, cycle: int) -> Lasso:
    found = [LassoState(NO_THREAD, label, frozenset({0, 1}), frozenset({0, 1})) for label in labels]
    return Lasso(found, [0] * (len(found) - 1), cycle)


def test_progress_and_acceptance() -> None:
    progress, accept = 2, 4
    assert labelled(0, progress, 0, cycle=0).progresses()
    assert not labelled(progress, 0, accept, 0, cycle=1).progresses()
    assert labelled(0, 0, cycle=1).progresses()  # nothing goes on: that is no cycle
    assert labelled(0, 0, accept, 0, cycle=1).accepts()
    assert not labelled(accept, 0, progress, 0, cycle=1).accepts()
    assert labelled(0, accept, cycle=1).accepts()


def test_fairness() -> None:
    both, one = frozenset({0, 1}), frozenset({0})
    always = [LassoState(NO_THREAD, 0, both, both)] * 3
    sometimes = [always[0], LassoState(NO_THREAD, 0, both, one), always[0]]
    assert not Lasso(always, [0, 0], 0).is_fair()
    assert Lasso(always, [0, 1], 0).is_fair()
    assert not Lasso(always, [1, 0], 1).is_fair()
    assert Lasso(sometimes, [0, 0], 0).is_fair()


def test_what_the_engine_tells() -> None:
    lines = ["state 1 0 1 1", "state 2 6 3 2", "state 1 0 1 1", "repeats 1"]
    shown = read(map(decoded, lines), [0, 1], 0)
    assert shown.states[1] == LassoState(frozenset({1}), 6, frozenset({0, 1}), frozenset({1}))
    assert shown.repeated == shown.states


@pytest.mark.parametrize(
    "lines, reason",
    [
        (["state 0 0 1 1", "repeats 0"], "what should be repeated does not end where it begins"),
        (["state 0 0 1 1", "refused the execution ends"], "the execution ends"),
        (["state 0 0 1 1"], "its end is missing"),
        (["repeats 1"], "its end is missing"),
    ],
)
def test_what_is_no_infinite_execution(lines: list[str], reason: str) -> None:
    with pytest.raises(ValueError, match=f"^{reason}$"):
        read(map(decoded, lines), [], 0)


def test_strong_fairness() -> None:
    # Thread 1 waits for a lock that thread 0 takes and lets go of: it can go on in one of the two states.
    free, held = (LassoState(frozenset(), 0, frozenset({0, 1}), frozenset(enabled)) for enabled in ({0, 1}, {0}))
    alone = Lasso([free, held, free], [0, 0], 0)
    assert alone.is_fair() and not alone.is_strongly_fair()
    assert Lasso([free, held, free, free], [0, 0, 1], 0).is_strongly_fair()
