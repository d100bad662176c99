/* Whose the new states of a layer are, and in which order they make the next layer. */

#include "worker.h"

#include <string.h>

void cs_claim(struct cs_worker *worker, const struct cs_successor *next, cs_place place)
{
    const struct cs_run_of_claims *run = &worker->runs[worker->run_count - 1];
    uint64_t offset = next->state.parent - run->block * worker->shared->block_size;
    size_t number = worker->claim_count++, size = worker->shared->table.suffix + 1;

    worker->claims = cs_enough_room(worker->claims, number + 1, &worker->claim_room, sizeof *worker->claims);
    worker->claims[number] = (struct cs_claimed){place, offset & 0xffffff};
    if (size == 1)
        return;
    worker->suffixes = cs_enough_room(worker->suffixes, number + 1, &worker->suffix_room, size);
    worker->suffixes[number * size] = next->state.length > next->state.matched;
    memcpy(worker->suffixes + number * size + 1, next->state.bytes + next->state.matched,
           next->state.length - next->state.matched);
}

/* Where the search stops in this layer, those are counted that would have been added until then. */
void cs_choose(struct cs_worker *worker)
{
    struct cs_shared *shared = worker->shared;
    size_t suffix = shared->table.suffix, kept = 0;
    uint64_t last = cs_stop_rank(shared);
    bool stops = shared->stop != ~0ULL;

    for (size_t i = 0; i < worker->run_count; i++) {
        struct cs_run_of_claims *run = &worker->runs[i];
        size_t end = i + 1 < worker->run_count ? run[1].first : worker->claim_count, begin = kept;
        uint64_t belonging = 0;
        for (size_t k = run->first; k < end; k++) {
            struct cs_claimed *claim = &worker->claims[k];
            const unsigned char *bytes = suffix ? worker->suffixes + k * (suffix + 1) : NULL;
            uint64_t rank = run->block * shared->block_size + claim->offset;
            if (rank > last || !cs_table_belongs(&shared->table, claim->place, rank))
                continue;
            belonging++;
            if (stops)
                continue;
            cs_table_settle(&shared->table, claim->place, shared->queue[rank], bytes && *bytes ? bytes + 1 : NULL);
            worker->claims[kept++] = *claim;
        }
        run->first = begin;
        shared->blocks[run->block].kept = belonging;
    }
    worker->claim_count = kept;
}

/* The next layer is in the order in which one process alone would find its states. */
void cs_line_up(struct cs_worker *worker)
{
    struct cs_shared *shared = worker->shared;
    uint64_t at = 0, block = 0;

    for (size_t i = 0, claim = 0; i < worker->run_count; i++) {
        for (; block < worker->runs[i].block; block++)
            at += shared->blocks[block].kept;
        for (uint64_t k = 0; k < shared->blocks[block].kept; k++)
            shared->next[at + k] = worker->claims[claim++].place;
    }
    worker->claim_count = worker->run_count = 0;
}
