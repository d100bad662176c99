/* Functions of the C library as step programs of 32 bits call them: `long` and sizes have 32 bits there, and the upper
 * half of a register that one of them is passed in means nothing. modules/explicit/x32.py gives them these names. */

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void *cs_x32_memcpy(void *to, const void *from, unsigned int size);
void *cs_x32_memmove(void *to, const void *from, unsigned int size);
void *cs_x32_memset(void *to, int byte, unsigned int size);
int cs_x32_memcmp(const void *one, const void *other, unsigned int size);
int cs_x32_strncmp(const char *one, const char *other, unsigned int size);
int cs_x32_labs(int number);

void *cs_x32_memcpy(void *to, const void *from, unsigned int size) { return memcpy(to, from, size); }
void *cs_x32_memmove(void *to, const void *from, unsigned int size) { return memmove(to, from, size); }
void *cs_x32_memset(void *to, int byte, unsigned int size) { return memset(to, byte, size); }
int cs_x32_memcmp(const void *one, const void *other, unsigned int size) { return memcmp(one, other, size); }
int cs_x32_strncmp(const char *one, const char *other, unsigned int size) { return strncmp(one, other, size); }
int cs_x32_labs(int number) { return number < 0 ? (int)-(unsigned int)number : number; }
