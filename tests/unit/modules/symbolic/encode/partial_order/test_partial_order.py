from types import SimpleNamespace
from typing import Any

from cseq.modules.symbolic.encode.partial_order.partial_order import scheduled_by


def test_the_driver_marks_the_last_context_of_a_thread_that_stops() -> None:
    schedule: Any = [SimpleNamespace(is_left=False), SimpleNamespace(is_left=True)]
    kind = scheduled_by(schedule)
    driver = kind.__new__(kind)
    thread: Any = SimpleNamespace(number=1)
    contexts = [list(driver.at_begin(thread)) for _ in range(3)]
    assert contexts == [[], ["__cs_left_1 = 1;"], []]
