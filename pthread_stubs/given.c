/* The environment and the standard input that the user gives. One step each. */

/* The settings NAME=VALUE, then null. */
char *__cs_variables[64];

/* The position of a variable, or that of the end. */
int __cs_variable(const char *name, unsigned long length) {
    int at = 0, found = 0;
    while (at < 63 && !found && __cs_variables[at] != 0) {
        unsigned long same = 0;
        char *setting = __cs_variables[at];
        while (same < 64 && same < length && setting[same] == name[same])
            same++;
        found = same == length && setting[same] == '=';
        at++;
    }
    return at - found;
}

char *getenv__cs4(const char *name) {
    unsigned long length = strlen(name);
    int at = __cs_variable(name, length);
    return __cs_variables[at] == 0 ? 0 : __cs_variables[at] + length + 1;
}

char *secure_getenv__cs4(const char *name) {
    return getenv__cs4(name);
}

int setenv__cs4(const char *name, const char *value, int replace) {
    unsigned long length = strlen(name), size = strlen(value), at = 0;
    int place = __cs_variable(name, length);
    if (length == 0 || strchr(name, '=') != 0) {
        *__errno_location() = __CSEQ_EINVAL;
        return -1;
    }
    if (__cs_variables[place] != 0 && !replace)
        return 0;
    __CSEQ_unwound(place < 63, VARIABLES, 63);
    char *setting = __CSEQ_allocate(length + size + 2);
    while (at < 64 && at < length) {
        setting[at] = name[at];
        at++;
    }
    setting[length] = '=';
    at = 0;
    while (at < 64 && at <= size) {
        setting[length + 1 + at] = value[at];
        at++;
    }
    if (place < 63)
        __cs_variables[place] = setting;
    return 0;
}

int unsetenv__cs4(const char *name) {
    unsigned long length = strlen(name);
    int at = __cs_variable(name, length);
    if (length == 0 || strchr(name, '=') != 0) {
        *__errno_location() = __CSEQ_EINVAL;
        return -1;
    }
    while (at < 63 && __cs_variables[at] != 0) {
        __cs_variables[at] = __cs_variables[at + 1];
        at++;
    }
    return 0;
}

int putenv__cs4(char *setting) {
    char *value = strchr(setting, '=');
    int at = 0;
    if (value == 0)
        return unsetenv__cs4(setting);
    at = __cs_variable(setting, value - setting);
    __CSEQ_unwound(at < 63, VARIABLES, 63);
    if (at < 63)
        __cs_variables[at] = setting;
    return 0;
}

/* The bytes of standard input, how many there are, and the next one; whether the end has been met. */
char __cs_input[1];
long __cs_input_size;
long __cs_input_at;
int __cs_input_ended;

int __cs_next_byte(void) {
    if (__cs_input_at >= __cs_input_size) {
        __cs_input_ended = 1;
        return -1;
    }
    __cs_input_at++;
    return (unsigned char)__cs_input[__cs_input_at - 1];
}

int getchar__cs4(void) {
    return __cs_next_byte();
}

int fgetc__cs4(void *stream) {
    return __cs_next_byte();
}

int getc__cs4(void *stream) {
    return __cs_next_byte();
}

int ungetc__cs4(int character, void *stream) {
    if (character == -1 || __cs_input_at == 0)
        return -1;
    __cs_input_at--;
    __cs_input[__cs_input_at] = (char)character;
    __cs_input_ended = 0;
    return (unsigned char)character;
}

int feof__cs4(void *stream) {
    return __cs_input_ended;
}

int ferror__cs4(void *stream) {
    return 0;
}

void clearerr__cs4(void *stream) {
    __cs_input_ended = 0;
}

char *fgets__cs4(char *buffer, int size, void *stream) {
    int at = 0, byte = 0, turn = 0;
    if (size <= 0)
        return 0;
    while (turn < 256 && turn < size - 1 && byte != '\n' && byte != -1) {
        byte = __cs_next_byte();
        if (byte != -1) {
            buffer[at] = (char)byte;
            at++;
        }
        turn++;
    }
    __CSEQ_unwound(turn < 256, CHARACTERS, 255);
    if (at == 0 && byte == -1)
        return 0;
    buffer[at] = 0;
    return buffer;
}

long read__cs4(int file, void *buffer, unsigned long size) {
    long at = 0;
    while (at < 256 && (unsigned long)at < size && __cs_input_at < __cs_input_size) {
        ((char *)buffer)[at] = (char)__cs_next_byte();
        at++;
    }
    __CSEQ_unwound(at < 256, READ_BYTES, 255);
    return at;
}

unsigned long fread__cs4(void *buffer, unsigned long size, unsigned long count, void *stream) {
    unsigned long at = 0, turn = 0;
    int byte = 0;
    if (size == 0 || count == 0)
        return 0;
    while (turn < 256 && turn < size * count && byte != -1) {
        byte = __cs_next_byte();
        if (byte != -1) {
            ((char *)buffer)[at] = (char)byte;
            at++;
        }
        turn++;
    }
    __CSEQ_unwound(turn < 256, READ_BYTES, 255);
    return at / size;
}

/* Room for a line of *size* characters and the null character after it. */
void __cs_room(char **line, unsigned long *room, unsigned long size) {
    if (*line != 0 && *room > size)
        return;
    unsigned long wanted = *line == 0 || *room == 0 ? 120 : 2 * *room;
    *room = wanted > size ? wanted : size + 1;
    *line = realloc(*line, *room);
}

long getdelim__cs4(char **line, unsigned long *room, int end, void *stream) {
    long at = 0;
    int byte = 0, going = 1, turn = 0;
    if (*line == 0 || *room == 0)
        __cs_room(line, room, 0);
    while (turn < 256 && going) {
        byte = __cs_next_byte();
        going = byte != -1;
        if (going) {
            __cs_room(line, room, at + 1);
            (*line)[at] = (char)byte;
            at++;
            going = byte != end;
        }
        turn++;
    }
    __CSEQ_unwound(!going, CHARACTERS, 255);
    if (at == 0)
        return -1;
    (*line)[at] = 0;
    return at;
}

long getline__cs4(char **line, unsigned long *room, void *stream) {
    return getdelim__cs4(line, room, '\n', stream);
}
