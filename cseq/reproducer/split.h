/* Statements in which other threads run, such as `counter++` between its load and its store. The statement is executed
 * as a whole. What its earlier parts have read is recorded, put into memory while it runs, and removed afterwards. */
enum { CSEQ_READS, CSEQ_UPDATES, CSEQ_WRITES, CSEQ_DELAYS };
struct cseq_place { volatile char *at; unsigned long size; int kind; char early[16], late[16]; };
static __thread struct cseq_frame { int call, count; struct cseq_place places[8]; } cseq_frames[8];
static __thread int cseq_frame_count;

/* Is this execution of the statement interrupted? */
CSEQ_UNSEEN static int cseq_split(int call)
{
    int times = ++cseq_self->calls[call];
    for (int i = cseq_now; i < cseq_plan.turn_count && !cseq_leaves; i++) {
        const struct cseq_turn *turn = &cseq_plan.turns[i];
        if (&cseq_threads[turn->thread] == cseq_self && turn->until == call && turn->times == times && turn->piece > 0) {
            if (cseq_frame_count == 8)
                cseq_depart("more than 8 interrupted statements are nested", "");
            cseq_frames[cseq_frame_count].call = call;
            cseq_frames[cseq_frame_count++].count = 0;
            cseq_self->open++;
            return 1;
        }
    }
    return 0;
}

static struct cseq_frame *cseq_frame(void)
{
    return &cseq_frames[cseq_frame_count - 1];
}

/* Where the schedule is left in this statement, nothing of it is recorded any more. */
static __attribute__((unused)) void cseq_whole(const char *why)
{
    cseq_frame()->count = 0;
    cseq_stray(why);
}

static __attribute__((unused)) void cseq_note(volatile void *at, unsigned long size, int kind)
{
    struct cseq_frame *frame = cseq_frame();
    struct cseq_place *place = &frame->places[frame->count];
    if (cseq_leaves)
        return;
    if (frame->count == 8 || size > sizeof place->early) {
        cseq_whole("an interrupted statement accesses too much");
        return;
    }
    frame->count++;
    place->at = at;
    place->size = size;
    place->kind = kind;
    cseq_copy(place->early, at, size);
}

/* Called between the last part and the execution of the statement. */
static void cseq_put(void)
{
    struct cseq_frame *frame = cseq_frame();
    for (int i = 0; i < frame->count; i++)
        cseq_copy(frame->places[i].late, frame->places[i].at, frame->places[i].size);
    for (int i = 0; i < frame->count; i++)
        if (frame->places[i].kind <= CSEQ_UPDATES)
            cseq_copy(frame->places[i].at, frame->places[i].early, frame->places[i].size);
}

static int cseq_done(int call)
{
    struct cseq_frame *frame;
    if (cseq_frame_count == 0 || cseq_frame()->call != call)
        return 0;
    frame = cseq_frame();
    for (int i = 0; i < frame->count; i++) {
        struct cseq_place *place = &frame->places[i];
        if (place->kind == CSEQ_DELAYS)
            cseq_copy(place->early, place->at, place->size);
        if (place->kind != CSEQ_UPDATES)
            cseq_copy(place->at, place->late, place->size);
    }
    return 1;
}

static __attribute__((unused)) void cseq_apply(volatile void *at)
{
    struct cseq_frame *frame = cseq_frame();
    for (int i = 0; i < frame->count; i++)
        if (frame->places[i].at == (volatile char *) at && frame->places[i].kind == CSEQ_DELAYS)
            cseq_copy(at, frame->places[i].early, frame->places[i].size);
}

/* The others go on once the last thread is out of its statement. */
static void cseq_close(void)
{
    cseq_frame_count--;
    cseq_self->open--;
    while (cseq_leaves && !cseq_is_free)
        cseq_nap();
}

/* Called where a part ends, and the turn with it. */
static __attribute__((unused)) void cseq_switch(int call, int piece)
{
    cseq_reach(call, cseq_self->calls[call], piece);
}

#define CSEQ_SPLIT(n, ...) (cseq_split(n) ? ((void) (__VA_ARGS__), cseq_put()) : (void) 0)
#define CSEQ_READ(place) cseq_note(&(place), sizeof(place), CSEQ_READS)
#define CSEQ_WRITE(place, value) ((place) = (value), cseq_note(&(place), sizeof(place), CSEQ_WRITES))
#define CSEQ_DELAY(place) cseq_note(&(place), sizeof(place), CSEQ_DELAYS)
#define CSEQ_SWITCH(n, piece) cseq_switch(n, piece)
#define CSEQ_APPLY(place) cseq_apply(&(place))
#define CSEQ_DONE(n, ...) (cseq_done(n) ? ((void) 0, ##__VA_ARGS__, cseq_close()) : (void) 0)
#define CSEQ_DONE_AFTER(n, ...) (__extension__({ __auto_type cseq_value = (__VA_ARGS__); CSEQ_DONE(n); cseq_value; }))

#define CSEQ_UPDATE(place) cseq_note(&(place), sizeof(place), CSEQ_UPDATES)
