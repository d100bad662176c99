"""Addresses and call stacks in terms of the sources."""

from dataclasses import replace

import pytest

from cseq.model.origin import CallSite
from cseq.modules.compiled.tracing import symbolizer
from cseq.modules.compiled.tracing.callpaths import CallPaths
from cseq.modules.compiled.tracing.symbolizer import Symbolizer
from tests.support.recorded_runs import SOURCE, Example


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(SOURCE.splitlines(), 1) if text in line)


@pytest.mark.parametrize("tool", range(2))
def test_places_with_the_calls_that_are_inlined(example: Example, tool: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(symbolizer, "_TOOLS", symbolizer._TOOLS[tool:])
    symbolizer._tool.cache_clear()
    found = Symbolizer([example.module], example.folder)
    found.learn([example.at["in_template"], example.at["in_lambda"]])
    inner, outer = found.frames(example.at["in_template"])
    assert (inner.function, inner.file, inner.line) == ("inner<double>", "example.cpp", line_of("in_template"))
    assert (outer.function, outer.line, outer.is_users) == ("worker", line_of("inner(2.5)"), True)
    assert found.frames(example.at["in_lambda"])[0].function == "lambda"
    symbolizer._tool.cache_clear()


def test_addresses_that_belong_to_nothing(example: Example) -> None:
    found = Symbolizer([replace(example.module, base=0x1000, end=0x2000)], example.folder)
    assert found.module_of(0x1FFF) is not None
    assert found.module_of(0x2000) is None and found.module_of(0xFFF) is None
    assert found.frames(0x5000) == ()


def test_files_of_the_system_are_not_the_users(example: Example) -> None:
    found = Symbolizer([example.module], example.folder)
    mine = "/home/me/src/queue.h"
    assert [found._is_system(path) for path in ("/usr/include/c++/12/mutex", "/opt/include/c++/13/mutex", mine)] == [
        True, True, False,
    ]  # fmt: skip
    assert not found._is_system(f"{example.folder}/usr/include/x.h")
    frame = found._frame("std::mutex::lock()", f"{mine}:3", example.module)
    assert frame is not None and not frame.is_users


def test_calls_lead_to_a_place(example: Example) -> None:
    run = example.run(stacks=[["in_deposit", "after_deposit", "in_main"]])
    paths = CallPaths(run, Symbolizer(run.modules, example.folder), example.folder)
    origin = paths.origin(3)
    assert origin is not None
    assert (origin.function, origin.line) == ("deposit", line_of("in_deposit"))
    assert origin.path == (
        CallSite("main", "example.cpp", line_of("in_main")),
        CallSite("worker", "example.cpp", line_of("after_deposit")),
    )  # fmt: skip
    assert "balance++" in paths.line(origin)
    assert paths.origin(0) is None
    assert str(paths.place(0)) == "?:0"
    assert [str(thread) for thread in paths.threads] == ["main", "worker (thread 1)", "worker (thread 2)"]
    assert paths.line(origin._replace(file="gone.cpp")) == ""
