int main(void) { int x = 1; __CPROVER_assert(x == 1, "assertion `x == 1`"); }
