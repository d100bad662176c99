"""What a thread forgets when it stops: the values that no statement from there on reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cseq.modules.tla.spec import Local, Question, Specification, Statement
from cseq.modules.tla.writer.groups import Group
from cseq.modules.tla.writer.pretty import cases, definition, indented, quoted


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
