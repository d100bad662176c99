/* Numbers, their conversion from text, and memory. One step each. Engines have malloc, calloc and free. */

int abs(int value) {
    return value < 0 ? -value : value;
}

long labs(long value) {
    return value < 0 ? -value : value;
}

long long llabs(long long value) {
    return value < 0 ? -value : value;
}

div_t div(int left, int right) {
    div_t result;
    result.quot = left / right;
    result.rem = left % right;
    return result;
}

ldiv_t ldiv(long left, long right) {
    ldiv_t result;
    result.quot = left / right;
    result.rem = left % right;
    return result;
}

lldiv_t lldiv(long long left, long long right) {
    lldiv_t result;
    result.quot = left / right;
    result.rem = left % right;
    return result;
}

int rand_r(unsigned int *seed) {
    *seed = __CSEQ_nondet_uint();
    return __CSEQ_nondet_int() & 2147483647;
}

/* The variants for programs that may use a seed twice: what a seed gives is any numbers, but the same each time. Each
 * number has the seed, and how many numbers the seed has given (`rand_r` counts none: it changes the seed, which is
 * kept with the number). The last element is for numbers that are not kept. */
unsigned int __cs_seed_of[9];
unsigned int __cs_turn_of[9];
unsigned int __cs_next_of[9];
int __cs_number_of[9];
unsigned int __cs_number_count;
_Bool __cs_number_missed;
_Bool __cs_number_unsure;

unsigned int __cs_drawn_number(unsigned int seed, unsigned int turn) {
    unsigned int at = 0, place = 8;
    while (at < 8) {
        if (at < __cs_number_count && __cs_seed_of[at] == seed && __cs_turn_of[at] == turn)
            place = at;
        at++;
    }
    __CSEQ_unwound(place < 8 || !__cs_number_unsure, RANDOM_NUMBERS, 8);
    if (place < 8)
        return place;
    if (__cs_number_count < 8) {
        place = __cs_number_count;
        __cs_number_count++;
    } else
        __cs_number_missed = 1;
    __cs_seed_of[place] = seed;
    __cs_turn_of[place] = turn;
    __cs_next_of[place] = __CSEQ_nondet_uint();
    __cs_number_of[place] = __CSEQ_nondet_int() & 2147483647;
    return place;
}

unsigned int __cs_random_seed = 1;
unsigned int __cs_random_turn;

int __cs_next_random(void) {
    __cs_random_turn++;
    return __cs_number_of[__cs_drawn_number(__cs_random_seed, __cs_random_turn)];
}

/* Numbers of earlier seeds that were not kept may be due again. */
void __cs_seeded(unsigned int seed) {
    __cs_random_seed = seed;
    __cs_random_turn = 0;
    __cs_number_unsure = __cs_number_missed;
}

int rand__cs10(void) {
    return __cs_next_random();
}

long random__cs10(void) {
    return __cs_next_random();
}

void srand__cs10(unsigned int seed) {
    __cs_seeded(seed);
}

void srandom__cs10(unsigned int seed) {
    __cs_seeded(seed);
}

int rand_r__cs10(unsigned int *seed) {
    unsigned int place = __cs_drawn_number(*seed, 0);
    *seed = __cs_next_of[place];
    __cs_number_unsure = __cs_number_missed;
    return __cs_number_of[place];
}

long lrand48(void) {
    return __CSEQ_nondet_int() & 2147483647;
}

long mrand48(void) {
    return __CSEQ_nondet_int();
}

double drand48(void) {
    return (__CSEQ_nondet_uint() & 2147483647) / 2147483648.0;
}

/* The number at the beginning of a text; `end`: where it ends. Numbers have at most 31 characters. */
unsigned long long __cs_number(const char *text, char **end, int base, int *negative) {
    unsigned long long value = 0, limit = 0;
    unsigned long start = 0, count = 0, length = 0;
    int going = 1, last = 0;
    while (count < 32 && (text[count] == ' ' || (text[count] >= '\t' && text[count] <= '\r')))
        count++;
    start = count;
    *negative = text[start] == '-';
    if (text[start] == '-' || text[start] == '+')
        start++;
    if ((base == 0 || base == 16) && text[start] == '0' && (text[start + 1] == 'x' || text[start + 1] == 'X')
        && ((text[start + 2] >= '0' && text[start + 2] <= '9') || (text[start + 2] >= 'a' && text[start + 2] <= 'f')
            || (text[start + 2] >= 'A' && text[start + 2] <= 'F'))) {
        start += 2;
        base = 16;
    }
    if (base == 0)
        base = text[start] == '0' ? 8 : 10;
    limit = 18446744073709551615ULL / base;
    last = 18446744073709551615ULL % base;
    count = 0;
    while (count < 32 && going) {
        char c = text[start + count];
        int digit = c >= '0' && c <= '9' ? c - '0'
            : c >= 'a' && c <= 'z' ? c - 'a' + 10
            : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
        going = digit < base;
        count++;
        if (going) {
            if (value > limit || (value == limit && digit > last))
                *negative |= 2;
            value = value * base + digit;
            length = count;
        }
    }
    __CSEQ_unwound(!going, NUMBER, 31);
    if (end != 0)
        *end = (char *)text + (length > 0 ? start + length : 0);
    return value;
}

long long __cs_clamped(unsigned long long value, int negative, long long most) {
    if ((negative & 2) || value > (unsigned long long)most + (negative & 1))
        return negative & 1 ? -most - 1 : most;
    return negative & 1 ? -(long long)(value - (value != 0)) - (value != 0) : (long long)value;
}

int atoi(const char *text) {
    int negative = 0;
    unsigned long long value = __cs_number(text, 0, 10, &negative);
    return (int)__cs_clamped(value, negative, sizeof(long) == 8 ? 9223372036854775807LL : 2147483647LL);
}

long atol(const char *text) {
    int negative = 0;
    unsigned long long value = __cs_number(text, 0, 10, &negative);
    return (long)__cs_clamped(value, negative, sizeof(long) == 8 ? 9223372036854775807LL : 2147483647LL);
}

long long atoll(const char *text) {
    int negative = 0;
    unsigned long long value = __cs_number(text, 0, 10, &negative);
    return __cs_clamped(value, negative, 9223372036854775807LL);
}

long strtol(const char *text, char **end, int base) {
    int negative = 0;
    unsigned long long value = __cs_number(text, end, base, &negative);
    return (long)__cs_clamped(value, negative, sizeof(long) == 8 ? 9223372036854775807LL : 2147483647LL);
}

long long strtoll(const char *text, char **end, int base) {
    int negative = 0;
    unsigned long long value = __cs_number(text, end, base, &negative);
    return __cs_clamped(value, negative, 9223372036854775807LL);
}

unsigned long strtoul(const char *text, char **end, int base) {
    int negative = 0;
    unsigned long long value = __cs_number(text, end, base, &negative);
    if ((negative & 2) || value > (unsigned long)-1)
        return (unsigned long)-1;
    return negative ? -(unsigned long)value : (unsigned long)value;
}

unsigned long long strtoull(const char *text, char **end, int base) {
    int negative = 0;
    unsigned long long value = __cs_number(text, end, base, &negative);
    if (negative & 2)
        return 18446744073709551615ULL;
    return negative ? -value : value;
}

void *realloc(void *memory, unsigned long size) {
    void *moved = __CSEQ_allocate_freeable(size);
    if (memory != 0) {
        unsigned long kept = __CSEQ_size(memory);
        if (kept > size)
            kept = size;
        __CSEQ_copy(moved, memory, kept);
        __CSEQ_release(memory);
    }
    return moved;
}

void *reallocarray(void *memory, unsigned long count, unsigned long size) {
    void *moved = __CSEQ_allocate_freeable(count * size);
    if (memory != 0) {
        unsigned long kept = __CSEQ_size(memory);
        if (kept > count * size)
            kept = count * size;
        __CSEQ_copy(moved, memory, kept);
        __CSEQ_release(memory);
    }
    return moved;
}

/* The variants for programs that can tell whether the address of a block is that of an earlier one. A freed block
 * waits here, perhaps; a block of the same size, rounded up to 16 bytes, is one that waits, or a new one. */
void *__cs_waiting_blocks[__CSEQ_FREED];

void __cs_given_back(void *block) {
    unsigned int at = 0;
    int done = block == 0 || __CSEQ_nondet_bool();
    while (at < __CSEQ_FREED) {
        if (!done && __cs_waiting_blocks[at] == 0) {
            __cs_waiting_blocks[at] = block;
            done = 1;
        }
        at++;
    }
    __CSEQ_unwound(done, FREED_BLOCKS);
}

void *__cs_taken_back(unsigned long size) {
    void *block = 0;
    unsigned int at = 0;
    while (at < __CSEQ_FREED) {
        if (block == 0 && __cs_waiting_blocks[at] != 0 && size <= __CSEQ_room(__cs_waiting_blocks[at])
            && __CSEQ_room(__cs_waiting_blocks[at]) - size < 16 && __CSEQ_nondet_bool()) {
            block = __cs_waiting_blocks[at];
            __cs_waiting_blocks[at] = 0;
            __CSEQ_again(block);
        }
        at++;
    }
    return block;
}

/* For programs that may compare the addresses of blocks of different sizes: those do not come back here. */
int __cs_waits_otherwise(unsigned long size) {
    unsigned int at = 0;
    int other = 0;
    while (at < __CSEQ_FREED) {
        if (__cs_waiting_blocks[at] != 0
            && (size > __CSEQ_room(__cs_waiting_blocks[at]) || __CSEQ_room(__cs_waiting_blocks[at]) - size >= 16))
            other = 1;
        at++;
    }
    return other;
}

void __cs_other_size(const void *block, unsigned long size) {
    __CSEQ_unwound(block != 0 || !__cs_waits_otherwise(size) || __CSEQ_nondet_bool(), OTHER_SIZE);
}

/* Whether a block is resized where it is. */
int __cs_stays(void *block, unsigned long size) {
    if (!__CSEQ_nondet_bool())
        return 0;
    __CSEQ_unwound(size <= __CSEQ_room(block), GROWN);
    return 1;
}

/* Of the blocks that have been freed, any one: so each use of an object of the thread library in any of them is seen.
 * What was initialised in a block may be initialised again where the block comes back. */
const void *__cs_gone;

void __cs_freed_now(const void *block) {
    if (block != 0 && __cs_watched != 0 && __CSEQ_inside(__cs_watched, block))
        __cs_watched = 0;
    if (block != 0 && __CSEQ_nondet_bool())
        __cs_gone = block;
}

void __cs_taken_now(const void *block) {
    if (block == __cs_gone)
        __cs_gone = 0;
}

int __cs_exists(const void *object) {
    return __cs_gone == 0 || !__CSEQ_inside(object, __cs_gone);
}

void *malloc__cs6(unsigned long size) {
    void *block = __cs_taken_back(size);
    __cs_other_size(block, size);
    if (block == 0)
        block = __CSEQ_allocate_freeable(size);
    __cs_taken_now(block);
    return block;
}

void *calloc__cs6(unsigned long count, unsigned long size) {
    void *block = malloc__cs6(count * size);
    __CSEQ_fill(block, 0, count * size);
    return block;
}

void free__cs6(void *block) {
    __cs_freed_now(block);
    __cs_given_back(block);
    __CSEQ_release(block);
}

void *realloc__cs6(void *memory, unsigned long size) {
    void *moved = 0;
    unsigned long kept = memory == 0 ? 0 : __CSEQ_size(memory);
    if (memory != 0 && __cs_stays(memory, size))
        return memory;
    moved = malloc__cs6(size);
    if (kept > size)
        kept = size;
    if (kept > 0)
        __CSEQ_copy(moved, memory, kept);
    free__cs6(memory);
    return moved;
}

void *reallocarray__cs6(void *memory, unsigned long count, unsigned long size) {
    return realloc__cs6(memory, count * size);
}

/* Unset, or a text of which the program does not read anything. */
char *__cs_is_set(void) {
    if (__CSEQ_nondet_bool())
        return 0;
    return __CSEQ_allocate(1);
}

/* Unset, or any text of at most 15 characters. */
char *getenv(const char *name) {
    if (__CSEQ_nondet_bool())
        return 0;
    char *value = __CSEQ_allocate(16);
    __CSEQ_havoc(value, 16);
    value[15] = 0;
    __CSEQ_unwound(__CSEQ_nondet_bool(), VALUE, 15);
    return value;
}

char *secure_getenv(const char *name) {
    if (__CSEQ_nondet_bool())
        return 0;
    char *value = __CSEQ_allocate(16);
    __CSEQ_havoc(value, 16);
    value[15] = 0;
    __CSEQ_unwound(__CSEQ_nondet_bool(), VALUE, 15);
    return value;
}

/* The date and the time, in members and as text of 25 characters: one object each, which the next call overwrites. */
void *__cs_date;
char *__cs_date_text;

void *__cs_any_date(void *date) {
    __CSEQ_havoc(date, 56);
    return date;
}

char *__cs_any_text(char *text) {
    __CSEQ_havoc(text, 26);
    text[25] = 0;
    return text;
}

struct tm *gmtime(const void *time) {
    if (__cs_date == 0)
        __cs_date = __CSEQ_allocate(56);
    return __cs_any_date(__cs_date);
}

struct tm *localtime(const void *time) {
    return gmtime(time);
}

char *asctime(const void *date) {
    if (__cs_date_text == 0)
        __cs_date_text = __CSEQ_allocate(26);
    return __cs_any_text(__cs_date_text);
}

char *ctime(const void *time) {
    return asctime(gmtime(time));
}

unsigned long strftime(char *buffer, unsigned long size, const char *format, const void *time) {
    return __CSEQ_nondet_bool() || size == 0 ? 0 : __cs_text(buffer, size);
}

int gethostname(char *buffer, unsigned long size) {
    if (__CSEQ_nondet_bool() || size == 0)
        return -1;
    __cs_text(buffer, size);
    return 0;
}

char *getcwd(char *buffer, unsigned long size) {
    if (__CSEQ_nondet_bool() || size == 0 || buffer == 0)
        return 0;
    __cs_text(buffer, size);
    return buffer;
}
