"""Ghost counters: that they count, and that whoever miscounts is caught."""

from collections import Counter
from dataclasses import replace

import pytest

from cseq.modules.deductive.certificate import check
from cseq.modules.deductive.certificate.obligations import Kind
from cseq.modules.deductive.counters import counted
from cseq.modules.deductive.houdini import prove
from cseq.modules.deductive.proofs import Arithmetic
from cseq.modules.deductive.transitions import Assign, Read, System
from tests.support import counted_systems, systems
from tests.support.interpreter import State, walk

SYSTEMS = {
    "counter": systems.counter,
    "peterson": systems.peterson,
    "ticket": systems.ticket,
    "at_most_five": counted_systems.at_most_five,
    "all_have_arrived": counted_systems.all_have_arrived,
    "n_each": counted_systems.n_each,
}


def miscounts(system: System) -> tuple[int, set[str]]:
    """The number of comparisons with a recount in random executions, and the counters that were wrong in one.

    The interpreter drops threads that have ended, so counters of where they end are left out.
    """
    places: dict[str, set[tuple[str, int]]] = {}
    for place, variable in system.population.items():
        places.setdefault(variable.name, set()).add(place)
    leaving = {(template.name, edge.source) for template in system.templates for edge in template.edges}
    position = {variable.name: number for number, variable in enumerate(system.shared)}
    wrong: set[str] = set()
    compared = 0

    def recount(state: State) -> None:
        nonlocal compared
        standing = Counter((system.templates[number].name, location) for number, location, _ in state.threads)
        for name, counted_places in places.items():
            if counted_places <= leaving:
                compared += 1
                if state.shared[position[name]] != sum(standing[place] for place in counted_places):
                    wrong.add(name)

    walk(system, seed=1, walks=6, steps=40, visit=recount)
    return compared, wrong


@pytest.mark.parametrize("fine", [False, True])
@pytest.mark.parametrize("name", SYSTEMS)
def test_counters_are_the_numbers_of_threads(name: str, fine: bool) -> None:
    compared, wrong = miscounts(counted(SYSTEMS[name](), fine))
    assert compared > 100
    assert wrong == set()


def mutated(system: System, template: str, counter: str) -> System:
    """The system without one assignment to a counter, on an edge of a template."""
    where = system.template(template)
    for position, edge in enumerate(where.edges):
        kept = tuple(
            a for a in edge.actions if not (isinstance(a, Assign) and a.target == Read(counted_by(system, counter)))
        )
        if len(kept) < len(edge.actions):
            edges = [*where.edges]
            edges[position] = replace(edge, actions=kept)
            other = replace(where, edges=edges)
            return replace(system, templates=[other if t is where else t for t in system.templates])
    raise AssertionError(f"no edge of {template} assigns {counter}")


def counted_by(system: System, name: str):  # type: ignore[no-untyped-def]
    return next(variable for variable in system.shared if variable.name == name)


@pytest.mark.engine
@pytest.mark.parametrize("template", ["main", "worker"])
def test_an_edge_that_does_not_count_is_caught(template: str) -> None:
    system = counted(systems.test_and_set())
    found = prove(system, Arithmetic.EXACT, 60)
    assert found.proof is not None
    wrong = mutated(system, template, "__cs_at_worker_0")
    assert miscounts(wrong)[1] == {"__cs_at_worker_0"}
    checked = check(wrong, found.proof, 60)
    assert not checked.accepted
    assert checked.rejected is not None
    assert checked.rejected.kind is Kind.POPULATION


def test_locations_share_a_counter_if_nobody_notices_which_it_is() -> None:
    population = counted(systems.counter()).population
    assert population["worker", 4] != population["worker", 5]
    read_only = systems.template("worker", None, [(0, 1, []), (1, 2, [systems.put(systems.shared("x"), 1)])])
    system = System([systems.shared("x")], {"x": 0}, [systems.many("worker"), read_only])
    coarse, fine = counted(system).population, counted(system, fine=True).population
    assert coarse["worker", 0] == coarse["worker", 1] != coarse["worker", 2]
    assert len({fine["worker", number] for number in (0, 1, 2)}) == 3


def test_a_single_thread_is_counted_from_the_beginning_if_it_is_main() -> None:
    system = counted(systems.peterson())
    assert system.initial["__cs_at_main_0"] == 1
    assert system.initial["__cs_at_one_0"] == 0
