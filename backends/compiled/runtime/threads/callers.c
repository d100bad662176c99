/* The way from a function that the hooks know to a call in a library that they do not know: std::thread::join is in
 * libstdc++, and it is what calls pthread_join. Without this, the line of the user's call would not be in the record.
 * It costs microseconds, so it is done only for records with details. */
#include <unwind.h>

#include "thread.h"

extern char __executable_start[], etext[];

struct way {
    uint64_t from, to; /* where it begins, and the return address of the innermost function that the hooks know */
    uint64_t *pcs;
    uint32_t count;
    bool begun, found;
};

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *argument)
{
    struct way *way = argument;
    uint64_t pc = _Unwind_GetIP(context);
    if (pc == 0 || way->count == CS_LIBRARY_CALLS) {
        return _URC_END_OF_STACK;
    }
    if (way->begun) {
        if (pc == way->to) {
            way->found = true;
            return _URC_END_OF_STACK;
        }
        way->pcs[way->count++] = pc;
    }
    way->begun |= pc == way->from;
    return _URC_NO_REASON;
}

uint32_t cs_library_calls(struct cs_thread *self, uint64_t pc, uint64_t *pcs)
{
    bool own = pc >= (uint64_t)__executable_start && pc < (uint64_t)etext;
    if (own || !(cs_shared->request.flags & CS_DETAIL) || self != cs_self) {
        return 0;
    }
    uint32_t depth = self->depth < CS_DEPTH ? self->depth : CS_DEPTH;
    struct way way = {.from = pc, .to = depth > 0 ? self->frames[depth - 1] : 0, .pcs = pcs};
    /* The unwinder calls pthread_once, which is no operation of the program's. */
    bool inside = self->inside;
    self->inside = true;
    _Unwind_Backtrace(visit, &way);
    self->inside = inside;
    return way.found ? way.count : 0;
}
