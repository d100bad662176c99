/* A program that no server has started: it behaves as ever, unless an environment variable asks for one of these.
 *
 * CSEQ_RUN names a file as a server has it, with one request: the process itself is the run, as a debugger wants it.
 * CSEQ_EXPLORE is a command, its words apart by the character US: the process becomes that command, with the program
 * and its arguments as further words. So a program that others start is explored in its place.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server.h"
#include "sync.h"

#define SEPARATOR '\x1f'
#define MOST_WORDS 4096
#define LONGEST_PATH 4096

/* Tells programs that have the runtime from others, in the form of a note; its number is that of the layout. */
__attribute__((section(".note.cseq"), used, aligned(4))) static const struct {
    uint32_t name_size, size, type;
    char name[8];
    uint32_t layout;
} note = {.name_size = 5, .size = 4, .type = 1, .name = "CSeq", .layout = CS_LAYOUT};

bool cs_map_shared(int file)
{
    struct stat about;
    if (fstat(file, &about) != 0) {
        return false;
    }
    void *mapped = mmap(NULL, (size_t)about.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (mapped == MAP_FAILED) {
        return false;
    }
    cs_shared = mapped;
    return cs_shared->magic == CS_MAGIC && cs_shared->layout == CS_LAYOUT;
}

static void run_alone(const char *path)
{
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0 || !cs_map_shared(file)) {
        return;
    }
    unsetenv("CSEQ_RUN");
    cs_prepare_threads();
    memset(&cs_shared->result, 0, sizeof cs_shared->result);
    cs_debugged = true;
    cs_begin_run();
}

/* Returns only if there is no such command. */
static void become_explorer(char *command, int count, char *const *arguments)
{
    static char *words[MOST_WORDS];
    static char program[LONGEST_PATH];
    int number = 0;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0 || count > MOST_WORDS / 2) {
        return;
    }
    for (char *word = command; word != NULL && number < MOST_WORDS / 2 - 2; number++) {
        words[number] = word;
        word = strchr(word, SEPARATOR);
        if (word != NULL) {
            *word++ = '\0';
        }
    }
    words[number++] = program;
    for (int n = 1; n < count; n++) {
        words[number++] = arguments[n];
    }
    execv(words[0], words);
}

void cs_without_server(int count, char *const *arguments)
{
    const char *run = getenv("CSEQ_RUN");
    const char *command = getenv("CSEQ_EXPLORE");
    if (run != NULL) {
        run_alone(run);
    } else if (command != NULL && *command != '\0') {
        static char copy[1 << 16];
        if (strlen(command) < sizeof copy) {
            strcpy(copy, command);
            become_explorer(copy, count, arguments);
        }
    }
}
