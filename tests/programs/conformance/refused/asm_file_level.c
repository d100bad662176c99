/* asm at file level
 */
asm("nop"); // REFUSED: assembly outside of functions is not supported
int main(void)
{
    return 0;
}
