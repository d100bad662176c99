"""Transition systems as text, for people."""

from collections.abc import Iterator

from cseq.modules.deductive import transitions as ts


def listed(system: ts.System) -> str:
    """The text of *system*: its variables, and the locations and edges of each template."""
    lines = [f"shared {_declared(one)}{_initial(system, one)}" for one in system.shared]
    for template in system.templates:
        lines += ["", *_template(template)]
    return "\n".join(lines) + "\n"


def _initial(system: ts.System, variable: ts.Variable) -> str:
    value = system.initial.get(variable.name)
    if value is None:
        return ""
    return f" = {value if not isinstance(value, tuple) else '{' + ', '.join(map(str, value)) + '}'}"


def _declared(variable: ts.Variable) -> str:
    type_ = variable.type
    if isinstance(type_, ts.Array):
        return f"{_type(type_.element)} {variable.name}[{type_.length}]"
    return f"{_type(type_)} {variable.name}"


def _type(type_: ts.Scalar) -> str:
    if type_.width == 0:
        return "integer"
    return "bool" if type_.width == 1 else f"{'i' if type_.signed else 'u'}{type_.width}"


def _template(template: ts.Template) -> Iterator[str]:
    number = "any number" if template.is_replicated else f"thread {template.number}"
    yield f"template {template.name}: {number}, starts at {template.start}"
    for variable in template.locals:
        yield f"  {_declared(variable)}"
    for location in template.locations.values():
        held = f", holding {', '.join(sorted(location.locks))}" if location.locks else ""
        place = f" ({location.origin}{held})" if location.origin is not None else held
        yield f"  {location.number}:{place}"
        for edge in template.leaving(location.number):
            yield f"    -> {edge.target}"
            yield from (f"        {action_text(action)}" for action in edge.actions)


def action_text(action: ts.Action) -> str:
    """The text of an action."""
    match action:
        case ts.Assign(target, value):
            return f"{text(target)} := {text(value)}"
        case ts.Havoc(target):
            return f"{text(target)} := any"
        case ts.Assume(condition):
            return f"assume {text(condition)}"
        case ts.Check(condition, claim, _):
            return f"check {text(condition)}  [{claim.key}]"
        case ts.Create(template, arguments, _):
            given = ", ".join(f"{one.name} = {text(value)}" for one, value in arguments)
            return f"create {template}({given})"


def text(expression: ts.Expression) -> str:
    """The text of an expression."""
    match expression:
        case ts.Number(value):
            return str(value)
        case ts.Read(variable):
            return variable.name
        case ts.Element(array, index):
            return f"{array.name}[{text(index)}]"
        case ts.Convert(operand, type_):
            return f"{_type(type_)}({text(operand)})"
        case ts.Choose(condition, then, otherwise):
            return f"({text(condition)} ? {text(then)} : {text(otherwise)})"
        case ts.Apply(operator, operands):
            if len(operands) == 1:
                sign = "-" if operator is ts.Operator.NEG else operator.value
                return f"{sign}{text(operands[0])}"
            return f"({text(operands[0])} {operator.value} {text(operands[1])})"
