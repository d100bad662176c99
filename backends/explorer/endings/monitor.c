#include "monitor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../pack.h"
#include "../step.h"
#include "../way.h"

/* A tree of orders: a node is reached by some calls in some order. Nodes after which the same can come are one class.
 */
struct edge {
    unsigned int thread, target;
    long long result;
};
struct node {
    struct edge *edges;
    size_t count, room;
    unsigned char made[CS_MOST_CALLERS]; /* calls, by thread */
    unsigned int class_of;
};

/* An order that explains what has returned: the class that it has come to; the calls among those that have not
 * returned, as a set of threads, and what they return. */
struct belief {
    unsigned int class_of, ahead;
    long long result[CS_MOST_CALLERS];
};
struct beliefs {
    struct belief *all;
    size_t count, room;
};

static struct {
    unsigned int threads;
    struct node *nodes;
    size_t node_count, node_room;
    struct node **classes;
    size_t class_count, class_room;
    struct beliefs *states; /* number 0 is no state: a program begins with it, and it stands for the first */
    size_t state_count, state_room;
    struct known {
        unsigned int state, thread, active, next;
        long long result;
    } *known;
    size_t known_slots, known_count;
    struct cs_returned heard[256];
    unsigned int heard_count;
    bool listens;
} monitor;

static struct cs_report_of_call *object(void) { return (struct cs_report_of_call *)(uintptr_t)__CSEQ_collected->at; }

static unsigned int new_node(const struct node *parent, unsigned int thread)
{
    struct node fresh = {0};

    if (parent) {
        memcpy(fresh.made, parent->made, sizeof fresh.made);
        fresh.made[thread]++;
    }
    monitor.nodes = cs_enough_room(monitor.nodes, monitor.node_count + 1, &monitor.node_room, sizeof *monitor.nodes);
    monitor.nodes[monitor.node_count] = fresh;
    return (unsigned int)monitor.node_count++;
}

/* The node after a call, which is made where there is none. */
static unsigned int after(unsigned int number, unsigned int thread, long long result)
{
    struct node *node = &monitor.nodes[number];
    struct edge fresh = {thread, 0, result};

    for (size_t i = 0; i < node->count; i++)
        if (node->edges[i].thread == thread && node->edges[i].result == result)
            return node->edges[i].target;
    fresh.target = new_node(node, thread);
    node = &monitor.nodes[number];
    node->edges = cs_enough_room(node->edges, node->count + 1, &node->room, sizeof *node->edges);
    node->edges[node->count++] = fresh;
    return fresh.target;
}

static int by_call(const void *one, const void *other)
{
    const struct edge *a = one, *b = other;

    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return (a->result > b->result) - (a->result < b->result);
}

static bool are_alike(const struct node *one, const struct node *other)
{
    if (one->count != other->count || memcmp(one->made, other->made, sizeof one->made) != 0)
        return false;
    for (size_t i = 0; i < one->count; i++)
        if (by_call(&one->edges[i], &other->edges[i]) != 0 || one->edges[i].target != other->edges[i].target)
            return false;
    return true;
}

/* Nodes come before those after them, so from the last to the first all targets are classes already. */
static void find_classes(void)
{
    for (size_t number = monitor.node_count; number-- > 0;) {
        struct node *node = &monitor.nodes[number];
        size_t class_of = 0;

        for (size_t i = 0; i < node->count; i++)
            node->edges[i].target = monitor.nodes[node->edges[i].target].class_of;
        if (node->count > 0)
            qsort(node->edges, node->count, sizeof *node->edges, by_call);
        while (class_of < monitor.class_count && !are_alike(monitor.classes[class_of], node))
            class_of++;
        if (class_of == monitor.class_count) {
            monitor.classes =
                cs_enough_room(monitor.classes, monitor.class_count + 1, &monitor.class_room, sizeof *monitor.classes);
            monitor.classes[monitor.class_count++] = node;
        }
        node->class_of = (unsigned int)class_of;
    }
}

static bool is_among(const struct beliefs *beliefs, const struct belief *belief)
{
    for (size_t i = 0; i < beliefs->count; i++)
        if (!memcmp(&beliefs->all[i], belief, sizeof *belief))
            return true;
    return false;
}

static void add(struct beliefs *beliefs, const struct belief *belief)
{
    if (is_among(beliefs, belief))
        return;
    beliefs->all = cs_enough_room(beliefs->all, beliefs->count + 1, &beliefs->room, sizeof *beliefs->all);
    beliefs->all[beliefs->count++] = *belief;
}

static int by_bytes(const void *one, const void *other) { return memcmp(one, other, sizeof(struct belief)); }

/* The number of a set of beliefs, which is taken over. */
static unsigned int state_of(struct beliefs *beliefs)
{
    if (beliefs->count > 0)
        qsort(beliefs->all, beliefs->count, sizeof *beliefs->all, by_bytes);
    for (size_t i = 1; i < monitor.state_count; i++) {
        const struct beliefs *known = &monitor.states[i];
        if (known->count == beliefs->count
            && !memcmp(known->all, beliefs->all, beliefs->count * sizeof *beliefs->all)) {
            free(beliefs->all);
            return (unsigned int)i;
        }
    }
    monitor.states =
        cs_enough_room(monitor.states, monitor.state_count + 1, &monitor.state_room, sizeof *monitor.states);
    monitor.states[monitor.state_count] = *beliefs;
    return (unsigned int)monitor.state_count++;
}

bool cs_monitor_begin(const char *text)
{
    struct belief first = {0};
    struct beliefs beliefs = {0}, none = {0};
    int used = 0;

    if (!__CSEQ_collected || __CSEQ_collected->size != sizeof(struct cs_report_of_call))
        return false;
    if (sscanf(text, "%u%n", &monitor.threads, &used) != 1 || monitor.threads > CS_MOST_CALLERS)
        return false;
    new_node(NULL, 0);
    for (text = strchr(text + used, '\n'); text; text = strchr(text, '\n')) {
        unsigned int thread, node = 0;
        long long result;

        for (text++; *text && *text != '\n'; text += used) {
            if (sscanf(text, " %u %lld%n", &thread, &result, &used) != 2 || thread >= monitor.threads)
                return false;
            node = after(node, thread, result);
        }
    }
    find_classes();
    state_of(&none);
    first.class_of = monitor.nodes[0].class_of;
    add(&beliefs, &first);
    state_of(&beliefs);
    return true;
}

/* The next state after *thread* has returned *result* while those in *active* were in calls; 0 if there is none. */
static unsigned int step(unsigned int state, unsigned int thread, unsigned int active, long long result)
{
    const struct beliefs *before = &monitor.states[state];
    struct beliefs all = {0}, left = {0};

    for (size_t i = 0; i < before->count; i++)
        add(&all, &before->all[i]);
    for (size_t i = 0; i < all.count; i++) {
        const struct node *node = monitor.classes[all.all[i].class_of];
        for (size_t k = 0; k < node->count; k++) {
            const struct edge *edge = &node->edges[k];
            struct belief next = all.all[i];
            if (!(active >> edge->thread & 1) || (next.ahead >> edge->thread & 1))
                continue;
            next.class_of = edge->target;
            next.ahead |= 1u << edge->thread;
            next.result[edge->thread] = edge->result;
            add(&all, &next);
        }
    }
    for (size_t i = 0; i < all.count; i++) {
        struct belief next = all.all[i];
        if (!(next.ahead >> thread & 1) || next.result[thread] != result)
            continue;
        next.ahead &= ~(1u << thread);
        next.result[thread] = 0;
        add(&left, &next);
    }
    free(all.all);
    if (left.count == 0)
        return 0;
    return state_of(&left);
}

static size_t slot_of(const struct known *key)
{
    uint64_t parts[2] = {(uint64_t)key->state << 32 | key->thread << 16 | key->active, (uint64_t)key->result};
    size_t slot = cs_hash((const unsigned char *)parts, sizeof parts) & (monitor.known_slots - 1);
    const struct known *at;

    for (; (at = &monitor.known[slot])->state; slot = (slot + 1) & (monitor.known_slots - 1))
        if (at->state == key->state && at->thread == key->thread && at->active == key->active
            && at->result == key->result)
            break;
    return slot;
}

static unsigned int remembered(struct known key)
{
    size_t slot;

    if (monitor.known_count * 2 >= monitor.known_slots) {
        struct known *old = monitor.known;
        size_t count = monitor.known_slots;
        monitor.known_slots = count ? count * 2 : 1024;
        monitor.known = cs_allocate(monitor.known_slots * sizeof *monitor.known);
        for (size_t i = 0; i < count; i++)
            if (old[i].state)
                monitor.known[slot_of(&old[i])] = old[i];
        free(old);
    }
    slot = slot_of(&key);
    if (!monitor.known[slot].state) {
        key.next = step(key.state, key.thread, key.active, key.result);
        monitor.known[slot] = key;
        monitor.known_count++;
    }
    return monitor.known[slot].next;
}

static unsigned int active_now(const struct cs_report_of_call *now)
{
    unsigned int active = 0;

    for (unsigned int thread = 0; thread < CS_MOST_CALLERS; thread++)
        active |= (unsigned int)(now->active[thread] != 0) << thread;
    return active;
}

int cs_monitor_answer(unsigned long *value)
{
    const struct cs_report_of_call *now;
    struct known key = {0};
    unsigned int next;

    if (!monitor.threads || !(now = object())->asks)
        return 0;
    key.state = now->state ? now->state : 1;
    key.thread = now->thread;
    key.active = now->in_calls;
    key.result = (long long)((unsigned long long)(unsigned int)now->result[1] << 32 | (unsigned int)now->result[0]);
    if (monitor.listens && now->asks == 1 && monitor.heard_count < sizeof monitor.heard / sizeof *monitor.heard)
        monitor.heard[monitor.heard_count++] = (struct cs_returned){(unsigned char)key.thread, key.active, key.result};
    next = remembered(key);
    if (next == 0)
        return -1;
    if (next > 0xffff)
        return -2;
    *value = now->asks == 1 ? next & 0xff : next >> 8;
    return 1;
}

bool cs_monitor_may_block(void)
{
    const struct cs_report_of_call *now = object();
    unsigned int active = active_now(now);
    const struct beliefs *beliefs = &monitor.states[now->state ? now->state : 1];

    for (size_t i = 0; active && i < beliefs->count; i++) {
        const struct node *node = monitor.classes[beliefs->all[i].class_of];
        bool waits = beliefs->all[i].ahead == 0;
        for (size_t k = 0; k < node->count; k++)
            waits = waits && !(active >> node->edges[k].thread & 1);
        if (waits)
            return true;
    }
    return false;
}

void cs_monitor_listen(void)
{
    monitor.listens = true;
    monitor.heard_count = 0;
}

const struct cs_returned *cs_monitor_heard(unsigned int *count)
{
    *count = monitor.heard_count;
    return monitor.heard;
}
