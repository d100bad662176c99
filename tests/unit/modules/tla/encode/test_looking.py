"""The user's functions that look at states, as invariants of a specification."""

from pathlib import Path

import pytest

from cseq.backends import tlc
from cseq.model.errors import UnsupportedError
from cseq.modules.tla.properties import PropertyQuestion, question
from cseq.modules.tla.writer.written import save, written
from cseq.process.run import run

ACCOUNTS = """
struct acc { int money; struct acc *next; };
struct acc accounts[2] = {{10, &accounts[1]}, {20, 0}};
int moving;
int sum(int from) { int total = 0; for (int i = from; i < 2; i++) total += accounts[i].money; return total; }
int followed(void) {
    int total = 0;
    struct acc *p = &accounts[0];
    while (p != 0) { total += p->money; p = p->next; }
    return total;
}
int ok(void) { return moving || (sum(0) == 30 && followed() == 30); }
"""
MOVES = "accounts[0].money -= 5; accounts[1].money += 5;"


@pytest.mark.engine
@pytest.mark.parametrize(
    ("moves", "holds"), [(f"moving = 1; {MOVES} moving = 0;", True), (f"moving = 1; moving = 0; {MOVES}", False)]
)
def test_an_invariant_holds_in_every_state_or_not(specified, tmp_path: Path, moves: str, holds: bool):
    jar = tlc.find()
    if jar is None or tlc.java() is None:
        pytest.skip("TLC or Java is not installed")
    made = specified(f"{ACCOUNTS} int main(void) {{ {moves} return 0; }}", invariant=("ok",))
    asked = question(made, frozenset(each.label for each in made.statements), PropertyQuestion())
    save(written(made, asked), tmp_path / "modules")
    command = tlc.command(jar, tmp_path / "modules", "x.tla", "x.cfg", tlc.TlcOptions(optimize=False))
    found = tlc.parse(run(command, folder=tmp_path / "modules", timeout=60))
    assert (found.status, found.name) == (("safe", "") if holds else ("violated", "Always_ok"))


def test_an_invariant_is_an_operator_over_a_memory(specified):
    made = specified("int n; int ok(void) { return n < 3; } int main(void) { n = 1; return 0; }", invariant=("ok",))
    assert made.invariants["ok"].parameters == ("m",)
    assert "\\A n \\in observe_ok(0, m) : " in made.invariants["ok"].body
    (looks,) = (each for each in made.library if each.name == "observe_ok")
    assert looks.body == "{Returns(self, m, IF m.data.n < 3 THEN 1 ELSE 0)}"


def test_a_proposition_may_call_functions(specified):
    text = "int n; int low(int most) { return n < most; } int main(void) { n = 1; return 0; }"
    made = specified(text, prop=("p=low(3) && !low(0)", "q=n==1"))
    assert "\\A n \\in observe_0_proposition(0, m) : " in made.propositions["p"].body
    assert made.propositions["q"].body == "m.data.n = 1"
    assert sum(each.name == "observe_low" for each in made.library) == 1


def test_a_flexible_array_member_is_not_a_part_of_the_struct(specified):
    text = """
    struct tail { int n, more; int last[]; }; struct tail *t;
    int ok(void) { struct tail *p = t; return p == 0 || p->last[0] < p->n; }
    int main(void) { t = 0; return 0; }
    """
    (looks,) = (each for each in specified(text, invariant=("ok",)).library if each.name == "observe_ok")
    assert "CanAccess" in looks.body and "Field" not in looks.body


def test_locals_have_names_of_their_own(specified):
    text = "int n; int ok(void) { int i = n; return i < 3; } int main(void) { int i = 1; n = i; return 0; }"
    made = specified(text, invariant=("ok",))
    assert any("LET " in each.body for each in made.library if each.name == "observe_ok")
    assert all("stack" not in each.body for each in made.library)


@pytest.mark.parametrize(
    "body",
    [
        "int found = 0; for (int i = 0; i < 2; i++) { if (a[i]) continue; found++; } return found;",
        "static const int most = 3; return a[0] < most;",
        "int b[2] = {1, 2}; return a[0] < b[0];",
        "int found = 0; do found++; while (found < 3); return found;",
        "return memcmp(a, a, sizeof a) == 0;",
    ],
)
def test_what_has_no_counterpart_is_refused(specified, body):
    with pytest.raises(UnsupportedError, match=r"that looks at states|a statement of kind"):
        specified(f"int a[2]; int ok(void) {{ {body} }} int main(void) {{ a[0] = 1; return 0; }}", invariant=("ok",))
