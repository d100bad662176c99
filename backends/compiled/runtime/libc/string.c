/* Functions of the C library that read and write the program's memory. The linker's --wrap brings here the calls of the
 * program's own code only: what libraries do with memory of their own is ordered in ways that are not seen here. */
#include <string.h>
#include <strings.h>

#include "races.h"

/* They are defined where the linker wraps the function, and the wrappers are called only there. */
#define REAL(result, name, ...) extern result __real_##name(__VA_ARGS__) __attribute__((weak))

REAL(void *, memcpy, void *, const void *, size_t);
REAL(void *, memmove, void *, const void *, size_t);
REAL(void *, memset, void *, int, size_t);
REAL(void *, mempcpy, void *, const void *, size_t);
REAL(int, memcmp, const void *, const void *, size_t);
REAL(int, bcmp, const void *, const void *, size_t);
REAL(void *, memchr, const void *, int, size_t);
REAL(void, bzero, void *, size_t);
REAL(size_t, strlen, const char *);
REAL(size_t, strnlen, const char *, size_t);
REAL(char *, strcpy, char *, const char *);
REAL(char *, stpcpy, char *, const char *);
REAL(char *, strncpy, char *, const char *, size_t);
REAL(char *, strcat, char *, const char *);
REAL(char *, strncat, char *, const char *, size_t);
REAL(int, strcmp, const char *, const char *);
REAL(int, strncmp, const char *, const char *, size_t);
REAL(int, strcasecmp, const char *, const char *);
REAL(int, strncasecmp, const char *, const char *, size_t);
REAL(char *, strchr, const char *, int);
REAL(char *, strrchr, const char *, int);
REAL(char *, strstr, const char *, const char *);

static void reads(struct cs_thread *self, const void *from, size_t size)
{
    if (size > 0) {
        cs_range(self, from, size, CS_ACCESS_READ);
    }
}

static void writes(struct cs_thread *self, void *to, size_t size)
{
    if (size > 0) {
        cs_range(self, to, size, CS_ACCESS_WRITE);
    }
}

/* The length of a string, by our own means: the function of the library may be one that is wrapped. */
static size_t length(const char *text, size_t most)
{
    size_t found = 0;
    while (found < most && text[found] != '\0') {
        found++;
    }
    return found;
}

static size_t string_size(const char *text, size_t most)
{
    size_t found = length(text, most);
    return found < most ? found + 1 : most;
}

/* Before the real function, what it does to memory, in a thread that is called `self`. */
#define ACCESSES(...) \
    struct cs_thread *self = cs_enter(__builtin_return_address(0)); \
    if (self != NULL) { \
        __VA_ARGS__; \
        self->inside = false; \
    }

#define COPY(name, function) \
    CS_PUBLIC void *name(void *to, const void *from, size_t size) \
    { \
        ACCESSES(reads(self, from, size), writes(self, to, size)) \
        return function(to, from, size); \
    }

#define FILL(name, function) \
    CS_PUBLIC void *name(void *to, int byte, size_t size) \
    { \
        ACCESSES(writes(self, to, size)) \
        return function(to, byte, size); \
    }

COPY(__wrap_memcpy, __real_memcpy)
COPY(__wrap_memmove, __real_memmove)
COPY(__wrap_mempcpy, __real_mempcpy)
FILL(__wrap_memset, __real_memset)
/* What newer versions of clang call instead. */
COPY(__tsan_memcpy, __real_memcpy)
COPY(__tsan_memmove, __real_memmove)
FILL(__tsan_memset, __real_memset)

/* What _FORTIFY_SOURCE makes of them: `room` is the size of the target. */
extern _Noreturn void __chk_fail(void);

#define FORTIFIED(name, second, function, accesses) \
    CS_PUBLIC void *name(void *to, second from, size_t size, size_t room) \
    { \
        if (size > room) { \
            __chk_fail(); \
        } \
        ACCESSES(accesses) \
        return function(to, from, size); \
    }

FORTIFIED(__wrap___memcpy_chk, const void *, __real_memcpy, (reads(self, from, size), writes(self, to, size)))
FORTIFIED(__wrap___memmove_chk, const void *, __real_memmove, (reads(self, from, size), writes(self, to, size)))
FORTIFIED(__wrap___memset_chk, int, __real_memset, writes(self, to, size))

CS_PUBLIC void __wrap_bzero(void *to, size_t size)
{
    ACCESSES(writes(self, to, size))
    __real_memset(to, 0, size);
}

/* A comparison ends with the first difference. */
static size_t compared(const unsigned char *one, const unsigned char *other, size_t size)
{
    size_t same = 0;
    while (same < size && one[same] == other[same]) {
        same++;
    }
    return same < size ? same + 1 : size;
}

static int compare(struct cs_thread *self, const void *one, const void *other, size_t size)
{
    size_t count = compared(one, other, size);
    if (self != NULL) {
        reads(self, one, count);
        reads(self, other, count);
    }
    return count == 0 ? 0 : ((const unsigned char *)one)[count - 1] - ((const unsigned char *)other)[count - 1];
}

CS_PUBLIC int __wrap_memcmp(const void *one, const void *other, size_t size)
{
    int result;
    ACCESSES(result = compare(self, one, other, size))
    return self != NULL ? result : __real_memcmp(one, other, size);
}

CS_PUBLIC int __wrap_bcmp(const void *one, const void *other, size_t size)
{
    int result;
    ACCESSES(result = compare(self, one, other, size))
    return self != NULL ? result : __real_bcmp(one, other, size);
}

CS_PUBLIC void *__wrap_memchr(const void *from, int byte, size_t size)
{
    void *found = __real_memchr(from, byte, size);
    ACCESSES(reads(self, from, found == NULL ? size : (size_t)((char *)found - (const char *)from) + 1))
    return found;
}

/* ---- strings ---- */

CS_PUBLIC size_t __wrap_strlen(const char *text)
{
    size_t found = __real_strlen(text);
    ACCESSES(reads(self, text, found + 1))
    return found;
}

CS_PUBLIC size_t __wrap_strnlen(const char *text, size_t most)
{
    size_t found = __real_strnlen(text, most);
    ACCESSES(reads(self, text, found < most ? found + 1 : most))
    return found;
}

static void copies(struct cs_thread *self, char *to, const char *from)
{
    size_t size = string_size(from, SIZE_MAX);
    reads(self, from, size);
    writes(self, to, size);
}

CS_PUBLIC char *__wrap_strcpy(char *to, const char *from)
{
    ACCESSES(copies(self, to, from))
    return __real_strcpy(to, from);
}

CS_PUBLIC char *__wrap_stpcpy(char *to, const char *from)
{
    ACCESSES(copies(self, to, from))
    return __real_stpcpy(to, from);
}

CS_PUBLIC char *__wrap_strncpy(char *to, const char *from, size_t size)
{
    ACCESSES(reads(self, from, string_size(from, size)), writes(self, to, size))
    return __real_strncpy(to, from, size);
}

static void appends(struct cs_thread *self, char *to, const char *from, size_t most)
{
    size_t before = length(to, SIZE_MAX), added = length(from, most);
    reads(self, to, before + 1);
    reads(self, from, added < most ? added + 1 : most);
    writes(self, to + before, added + 1);
}

CS_PUBLIC char *__wrap_strcat(char *to, const char *from)
{
    ACCESSES(appends(self, to, from, SIZE_MAX))
    return __real_strcat(to, from);
}

CS_PUBLIC char *__wrap_strncat(char *to, const char *from, size_t most)
{
    ACCESSES(appends(self, to, from, most))
    return __real_strncat(to, from, most);
}

/* To the end of the shorter string or the first difference; upper and lower case differ only in one bit. */
static void compares(struct cs_thread *self, const char *one, const char *other, size_t most, int ignored)
{
    size_t same = 0;
    while (same < most && ((one[same] ^ other[same]) & ~ignored) == 0 && one[same] != '\0') {
        same++;
    }
    size_t size = same < most ? same + 1 : most;
    reads(self, one, size);
    reads(self, other, size);
}

CS_PUBLIC int __wrap_strcmp(const char *one, const char *other)
{
    ACCESSES(compares(self, one, other, SIZE_MAX, 0))
    return __real_strcmp(one, other);
}

CS_PUBLIC int __wrap_strncmp(const char *one, const char *other, size_t most)
{
    ACCESSES(compares(self, one, other, most, 0))
    return __real_strncmp(one, other, most);
}

CS_PUBLIC int __wrap_strcasecmp(const char *one, const char *other)
{
    ACCESSES(compares(self, one, other, SIZE_MAX, 0x20))
    return __real_strcasecmp(one, other);
}

CS_PUBLIC int __wrap_strncasecmp(const char *one, const char *other, size_t most)
{
    ACCESSES(compares(self, one, other, most, 0x20))
    return __real_strncasecmp(one, other, most);
}

CS_PUBLIC char *__wrap_strchr(const char *text, int byte)
{
    char *found = __real_strchr(text, byte);
    ACCESSES(reads(self, text, found != NULL ? (size_t)(found - text) + 1 : string_size(text, SIZE_MAX)))
    return found;
}

CS_PUBLIC char *__wrap_strrchr(const char *text, int byte)
{
    ACCESSES(reads(self, text, string_size(text, SIZE_MAX)))
    return __real_strrchr(text, byte);
}

CS_PUBLIC char *__wrap_strstr(const char *text, const char *sought)
{
    ACCESSES(reads(self, text, string_size(text, SIZE_MAX)), reads(self, sought, string_size(sought, SIZE_MAX)))
    return __real_strstr(text, sought);
}
