"""Each rule of the verifier: a program that keeps it, and one that does not."""

import pytest

from cseq.modules.ir import instructions as ir
from cseq.modules.ir.lower import VERIFIES
from cseq.modules.ir.program import Kind
from cseq.modules.ir.verify import VerificationError, verify, violations
from tests.unit.modules.ir.conftest import template

TEXT = """\
int x, y, *p;
int pthread_mutex_lock(int *);
void *work(void *arg) { int n; n = x; return arg; }
int main(void) {
  int l;
  unsigned t;
  l = __CSEQ_nondet_int();
  t = pthread_create(&t, 0, work, 0);
  pthread_mutex_lock(&l);
  while (l) { l = l - 1; }
  x = l;
  return l;
}
"""


def rules(program) -> set[str]:
    return {line.partition(":")[0] for line in violations(program)}


def only(program, kind, name="main"):
    return next(each for each in template(program, name).instructions() if isinstance(each, kind))


def test_a_program_that_was_lowered_keeps_all_rules(core):
    verify(core(TEXT))


@pytest.mark.parametrize(
    "rule, text",
    [
        ("V3", "int x, y; int main(void) { x = y; return 0; }"),
        ("V5", "int x, y; int main(void) { int l; l = 0; l = l && x; return 0; }"),
        ("V6", "int x; int sched_yield(int); int main(void) { sched_yield(x); return 0; }"),
        ("V7", """int x; int main(void) {
            if (x) { __CSEQ_access(1); __VERIFIER_atomic_begin(); } __VERIFIER_atomic_end(); return 0; }"""),
        ("V7", """int x; int main(void) {
            int l; __CSEQ_access(1); __VERIFIER_atomic_begin(); while (l) { l = x; } __VERIFIER_atomic_end(); }"""),
    ],
)  # fmt: skip
def test_text_that_breaks_a_rule(core, rule, text):
    program = core(text)
    assert rules(program) == {rule}
    with pytest.raises(VerificationError, match=rule):
        verify(program)


def test_sections_and_coarse_statements_may_make_several_accesses(core):
    verify(core("int x, y; int main(void) { __VERIFIER_atomic_begin(); x = y; __VERIFIER_atomic_end(); return 0; }"))
    verify(core('int x, y; int main(void) { __CSEQ_coarse("cut.grain 0: f"); x = y; return 0; }'))


def test_v1_targets_and_back_edges(core):
    program = core(TEXT)
    goto = next(each for each in reversed(program.instructions) if isinstance(each, ir.Goto))
    goto.to = 99
    assert "V1" in rules(program)
    program = core("int x; int main(void) { if (x) { x = 1; } x = 2; return 0; }")
    only(program, ir.Goto).to = 0
    assert rules(program) == {"V1"}


def test_v2_types(core):
    program = core(TEXT)
    store = only(program, ir.Assign)
    store.value = program.expressions.const(0, program.types.offset)
    assert "V2" in rules(program)


def test_v4_the_access_is_that_of_the_expressions(core):
    program = core(TEXT)
    only(program, ir.Assign, "work").access = None
    assert rules(program) == {"V4"}


def test_v8_locals_stay_in_their_template(core):
    program = core(TEXT)
    (foreign,) = template(program, "work").locals
    only(program, ir.Input).place = program.expressions.variable(foreign)
    assert rules(program) == {"V8"}


def test_v9_inputs_have_a_place(core):
    program = core(TEXT)
    only(program, ir.Input).at = None
    assert rules(program) == {"V9"}


def test_v10_creations_name_threads(core):
    program = core(TEXT)
    template(program, "work").kind = Kind.FRAMED
    assert rules(program) == {"V10"}


def test_v11_only_the_library_waits(core):
    program = core(TEXT)
    body = template(program).blocks[0].body
    wait = ir.Wait(program.expressions.const(1, program.types.c_int), "__CSEQ_wait", None)
    wait.number = len(program.instructions)
    program.instructions.append(wait)
    body.append(wait)
    assert rules(program) == {"V11"}


def test_v12_the_layout_is_that_of_the_graph(core):
    program = core(TEXT)
    main = template(program)
    main.layout = main.layout[1:]
    assert rules(program) == {"V12"}


def test_lowering_verifies_where_the_environment_asks_for_it(core, monkeypatch):
    text = "int x, y; int main(void) { x = y; return 0; }"
    core(text)
    monkeypatch.setenv(VERIFIES, "1")
    with pytest.raises(VerificationError, match="2 visible accesses"):
        core(text)
