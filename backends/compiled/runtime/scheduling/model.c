/* A scheduling model of the user: a function of the program that says which thread takes the place of which. */
#include "strategies.h"

/* Whether thread a takes the place of thread b; b = -1: of the idle thread. Defined by the program that has a model. */
int cseq_can_preempt(int a, int b) __attribute__((weak, visibility("default")));

/* What goes wrong in the model is not the program's fault: the server looks whether it has returned. */
static bool takes_place(const struct cs_thread *a, const struct cs_thread *b)
{
    struct cs_thread *self = cs_self;
    bool inside = self != NULL && self->inside;
    if (self != NULL) {
        self->inside = true; /* what the model does is not the program's */
    }
    cs_shared->result.world |= CS_WORLD_IN_MODEL;
    bool takes = cseq_can_preempt((int)a->number, b == NULL ? -1 : (int)b->number) != 0;
    cs_shared->result.world &= ~(uint32_t)CS_WORLD_IN_MODEL;
    if (self != NULL) {
        self->inside = inside;
    }
    return takes;
}

/* Those that take the place of the idle thread; without a thread that another one takes the place of, if that leaves
 * any. */
uint32_t cs_model_filter(struct cs_thread **able, uint32_t count)
{
    if (cseq_can_preempt == NULL || count == 0) {
        return count;
    }
    cs_shared->result.world |= CS_WORLD_MODEL;
    struct cs_thread *awake[count];
    uint32_t number = 0, kept = 0;
    for (uint32_t n = 0; n < count; n++) {
        if (takes_place(able[n], NULL)) {
            awake[number++] = able[n];
        }
    }
    for (uint32_t n = 0; n < number; n++) {
        bool yields = false;
        for (uint32_t k = 0; k < number && !yields; k++) {
            yields = k != n && takes_place(awake[k], awake[n]) && !takes_place(awake[n], awake[k]);
        }
        if (!yields) {
            able[kept++] = awake[n];
        }
    }
    for (; kept == 0 && number > 0; kept = number) {
        for (uint32_t n = 0; n < number; n++) {
            able[n] = awake[n];
        }
    }
    return kept;
}

bool cs_model_prefers(const struct cs_thread *a, const struct cs_thread *b)
{
    return cseq_can_preempt != NULL && takes_place(a, b) && !takes_place(b, a);
}
