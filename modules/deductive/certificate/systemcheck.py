"""What must be so of a system for the conditions to mean what they say; and its initial state."""

import re

from cseq.modules.deductive import transitions
from cseq.modules.deductive.certificate.semantics import INDEX, InapplicableError, constant, sort
from cseq.modules.deductive.proofs import Arithmetic

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.$]*$")
_WIDTHS = frozenset({8, 16, 32, 64})


def validate(system: transitions.System) -> None:
    """Raises InapplicableError if the system is not what `transitions.py` says."""
    names = [template.name for template in system.templates]
    _demand(len(set(names)) == len(names), "two templates have one name")
    variables = [*system.shared, *(variable for template in system.templates for variable in template.locals)]
    _demand(len({variable.name for variable in variables}) == len(variables), "two variables have one name")
    for variable in variables:
        element = variable.type.element if isinstance(variable.type, transitions.Array) else variable.type
        _demand(bool(_NAME.match(variable.name)), f"a variable is called {variable.name!r}")
        _demand(
            element in (transitions.BOOL, transitions.UNBOUNDED) or element.width in _WIDTHS,
            f"the type of {variable.name}",
        )
    _demand(all(variable.is_shared for variable in system.shared), "a shared variable has a template")
    numbers = [template.number for template in system.templates if template.number is not None]
    _demand(len(set(numbers)) == len(numbers), "two threads have one number")
    _demand(system.main.number is not None, "there are several threads of main")
    for template in system.templates:
        _check_template(system, template)
        if not template.is_replicated:
            _check_begun_once(system, template)
    for (name, number), variable in system.population.items():
        _demand(name in names and number in system.template(name).locations, "threads are counted at no location")
        _demand(variable in system.shared and variable.type == transitions.UNBOUNDED, f"{variable.name} counts threads")


def _check_template(system: transitions.System, template: transitions.Template) -> None:
    """One template of a valid system."""
    _demand(all(variable.template == template.name for variable in template.locals), "a local of another template")
    _demand(template.start in template.locations, f"{template.name} starts nowhere")
    if template.is_replicated and template.identity is not None:
        _demand(template.identity in template.locals, "an identity is no local")
        type_ = template.identity.type
        _demand(isinstance(type_, transitions.Scalar) and type_ != transitions.BOOL, "an identity is no number")
        assert isinstance(type_, transitions.Scalar)
        numbers = [other.number for other in system.templates if other.number is not None]
        fits = type_ == transitions.UNBOUNDED or all(type_.least <= number <= type_.greatest for number in numbers)
        _demand(fits, "the type of identities is too small")
    for edge in template.edges:
        _demand({edge.source, edge.target} <= template.locations.keys(), "an edge leads nowhere")
        for action in edge.actions:
            _demand(
                template.identity is None or transitions.written(action) != template.identity,
                "an identity is stored to",
            )
            if isinstance(action, transitions.Create):
                created = [other for other in system.templates if other.name == action.template]
                _demand(len(created) == 1 and created[0] is not system.main, f"{action.template} is created")
                given = {variable for variable, _ in action.arguments}
                _demand(created[0].identity not in given, "an identity is an argument")


def _check_begun_once(system: transitions.System, template: transitions.Template) -> None:
    """No execution creates two threads of a template of which there is only one."""
    places = [
        (creator, edge)
        for creator in system.templates
        for edge in creator.edges
        for action in edge.actions
        if isinstance(action, transitions.Create) and action.template == template.name
    ]
    what = f"several threads of {template.name} are created"
    _demand(len({creator.name for creator, _ in places}) <= 1, what)
    sources = {edge.source for _, edge in places}
    _demand(len({id(edge) for _, edge in places}) == len(places), what)
    for creator, edge in places:
        _demand(not creator.is_replicated and _reached(creator, edge.target).isdisjoint(sources), what)


def _reached(template: transitions.Template, start: int) -> set[int]:
    """The locations that a thread at *start* can get to."""
    found = {start}
    pending = [start]
    while pending:
        new = {edge.target for edge in template.leaving(pending.pop())} - found
        found |= new
        pending += new
    return found


def _demand(holds: bool, what: str) -> None:
    if not holds:
        raise InapplicableError(what)


def initially(system: transitions.System, arithmetic: Arithmetic, names: str = "shared/{}") -> list[str]:
    """What holds of the shared variables at the beginning. names: those of their constants, made of the variables'."""
    facts = []
    for variable in system.shared:
        name = names.format(variable.name)
        value = system.initial.get(variable.name)
        if value is None:
            continue
        if isinstance(variable.type, transitions.Scalar):
            _demand(isinstance(value, int), f"the initial value of {variable.name}")
            assert isinstance(value, int)
            facts.append(f"(= {name} {constant(value, variable.type, arithmetic)})")
            continue
        element, length = variable.type.element, variable.type.length
        if isinstance(value, int):  # of elements beyond the length, too, which no step reads
            filled = f"((as const {sort(variable.type, arithmetic)}) {constant(value, element, arithmetic)})"
            facts.append(f"(= {name} {filled})")
            continue
        _demand(len(value) == length, f"the initial values of {variable.name}")
        for position, item in enumerate(value):
            index = constant(position, INDEX, arithmetic)
            facts.append(f"(= (select {name} {index}) {constant(item, element, arithmetic)})")
    return facts
