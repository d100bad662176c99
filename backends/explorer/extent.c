#include "extent.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "step.h"

enum { PAGE = 4096, LEAST = 8 * PAGE /* with less there is nothing to gain */ };

static struct {
    char *first; /* page */
    size_t pages;
    unsigned char *used; /* for each page */
    struct cs_run *runs;
    size_t count, size;
} extent;

static void count_run(size_t from, size_t to)
{
    struct cs_run *last = extent.runs + extent.count - 1;

    extent.size += to - from;
    if (extent.count && last->to == from)
        last->to = to;
    else if (from < to)
        extent.runs[extent.count++] = (struct cs_run){from, to};
}

static void count_runs(void)
{
    size_t before = (size_t)(extent.first - __start_cseq_state);

    extent.count = extent.size = 0;
    count_run(0, before);
    for (size_t page = 0; page < extent.pages; page++)
        if (extent.used[page])
            count_run(before + page * PAGE, before + (page + 1) * PAGE);
    count_run(before + extent.pages * PAGE, cs_state_size());
}

static bool is_zero(const char *page)
{
    static const char zeros[PAGE];

    return memcmp(page, zeros, PAGE) == 0;
}

void cs_extent_begin(void)
{
    uintptr_t start = (uintptr_t)__start_cseq_state, end = (uintptr_t)__stop_cseq_state;

    if (extent.used || cs_state_size() < LEAST)
        return;
    start = (start + PAGE - 1) / PAGE * PAGE;
    extent.first = (char *)start;
    extent.pages = (end / PAGE * PAGE - start) / PAGE;
    extent.used = calloc(extent.pages, 1);
    extent.runs = calloc(extent.pages + 2, sizeof *extent.runs);
    if (!extent.used || !extent.runs)
        abort();
    for (size_t page = 0; page < extent.pages; page++) {
        char *at = extent.first + page * PAGE;
        extent.used[page] = !is_zero(at) || mprotect(at, PAGE, PROT_READ) != 0;
    }
    count_runs();
}

bool cs_extent_grows(const void *address)
{
    size_t page = (size_t)((uintptr_t)address - (uintptr_t)extent.first) / PAGE;

    if (!extent.used || (const char *)address < extent.first || page >= extent.pages || extent.used[page])
        return false;
    if (mprotect(extent.first + page * PAGE, PAGE, PROT_READ | PROT_WRITE) != 0)
        return false;
    extent.used[page] = 1;
    count_runs();
    return true;
}

const struct cs_run *cs_extent(size_t *count)
{
    static struct cs_run all;

    if (extent.used) {
        *count = extent.count;
        return extent.runs;
    }
    *count = 1;
    all.to = cs_state_size();
    return &all;
}

size_t cs_extent_size(void) { return extent.used ? extent.size : cs_state_size(); }

const char *__CSEQ_used_from(const char *at)
{
    size_t page = (size_t)((uintptr_t)at - (uintptr_t)extent.first) / PAGE;

    if (!extent.used || at < extent.first || page >= extent.pages || extent.used[page])
        return at;
    while (page < extent.pages && !extent.used[page])
        page++;
    return extent.first + page * PAGE;
}

void cs_state_take(char *to)
{
    size_t count;
    const struct cs_run *runs = cs_extent(&count);

    for (size_t i = 0; i < count; i++)
        memcpy(to + runs[i].from, __start_cseq_state + runs[i].from, runs[i].to - runs[i].from);
}

void cs_state_put(const char *from)
{
    size_t count;
    const struct cs_run *runs = cs_extent(&count);

    for (size_t i = 0; i < count; i++)
        memcpy(__start_cseq_state + runs[i].from, from + runs[i].from, runs[i].to - runs[i].from);
}

bool cs_state_is(const char *saved)
{
    size_t count;
    const struct cs_run *runs = cs_extent(&count);

    for (size_t i = 0; i < count; i++)
        if (memcmp(__start_cseq_state + runs[i].from, saved + runs[i].from, runs[i].to - runs[i].from) != 0)
            return false;
    return true;
}
