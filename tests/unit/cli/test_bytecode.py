"""Compiled modules are kept in the user's cache where they must not be beside their sources."""

import sys
from pathlib import Path

import pytest

from cseq.cli.bytecode import keep_bytecode


@pytest.fixture(autouse=True)
def _restored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def test_bytecode_that_must_not_be_written_goes_into_the_cache(tmp_path: Path) -> None:
    keep_bytecode()
    assert sys.pycache_prefix == str(tmp_path / "cseq" / "bytecode")
    assert not sys.dont_write_bytecode


def test_a_place_that_the_user_chose_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", "/elsewhere")
    keep_bytecode()
    assert sys.pycache_prefix == "/elsewhere"
    assert sys.dont_write_bytecode


def test_bytecode_beside_sources_stays_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    keep_bytecode()
    assert sys.pycache_prefix is None


def test_a_cache_without_an_absolute_path_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    keep_bytecode()
    assert sys.pycache_prefix is None
    assert sys.dont_write_bytecode
