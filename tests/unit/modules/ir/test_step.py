"""Single steps: what is one, and what a thread does in it."""

from cseq.modules.ir.interpret import Found, Machine, constants

TEXT = """\
#include <pthread.h>
int x, y;
void *work(void *arg) { int l = 1; l = l + 1; x = l; l = l + 1; y = l; l = 0; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); x = 7; return 0; }
"""


def after(lowered, *threads: int):
    """The states after steps of these threads, in order, and the program."""
    program = lowered(TEXT)
    machine = Machine(program, constants(program))
    states = list(machine.initial(Found(), ()))
    for thread in threads:
        states = [new for state in states if state for new in machine.steps(state, thread, Found(), ())]
    return states, program


def stored(state, program, name):
    number = next(each.number for each in program.objects if each.name == name)
    return dict(state[0])[number + 1][0]


def test_a_step_is_one_access_with_the_invisible_instructions(lowered):
    ((state,), program) = after(lowered, 0, 1)
    assert (stored(state, program, "x"), stored(state, program, "y")) == (2, 0)
    ((state,), program) = after(lowered, 0, 1, 0)
    assert stored(state, program, "x") == 7


def test_the_end_of_a_thread_belongs_to_its_last_step(lowered):
    ((state,), program) = after(lowered, 0, 1, 1)
    assert stored(state, program, "y") == 3
    assert state[1][1] == ()


def test_the_end_of_the_process_is_a_step(lowered):
    ((state,), program) = after(lowered, 0, 0)
    assert stored(state, program, "x") == 7 and state[1][0] != ()
    assert after(lowered, 0, 0, 0)[0] == [None]


def test_states_that_are_reached_in_another_order_are_equal(lowered):
    text = """\
        #include <pthread.h>
        int x, y;
        void *work(void *arg) { x = 1; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); y = 1; x = 2; return 0; }
        """
    program = lowered(text)
    machine = Machine(program, constants(program))
    (state,) = [new for first in machine.initial(Found(), ()) for new in machine.steps(first, 0, Found(), ())]
    orders = []
    for order in ((0, 1), (1, 0)):
        reached = state
        for thread in order:
            (reached,) = machine.steps(reached, thread, Found(), ())
        orders.append(reached)
    assert orders[0] == orders[1]
