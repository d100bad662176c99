/* An object that has been initialised must not be initialised again before it is destroyed.
 *
 * Uninitialised memory may look like an initialised object, so the state of an object is not enough to decide. Instead
 * the library remembers one object that it initialised: an arbitrary one, or none. */

void *__cs_watched;

void __cs_watch(void *object) {
    if (__CSEQ_nondet_bool())
        __cs_watched = object;
}
