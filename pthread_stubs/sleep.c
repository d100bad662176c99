/* Time passes without being modelled: a thread that sleeps may go on at once, and no signal wakes it before its time. */

unsigned int sleep(unsigned int seconds) {
    return 0;
}

int usleep(unsigned int microseconds) {
    return 0;
}
