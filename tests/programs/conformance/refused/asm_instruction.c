/* asm with instructions that are not about memory and numbers
 */
int main(void)
{
    long result;

    asm volatile("xorl %%edi, %%edi; syscall" : "=a"(result) : "0"(60L) : "memory"); // REFUSED: (at `syscall`)
    return result;
}
