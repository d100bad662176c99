"""Witnesses in GraphML, version 1.0 of the format (https://github.com/sosy-lab/sv-witnesses, README-GraphML.md)."""

import re
from xml.etree import ElementTree as ET

from cseq.model.trace import Access, Step, Thread
from cseq.model.verdict import Outcome, Verdict
from cseq.report.witness import waypoints
from cseq.report.witness.anchors import followable
from cseq.report.witness.waypoints import SourcePlace, Texts, Waypoint, WitnessTask
from cseq.report.witness.yamlwitness import constant
from cseq.version import __version__

_KEYS = (
    ("entry", "boolean", "node"), ("violation", "boolean", "node"), ("witness-type", "string", "graph"),
    ("sourcecodelang", "string", "graph"), ("producer", "string", "graph"), ("specification", "string", "graph"),
    ("programfile", "string", "graph"), ("programhash", "string", "graph"), ("architecture", "string", "graph"),
    ("creationtime", "string", "graph"), ("threadId", "string", "edge"), ("createThread", "string", "edge"),
    ("startline", "int", "edge"), ("endline", "int", "edge"), ("enterFunction", "string", "edge"),
    ("assumption", "string", "edge"), ("assumption.scope", "string", "edge"),
    ("assumption.resultfunction", "string", "edge"),
)  # fmt: skip
_NAME = re.compile(r"[^\W\d]\w*$")


def render(outcome: Outcome, run: WitnessTask) -> str:
    """The witness for *outcome*, for a program of one file. There has to be one (`waypoints.refusal`)."""
    root = ET.Element(
        "graphml",
        {
            "xmlns": "http://graphml.graphdrawing.org/xmlns",
            "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
        },
    )
    for name, type_, owner in _KEYS:
        key = ET.SubElement(root, "key", {"attr.name": name, "attr.type": type_, "for": owner, "id": name})
        if type_ == "boolean":
            ET.SubElement(key, "default").text = "false"
    graph = ET.SubElement(root, "graph", edgedefault="directed")
    violated = outcome.verdict is Verdict.FALSE
    _data(graph, "witness-type", "violation_witness" if violated else "correctness_witness")
    _data(graph, "sourcecodelang", "C")
    _data(graph, "producer", f"CSeq {__version__}")
    for line in waypoints.specification(outcome, run).splitlines():
        _data(graph, "specification", line)
    _data(graph, "programfile", run.files[0])
    _data(graph, "programhash", run.hash(run.files[0]))
    _data(graph, "architecture", f"{run.bits}bit")
    _data(graph, "creationtime", run.created.isoformat(timespec="seconds").replace("+00:00", "Z"))
    path = _Path(graph)
    if violated:
        path.follow(outcome, run)
    ET.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _data(parent: ET.Element, key: str, text: str) -> None:
    ET.SubElement(parent, "data", key=key).text = text


class _Path:
    """A witness automaton without branches, which is extended from its last node."""

    def __init__(self, graph: ET.Element) -> None:
        self._graph = graph
        self._count = 0
        self._node = self._new_node()
        _data(self._node, "entry", "true")

    def follow(self, outcome: Outcome, run: WitnessTask) -> None:
        """Add the path of the counterexample, which ends in a violation."""
        assert outcome.counterexample is not None
        steps = outcome.counterexample.steps
        entered: set[Thread] = set()
        passed = waypoints.waypoints(outcome.counterexample, outcome, run)
        kept = followable(passed, steps, Texts(run))
        following = {id(point): after for point, after in zip(kept, [*kept[1:], None], strict=True)}
        before: Thread | None = None
        for point in passed:
            if point.thread not in entered:
                entered.add(point.thread)
                self._edge(point.thread, enterFunction=point.thread.function)
            if id(point) not in following:
                continue
            after = following[id(point)]
            values = _values_after(steps[point.step])
            same = after is not None and (after.thread, after.step) == (point.thread, point.step)
            if point.kind == "begin" and same and after is not None and _replaces(after, point, values):
                continue  # an edge is for one operation: the call, or the violation
            if point.kind == "create":
                assert point.other is not None
                self._edge(point.thread, point.place, createThread=str(point.other.number))
            elif point.kind == "input":
                if point.value not in values.values():
                    condition = f"\\result == {constant(point.value)}"
                    self._edge(point.thread, point.place, condition, **{"assumption.resultfunction": point.call})
            else:
                # A validator reads an edge either as a switch or as an input.
                states = point.kind == "begin" and (point.thread == before or same)
                self._edge(point.thread, point.place, _conditions(values) if states else "")
            before = point.thread
        _data(self._node, "violation", "true")

    def _new_node(self) -> ET.Element:
        node = ET.SubElement(self._graph, "node", id=f"n{self._count}")
        self._count += 1
        return node

    def _edge(self, thread: Thread, place: SourcePlace | None = None, assumption: str = "", **more: str) -> None:
        before = self._node
        self._node = self._new_node()
        edge = ET.SubElement(self._graph, "edge", source=before.get("id", ""), target=self._node.get("id", ""))
        _data(edge, "threadId", str(thread.number))
        if place is not None:
            _data(edge, "startline", str(place.line))
            _data(edge, "endline", str(place.line))
        if assumption:
            _data(edge, "assumption", assumption)
            if place is not None and place.function:
                _data(edge, "assumption.scope", place.function)
        for key, value in more.items():
            _data(edge, key, value)


def _replaces(after: Waypoint, begin: Waypoint, values: dict[str, str]) -> bool:
    """Whether the edge for the waypoint *after* the *begin* of a statement makes an edge for the begin redundant."""
    if after.kind == "target":
        return after.place == begin.place
    return after.kind == "create" or after.value not in values.values()


def _values_after(step: Step) -> dict[str, str]:
    """The values of variables after *step* that help a validator, by name: those that the step has stored.

    Empty if it has also stored to anything else, which might be the same memory under another name.
    """
    writes = [access for access in step.accesses if access.kind == "write"]
    if not all(_is_plain(access) for access in writes):
        return {}
    return {access.name: access.value for access in writes}


def _is_plain(access: Access) -> bool:
    return bool(_NAME.match(access.name)) and waypoints.is_number(access.value)


def _conditions(values: dict[str, str]) -> str:
    return " && ".join(f"{name} == {constant(value)}" for name, value in values.items())
