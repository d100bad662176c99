#include "pending.h"

#include <stdlib.h>

#include "frontier.h"

struct cs_successor *cs_pending_add(struct cs_pending *all, size_t key_size, size_t choices)
{
    size_t keys_used = all->keys_used, choices_used = all->choices_used;
    struct cs_successor *next;

    all->successors = cs_enough_room(all->successors, all->count + 1, &all->room, sizeof *all->successors);
    all->keys = cs_enough_room(all->keys, keys_used + key_size, &all->keys_room, 1);
    all->choices = cs_enough_room(all->choices, choices_used + choices, &all->choices_room, sizeof *all->choices);
    next = &all->successors[all->count++];
    next->key = keys_used;
    next->choices = choices_used;
    return next;
}

void cs_pending_shuffle(struct cs_pending *all, uint64_t *random)
{
    for (size_t i = all->count; i > 1; i--) {
        size_t other = cs_random(random) % i;
        struct cs_successor last = all->successors[i - 1];
        all->successors[i - 1] = all->successors[other];
        all->successors[other] = last;
    }
}

void cs_pending_free(struct cs_pending *all)
{
    free(all->successors);
    free(all->keys);
    free(all->choices);
}
