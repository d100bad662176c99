/* What the buggy program and its repaired twin have that the other has not. */
#ifdef BUG
#define BUGGY(...) __VA_ARGS__
#define REPAIRED(...)
#define TWINS(buggy, repaired) buggy
#else
#define BUGGY(...)
#define REPAIRED(...) __VA_ARGS__
#define TWINS(buggy, repaired) repaired
#endif
