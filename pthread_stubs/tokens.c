/* Parts of strings and of numbers. One step each. */

char *strtok_r(char *text, const char *set, char **state) {
    char *from = text != 0 ? text : *state, *end = 0;
    from = from + strspn(from, set);
    if (*from == 0) {
        *state = from;
        return 0;
    }
    end = from + strcspn(from, set);
    if (*end != 0) {
        *end = 0;
        end++;
    }
    *state = end;
    return from;
}

char *__cs_rest_of_text;

char *strtok(char *text, const char *set) {
    return strtok_r(text, set, &__cs_rest_of_text);
}

char *strsep(char **text, const char *set) {
    char *from = *text, *end = 0;
    if (from == 0)
        return 0;
    end = from + strcspn(from, set);
    if (*end != 0) {
        *end = 0;
        *text = end + 1;
    } else
        *text = 0;
    return from;
}

char *strchrnul(const char *text, int character) {
    unsigned long at = 0;
    while (at < 64 && text[at] && text[at] != (char)character)
        at++;
    __CSEQ_unwound(at < 64, STRING, 63);
    return (char *)text + at;
}

char *strcasestr(const char *text, const char *part) {
    unsigned long start = 0, at = 0;
    char *found = 0;
    int going = 1, a = 0, b = 0, same = 1;
    while (start < 64 && going) {
        at = 0;
        same = 1;
        while (at < 64 && part[at] && same) {
            a = (unsigned char)text[start + at];
            b = (unsigned char)part[at];
            a = a >= 'A' && a <= 'Z' ? a + 32 : a;
            b = b >= 'A' && b <= 'Z' ? b + 32 : b;
            same = a == b;
            at++;
        }
        __CSEQ_unwound(at < 64, PART, 63);
        if (same && part[at] == 0)
            found = (char *)text + start;
        going = found == 0 && text[start] != 0;
        start++;
    }
    __CSEQ_unwound(!going, STRING, 63);
    return found;
}

void *memrchr(const void *memory, int byte, unsigned long size) {
    const unsigned char *from = memory;
    void *found = 0;
    unsigned long at = 0;
    while (at < 256 && at < size) {
        if (from[at] == (unsigned char)byte)
            found = (void *)(from + at);
        at++;
    }
    __CSEQ_unwound(at >= size, SEARCHED, 256);
    return found;
}

void *memccpy(void *to, const void *from, int byte, unsigned long size) {
    const unsigned char *source = from;
    unsigned char *target = to;
    void *after = 0;
    unsigned long at = 0;
    while (at < 256 && at < size && after == 0) {
        target[at] = source[at];
        if (source[at] == (unsigned char)byte)
            after = target + at + 1;
        at++;
    }
    __CSEQ_unwound(at >= size || after != 0, WRITTEN, 256);
    return after;
}

char *stpncpy(char *to, const char *from, unsigned long size) {
    unsigned long at = 0, end = 0;
    int ended = 0;
    while (at < 256 && at < size) {
        if (!ended && from[at] == 0)
            ended = 1;
        if (!ended)
            end = at + 1;
        to[at] = ended ? 0 : from[at];
        at++;
    }
    __CSEQ_unwound(at >= size, WRITTEN, 256);
    return to + end;
}

/* The last part of a path, as <string.h> has it and as <libgen.h> has it. */

char *basename(const char *path) {
    unsigned long at = 0, start = 0;
    while (at < 64 && path[at]) {
        if (path[at] == '/')
            start = at + 1;
        at++;
    }
    __CSEQ_unwound(at < 64, STRING, 63);
    return (char *)path + start;
}

char __cs_dot[2];

char *__xpg_basename(char *path) {
    unsigned long length = 0, at = 0, start = 0;
    __cs_dot[0] = '.';
    __cs_dot[1] = 0;
    if (path == 0 || path[0] == 0)
        return __cs_dot;
    while (at < 64 && path[at]) {
        if (path[at] != '/') {
            if (at > 0 && path[at - 1] == '/')
                start = at;
            length = at + 1;
        }
        at++;
    }
    __CSEQ_unwound(at < 64, STRING, 63);
    if (length == 0)
        return path + at - 1;
    if (path[length] != 0)
        path[length] = 0;
    return path + start;
}

char *dirname(char *path) {
    unsigned long at = 0, last = 0, end = 0;
    int inside = 0;
    __cs_dot[0] = '.';
    __cs_dot[1] = 0;
    if (path == 0)
        return __cs_dot;
    while (at < 64 && path[at]) {
        if (path[at] == '/') {
            if (!inside)
                last = at;
            inside = 1;
        } else {
            if (inside)
                end = last;
            inside = 0;
        }
        at++;
    }
    __CSEQ_unwound(at < 64, STRING, 63);
    if (end > 0) {
        path[end] = 0;
        return path;
    }
    if (path[0] != '/')
        return __cs_dot;
    at = at > 1 && path[1] == '/' && (at == 2 || path[2] != '/') ? 2 : 1;
    if (path[at] != 0)
        path[at] = 0;
    return path;
}

int ffs(int value) {
    unsigned int at = 0;
    int found = 0;
    while (at < 32) {
        if (found == 0 && ((unsigned int)value >> at & 1))
            found = at + 1;
        at++;
    }
    return found;
}

int ffsll(long long value) {
    unsigned int at = 0;
    int found = 0;
    while (at < 64) {
        if (found == 0 && ((unsigned long long)value >> at & 1))
            found = at + 1;
        at++;
    }
    return found;
}

int ffsl(long value) {
    return ffsll(value);
}

/* From the order of bytes of this machine to that of the network, and back. */

unsigned short htons(unsigned short value) {
    unsigned char *byte = (unsigned char *)&value;
    return byte[0] << 8 | byte[1];
}

unsigned short ntohs(unsigned short value) {
    return htons(value);
}

unsigned int htonl(unsigned int value) {
    unsigned char *byte = (unsigned char *)&value;
    return (unsigned int)byte[0] << 24 | byte[1] << 16 | byte[2] << 8 | byte[3];
}

unsigned int ntohl(unsigned int value) {
    return htonl(value);
}
