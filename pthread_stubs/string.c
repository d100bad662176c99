/* Strings and memory. One step each.
 *
 * Each loop has a counter that only goes up by one, so that engines can see that it ends. Engines have memcpy, memmove
 * and memset. Loops whose end depends on the contents are bounded: executions with longer strings are
 * cut off, and that is reported. */

unsigned long strlen(const char *text) {
    unsigned long length = 0;
    while (length < 64 && text[length])
        length++;
    __CSEQ_unwound(length < 64, STRING, 63);
    return length;
}

unsigned long strnlen(const char *text, unsigned long most) {
    unsigned long length = 0;
    while (length < 64 && length < most && text[length])
        length++;
    __CSEQ_unwound(length < 64, STRING, 63);
    return length;
}

int memcmp(const void *left, const void *right, unsigned long size) {
    const unsigned char *a = left, *b = right;
    unsigned long at = 0;
    while (at < 256 && at < size && a[at] == b[at])
        at++;
    __CSEQ_unwound(at < 256, EQUAL, 255);
    return at < size ? a[at] - b[at] : 0;
}

void *memchr(const void *memory, int byte, unsigned long size) {
    const unsigned char *from = memory;
    unsigned long at = 0;
    while (at < 256 && at < size && from[at] != (unsigned char)byte)
        at++;
    __CSEQ_unwound(at < 256, SEARCHED, 255);
    return at < size ? (void *)(from + at) : 0;
}

int bcmp(const void *left, const void *right, unsigned long size) {
    const unsigned char *a = left, *b = right;
    unsigned long at = 0;
    while (at < 256 && at < size && a[at] == b[at])
        at++;
    __CSEQ_unwound(at < 256, EQUAL, 255);
    return at < size;
}

char *strcpy(char *to, const char *from) {
    unsigned long at = 0;
    while (at < 64 && from[at]) {
        to[at] = from[at];
        at++;
    }
    __CSEQ_unwound(at < 64, STRING, 63);
    to[at] = 0;
    return to;
}

char *stpcpy(char *to, const char *from) {
    unsigned long at = 0;
    while (at < 64 && from[at]) {
        to[at] = from[at];
        at++;
    }
    __CSEQ_unwound(at < 64, STRING, 63);
    to[at] = 0;
    return to + at;
}

char *strncpy(char *to, const char *from, unsigned long size) {
    unsigned long at = 0;
    int ended = 0;
    while (at < 256 && at < size) {
        if (!ended && from[at] == 0)
            ended = 1;
        to[at] = ended ? 0 : from[at];
        at++;
    }
    __CSEQ_unwound(at < 256, WRITTEN, 255);
    return to;
}

char *strcat(char *to, const char *from) {
    unsigned long end = 0, at = 0;
    while (end < 64 && to[end])
        end++;
    while (at < 64 && from[at]) {
        to[end + at] = from[at];
        at++;
    }
    __CSEQ_unwound(end < 64 && at < 64, A_STRING, 63);
    to[end + at] = 0;
    return to;
}

char *strncat(char *to, const char *from, unsigned long most) {
    unsigned long end = 0, at = 0;
    while (end < 64 && to[end])
        end++;
    while (at < 64 && at < most && from[at]) {
        to[end + at] = from[at];
        at++;
    }
    __CSEQ_unwound(end < 64 && at < 64, A_STRING, 63);
    to[end + at] = 0;
    return to;
}

int strcmp(const char *left, const char *right) {
    unsigned long at = 0;
    while (at < 64 && left[at] && left[at] == right[at])
        at++;
    __CSEQ_unwound(at < 64, STRINGS, 63);
    return (unsigned char)left[at] - (unsigned char)right[at];
}

int strcoll(const char *left, const char *right) {
    unsigned long at = 0;
    while (at < 64 && left[at] && left[at] == right[at])
        at++;
    __CSEQ_unwound(at < 64, STRINGS, 63);
    return (unsigned char)left[at] - (unsigned char)right[at];
}

int strncmp(const char *left, const char *right, unsigned long most) {
    unsigned long at = 0;
    while (at < 64 && at < most && left[at] && left[at] == right[at])
        at++;
    __CSEQ_unwound(at < 64, STRINGS, 63);
    return at < most ? (unsigned char)left[at] - (unsigned char)right[at] : 0;
}

int strcasecmp(const char *left, const char *right) {
    unsigned long at = 0;
    int a = 0, b = 0, going = 1;
    while (at < 64 && going) {
        a = (unsigned char)left[at];
        b = (unsigned char)right[at];
        a = a >= 'A' && a <= 'Z' ? a + 32 : a;
        b = b >= 'A' && b <= 'Z' ? b + 32 : b;
        going = a != 0 && a == b;
        at++;
    }
    __CSEQ_unwound(!going, STRINGS, 63);
    return a - b;
}

int strncasecmp(const char *left, const char *right, unsigned long most) {
    unsigned long at = 0;
    int a = 0, b = 0, going = 1;
    while (at < 64 && at < most && going) {
        a = (unsigned char)left[at];
        b = (unsigned char)right[at];
        a = a >= 'A' && a <= 'Z' ? a + 32 : a;
        b = b >= 'A' && b <= 'Z' ? b + 32 : b;
        going = a != 0 && a == b;
        at++;
    }
    __CSEQ_unwound(!going || at == most, STRINGS, 63);
    return a - b;
}

char *strchr(const char *text, int character) {
    unsigned long at = 0;
    while (at < 64 && text[at] && text[at] != (char)character)
        at++;
    __CSEQ_unwound(at < 64, STRING, 63);
    return text[at] == (char)character ? (char *)text + at : 0;
}

char *index(const char *text, int character) {
    unsigned long at = 0;
    while (at < 64 && text[at] && text[at] != (char)character)
        at++;
    __CSEQ_unwound(at < 64, STRING, 63);
    return text[at] == (char)character ? (char *)text + at : 0;
}

char *strrchr(const char *text, int character) {
    char *found = 0;
    unsigned long at = 0;
    while (at < 64 && text[at]) {
        if (text[at] == (char)character)
            found = (char *)text + at;
        at++;
    }
    __CSEQ_unwound(at < 64, STRING, 63);
    return (char)character == 0 ? (char *)text + at : found;
}

char *rindex(const char *text, int character) {
    char *found = 0;
    unsigned long at = 0;
    while (at < 64 && text[at]) {
        if (text[at] == (char)character)
            found = (char *)text + at;
        at++;
    }
    __CSEQ_unwound(at < 64, STRING, 63);
    return (char)character == 0 ? (char *)text + at : found;
}

unsigned long strspn(const char *text, const char *set) {
    unsigned long at = 0;
    int going = 1;
    while (at < 64 && going) {
        unsigned long in = 0;
        while (in < 64 && set[in] && set[in] != text[at])
            in++;
        __CSEQ_unwound(in < 64, SET, 63);
        going = text[at] != 0 && set[in] != 0;
        at++;
    }
    __CSEQ_unwound(!going, STRING, 63);
    return at - 1;
}

unsigned long strcspn(const char *text, const char *set) {
    unsigned long at = 0;
    int going = 1;
    while (at < 64 && going) {
        unsigned long in = 0;
        while (in < 64 && set[in] && set[in] != text[at])
            in++;
        __CSEQ_unwound(in < 64, SET, 63);
        going = text[at] != 0 && set[in] == 0;
        at++;
    }
    __CSEQ_unwound(!going, STRING, 63);
    return at - 1;
}

char *strpbrk(const char *text, const char *set) {
    unsigned long at = 0;
    int going = 1;
    while (at < 64 && going) {
        unsigned long in = 0;
        while (in < 64 && set[in] && set[in] != text[at])
            in++;
        __CSEQ_unwound(in < 64, SET, 63);
        going = text[at] != 0 && set[in] == 0;
        at++;
    }
    __CSEQ_unwound(!going, STRING, 63);
    return text[at - 1] ? (char *)text + at - 1 : 0;
}

char *strstr(const char *text, const char *part) {
    unsigned long start = 0, at = 0;
    char *found = 0;
    int going = 1;
    while (start < 64 && going) {
        at = 0;
        while (at < 64 && part[at] && part[at] == text[start + at])
            at++;
        __CSEQ_unwound(at < 64, PART, 63);
        if (part[at] == 0)
            found = (char *)text + start;
        going = found == 0 && text[start] != 0;
        start++;
    }
    __CSEQ_unwound(!going, STRING, 63);
    return found;
}

char *strerror(int number) {
    return "an error";
}

char *strdup(const char *text) {
    unsigned long length = 0, at = 0;
    while (length < 64 && text[length])
        length++;
    __CSEQ_unwound(length < 64, STRING, 63);
    char *copy = __CSEQ_allocate_freeable(length + 1);
    while (at < 64 && at <= length) {
        copy[at] = text[at];
        at++;
    }
    return copy;
}

/* What `asprintf` has printed, in a block of its own. */
char *__cs_new_text(const char *text) {
    return strdup(text);
}

char *strndup(const char *text, unsigned long most) {
    unsigned long length = 0, at = 0;
    while (length < 64 && length < most && text[length])
        length++;
    __CSEQ_unwound(length < 64, STRING, 63);
    char *copy = __CSEQ_allocate_freeable(length + 1);
    while (at < 64 && at < length) {
        copy[at] = text[at];
        at++;
    }
    copy[at] = 0;
    return copy;
}

void *mempcpy(void *to, const void *from, unsigned long size) {
    __CSEQ_copy(to, from, size);
    return (char *)to + size;
}

void bcopy(const void *from, void *to, unsigned long size) {
    __CSEQ_move(to, from, size);
}

void bzero(void *memory, unsigned long size) {
    __CSEQ_fill(memory, 0, size);
}

void explicit_bzero(void *memory, unsigned long size) {
    __CSEQ_fill(memory, 0, size);
}

/* Its content depends on the system: any text of at most 15 characters. */
char *strsignal(int number) {
    char *text = __CSEQ_allocate(16);
    __CSEQ_havoc(text, 16);
    text[15] = 0;
    return text;
}
