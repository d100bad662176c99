"""Types from debug information."""

import shutil
import subprocess
from pathlib import Path

import pytest

from cseq.modules.compiled.tracing.debugtypes import DebugTypes, Form
from tests.support.recorded_runs import Example

pytestmark = pytest.mark.engine


def test_records_and_their_members(example: Example) -> None:
    types = DebugTypes(example.module.path)
    account = types.record_named("Account")
    assert account is not None
    assert (account.form, account.size) == (Form.RECORD, 48)
    assert [(member.name, member.offset, member.type.form) for member in account.members] == [
        ("balance", 0, Form.SIGNED), ("lock", 8, Form.RECORD),
    ]  # fmt: skip
    assert types.record_named("Missing") is None


def test_a_record_may_point_to_itself(example: Example) -> None:
    node = DebugTypes(example.module.path).record_named("Node")
    assert node is not None
    assert [member.type.form for member in node.members] == [Form.POINTER, Form.SIGNED]


def test_arrays_and_enumerations(example: Example) -> None:
    types = DebugTypes(example.module.path)
    accounts = types.variable_at(example.at["_ZN4bank8accountsE"] + 191)
    assert accounts is not None
    assert (accounts.name, accounts.type.form, accounts.type.count) == ("bank::accounts", Form.ARRAY, 4)
    colour = types.variable_at(example.at["_ZN4bank6colourE"])
    assert colour is not None
    assert colour.type.values == {0: "RED", 1: "GREEN"}


CLANG = next(filter(None, map(shutil.which, ("clang", "clang-14", "clang-16", "clang-19"))), None)


@pytest.mark.skipif(CLANG is None, reason="no Clang is installed")
def test_clang_numbers_addresses(tmp_path: Path) -> None:
    source, program = tmp_path / "x.c", tmp_path / "x"
    source.write_text("static struct { int a, b; } pair; int other; int main(void) { pair.b = other; return pair.b; }")
    subprocess.run([str(CLANG), "-g", "-gdwarf-5", "-O0", "-no-pie", str(source), "-o", str(program)], check=True)
    listed = subprocess.run(["nm", str(program)], check=True, capture_output=True, text=True).stdout
    address = next(int(line.split()[0], 16) for line in listed.splitlines() if line.endswith(" pair"))
    found = DebugTypes(str(program)).variable_at(address + 4)
    assert found is not None
    assert (found.name, [member.name for member in found.type.members]) == ("pair", ["a", "b"])
