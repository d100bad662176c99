"""The module of the program: its objects, its statements, what they make of a memory, and what is to hold."""

from collections.abc import Iterable, Sequence
from pathlib import PurePath

from cseq.model.claims import Claim, Kind
from cseq.model.origin import Origin
from cseq.modules.tla.properties import RESERVED
from cseq.modules.tla.spec import Global, Local, Operator, Property, Question, Specification, Statement
from cseq.modules.tla.writer.groups import Group, grouped
from cseq.modules.tla.writer.library_module import (
    THREADS,
    constants_of_library,
    library_name,
    operators,
)
from cseq.modules.tla.writer.names import defined, fresh
from cseq.modules.tla.writer.pretty import (
    banner,
    boxed,
    cases,
    comment,
    definition,
    indented,
    listed,
    quoted,
    remark,
    remarks,
)

# What a thread forgets when it stops: the values that no statement from there on reads.


def forgetting(specification: Specification, question: Question, groups: Sequence[Group]) -> list[str]:
    """The lines of `Tidy` and of what it needs. Only the statements that a thread can stop before
    count, and the first ones. A local without a use keeps its value where nothing is known.
    """
    forgets: list[tuple[str, str]] = []
    lines: list[str] = []
    stops = question.visible | question.loops | set(specification.entries.values())
    for group in groups:
        found = _by_locals(specification, group, stops)
        if found:
            lines += [f"{group.forget}(pc, frame) ==", *indented(_cases(found), 2), ""]
            forgets.append((group.labels, group.forget))
    tidy = ["\\* Once a thread stops, it forgets what it does not need any more"]
    kept = specification.visible is not None  # what a function has returned may still have to be stored
    if not forgets:
        return [*tidy, "Tidy(self, m) == m" if kept else "Tidy(self, m) == [m EXCEPT !.ret[self] = Undef]"]
    chosen = [(f"pc \\in {labels}", f"{name}(pc, frame)") for labels, name in forgets]
    return [
        *lines,
        *definition("Forget(pc, frame)", cases(chosen, "frame")),
        "",
        *tidy,
        "Tidy(self, m) ==",
        "  IF ~Runs(m) \\/ m.register[self] = <<>>",
        "  THEN [m EXCEPT !.ret[self] = Undef]",
        f"  ELSE [m EXCEPT {'' if kept else '!.ret[self] = Undef, '}!.stack[self][1] = Forget(Pc(self, m), @)]",
    ]


def _by_locals(
    specification: Specification, group: Group, stops: Iterable[str]
) -> dict[tuple[str, ...], list[Statement]]:
    """The statements of a group before which some locals are not needed, by what becomes of these."""
    stops = frozenset(stops)
    found: dict[tuple[str, ...], list[Statement]] = {}
    for statement in group.statements:
        if statement.label not in stops:
            continue
        unneeded = [each for each in specification.frames.get(group.start, ()) if each.name not in statement.needed]
        if unneeded:
            found.setdefault(tuple(_forgotten(each) for each in unneeded), []).append(statement)
    return found


def _forgotten(each: Local) -> str:
    """The part of an EXCEPT that forgets a local: the cells of an aggregate stay cells."""
    return f"!.{each.name} = {'Undef' if each.is_scalar else each.initial}"


def _cases(found: dict[tuple[str, ...], list[Statement]]) -> str:
    lines: list[str] = []
    for changes, statements in found.items():
        labels = [quoted(statement.label) for statement in statements]
        alternatives = [f"pc = {label}" for label in labels]
        begin = "CASE " if not lines else "  [] "
        lines += [f"{begin}{alternatives[0]}", *(f"       \\/ {each}" for each in alternatives[1:])]
        first, *more = indented(f"[frame EXCEPT {', '.join(changes)}]", 0)
        lines += [f"       -> {first}", *(f"          {line}" for line in more)]
    lines.append("  [] OTHER -> frame")
    return "\n".join(lines)


_PATIENCE = 200
"""After how many statements that no other thread notices a thread lets others go on."""

OWN = (
    "memory", "Visible", THREADS, "Layouts", "InitialData", "NewMemory", "Frame", "Entry", "Begin", "Run", "RunOn",
    "InSection", "Loops", "IsTired", "Merged",
    "Statement", "Stops", "Forget", "Tidy", "Step", "Finished", "Next", "Init", "Fairness", "Spec",
    "VisibleStatements", "AllStatements", "BeginsWith", "NoViolation", "Supported", "Termination",
)  # fmt: skip
"""The names that every module of a program defines, besides one for the statements of each function."""


def program_module(specification: Specification, question: Question, header: Sequence[str]) -> str:
    """The text of the module. header: what its first lines say."""
    taken = set(defined()) | set(OWN) | {each.operator for each in specification.statements}
    taken |= {each.name for each in (*specification.library, *specification.constants)}
    taken |= {each.name for each in (*specification.propositions.values(), *specification.invariants.values())}
    taken |= {each.name for each in question.properties} | {each.name for each in question.operators} | RESERVED
    groups = grouped(specification, taken)
    lines = [
        f" MODULE {specification.name} ".center(78, "-"),
        *boxed(header),
        f"EXTENDS {library_name(specification)}",
        *_data(specification),
        *_frames(specification, question),
        *(line for group in groups for line in _statements(specification, group)),
        *_running(specification, question, groups),
        *_behaviours(specification, question),
        *_properties(specification, question, taken),
        "=" * 78,
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


# Objects


# TLC orders the fields of records by their first occurrence in the text, and `choice` is to be the first.
_MEMORY = [
    "\\* The memory of a program that has not begun",
    "NewMemory(objects) == [",
    "  choice   |-> <<>>,",
    "  data     |-> objects,",
    "  heap     |-> [self \\in Threads |-> <<>>],",
    "  stack    |-> [self \\in Threads |-> <<>>],",
    "  register |-> [self \\in Threads |-> <<>>],",
    "  ret      |-> [self \\in Threads |-> Undef],",
    '  status   |-> "runs"]',
]


def _data(specification: Specification) -> list[str]:
    shared = {constant.name for constant in constants_of_library(specification)}
    constants = [constant for constant in specification.constants if constant.name not in shared]
    users = [each for each in specification.globals if each.user_name]
    ours = [each for each in specification.globals if not each.user_name]
    lines = [*banner("Constants"), "CONSTANT Visible    \\* the statements before which other threads may run"]
    lines += [*([""] if constants else []), *operators(constants, spaced=False)]
    lines += [*banner("Memory"), "VARIABLE memory", ""]
    lines += _MEMORY
    lines += ["", *remarks("The kinds of the cells of each object")]
    objects: dict[str, str] = {}
    every: list[Global | Local] = [*users, *ours]
    every += [local for found in specification.frames.values() for local in found]
    for named in every:
        layout = f"[scalar |-> {str(named.is_scalar).upper()}, kinds |-> {_cells(named.kinds)}]"
        if objects.setdefault(named.name, layout) != layout:
            raise ValueError(f"two objects with the name {named.name} have different layouts")
    layouts = [f"{name} |-> {layout}" for name, layout in objects.items()]
    lines += listed("Layouts", layouts, "[", "]") if layouts else ["Layouts == <<>>"]
    lines += ["", *remarks("The objects of the program before it begins")]
    if not specification.globals:
        return [*lines, "InitialData == <<>>"]
    lines.append("InitialData == [")
    last = (ours or users)[-1]
    for each in (*users, *ours):
        lines += _initial(specification, each, "]" if each is last else ",")
    return lines


def _initial(specification: Specification, each: Global, end: str) -> list[str]:
    lines = indented(f"{each.name} |-> {each.initial}{end}", 2)
    said = _source(specification, each.origin) if each.user_name else ""
    if said and len(lines) == 1 and len(lines[0]) <= 38:
        return [f"{lines[0]:<38}  {remark(said)}"]
    return [*([f"  {remark(said)}"] if said else []), *lines]


def _cells(kinds: tuple[str, ...]) -> str:
    if len(kinds) > 4 and len(set(kinds)) == 1:
        return f"Repeat({kinds[0]}, {len(kinds)})"
    return f"<<{', '.join(kinds)}>>"


def _record(fields: list[str]) -> str:
    return f"[{', '.join(fields)}]" if fields else "<<>>"


def _frames(specification: Specification, question: Question) -> list[str]:
    lines = [*banner("Functions"), *remarks("The first frame of a function whose parameter is the argument")]
    lines += definition(
        "Frame(function, argument)",
        cases(
            (f"function = {quoted(name)}", _frame(specification, name, found))
            for name, found in specification.frames.items()
        ),
    )
    lines += ["", *remarks("The first statement of a start function")]
    entries = ((f"function = {quoted(name)}", quoted(label)) for name, label in specification.entries.items())
    lines += definition("Entry(function)", cases(entries))
    lines += [
        "",
        "RECURSIVE RunOn(_, _, _), Run(_, _)" if question.loops - question.visible else "RECURSIVE Run(_, _)",
        "",
        *remarks("Thread self begins a function, up to the first statement that other threads can notice"),
        "Begin(self, m, function, argument) ==",
        "  Run(self, [m EXCEPT !.register[self] = <<[pc |-> Entry(function), atomic |-> 0]>>,",
        "                      !.stack[self] = <<Frame(function, argument)>>])",
    ]
    return lines


def _frame(specification: Specification, function: str, found: Iterable[Local]) -> str:
    parameter = specification.parameters.get(function, "")
    return _record([f"{each.name} |-> {'argument' if each.name == parameter else each.initial}" for each in found])


# Statements


def _source(specification: Specification, origin: Origin | None, start: str = "") -> str:
    """The line of the user's file at *origin*, with the place; "" where that is not known.

    start: the function whose statement it is, if any; another one, that was inlined, is named.
    """
    if origin is None:
        return ""
    lines = specification.sources.get(origin.file, ())
    text = lines[origin.line - 1].strip() if 0 < origin.line <= len(lines) else ""
    inlined = f" in {origin.function}" if start and origin.function not in ("", None, start) else ""
    return f"{short(specification, origin.file)}:{origin.line}{inlined}: {text}".rstrip(": ")


def short(specification: Specification, file: str) -> str:
    """The name of a file without its folders, if no other file has the same."""
    name = PurePath(file).name
    return name if sum(PurePath(each).name == name for each in specification.sources) < 2 else file


def _statements(specification: Specification, group: Group) -> list[str]:
    lines = banner(f"The statements of {group.title}")
    said = ""
    for statement in group.statements:
        now = _source(specification, statement.origin, group.start)
        lines += [remark(now)] if now and now != said else []
        said = now or said
        lines += [*definition(f"{statement.operator}(self, m)", statement.body), ""]
    lines += listed(group.labels, [quoted(each.label) for each in group.statements])
    lines += ["", f"{group.operator}(self, m) ==", "  LET pc == Pc(self, m) IN"]
    choice = cases((f"pc = {quoted(each.label)}", f"{each.operator}(self, m)") for each in group.statements)
    return [*lines, *indented(choice, 2)]


def _running(specification: Specification, question: Question, groups: Sequence[Group]) -> list[str]:
    lines = [*banner("Threads"), *remarks("What the statement that thread self stands before makes of a memory")]
    first = groups[0]
    if len(groups) == 1:
        lines.append(f"Statement(self, m) == {first.operator}(self, m)")
    else:
        chosen = [(f"pc \\in {group.labels}", f"{group.operator}(self, m)") for group in groups]
        lines += ["Statement(self, m) ==", "  LET pc == Pc(self, m) IN", *indented(cases(chosen), 2)]
    lines += ["", *definition("AllStatements", " \\cup ".join(group.labels for group in groups)), ""]
    lines += remarks("Between these, a thread runs on: what it does there, the others cannot notice")
    lines += [*_labels(specification, "VisibleStatements", question.visible), ""]
    lines += forgetting(specification, question, groups)
    lines += ["", "InSection(self, m) == m.register[self][1].atomic > 0"]
    lines += [
        "",
        "Stops(self, m) ==",
        "  \\/ ~Runs(m)",
        "  \\/ m.register[self] = <<>>",
        "  \\/ Pc(self, m) \\in Visible /\\ ~InSection(self, m)",
    ]
    loops = question.loops - question.visible
    tired = ""
    if loops:
        lines += ["", *remarks("Loops that a thread may run in for ever, without a statement that others can notice")]
        lines += _labels(specification, "Loops", loops)
        lines += ["", "IsTired(self, m, left) == left <= 0 /\\ Pc(self, m) \\in Loops /\\ ~InSection(self, m)"]
        tired = " \\/ IsTired(self, m, left)"
    together, again = "InSection(self, m)", "RunOn(self, n, left - 1)" if loops else "Run(self, n)"
    if question.merged:
        lines += ["", *remarks("Statements that are to be one step with what comes before them: an abstraction")]
        lines += _labels(specification, "Merged", question.merged)
        together += " \\/ Pc(self, m) \\in Merged"
    lines += [
        "",
        *remarks(
            "Thread self runs on to the next statement that others can notice.  An execution ends in a step of its",
            "own, so that others can notice what came before.",
        ),
        f"{'RunOn(self, m, left)' if loops else 'Run(self, m)'} ==",
        f"  IF Stops(self, m){tired}",
        "  THEN {Tidy(self, m)}",
        f"  ELSE UNION {{IF Runs(n) \\/ {together} THEN {again} ELSE {{Tidy(self, m)}}",
        "              : n \\in Statement(self, m)}",
    ]
    return [*lines, "", f"Run(self, m) == RunOn(self, m, {_PATIENCE})"] if loops else lines


def _labels(specification: Specification, name: str, labels: frozenset[str]) -> list[str]:
    """The definition of a set of labels, in the order of the program."""
    return listed(name, [quoted(each.label) for each in specification.statements if each.label in labels])


# Behaviours


def _behaviours(specification: Specification, question: Question) -> list[str]:
    main = next(iter(specification.entries))
    lines = [
        *banner("Behaviours"),
        f"Init == \\E m \\in Begin(0, NewMemory(InitialData), {quoted(main)}, Undef) : memory = Settled(m)",
        "",
        "Step(self) ==",
        "  /\\ Runs(memory)",
        "  /\\ memory.register[self] # <<>>",
        "  /\\ \\E n \\in UNION {Run(self, m) : m \\in Statement(self, memory)} : memory' = Settled(n)",
        "",
        *remarks("Once the program has ended, nothing changes any more: this is no deadlock"),
        "Finished ==",
        "  /\\ ~Runs(memory) \\/ \\A self \\in Threads : memory.register[self] = <<>>",
        "  /\\ UNCHANGED memory",
        "",
        "Next == (\\E self \\in Threads : Step(self)) \\/ Finished",
        "",
    ]
    propositions = (*specification.propositions.values(), *specification.invariants.values())
    definitions = (*propositions, *question.operators)
    lines += [*operators(definitions)[1:], ""] if definitions else []
    if question.fairness:
        lines += [*definition("Fairness", question.fairness), ""]
    fair = " /\\ Fairness" if question.fairness else ""
    lines.append(f"Spec == Init /\\ [][Next]_memory{fair}")
    return [*lines, "", *question.observer.strip("\n").split("\n")] if question.observer else lines


def _properties(specification: Specification, question: Question, taken: set[str]) -> list[str]:
    lines = [
        *banner("Properties"),
        "BeginsWith(text, word) == Len(text) >= Len(word) /\\ SubSeq(text, 1, Len(word)) = word",
        "",
        *remarks("No claim about the program is violated"),
        'NoViolation == Runs(memory) \\/ ~BeginsWith(memory.status, "failed.")',
        "",
        *remarks("The program does nothing that has no meaning here"),
        "Supported ==",
        '  Runs(memory) \\/ ~(BeginsWith(memory.status, "refused.") \\/ BeginsWith(memory.status, "undefined."))',
    ]
    if all(each.name != "Termination" for each in question.properties):
        ends = "~Runs(memory) \\/ \\A self \\in Threads : memory.register[self] = <<>>"
        lines += ["", f"Termination == <>({ends})"]
    # What the user's formulas bind is the user's concern. What ours bind must not be the name of an object.
    ours = [each for each in question.properties if not _is_the_users(each)]
    for asked in ours:
        if asked.text:
            lines += ["", *_property(asked.name, asked.text)]
    users = [each for each in specification.globals if each.user_name]
    if users:
        lines += ["", *comment("The objects of the program, by their names in C")]
    for each in users:
        name = fresh(each.user_name if each.user_name.isidentifier() else each.name, taken)
        lines.append(f"{name} == memory.data.{each.name}")
    for asked in question.properties:
        if asked.text and asked not in ours:
            lines += ["", *_property(asked.name, asked.text)]
    return lines


def _is_the_users(asked: Property) -> bool:
    return Claim.of(asked.claim).kind is Kind.TLA if asked.claim else True


def _property(name: str, text: str) -> list[str]:
    """A property whose text is its definition, or only the formula."""
    if text.lstrip().startswith(f"{name} =="):
        return text.strip("\n").split("\n")
    return operators([Operator(name, (), text)], spaced=False)
