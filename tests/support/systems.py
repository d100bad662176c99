"""Small transition systems made by hand, for the tests of the deductive family: safe ones and their buggy twins."""

from collections.abc import Callable, Sequence

from cseq.model.claims import Claim, Kind
from cseq.modules.deductive.transitions import (
    BOOL,
    INT,
    Action,
    Apply,
    Array,
    Assign,
    Assume,
    Check,
    Create,
    Edge,
    Element,
    Expression,
    Havoc,
    Location,
    Number,
    Operator,
    Read,
    Scalar,
    System,
    Template,
    Variable,
)

UNSIGNED = Scalar(32, False)
UCHAR = Scalar(8, False)


def shared(name: str, type: Scalar | Array = INT) -> Variable:
    """A shared variable that the user calls by its name."""
    return Variable(name, type, name)


def local(template: str, name: str, type: Scalar | Array = INT) -> Variable:
    """A local variable of the threads of *template*."""
    return Variable(f"{template}_{name}", type, name, template)


def value(thing: Variable | Expression | int, like: Scalar = INT) -> Expression:
    """A variable, an expression, or a number of the type *like*, as an expression."""
    if isinstance(thing, Variable):
        return Read(thing)
    return Number(thing, like) if isinstance(thing, int) else thing


def apply(left: Variable | Expression, sign: str, right: Variable | Expression | int) -> Expression:
    """The binary operator that is written *sign*."""
    operator, first = Operator(sign), value(left)
    second = value(right, first.type)
    return Apply(operator, (first, second), BOOL if operator.compares or operator.connects else first.type)


def put(target: Variable | Element, new: Variable | Expression | int) -> Assign:
    """An assignment."""
    place = Read(target) if isinstance(target, Variable) else target
    return Assign(place, value(new, place.type))


def assume(left: Variable | Expression, sign: str, right: Variable | Expression | int) -> Assume:
    """An assumption about a comparison."""
    return Assume(apply(left, sign, right))


def check(left: Variable | Expression, sign: str, right: Variable | Expression | int) -> Check:
    """A check of a comparison."""
    return Check(apply(left, sign, right), Claim(Kind.ASSERTION))


def template(
    name: str,
    number: int | None,
    edges: Sequence[tuple[int, int, Sequence[Action]]],
    variables: Sequence[Variable] = (),
    locks: dict[int, frozenset[str]] | None = None,
) -> Template:
    """A template that starts at location 0. A replicated one has the variable `NAME_id` as its identity."""
    places = sorted({0} | {place for source, target, _ in edges for place in (source, target)})
    identity = local(name, "id") if number is None else None
    return Template(
        name,
        0,
        number,
        [*variables, *([identity] if identity is not None else [])],
        {place: Location(place, locks=(locks or {}).get(place, frozenset())) for place in places},
        [Edge(source, target, tuple(actions)) for source, target, actions in edges],
        identity,
        name,
    )


def many(name: str) -> Template:
    """A main that creates threads of the template *name* in an endless loop."""
    return template("main", 0, [(0, 0, [Create(name)])])


def one_each(*names: str) -> Template:
    """A main that creates a thread of each template, and ends."""
    return template("main", 0, [(number, number + 1, [Create(name)]) for number, name in enumerate(names)])


def counter(buggy: bool = False) -> System:
    """Any number of threads store an amount in `little`, and then in `large`, under a lock.

    They check little <= large under the lock, and in the buggy twin without it. `owner` is the identity of the thread
    that holds the lock, or 0.
    """
    owner, little, large = shared("owner"), shared("little"), shared("large")
    mine, amount = Read(local("worker", "id")), local("worker", "amount")
    lock: list[Action] = [assume(mine, "!=", 0), assume(owner, "==", 0), put(owner, mine)]
    unlock: list[Action] = [put(owner, 0)]
    worker = template(
        "worker",
        None,
        [
            (0, 1, lock),
            (1, 2, [Havoc(Read(amount)), assume(amount, ">=", 0), put(little, amount)]),
            (2, 3, [put(large, amount)]),
            (3, 4, unlock),
            (4, 5, [] if buggy else lock),
            (5, 6, [check(little, "<=", large)]),
            (6, 0, [] if buggy else unlock),
        ],
        [amount],
        {place: frozenset({"owner"}) for place in ((1, 2, 3) if buggy else (1, 2, 3, 5, 6))},
    )
    return System([owner, little, large], {"owner": 0, "little": 0, "large": 0}, [many("worker"), worker])


def peterson(buggy: bool = False) -> System:
    """Two threads enter a critical section in endless loops by Peterson's algorithm; the twin sets `turn` first."""
    one, two, turn, inside = shared("flag1"), shared("flag2"), shared("turn"), shared("inside")

    def thread(name: str, mine: Variable, other: Variable, number: int) -> Template:
        first: list[Action] = [put(mine, 1)]
        second: list[Action] = [put(turn, 3 - number)]
        entered = Assume(apply(apply(other, "==", 0), "||", apply(turn, "==", number)))
        return template(
            name,
            number,
            [
                (0, 1, second if buggy else first),
                (1, 2, first if buggy else second),
                (2, 3, [entered]),
                (3, 4, [check(inside, "==", 0), put(inside, 1)]),
                (4, 5, [put(inside, 0)]),
                (5, 0, [put(mine, 0)]),
            ],
        )

    threads = [thread("one", one, two, 1), thread("two", two, one, 2)]
    initial: dict[str, int | tuple[int, ...]] = {"flag1": 0, "flag2": 0, "turn": 0, "inside": 0}
    return System([one, two, turn, inside], initial, [one_each("one", "two"), *threads])


def critical(enter: Sequence[Action], leave: Sequence[Action], inside: Variable) -> list[tuple[int, int, list[Action]]]:
    """The edges of an endless loop: enter (to 1, or on to 2), check that nobody else is inside, and leave."""
    return [
        (1, 2, list(enter)),
        (2, 3, [check(inside, "==", 0), put(inside, 1)]),
        (3, 4, [put(inside, 0)]),
        (4, 0, list(leave)),
    ]


def ticket(buggy: bool = False) -> System:
    """A ticket lock for any number of threads; the buggy twin draws its ticket in two steps."""
    drawn, serving, inside = shared("drawn", UNSIGNED), shared("serving", UNSIGNED), shared("inside")
    mine = local("worker", "ticket", UNSIGNED)
    draw: list[Action] = [assume(drawn, "<", UNSIGNED.greatest), put(mine, drawn)]
    count: list[Action] = [put(drawn, apply(mine, "+", 1))]
    begin = [(0, 5, draw), (5, 1, count)] if buggy else [(0, 1, [*draw, *count])]
    loop = critical([assume(serving, "==", mine)], [put(serving, apply(mine, "+", 1))], inside)
    worker = template("worker", None, [*begin, *loop], [mine])
    initial: dict[str, int | tuple[int, ...]] = {"drawn": 0, "serving": 0, "inside": 0}
    return System([drawn, serving, inside], initial, [many("worker"), worker])


def test_and_set(buggy: bool = False) -> System:
    """A test-and-set lock for any number of threads; the buggy twin tests in one step and sets in another."""
    taken, inside = shared("taken", BOOL), shared("inside")
    old = local("worker", "old", BOOL)
    test: list[Action] = [put(old, taken)]
    set_: list[Action] = [put(taken, Number(1, BOOL))]
    begin = [(0, 5, test), (5, 1, set_)] if buggy else [(0, 1, [*test, *set_])]
    again = (1, 0, [Assume(Read(old))])
    loop = critical([Assume(Apply(Operator.NOT, (Read(old),), BOOL))], [put(taken, Number(0, BOOL))], inside)
    worker = template("worker", None, [*begin, again, *loop], [old])
    return System([taken, inside], {"taken": 0, "inside": 0}, [many("worker"), worker])


def pair(buggy: bool = False) -> System:
    """Two threads add one to a counter, a hundred times each; main looks on. The twin expects too little."""
    total = shared("total")

    def thread(name: str, number: int) -> Template:
        done = local(name, "done")
        loop: list[Action] = [assume(done, "<", 100), put(total, apply(total, "+", 1)), put(done, apply(done, "+", 1))]
        return template(name, number, [(0, 1, [put(done, 0)]), (1, 1, loop), (1, 2, [assume(done, ">=", 100)])], [done])

    main = one_each("one", "two")
    main.edges.append(Edge(2, 3, (check(total, "<=", 199 if buggy else 200),)))
    main.locations[3] = Location(3)
    return System([total], {"total": 0}, [main, thread("one", 1), thread("two", 2)])


def alone(variables: Sequence[Variable], actions: Sequence[Action]) -> System:
    """A main that does *actions* in one step; all *variables* are shared and begin with any value."""
    return System(list(variables), {}, [template("main", 0, [(0, 1, list(actions))])])


def successor(type: Scalar, sign: str = ">") -> System:
    """A main that checks for any x that x + 1 > x, or what *sign* says; so it is unless it wraps around."""
    x = shared("x", type)
    return alone([x], [check(apply(x, "+", 1), sign, x)])


def filled(buggy: bool = False) -> System:
    """Main stores 7 in each of 1000 elements, and then checks any one of them; the buggy twin leaves out the last."""
    cells = shared("cells", Array(INT, 1000))
    i, k = local("main", "i"), local("main", "k")
    edges: list[tuple[int, int, list[Action]]] = [
        (0, 1, [put(i, 0)]),
        (1, 1, [assume(i, "<", 999 if buggy else 1000), put(Element(cells, Read(i)), 7), put(i, apply(i, "+", 1))]),
        (1, 2, [assume(i, ">=", 999 if buggy else 1000)]),
        (2, 3, [Havoc(Read(k)), assume(k, ">=", 0), assume(k, "<", 1000), check(Element(cells, Read(k)), "==", 7)]),
    ]
    return System([cells], {"cells": 0}, [template("main", 0, edges, [i, k])])


PAIRS: dict[str, Callable[[bool], System]] = {
    "counter": counter,
    "peterson": peterson,
    "ticket": ticket,
    "test_and_set": test_and_set,
    "pair": pair,
    "filled": filled,
}
"""The examples by name; with `True` each is the buggy twin."""
