/* asm at file level that defines functions
 */
asm("one: movl $1, %eax\n\tret"); // REFUSED: assembly outside of functions that does more than declare symbols
int one(void);

int main(void)
{
    return one() - 1;
}
