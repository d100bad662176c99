"""The judges of the last state: what they may not do to the program that they judge."""

import pytest

PROGRAM = """\
#include <pthread.h>
int NAME;
void *start(void *arg) { NAME = NAME + 1; return 0; }
int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, start, 0);
    pthread_create(&two, 0, start, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return NAME;
}
"""


@pytest.mark.parametrize("name", ["who", "thread", "blocked"])
def test_what_a_global_is_called_is_no_matter_to_who_can_see_it(translated, name):
    """The functions of the symbolic verdict are added after all names have been made unique."""
    functions = ("main__cs0", "start__cs1", "start__cs2")
    other = translated("sequentializer", PROGRAM.replace("NAME", "number"), *functions, property="no-deadlock")
    assert "__cs_1_2:" in other
    found = translated("sequentializer", PROGRAM.replace("NAME", name), *functions, property="no-deadlock")
    assert found == other.replace("number", name)
