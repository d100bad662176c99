/* A library whose function fails. */
#undef NDEBUG
#include <assert.h>

void check(int number);

void check(int number) { assert(number > 0); }
