/* Libraries that the program loads while it runs. The loader has a lock, which a thread holds while it runs the
 * constructors of a library: others wait for it as for a mutex. */
#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "scheduler.h"

static struct {
    struct cs_thread *owner;
    uint32_t count;
    struct cs_clock clock;
} loader;

static bool is_free(struct cs_thread *self, void *unused)
{
    (void)unused;
    return loader.owner == NULL || loader.owner == self;
}

static void enter(struct cs_thread *self)
{
    cs_block(CS_lock, &loader, 0, is_free, NULL, CS_NEVER);
    loader.owner = self;
    loader.count++;
    cs_acquire(self, &loader.clock);
    self->inside = false; /* constructors and destructors are the program's */
}

static void leave(struct cs_thread *self)
{
    self->inside = true;
    cs_step(CS_unlock, &loader, 0);
    if (--loader.count == 0) {
        loader.owner = NULL;
    }
    cs_release(self, &loader.clock);
    self->inside = false;
}

static int add(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    struct cs_shared *shared = cs_shared;
    uint64_t end = 0;
    for (int n = 0; n < info->dlpi_phnum; n++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[n];
        if (part->p_type == PT_LOAD && part->p_vaddr + part->p_memsz > end) {
            end = part->p_vaddr + part->p_memsz;
        }
    }
    struct cs_module *modules = (struct cs_module *)((char *)shared + shared->modules.offset);
    for (uint32_t n = 0; n < shared->result.modules; n++) {
        if (modules[n].base == info->dlpi_addr && strncmp(modules[n].path, info->dlpi_name, CS_PATH - 1) == 0) {
            return 0;
        }
    }
    if (strchr(info->dlpi_name, '/') != NULL) { /* neither the program nor what the kernel provides */
        if (shared->result.modules < shared->modules.capacity) {
            struct cs_module *module = &modules[shared->result.modules++];
            *module = (struct cs_module){.base = info->dlpi_addr, .end = info->dlpi_addr + end};
            strncpy(module->path, info->dlpi_name, CS_PATH - 1);
        }
    }
    return 0;
}

CS_PUBLIC void *dlopen(const char *path, int flags)
{
    CS_ENTER(self, CS_REAL(dlopen)(path, flags));
    enter(self);
    void *library = CS_REAL(dlopen)(path, flags);
    dl_iterate_phdr(add, NULL);
    leave(self);
    return library;
}

CS_PUBLIC int dlclose(void *library)
{
    CS_ENTER(self, CS_REAL(dlclose)(library));
    enter(self);
    int result = CS_REAL(dlclose)(library);
    leave(self);
    return result;
}
