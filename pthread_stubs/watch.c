/* An object that has been initialised must not be initialised again before it is destroyed.
 *
 * Memory that nobody initialised may look like an object that somebody did, so its state does not tell. Instead the
 * library remembers one object that it initialised: any one, or none. */

void *__cs_watched;

void __cs_watch(void *object) {
    if (__CSEQ_nondet_bool())
        __cs_watched = object;
}
