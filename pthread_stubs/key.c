/* Thread-specific data (pthread_key_create and what goes with it, tss_create).
 *
 * A key is its number plus one, so that zeroed memory is no key; a deleted key is not used again. Bit k of
 * __cs_destructible says that key k has a destructor, bit k of __cs_specific that the thread has a value for it. When
 * a thread ends, the destructors are called in any order; one that was called is only called again behind those that
 * were not, and four times at most (PTHREAD_DESTRUCTOR_ITERATIONS). */

unsigned int __cs_keys;
unsigned int __cs_key_exists;
unsigned int __cs_destructible;
unsigned int __cs_specific[__CSEQ_THREADS];
unsigned int __cs_destroyed[__CSEQ_THREADS];
unsigned char __cs_destructor_round[__CSEQ_THREADS];
void *__cs_destructor[__CSEQ_KEYS];
void *__cs_specific_value[__CSEQ_THREADS][__CSEQ_KEYS];

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
    __cs_key_exists |= 1U << __cs_keys;
    if (destructor != 0)
        __cs_destructible |= 1U << __cs_keys;
    __cs_destructor[__cs_keys] = (void *) destructor;
    __cs_keys++;
    *key = __cs_keys;
    return 0;
}

int pthread_key_delete(pthread_key_t key) {
    if (key < 1 || key > __cs_keys || (__cs_key_exists >> (key - 1) & 1) == 0)
        return __CSEQ_EINVAL;
    __cs_key_exists &= ~(1U << (key - 1));
    __cs_destructible &= ~(1U << (key - 1));
    return 0;
}

void *pthread_getspecific(pthread_key_t key) {
    __CSEQ_fail_unless(key >= 1 && key <= __cs_keys, KEY, NONE_CREATED);
    __CSEQ_fail_unless(__cs_key_exists >> (key - 1) & 1, KEY, DELETED);
    return __cs_specific_value[__CSEQ_thread][key - 1];
}

int pthread_setspecific(pthread_key_t key, const void *value) {
    if (key < 1 || key > __cs_keys || (__cs_key_exists >> (key - 1) & 1) == 0)
        return __CSEQ_EINVAL;
    __cs_specific_value[__CSEQ_thread][key - 1] = (void *) value;
    if (value != 0)
        __cs_specific[__CSEQ_thread] |= 1U << (key - 1);
    else
        __cs_specific[__CSEQ_thread] &= ~(1U << (key - 1));
    return 0;
}

unsigned int __cs_step_next_key(void) {
    unsigned int left = __cs_specific[__CSEQ_thread] & __cs_destructible;
    unsigned int key = 0;
    if (left != 0 && (left & ~__cs_destroyed[__CSEQ_thread]) == 0) {
        __cs_destructor_round[__CSEQ_thread]++;
        __cs_destroyed[__CSEQ_thread] = 0;
    }
    if (left == 0 || __cs_destructor_round[__CSEQ_thread] == 4)
        return 0;
    key = __CSEQ_nondet_uint();
    __CSEQ_assume(key < __CSEQ_KEYS && (left & ~__cs_destroyed[__CSEQ_thread]) >> key & 1);
    __cs_destroyed[__CSEQ_thread] |= 1U << key;
    __cs_specific[__CSEQ_thread] &= ~(1U << key);
    return key + 1;
}

void *__cs_step_take_value(unsigned int key) {
    void *value = __cs_specific_value[__CSEQ_thread][key - 1];
    __cs_specific_value[__CSEQ_thread][key - 1] = 0;
    return value;
}

void __cs_thread_end(void) {
    unsigned int __cs_key = __cs_step_next_key();
    while (__cs_key != 0) {
        ((void (*)(void *)) __cs_destructor[__cs_key - 1])(__cs_step_take_value(__cs_key));
        __cs_key = __cs_step_next_key();
    }
}
