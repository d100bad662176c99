"""A program that `cseq run` can explore, for the tests of the commands about such programs."""

from pathlib import Path

import pytest

from tests.support.compiled_programs import compiled

PROGRAM = r"""
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void *backwards(void *unused) {
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    return unused;
}

/* The arguments: `deadlock`, an exit status, or `input`, which has to be the word on the standard input. */
int main(int count, char **arguments) {
    const char *what = count > 1 ? arguments[1] : "0";
    char word[80] = "";
    printf("runs %s\n", what);
    fflush(stdout);
    if (strcmp(what, "input") == 0) {
        return scanf("%79s", word) != 1 || strcmp(word, "input") != 0;
    }
    if (strcmp(what, "deadlock") != 0) {
        return atoi(what);
    }
    pthread_t thread;
    pthread_create(&thread, NULL, backwards, NULL);
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return pthread_join(thread, NULL);
}
"""


@pytest.fixture(scope="session")
def explorable(processes: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program with a deadlock and an exit status, by its arguments."""
    return compiled(PROGRAM, tmp_path_factory.mktemp("explorable"), "-O1")
