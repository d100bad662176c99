/* Memory of the runtime itself: taken from the system in large pieces, never given back. */
#include <sys/mman.h>

#include "base.h"
#include "raw.h"

#define PIECE (4ul << 20)

static char *free_from, *free_to;

void *cs_allocate(size_t size)
{
    size = (size + 15) & ~(size_t)15;
    if ((size_t)(free_to - free_from) < size) {
        size_t wanted = size > PIECE ? size : PIECE;
        long piece = CS_SYSCALL6(SYS_mmap, 0, wanted, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (piece < 0 && piece > -4096) {
            CS_SYSCALL1(SYS_exit_group, 125);
        }
        free_from = (char *)piece;
        free_to = free_from + wanted;
    }
    void *found = free_from;
    free_from += size;
    return found;
}
