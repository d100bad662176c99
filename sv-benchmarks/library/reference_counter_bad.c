/*
 * A session whose buffer lives as long as anybody has a reference to it.
 *
 * `session_get` looks whether the session is closed, and adds a reference then.  In between the last one may have gone, and
 * with it the buffer.
 *
 *   t1 (get): not closed | t2 (close): gives the owner's reference back, frees the buffer | t1: adds one, reads the buffer
 */
#include "reference_counter.h"
#include <stdatomic.h>
#include <stdlib.h>

struct session {
    atomic_int references;
    atomic_int closed;
    int *buffer; /* freed with the last reference */
};

struct session *session_new(int value)
{
    struct session *s = malloc(sizeof *s);

    atomic_init(&s->references, 1);
    atomic_init(&s->closed, 0);
    s->buffer = malloc(sizeof *s->buffer);
    *s->buffer = value;
    return s;
}

void session_free(struct session *s)
{
    session_close(s);
    free(s);
}

void session_put(struct session *s)
{
    if (atomic_fetch_sub(&s->references, 1) == 1)
        free(s->buffer);
}

int session_read(struct session *s)
{
    return *s->buffer;
}

int session_close(struct session *s)
{
    if (atomic_exchange(&s->closed, 1))
        return 0;
    session_put(s);
    return 1;
}

int session_get(struct session *s)
{
    if (atomic_load(&s->closed))
        return 0;
    atomic_fetch_add(&s->references, 1); /* wrong: there may be none by now */
    return 1;
}
