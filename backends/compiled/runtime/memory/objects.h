/* The objects of the thread library, by address. */
#ifndef CSEQ_OBJECTS_H
#define CSEQ_OBJECTS_H

#include "thread.h"

enum cs_kind {
    CS_KIND_NONE,
    CS_KIND_MUTEX,
    CS_KIND_RWLOCK,
    CS_KIND_SPIN,
    CS_KIND_CONDITION,
    CS_KIND_SEMAPHORE,
    CS_KIND_BARRIER,
    CS_KIND_ONCE,
    CS_KIND_GUARD,
    CS_KIND_FUTEX,
    CS_KIND_FILE,
    CS_KIND_ATOMIC,
    CS_KIND_OTHER
};

/* What is known of an object, by its address. Made zeroed when it is first asked for. */
struct cs_object {
    uint64_t address;
    enum cs_kind kind;
    uint32_t state; /* 0 never seen before; the rest is the kind's own */
    uint32_t type;  /* of a mutex: PTHREAD_MUTEX_… */
    uint32_t count; /* recursion, the value of a semaphore, the readers of a lock, the arrived at a barrier */
    uint32_t limit; /* of a barrier; of a semaphore unused */
    uint32_t waiters;
    uint32_t generation; /* of a barrier; of an object that was destroyed and made again */
    struct cs_thread *owner;
    struct cs_clock clock;   /* what its release hands over */
    struct cs_clock readers; /* what the readers of a lock have released */
    uint32_t since;          /* the entry in which the owner took it */
    void *more;              /* the kind's own, from cs_allocate */
};

struct cs_object *cs_object(enum cs_kind kind, const void *address);
/* In the address of an object: it is what annotations say about the address, not what is there. */
#define CS_ANNOTATED (UINT64_C(1) << 63)
/* The object at an address if it is known, or NULL. */
struct cs_object *cs_known_object(const void *address);
/* Forget all objects in a range of memory that was freed or whose stack has ended. */
void cs_forget_objects(uint64_t low, uint64_t high);

#endif
