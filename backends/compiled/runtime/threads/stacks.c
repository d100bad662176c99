/* Call stacks: the hooks at the beginning and the end of functions keep one for each thread; a node stands for a whole
 * stack, and equal stacks are the same node. */
#include "thread.h"

static uint32_t *table; /* nodes by hash */
static uint32_t capacity;

static uint32_t slot_of(const struct cs_frame *frame)
{
    uint64_t hash = (frame->pc + 0x9e3779b97f4a7c15u * (frame->caller + 1)) * 0xbf58476d1ce4e5b9u;
    return (uint32_t)(hash >> 32) & (capacity - 1);
}

/* It begins small: a run has few stacks, and each page of memory that it touches costs time. */
static void grow(const struct cs_frame *frames, uint32_t count)
{
    capacity = capacity == 0 ? 512 : 4 * capacity;
    table = cs_allocate(capacity * sizeof *table);
    for (uint32_t node = 1; node < count; node++) {
        uint32_t slot = slot_of(&frames[node]);
        while (table[slot] != 0) {
            slot = (slot + 1) & (capacity - 1);
        }
        table[slot] = node;
    }
}

static uint32_t node_of(uint32_t caller, uint64_t pc)
{
    struct cs_shared *shared = cs_shared;
    struct cs_frame *frames = (struct cs_frame *)((char *)shared + shared->frames.offset);
    uint32_t *count = &shared->result.frames;
    if (*count == 0) {
        *count = 1; /* 0 is no node */
    }
    if (2 * *count >= capacity) {
        grow(frames, *count);
    }
    struct cs_frame wanted = {.pc = pc, .caller = caller};
    uint32_t slot = slot_of(&wanted);
    for (; table[slot] != 0; slot = (slot + 1) & (capacity - 1)) {
        const struct cs_frame *frame = &frames[table[slot]];
        if (frame->pc == pc && frame->caller == caller) {
            return table[slot];
        }
    }
    if (*count >= shared->frames.capacity) {
        return caller;
    }
    uint32_t node = (*count)++;
    frames[node] = wanted;
    table[slot] = node;
    return node;
}

uint32_t cs_stack(struct cs_thread *self, uint64_t pc)
{
    uint32_t depth = self->depth < CS_DEPTH ? self->depth : CS_DEPTH;
    uint32_t known = depth;
    while (known > 0 && self->nodes[known - 1] == 0) {
        known--;
    }
    uint32_t node = known > 0 ? self->nodes[known - 1] : 0;
    for (; known < depth; known++) {
        node = node_of(node, self->frames[known]);
        self->nodes[known] = node;
    }
    uint64_t calls[CS_LIBRARY_CALLS];
    for (uint32_t n = cs_library_calls(self, pc, calls); n > 0; n--) {
        node = node_of(node, calls[n - 1]);
    }
    return node_of(node, pc);
}

void cs_drop_frames(struct cs_thread *self, uintptr_t base)
{
    while (self->depth > 0 && self->depth <= CS_DEPTH && self->bases[self->depth - 1] < base) {
        self->depth--;
    }
}

CS_PUBLIC void __tsan_func_entry(void *return_address);
CS_PUBLIC void __tsan_func_entry(void *return_address)
{
    struct cs_thread *self = cs_self;
    if (self == NULL) {
        return;
    }
    uintptr_t base = (uintptr_t)__builtin_frame_address(0);
    cs_drop_frames(self, base); /* some ways of unwinding skip the hook of the end */
    uint32_t depth = self->depth++;
    if (depth < CS_DEPTH) {
        self->frames[depth] = (uint64_t)return_address;
        self->bases[depth] = base;
        self->nodes[depth] = 0;
    }
}

CS_PUBLIC void __tsan_func_exit(void);
CS_PUBLIC void __tsan_func_exit(void)
{
    struct cs_thread *self = cs_self;
    if (self == NULL) {
        return;
    }
    if (self->depth > 1) { /* the function's own frame may be a little higher: its stack has grown since */
        uintptr_t base = (uintptr_t)__builtin_frame_address(0);
        while (self->depth > 1 && self->depth <= CS_DEPTH && self->bases[self->depth - 2] <= base) {
            self->depth--;
        }
    }
    if (self->depth > 0) {
        self->depth--;
    }
}
