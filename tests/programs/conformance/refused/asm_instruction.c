/* asm statements that compute
 */
int main(void)
{
    int x = 1;

    asm("addl $1, %0" : "+r"(x)); // REFUSED: the assembly `asm("addl $1, %0")` is not supported
    return x;
}
