"""The engine linked in advance: what is left to link, and where that is not enough."""

from pathlib import Path

import pytest

import cseq
from cseq.model.verdict import Verdict
from cseq.modules.explicit import linked_engine
from cseq.modules.explicit.run import engine

pytestmark = pytest.mark.engine


def test_without_a_static_c_library_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linked_engine, "_LIBRARIES", ("no_such_library.a",))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert linked_engine.whole(engine(tmp_path), tmp_path) is None
    assert linked_engine.whole(engine(tmp_path), tmp_path) is None  # the attempt is remembered


def test_the_program_is_linked_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linked_engine, "whole", lambda *_: None)
    (tmp_path / "x.c").write_text("#include <assert.h>\nint x;\nint main(void) { assert(x); return 0; }\n")
    assert cseq.verify(tmp_path / "x.c", chain="explicit").verdict is Verdict.FALSE
