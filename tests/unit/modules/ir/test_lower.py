"""Lowering a whole tree: which functions are templates of what kind, and which objects there are."""

import gc
import weakref

from cseq.c import parse
from cseq.c.symbols import Symbols
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.expressions import AddressOf
from cseq.modules.ir.lower import lower
from cseq.modules.ir.objects import Storage
from cseq.modules.ir.program import Kind
from tests.unit.modules.ir.conftest import listing, template


def test_a_tree_has_one_program_for_as_long_as_it_is_there():
    tree = parse("int main(void) { return 0; }")
    symbols = Symbols(tree)
    program = lower(tree, symbols, Visibility(symbols, tree))
    assert lower(tree, symbols, Visibility(symbols, tree)) is program
    known = weakref.ref(tree)
    del tree
    gc.collect()
    assert known() is None


def test_a_function_of_which_only_the_address_is_left_has_no_template(lowered):
    program = lowered("int f(int n) { return n; } int (*p)(int) = f; int main(void) { return p != 0; }")
    assert [each.name for each in program.templates] == ["main"]
    ((_, value),) = program.initial(next(each for each in program.objects if each.name == "p"))
    assert isinstance(value, AddressOf) and value.place.object is not None
    assert (value.place.object.name, value.place.object.storage) == ("f", Storage.CODE)


def test_locals_of_two_templates_are_two_objects(core):
    program = core("void *f(void *p) { int n; n = 1; return p; } int main(void) { int n; n = 2; return n; }")
    first, second = [next(each for each in template(program, name).locals) for name in ("f", "main")]
    assert first is not second and (first.template, second.template) == (0, 1)
    assert first.storage is Storage.AUTO


def test_before_the_inliner_calls_name_templates(lowered):
    program = lowered("int f(int n) { return n > 0 ? f(n - 1) : 0; } int main(void) { return f(2); }", "three_address")
    assert template(program, "f").kind is Kind.FRAMED
    calls = [each for each in program.instructions if type(each) is ir.Call]
    assert [each.function for each in calls] == ["f", "f"]


def test_a_library_function_is_one_step(lowered):
    program = lowered("""\
        #include <pthread.h>
        pthread_mutex_t m;
        int main(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }
        """)  # fmt: skip
    step = program.steps["pthread_mutex_unlock"]
    assert step.kind is Kind.STEP
    stores = [line for line in listing(program, "pthread_mutex_unlock") if "__cs_count = " in line]
    (store,) = stores
    pointer = program.steps["pthread_mutex_unlock"].parameters[0].name
    assert store == f"(*{pointer}).__cs_count = (u16) ((i32) read((*{pointer}).__cs_count) - 1)"
    assert any(isinstance(each, ir.Wait) for each in program.steps["pthread_mutex_lock"].instructions())
