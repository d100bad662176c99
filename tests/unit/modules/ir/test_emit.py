"""Emitting gives the tree back, or the same program anew."""

import pytest

from cseq.c import parse, print_unit
from cseq.c.datamodel import ILP32, LP64
from cseq.modules.ir.emit import Form, Texts, emit, written
from cseq.modules.ir.printer import print_program
from tests.unit.modules.ir.conftest import program_of, template

TEXT = """\
struct s { int m; unsigned b : 3; int a[4]; } s, *p;
union u { int i; float f; } u;
enum e { A, B = 3000000000 };
int x, v[2][3];
double d = 1.5;
int (*fp)(int, ...);
void *work(void *arg)
{
  unsigned char c;
  c = 200;
  p->a[c & 3] = v[1][x];
  d = -1.5f * d;
  u.f = 2;
  return arg;
}
int main(void)
{
  int l;
  long n;
  int *q;
  unsigned t;
  q = 0;
  n = -9223372036854775807L - 1;
  l = (int)2147483648U;
  n = (char)x == B ? sizeof(n) : ~n;
  q = q + l;
  q = &v[1][0] - n;
  n = q - v[0];
  l = fp != 0 && !q;
  s.b = l;
  l = __CSEQ_nondet_int();
  __CSEQ_havoc(&s, sizeof s);
  __CSEQ_zero(v, sizeof v);
  pthread_create(&t, 0, work, (void *) &l);
  __CSEQ_access(1);
  __VERIFIER_atomic_begin();
  l = x;
  x = l + 1;
  __VERIFIER_atomic_end();
  while (1) {
    if (x) goto out;
    if (x > 2) {
      __CSEQ_assert(l, "assertion: l");
    } else {
      __CSEQ_assume(0);
    }
    __CSEQ_coarse("cut.grain 0: step");
    l = x;
  }
  out: ;
  __CSEQ_unwound(l, "cut.loop 2");
  pthread_exit((void *) 5);
}
"""


@pytest.mark.parametrize("model", [LP64, ILP32], ids=lambda model: model.name)
def test_what_is_written_anew_is_the_same_program(model):
    program = program_of(parse(TEXT), model)
    tree = emit(program, Form.ANEW)
    assert print_program(program_of(tree, model), numbers=False) == print_program(program, numbers=False)
    assert all(one is not other for one, other in zip(tree.ext[-2:], program.ordered[-2:], strict=True))


def test_an_unchanged_program_is_the_same_tree():
    tree = parse(TEXT)
    assert all(one is other for one, other in zip(emit(program_of(tree)).ext, tree.ext, strict=True))


def test_statements_keep_their_text_and_their_lines():
    tree = parse(TEXT)
    made = emit(program_of(tree), Form.STATEMENTS)
    assert made.ext[-1] is not tree.ext[-1]
    assert print_unit(made)[0] == print_unit(tree)[0]
    assert list(print_unit(made)[1]) == list(print_unit(tree)[1])


def test_what_an_instruction_without_a_source_says_is_written():
    program = program_of(parse("int x; int main(void) { x = 1; x = 2; return 0; }"))
    first = next(template(program).instructions())
    first.source = None
    assert "  x = 1;\n  x = 2;\n" in print_unit(emit(program))[0]


def test_the_layout_has_the_statements_in_the_order_of_the_text():
    program = program_of(parse(TEXT))
    numbers = list(written(template(program).layout))
    assert numbers == sorted(numbers)
    assert len(numbers) == sum(1 for each in template(program).instructions() if each.source is not None)


@pytest.mark.parametrize("type_", ["int (*(*x)[3])(long, char *)", "unsigned short *x[2]", "struct s *x", "_Bool x"])
def test_types_are_written(type_):
    tree = parse(f"struct s {{ int m; }}; {type_}; int main(void) {{ return 0; }}")
    program = program_of(tree)
    declared = tree.ext[1]
    made = program.types.of(declared.type)
    assert program.types.of(Texts(program).declarator(made, "x")) is made
