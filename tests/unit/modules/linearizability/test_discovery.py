"""Operations that a header declares."""

from pathlib import Path

import pytest

from cseq.model.errors import UsageError
from cseq.modules.linearizability.discovery import discovered
from cseq.modules.linearizability.structure import Structure

QUEUE = """
#include <stddef.h>
struct queue;
struct queue *queue_new(size_t capacity);
void queue_free(struct queue *q);
int queue_push(struct queue *q, int value);
int queue_pop(struct queue *q, int *value);
int queue_find(struct queue *q, int key, long *value);
void *queue_peek(const struct queue *other);
void queue_put(struct queue *q, void *item);
int queue_each(struct queue *q, int (*visit)(int));
int unrelated(int value);
"""


def found(folder: Path, header: str, kind: str = "struct queue") -> tuple[Structure, str]:
    (folder / "queue.h").write_text(header)
    return discovered(kind, Structure(headers=(str(folder / "queue.h"),)), [], [])


def test_operations_take_the_type_first(tmp_path: Path) -> None:
    structure, text = found(tmp_path, QUEUE)
    assert [(state.declaration, state.value) for state in structure.states] == [
        ("struct queue *object", "queue_new(4)")
    ]
    assert [one.text for one in structure.teardown] == ["queue_free(object)"]
    calls = [call.label for call in structure.all_calls]
    assert calls[:3] == ["queue_push(object, 1)", "queue_push(object, 2)", "queue_pop()"]
    assert "queue_find(1)" in calls
    assert "queue_put(object, (void *)1)" in calls
    assert "// queue_each: what is its argument 2" in text
    assert "unrelated" not in text
    assert "queue_peek" not in text  # it takes a pointer to a constant queue


def test_an_object_that_is_initialised(tmp_path: Path) -> None:
    header = "struct queue { int n; }; void queue_init(struct queue *q, int n); int queue_next(struct queue *q);"
    structure, _ = found(tmp_path, header)
    assert [state.declaration for state in structure.states] == ["struct queue the_object", "struct queue *object"]
    assert [text.text for text in structure.setup] == ["queue_init(object, 4)"]


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("int f(int x);", "takes a `struct queue \\*` first"),
        ("struct queue; int queue_next(struct queue *q);", "nothing in the headers makes"),
        (
            "struct queue; struct queue *queue_new(void); void queue_run(struct queue *q, void (*f)(void));",
            "can be chosen",
        ),
    ],
)
def test_what_is_not_found(tmp_path: Path, header: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        found(tmp_path, header)


def test_a_header_may_need_more_of_the_system_s_headers(tmp_path: Path) -> None:
    more = "#include <stdlib.h>\nstruct seeded { struct random_data data; };\n"
    assert found(tmp_path, more + QUEUE)[0] == found(tmp_path, QUEUE)[0]
