/* Vector clocks. */
#include <string.h>

#include "thread.h"

static void reserve(struct cs_clock *clock, uint32_t size)
{
    if (clock->capacity < size) {
        uint32_t capacity = clock->capacity == 0 ? 8 : clock->capacity;
        while (capacity < size) {
            capacity *= 2;
        }
        uint32_t *time = cs_allocate(capacity * sizeof *time);
        if (clock->size > 0) {
            memcpy(time, clock->time, clock->size * sizeof *time);
        }
        clock->time = time;
        clock->capacity = capacity;
    }
    while (clock->size < size) {
        clock->time[clock->size++] = 0;
    }
}

void cs_clock_join(struct cs_clock *into, const struct cs_clock *from)
{
    reserve(into, from->size);
    for (uint32_t n = 0; n < from->size; n++) {
        if (into->time[n] < from->time[n]) {
            into->time[n] = from->time[n];
        }
    }
}

void cs_acquire(struct cs_thread *self, const struct cs_clock *clock) { cs_clock_join(&self->clock, clock); }

void cs_release(struct cs_thread *self, struct cs_clock *clock)
{
    reserve(&self->clock, self->number + 1);
    cs_clock_join(clock, &self->clock);
    self->clock.time[self->number]++;
}

void cs_release_only(struct cs_thread *self, struct cs_clock *clock)
{
    clock->size = 0;
    cs_release(self, clock);
}

void cs_clock_clear(struct cs_clock *clock) { clock->size = 0; }

void cs_clock_copy(struct cs_clock *into, const struct cs_clock *from)
{
    into->size = 0;
    cs_clock_join(into, from);
}

void cs_clock_reach(struct cs_clock *clock, uint32_t number, uint32_t time)
{
    reserve(clock, number + 1);
    if (clock->time[number] < time) {
        clock->time[number] = time;
    }
}
