
#undef main
extern unsigned char __data_start[], _end[];

static int explorer_next(void)
{
    while (explorer->length > 0 && explorer->value[explorer->length - 1] + 1 == explorer->limit[explorer->length - 1])
        explorer->length--;
    if (explorer->length == 0)
        return 0;
    explorer->value[explorer->length - 1]++;
    return 1;
}

int main(void)
{
    explorer = calloc(1, sizeof *explorer);
    explorer->memory = calloc(1, _end - __data_start);
    memcpy(explorer->memory, __data_start, _end - __data_start);
    do {
        memcpy(__data_start, explorer->memory, _end - __data_start);
        explorer->depth = 0;
        if (__builtin_setjmp(explorer->start) == 0)
            sequentialized_main();
    } while (explorer_next());
    for (int i = 0; i < explorer->failures; i++)
        printf("%s\n", explorer->failure[i]);
    return 0;
}
