/* Input and output: output is discarded, input has any value. One step each. */

void *fopen(const char *path, const char *mode) {
    return __CSEQ_nondet_bool() ? __CSEQ_allocate(1) : 0;
}

void *fdopen(int file, const char *mode) {
    return __CSEQ_nondet_bool() ? __CSEQ_allocate(1) : 0;
}

void *freopen(const char *path, const char *mode, void *stream) {
    return __CSEQ_nondet_bool() ? stream : 0;
}

int getchar(void) {
    int character = __CSEQ_nondet_int();
    __CSEQ_assume(character >= -1 && character <= 255);
    return character;
}

int fgetc(void *stream) {
    int character = __CSEQ_nondet_int();
    __CSEQ_assume(character >= -1 && character <= 255);
    return character;
}

int getc(void *stream) {
    int character = __CSEQ_nondet_int();
    __CSEQ_assume(character >= -1 && character <= 255);
    return character;
}

long read(int file, void *buffer, unsigned long size) {
    long count = __CSEQ_nondet_long(), at = 0;
    __CSEQ_assume(count >= -1 && (count < 0 || (unsigned long)count <= size));
    while (at < 256 && (unsigned long)at < size && at < count) {
        ((char *)buffer)[at] = __CSEQ_nondet_char();
        at++;
    }
    __CSEQ_unwound(at >= count, READ_BYTES, 256);
    return count;
}

unsigned long fread(void *buffer, unsigned long size, unsigned long count, void *stream) {
    unsigned long done = __CSEQ_nondet_ulong(), at = 0;
    __CSEQ_assume(done <= count);
    while (at < 256 && at < size * count && at < size * done) {
        ((char *)buffer)[at] = __CSEQ_nondet_char();
        at++;
    }
    __CSEQ_unwound(at >= size * done, READ_BYTES, 256);
    return done;
}

char *fgets(char *buffer, int size, void *stream) {
    int length = __CSEQ_nondet_int(), at = 0;
    if (size <= 0 || __CSEQ_nondet_bool())
        return 0;
    __CSEQ_assume(length >= (size > 1) && length < size);
    while (at < 256 && at < size && at < length) {
        buffer[at] = __CSEQ_nondet_char();
        at++;
    }
    __CSEQ_unwound(at >= length, CHARACTERS, 256);
    buffer[length] = 0;
    return buffer;
}

/* Any line of at most 63 characters, or none. */
long getdelim(char **line, unsigned long *room, int end, void *stream) {
    unsigned long size = __CSEQ_nondet_ulong(), at = 0;
    if (__CSEQ_nondet_bool())
        return -1;
    __CSEQ_assume(size >= 1 && size < 64);
    __CSEQ_unwound(__CSEQ_nondet_bool(), CHARACTERS, 63);
    __cs_room(line, room, size);
    while (at < 64 && at < size) {
        (*line)[at] = __CSEQ_nondet_char();
        __CSEQ_assume(at + 1 == size || (*line)[at] != (char)end);
        at++;
    }
    (*line)[size] = 0;
    return size;
}

long getline(char **line, unsigned long *room, void *stream) {
    return getdelim(line, room, '\n', stream);
}

/* Writes any text that fits into an object of `size` bytes; returns its length. */
int __cs_shown(const char *text, unsigned long most) {
    unsigned long at = 0;
    while (at < 64 && at < most && text[at])
        at++;
    __CSEQ_unwound(at < 64, PUT_OUT, 63);
    return 0;
}

int __cs_text(char *buffer, unsigned long size) {
    unsigned long length = __CSEQ_nondet_uint(), at = 0;
    __CSEQ_assume(length < size);
    while (at < 256 && at < size && at < length) {
        buffer[at] = __CSEQ_nondet_char();
        __CSEQ_assume(buffer[at] != 0);
        at++;
    }
    __CSEQ_unwound(at >= length, TEXT_WRITTEN, 256);
    buffer[length] = 0;
    return (int)length;
}

/* The parts of a formatted text: each function writes after the first `at` characters, as far as `size` bytes allow,
 * and returns the new number of characters. */

unsigned long __cs_put_character(char *buffer, unsigned long size, unsigned long at, int character) {
    if (at + 1 < size)
        buffer[at] = (char)character;
    return at + 1;
}

unsigned long __cs_put_text(char *buffer, unsigned long size, unsigned long at, const char *text, unsigned long most) {
    unsigned long from = 0;
    while (from < 64 && from < most && text[from]) {
        if (at + from + 1 < size)
            buffer[at + from] = text[from];
        from++;
    }
    __CSEQ_unwound(from < 64, PRINTED, 63);
    return at + from;
}

/* Division is expensive, so the digits are guessed: they must add up to the value. `most`: their maximum number. */
unsigned long __cs_put_number(char *buffer, unsigned long size, unsigned long at, unsigned long long value, int base, int most, int negative, int width, int fill) {
    unsigned long long sum = 0, before = 0, power = 1;
    unsigned char digits[22];
    int count = 1, pad = 0, place = 0;
    while (place < 22 && place < most) {
        unsigned char digit = __CSEQ_nondet_uchar();
        __CSEQ_assume(digit < base && (power < 9223372036854775808ULL || digit < 2));
        before = sum;
        sum = sum + digit * power;
        __CSEQ_assume(sum >= before);
        if (digit != 0)
            count = place + 1;
        digits[place] = digit < 10 ? '0' + digit : 'a' + digit - 10;
        power = power * base;
        place++;
    }
    __CSEQ_assume(sum == value);
    pad = width - count - negative;
    if (negative && fill == '0') {
        if (at + 1 < size)
            buffer[at] = '-';
        at++;
    }
    place = 0;
    while (place < 20 && place < width) {
        if (place < pad) {
            if (at + 1 < size)
                buffer[at] = (char)fill;
            at++;
        }
        place++;
    }
    if (negative && fill != '0') {
        if (at + 1 < size)
            buffer[at] = '-';
        at++;
    }
    place = most;
    while (place > 0) {
        place--;
        if (place < count) {
            if (at + 1 < size)
                buffer[at] = digits[place];
            at++;
        }
    }
    return at;
}

int __cs_put_end(char *buffer, unsigned long size, unsigned long at) {
    if (size > 0)
        buffer[at + 1 < size ? at : size - 1] = 0;
    return (int)at;
}
