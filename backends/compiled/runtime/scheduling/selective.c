/* A random walk that is uniform in the order of the operations on one object: the other operations are made in any
 * order, and who makes the next one on the object is drawn by how many each thread has left, as an earlier run shows.
 * H. Zhao et al., "Selectively Uniform Concurrency Testing", ASPLOS 2025.
 */
#include "strategies.h"

static uint64_t selected;              /* the object; 0: none */
static uint32_t left[CS_MOST_WEIGHTS]; /* operations on it, by thread */
static int32_t intended;               /* the thread that makes the next one; -1: not drawn */

void cs_selective_prepare(uint32_t count)
{
    const struct cs_entry *entries = (const struct cs_entry *)((char *)cs_shared + cs_shared->entries.offset);
    selected = 0;
    intended = -1;
    for (uint32_t n = 0; n < CS_MOST_WEIGHTS; n++) {
        left[n] = 0;
    }
    for (uint32_t tries = 0; count > 0 && selected == 0 && tries < 8; tries++) {
        const struct cs_entry *entry = &entries[cs_random(count)];
        bool is_shared = cs_class_of(entry->op) != CS_CLASS_LOCAL && entry->op >= CS_lock;
        selected = is_shared && !(entry->flags & CS_OBSERVED) ? entry->object : 0;
    }
    for (uint32_t n = 0; n < count && selected != 0; n++) {
        if (entries[n].object == selected && entries[n].thread < CS_MOST_WEIGHTS
            && cs_class_of(entries[n].op) != CS_CLASS_LOCAL && !(entries[n].flags & CS_OBSERVED)) {
            left[entries[n].thread]++;
        }
    }
}

static void draw(void)
{
    uint64_t total = 0;
    for (uint32_t n = 0; n < CS_MOST_WEIGHTS; n++) {
        total += left[n];
    }
    if (total == 0) {
        selected = 0;
        return;
    }
    uint64_t place = cs_random_wide() % total;
    for (intended = 0; place >= left[intended]; intended++) {
        place -= left[intended];
    }
}

uint32_t cs_selective_filter(struct cs_thread *const *able, uint32_t count, struct cs_thread **candidates)
{
    if (selected != 0 && intended < 0) {
        draw();
    }
    uint32_t number = 0;
    for (uint32_t n = 0; n < count && selected != 0; n++) {
        if (able[n]->next.object != selected || (int32_t)able[n]->number == intended) {
            candidates[number++] = able[n];
        }
    }
    return number;
}

void cs_selective_executes(const struct cs_thread *thread)
{
    if (selected != 0 && thread->next.object == selected) {
        intended = -1;
        if (thread->number < CS_MOST_WEIGHTS && left[thread->number] > 0) {
            left[thread->number]--;
        }
    }
}
