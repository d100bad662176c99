/* asm at file level that defines functions
 */
asm("one: movl $1, %eax\n\tret"); // REFUSED: assembly outside of functions that does more than declare symbols
int main(void)
{
    return 0;
}
