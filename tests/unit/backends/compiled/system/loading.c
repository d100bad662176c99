/* Load the library that the first word names, and call its function. */
#include <dlfcn.h>
#include <stddef.h>

int main(int count, char **words)
{
    void *library = count > 1 ? dlopen(words[1], RTLD_NOW) : NULL;
    void (*check)(int) = NULL;
    if (library != NULL)
        *(void **)&check = dlsym(library, "check");
    if (check == NULL)
        return 1;
    check(-1);
    return 0;
}
