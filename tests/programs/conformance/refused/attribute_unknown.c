/* an attribute that is in no table
 * --rounds 1
 */
int x;

__attribute__((frobnicate)) void change(void) // REFUSED: the attribute `frobnicate` is not supported
{
    x = 1;
}

int main(void)
{
    change();
    return x;
}
