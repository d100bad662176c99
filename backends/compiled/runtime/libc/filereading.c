/* Reading from FILEs that can wait: each time the buffer is empty, the thread waits without the baton until there is
 * something to fill it with. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "channels.h"
#include "races.h"

static bool talks(FILE *file)
{
    int descriptor = fileno_unlocked(file);
    return descriptor >= 0 && cs_descriptor_talks(descriptor);
}

static int next(struct cs_thread *self, FILE *file)
{
    if (file->_IO_read_ptr < file->_IO_read_end) {
        return getc_unlocked(file);
    }
    if (feof_unlocked(file)) {
        return EOF;
    }
    int descriptor = fileno_unlocked(file);
    bool noticed = cs_await_descriptor(descriptor, POLLIN, true);
    int result = getc_unlocked(file);
    if (noticed) {
        cs_done(self, (uint64_t)(int64_t)result, result == EOF ? CS_FAILED : 0);
        cs_channel_acquire(self, descriptor);
    }
    return result;
}

#define GETC(name) \
    CS_PUBLIC int name(FILE *file); \
    CS_PUBLIC int name(FILE *file) \
    { \
        CS_ENTER(self, ((int (*)(FILE *))cs_real(#name))(file)); \
        return cs_leave(self, talks(file) ? next(self, file) : getc_unlocked(file)); \
    }

#undef getc
GETC(getc)
GETC(fgetc)
GETC(_IO_getc)

#undef getchar
CS_PUBLIC int getchar(void) { return getc(stdin); }

CS_PUBLIC char *fgets(char *text, int size, FILE *file)
{
    CS_ENTER(self, CS_REAL(fgets)(text, size, file));
    if (!talks(file) || size <= 1) {
        return cs_leave(self, CS_REAL(fgets)(text, size, file));
    }
    int count = 0, letter = 0;
    while (count < size - 1 && letter != '\n' && (letter = next(self, file)) != EOF) {
        text[count++] = (char)letter;
    }
    if (count == 0 || (letter == EOF && ferror_unlocked(file))) {
        return cs_leave(self, (char *)NULL);
    }
    text[count] = 0;
    cs_range(self, text, (size_t)count + 1, CS_ACCESS_WRITE);
    return cs_leave(self, text);
}

CS_PUBLIC size_t fread(void *buffer, size_t size, size_t count, FILE *file)
{
    CS_ENTER(self, CS_REAL(fread)(buffer, size, count, file));
    if (!talks(file) || size == 0) {
        return cs_leave(self, CS_REAL(fread)(buffer, size, count, file));
    }
    size_t done = 0;
    int letter;
    while (done < size * count && (letter = next(self, file)) != EOF) {
        ((char *)buffer)[done++] = (char)letter;
    }
    if (done > 0) {
        cs_range(self, buffer, done, CS_ACCESS_WRITE);
    }
    return cs_leave(self, done / size);
}
