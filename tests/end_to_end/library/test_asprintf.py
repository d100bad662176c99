"""Texts in blocks of their own size: private until they are published under a lock."""

from __future__ import annotations

from pathlib import Path

import pytest

import cseq
from cseq.model.verdict import Verdict

PROGRAM = """\
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char *message;
void *make(void *arg)
{
    char *text;
    assert(asprintf(&text, "%%d:%%s", %s, "ab") == 4);
    pthread_mutex_lock(&mutex);
    message = text;
    pthread_mutex_unlock(&mutex);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, make, 0);
    pthread_mutex_lock(&mutex);
    assert(!message || strcmp(message, "7:ab") == 0);
    pthread_mutex_unlock(&mutex);
    pthread_join(t, 0);
    %s
    return 0;
}
"""


@pytest.mark.parametrize(
    ("number", "end", "only", "verdict"),
    [
        ("7", "free(message);", "unreach-call", Verdict.TRUE),
        ("8", "free(message);", "unreach-call", Verdict.FALSE),
        ("7", "free(message);", "valid-memsafety", Verdict.TRUE),
        ("7", "assert(message[5] == 0);", "valid-memsafety", Verdict.FALSE),
    ],
)
def test_a_text_that_is_published(number: str, end: str, only: str, verdict: Verdict, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(PROGRAM % (number, end))
    assert cseq.verify(path, backend="native", only=only).verdict is verdict
