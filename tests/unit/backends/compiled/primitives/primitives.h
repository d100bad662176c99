#ifndef PRIMITIVES_H
#define PRIMITIVES_H

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct mode {
    const char *name;
    void (*function)(void);
};

#define MODE(name) {#name, name}

static inline void start(pthread_t *thread, void *(*function)(void *), void *argument)
{
    if (pthread_create(thread, NULL, function, argument) != 0)
        abort();
}

static inline void join(pthread_t thread)
{
    if (pthread_join(thread, NULL) != 0)
        abort();
}

/* Run the mode that the first word names; 99 if there is none. */
static inline int run(const struct mode *modes, int count, char **words)
{
    for (; count > 1 && modes->name != NULL; modes++) {
        if (strcmp(modes->name, words[1]) == 0) {
            modes->function();
            return 0;
        }
    }
    return 99;
}

#endif
