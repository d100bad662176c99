"""The report for continuous integration: JUnit XML, a test case for each program."""

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from cseq.model.taskresults import TaskEnd, TaskResult
from cseq.model.verdict import Verdict
from cseq.report import words
from cseq.report.text import tasklines, terminal
from cseq.report.words import clean

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML has no way to write."""


def render(results: Sequence[TaskResult], seconds: float, suite: str) -> str:
    """The document as text. A violation that counts is a failure; a program without a verdict is an error.

    seconds: how long all took. suite: the name of the whole.
    """
    root = ElementTree.Element("testsuite", name=_text(suite), time=f"{seconds:.3f}")
    for result in results:
        case = ElementTree.SubElement(
            root, "testcase", classname=_text(suite), name=_text(tasklines.name(result)), time=f"{result.seconds:.3f}"
        )
        _tell(case, result)
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        root.set(name, str(len(root.findall(f"testcase/{tag}"))))
    root.set("tests", str(len(root)))
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _tell(case: ElementTree.Element, result: TaskResult) -> None:
    """Add to a test case what became of its program."""
    outcome = result.outcome
    if outcome is None:
        said = str(result.failure) if result.failure is not None else "it was stopped"
        tag = "skipped" if result.end is TaskEnd.STOPPED else "failure" if result.exit_status == 1 else "error"
        ElementTree.SubElement(case, tag, message=_text(said))
        return
    shown = _text(terminal.render(outcome, steps=True))
    answer = _text(words.answer(outcome))
    if result.exit_status == 1:
        ElementTree.SubElement(case, "failure", type=outcome.verdict.value, message=answer).text = shown
    elif result.exit_status == 3:
        ElementTree.SubElement(case, "error", type="no-verdict", message=answer).text = shown
    elif outcome.verdict is not Verdict.TRUE:
        ElementTree.SubElement(case, "system-out").text = shown


def _text(said: str) -> str:
    """*said* without what XML cannot have."""
    return _NOT_XML.sub("?", "\n".join(clean(line) for line in said.split("\n")))
