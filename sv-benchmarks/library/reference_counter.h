/*
 * A session whose buffer lives as long as anybody has a reference to it.
 */
#ifndef REFERENCE_COUNTER_H
#define REFERENCE_COUNTER_H

struct session;

/* A session with one reference, that of its owner. */
struct session *session_new(int value);
void session_free(struct session *s);

/* Whether the session was not closed, and the caller has a reference now. */
int session_get(struct session *s);
void session_put(struct session *s);

/* For whoever has a reference. */
int session_read(struct session *s);

/* Give the reference of the owner back: whether that had not been done. */
int session_close(struct session *s);

#endif
